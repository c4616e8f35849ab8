/** Planners compared on many problems, and the processor time of policies. */
@NullMarked
package dev.stowage.study.planner;

import org.jspecify.annotations.NullMarked;
