package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;

/**
 * Where the commands of engines are recorded: a scheduler starts a new engine when it becomes the leader, and when a
 * pod asks for a resource that no pod asked for before.
 */
public interface CommandLogs {
    /** Records nothing. */
    CommandLogs NONE = new CommandLogs() {
        @Override
        public Commands begin(Engine engine, Cluster cluster, PolicySpec policy, long seed) {
            return engine;
        }

        @Override
        public void end(long atNanos) {
            // There is nothing to end.
        }
    };

    /**
     * A new engine starts; a previous one has ended.
     *
     * @return receiver of the commands, which passes them on to the engine
     */
    Commands begin(Engine engine, Cluster cluster, PolicySpec policy, long seed);

    /**
     * The last engine is discarded.
     *
     * @param atNanos the time, on the clock of its commands
     */
    void end(long atNanos);
}
