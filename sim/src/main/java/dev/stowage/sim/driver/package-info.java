/** Drivers of the engine: continuous and slotted simulation, and replay of a recorded log. */
@NullMarked
package dev.stowage.sim.driver;

import org.jspecify.annotations.NullMarked;
