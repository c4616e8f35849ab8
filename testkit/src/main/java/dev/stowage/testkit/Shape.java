package dev.stowage.testkit;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;

/** What random scenarios may contain; set by {@link Fuzz}. */
final class Shape {
    static final String NO_SUCH_POLICY = "no-such-policy";

    final PolicyFactory policies;
    final List<PolicySpec> specs;
    /** Policies that a scenario switches to. */
    List<PolicySpec> successors;

    List<Steps> steps = List.of(Steps.COMMANDS, Steps.SLOTS);
    int leastResources = 1;
    int mostResources = 8;
    int mostCommands = 60;
    boolean typesOnly;
    boolean pools = true;
    boolean divisible = true;
    boolean singleSite;
    boolean serverChanges = true;
    boolean policySwitches = true;
    boolean siteLimits;
    boolean constraints;
    boolean overcommitment;
    boolean gangs;
    boolean agents;
    boolean priorities;
    boolean lifetimes;
    boolean devices;

    Shape(PolicyFactory policies, List<PolicySpec> specs) {
        this.policies = policies;
        this.specs = specs;
        successors = specs;
    }
}
