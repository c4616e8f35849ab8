/** Bounds that no policy can exceed: of load, reward, utilization and completion times of an experiment. */
@NullMarked
package dev.stowage.study.bound;

import org.jspecify.annotations.NullMarked;
