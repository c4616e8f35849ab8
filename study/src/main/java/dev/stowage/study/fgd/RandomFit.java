package dev.stowage.study.fgd;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.View;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;

/** The published random policy: a random server where a request fits, and of it a random GPU; else rejected. */
record RandomFit(GoRandom random) implements Policy {
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.DEVICES, Capability.SITE_LIMITS, Capability.CONSTRAINTS);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        int[] fitting = IntStream.range(0, view.servers())
                .filter(server -> view.fits(job, server))
                .toArray();
        if (fitting.length == 0) {
            actions.reject(job, "fits no server");
        } else {
            int server = fitting[fitting.length == 1 ? 0 : random.below(fitting.length)];
            actions.place(job, server, device(view, job, server), "at random");
        }
    }

    /** A part's device. */
    private long device(View view, int job, int server) {
        long part = view.need(job, view.resources());
        long chosen = 0;
        int seen = 0;
        for (long rest = view.devicesOf(server); part > 0 && rest != 0; rest &= rest - 1) {
            int device = Long.numberOfTrailingZeros(rest);
            if (view.deviceFree(server, device) >= part && random.below(++seen) == 0) {
                chosen = 1L << device;
            }
        }
        return chosen;
    }
}
