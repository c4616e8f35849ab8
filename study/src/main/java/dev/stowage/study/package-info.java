/** Computations around runs; nothing is printed here. */
@NullMarked
package dev.stowage.study;

import org.jspecify.annotations.NullMarked;
