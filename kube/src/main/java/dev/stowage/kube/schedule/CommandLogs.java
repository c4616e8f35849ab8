package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;

/**
 * Where the commands of engines are recorded: a scheduler begins a new engine when it comes to lead, and when a pod
 * asks for a resource that none asked for before.
 */
public interface CommandLogs {
    /** Nowhere. */
    CommandLogs NONE = new CommandLogs() {
        @Override
        public Commands begin(Engine engine, Cluster cluster, PolicySpec policy, long seed) {
            return engine;
        }

        @Override
        public void end() {
            // There is nothing to end.
        }
    };

    /**
     * A new engine begins; the one before is given up.
     *
     * @return what takes the commands, and passes them on to the engine
     */
    Commands begin(Engine engine, Cluster cluster, PolicySpec policy, long seed);

    /** The last engine is given up. */
    void end();
}
