/** The load that an experiment offers: how many requests of which demands are in service in the mean; more of it. */
@NullMarked
package dev.stowage.study.load;

import org.jspecify.annotations.NullMarked;
