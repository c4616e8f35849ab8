/** A recorded run at any of its moments: what stood where, what was decided and why. */
@NullMarked
package dev.stowage.study.step;

import org.jspecify.annotations.NullMarked;
