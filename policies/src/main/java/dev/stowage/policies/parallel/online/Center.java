package dev.stowage.policies.parallel.online;

import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;

/** The view in the terms of the paper: loads, efficiencies, power, available capacity. */
final class Center {
    private final int divisible;
    private final Efficiency efficiency;
    private final Declared declared;
    private final KeyedRandom random = new KeyedRandom();

    Center(View view, Efficiency efficiency) {
        this.divisible = view.divisibleResource();
        this.efficiency = efficiency;
        this.declared = new Declared(view);
    }

    /** The resource that tasks share. */
    int divisible() {
        return divisible;
    }

    /** What tasks declare. */
    Declared declared() {
        return declared;
    }

    double efficiency(View view, int task, int server) {
        return efficiency.of(declared.load(view, task), declared.kind(view, task), server, random);
    }

    double equivalentLoad(View view, int task, int server) {
        return declared.load(view, task) / efficiency(view, task, server);
    }

    /** Whether all servers with capacity are so full that nothing more may be scheduled (MAR, equation (56)). */
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

    /** Capacity available per server; 0 on servers that take no requests. */
    double[] available(View view) {
        double[] free = new double[view.servers()];
        for (int j = 0; j < free.length; j++) {
            free[j] = view.status(j) == ServerStatus.UP ? view.free(j, divisible) : 0;
        }
        return free;
    }
}
