/** Plans one job of many tasks. */
@NullMarked
package dev.stowage.cli.plan;

import org.jspecify.annotations.NullMarked;
