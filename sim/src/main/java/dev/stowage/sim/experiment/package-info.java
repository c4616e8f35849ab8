/** Experiments: labelled data that says what to simulate, and the runner that carries it out. */
@NullMarked
package dev.stowage.sim.experiment;

import org.jspecify.annotations.NullMarked;
