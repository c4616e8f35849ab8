package dev.stowage.policies;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import java.util.Map;

/** An engine with a policy, for packings worked out by hand: requests are numbered 0, 1, 2, ... */
public final class Rig {
    /** What {@link #servers} says of a request that waits. */
    public static final int WAITS = -1;

    /** What {@link #servers} says of a request that is not in the system. */
    public static final int GONE = -2;

    private final Engine engine;
    private final Steps steps;
    private final int resources;
    private long now;
    private long arrived;

    private Rig(String policy, Map<String, String> parameters, Steps steps, int servers, long... capacity) {
        this.steps = steps;
        resources = capacity.length;
        engine = Engine.start(
                Cluster.single(servers, capacity),
                PolicySpec.of(policy, parameters),
                new Policies(),
                steps,
                1,
                0,
                Effects.NONE);
    }

    /** Every command is a step. */
    public static Rig continuous(String policy, Map<String, String> parameters, int servers, long... capacity) {
        return new Rig(policy, parameters, Steps.COMMANDS, servers, capacity);
    }

    /** A step ends with {@link #endSlot}. */
    public static Rig slotted(String policy, int servers, long... capacity) {
        return new Rig(policy, Map.of(), Steps.SLOTS, servers, capacity);
    }

    /** Slotted time, with parameters. */
    public static Rig slotted(String policy, Map<String, String> parameters, int servers, long... capacity) {
        return new Rig(policy, parameters, Steps.SLOTS, servers, capacity);
    }

    /** Requests arrive one after the other, each with one amount per resource. */
    public Rig arrive(long... demands) {
        for (int i = 0; i < demands.length; i += resources) {
            long[] demand = new long[resources];
            System.arraycopy(demands, i, demand, 0, resources);
            engine.arrive(now++, arrived++, -1, demand, new long[0], 0);
        }
        return this;
    }

    /** Requests leave. */
    public Rig leave(long... ids) {
        for (long id : ids) {
            engine.leave(now++, id);
        }
        return this;
    }

    /** The slot ends. */
    public Rig endSlot() {
        engine.round(now++);
        return this;
    }

    /** Where each request that ever arrived is. */
    public int[] servers() {
        int[] servers = new int[(int) arrived];
        for (int id = 0; id < servers.length; id++) {
            int job = engine.find(id);
            servers[id] = job < 0 ? GONE : engine.view().server(job);
        }
        return servers;
    }

    @Override
    public String toString() {
        return engine.policy() + " in " + steps;
    }
}
