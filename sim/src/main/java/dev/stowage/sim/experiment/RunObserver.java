package dev.stowage.sim.experiment;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;

/**
 * Watches one run: receives its effects, and may put something between simulation and engine. Called in the run's
 * thread.
 */
public interface RunObserver {
    /** Watches nothing. */
    RunObserver NONE = new RunObserver() {};

    /** Hears every effect of the run. */
    default Effects effects() {
        return Effects.NONE;
    }

    /** Stands before the engine, e.g. to record the commands; passes every command on. */
    default Commands tee(Engine engine) {
        return engine;
    }

    /** The run is over: close files. {@code completed} is false if it failed or was interrupted. */
    default void finished(boolean completed) {}
}
