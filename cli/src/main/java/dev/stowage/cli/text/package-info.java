/** What every command reads and writes: the console, tables, arguments, messages and exit codes. */
@NullMarked
package dev.stowage.cli.text;

import org.jspecify.annotations.NullMarked;
