/** The console in a real browser. */
@NullMarked
package dev.stowage.service.console;

import org.jspecify.annotations.NullMarked;
