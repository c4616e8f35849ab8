/** Runs the experiments of the papers. */
@NullMarked
package dev.stowage.cli.reproduce;

import org.jspecify.annotations.NullMarked;
