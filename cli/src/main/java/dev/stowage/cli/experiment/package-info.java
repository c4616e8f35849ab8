/** Which experiment a command is about: a file or a built-in one, and what options change about it. */
@NullMarked
package dev.stowage.cli.experiment;

import org.jspecify.annotations.NullMarked;
