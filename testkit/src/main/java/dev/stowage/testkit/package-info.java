/** The laws every policy must keep, and the means to try to break them. */
@NullMarked
package dev.stowage.testkit;

import org.jspecify.annotations.NullMarked;
