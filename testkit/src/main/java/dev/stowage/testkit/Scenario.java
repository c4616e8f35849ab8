package dev.stowage.testkit;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;

/**
 * Everything that determines a run of an engine, which starts at time 0.
 *
 * @param policies makes policies
 * @param spec the policy at the start
 * @param cluster the cluster at the start
 * @param steps continuous or slotted
 * @param seed seed of the policy's random numbers
 * @param log the commands
 */
public record Scenario(
        PolicyFactory policies, PolicySpec spec, Cluster cluster, Steps steps, long seed, CommandLog log) {

    /** The same with another log. */
    Scenario withLog(CommandLog newLog) {
        return new Scenario(policies, spec, cluster, steps, seed, newLog);
    }

    /** The same with another cluster. */
    Scenario withCluster(Cluster newCluster) {
        return new Scenario(policies, spec, newCluster, steps, seed, log);
    }

    /** The engine at its start. */
    Engine start(PolicyFactory factory, Effects effects) {
        return Engine.start(cluster, spec, factory, steps, seed, 0, effects);
    }

    /** The engine after the whole log. */
    Engine play(Effects effects) {
        Engine engine = start(policies, effects);
        log.send(engine);
        return engine;
    }
}
