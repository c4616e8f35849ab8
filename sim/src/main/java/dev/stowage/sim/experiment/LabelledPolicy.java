package dev.stowage.sim.experiment;

import dev.stowage.core.policy.PolicySpec;

/**
 * A policy of an experiment.
 *
 * @param label unique name in tables and plots, the policy's key unless the experiment says otherwise
 * @param spec key and parameters
 */
public record LabelledPolicy(String label, PolicySpec spec) {}
