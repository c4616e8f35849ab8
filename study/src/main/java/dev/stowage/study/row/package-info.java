/** Computed values that are added to the measured result rows. */
@NullMarked
package dev.stowage.study.row;

import org.jspecify.annotations.NullMarked;
