package dev.stowage.policies.parallel.online;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.DeclaredLoad;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;

/** What a view says in the terms of the paper: loads, efficiencies, available capacity. */
final class Center {
    private final int divisible;
    private final Efficiency efficiency;
    private final KeyedRandom random = new KeyedRandom();

    Center(View view, Efficiency efficiency) {
        this.divisible = view.divisibleResource();
        this.efficiency = efficiency;
    }

    /** The resource that tasks share. */
    int divisible() {
        return divisible;
    }

    /** Declared load, at least 1. */
    long load(View view, int task) {
        return DeclaredLoad.of(view, task);
    }

    double efficiency(long load, int server) {
        return efficiency.of(load, server, random);
    }

    double equivalentLoad(View view, int task, int server) {
        long load = load(view, task);
        return load / efficiency(load, server);
    }

    /** Whether all servers with capacity are so full that nothing more is to be scheduled (MAR, equation (56)). */
    boolean isScarce(View view, double leastFree) {
        double free = 0;
        double capacity = 0;
        for (int j = 0; j < view.servers(); j++) {
            if (view.status(j) == ServerStatus.UP) {
                free += view.free(j, divisible);
                capacity += view.capacity(j, divisible);
            }
        }
        return free <= leastFree * capacity;
    }

    /** Capacity available per server; none on servers that take nothing. */
    double[] available(View view) {
        double[] free = new double[view.servers()];
        for (int j = 0; j < free.length; j++) {
            free[j] = view.status(j) == ServerStatus.UP ? view.free(j, divisible) : 0;
        }
        return free;
    }
}
