package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.SlowScore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reference implementation of {@link ProtectionLevels}: every quantity is worked out anew from all servers. Learnt
 * load and the tail of Poisson are the ones of the policy, which have tests of their own. Knows one site, no pools,
 * requests of known types only, and is never restored.
 */
final class SlowProtectionLevels implements Policy {
    private final SlowScore score = new SlowScore("leftover");
    private final double memory;
    private long[] present = {};
    private EstimatedWorkload load;
    /** Servers being cleared, oldest first, each with the type that is to fit. */
    private final Map<Integer, Integer> cleared = new LinkedHashMap<>();

    SlowProtectionLevels(double memory) {
        this.memory = memory;
    }

    @Override
    public void started(View view, Actions actions) {
        present = new long[view.types()];
        load = new EstimatedWorkload(view, memory, present);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        load.arrived(view.type(job), view);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        present[view.type(job)]--;
        load.displaced(job);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server == View.NONE) {
            return; // it was still pending
        }
        present[view.type(job)]--;
        load.ended(job, view);
        endClearing(view);
        for (int from : cleared.keySet()) {
            int largest = View.NONE;
            for (int other = view.firstOn(from); other != View.NONE; other = view.next(other)) {
                if (bestFit(other, view) != View.NONE
                        && (largest == View.NONE || part(view, other, from) > part(view, largest, from))) {
                    largest = other;
                }
            }
            if (largest != View.NONE) {
                actions.migrate(largest, bestFit(largest, view), "slow");
                endClearing(view);
                return;
            }
        }
    }

    private static double part(View view, int job, int server) {
        double most = 0;
        for (int r = 0; r < view.resources(); r++) {
            most = Math.max(most, (double) view.demand(job, r) / view.capacity(server, r));
        }
        return most;
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        endClearing(view);
    }

    private void endClearing(View view) {
        cleared.entrySet()
                .removeIf(each -> view.status(each.getKey()) != ServerStatus.UP
                        || slots(view, each.getKey(), each.getValue(), View.NONE) >= 1);
    }

    @Override
    public void round(View view, Actions actions) {
        List<Integer> pending = new ArrayList<>();
        for (int job = view.pendingHead(); job != View.NONE; job = view.next(job)) {
            pending.add(job);
        }
        pending.sort((a, b) -> Long.compare(view.order(a), view.order(b)));
        for (int job : pending) {
            decide(job, view, actions);
        }
    }

    private void decide(int job, View view, Actions actions) {
        int type = view.type(job);
        int best = bestFit(job, view);
        if (best != View.NONE) {
            for (int other = 0; other < view.types(); other++) {
                double before = Math.floor(Math.max(0, slots(view, best, other, View.NONE)));
                if (other == type || before == 0) {
                    continue;
                }
                double lost = before - slots(view, best, other, job);
                if (lost > 0 && lost * view.typeReward(other) * needed(view, other, 0) > view.typeReward(type)) {
                    actions.reject(job, "slow");
                    return;
                }
            }
            actions.place(job, best, "slow");
            present[type]++;
            load.started(job, view);
            endClearing(view);
        } else {
            actions.reject(job, "slow");
        }
        int ready = (int) cleared.values().stream().filter(each -> each == type).count();
        if (cleared.size() < Math.min(10, Math.max(1, view.servers() / 100)) && needed(view, type, ready) >= 0.2) {
            clear(type, view);
        }
    }

    private int bestFit(int job, View view) {
        int best = View.NONE;
        double most = Double.NEGATIVE_INFINITY;
        for (int server = 0; server < view.servers(); server++) {
            if (view.fits(job, server) && !cleared.containsKey(server)) {
                double fit = view.resources() == 1 ? -(double) view.free(server, 0) : score.ofServer(view, job, server);
                if (fit > most) {
                    most = fit;
                    best = server;
                }
            }
        }
        return best;
    }

    private void clear(int type, View view) {
        int best = View.NONE;
        for (int server = 0; server < view.servers(); server++) {
            double part = slots(view, server, type, View.NONE);
            boolean holds = true;
            for (int r = 0; r < view.resources(); r++) {
                holds &= view.capacity(server, r) >= view.typeDemand(type, r);
            }
            if (holds
                    && part > 0
                    && part < 1
                    && view.status(server) == ServerStatus.UP
                    && !cleared.containsKey(server)
                    && (best == View.NONE || part > slots(view, best, type, View.NONE))) {
                best = server;
            }
        }
        if (best != View.NONE) {
            cleared.put(best, type);
        }
    }

    private double needed(View view, int type, int more) {
        long slots = 0;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP && !cleared.containsKey(server)) {
                slots += (long) Math.max(0, slots(view, server, type, View.NONE));
            }
        }
        return PoissonTail.atLeast(present[type] + slots + more, (double) load.of(type, view));
    }

    /** What the free room is worth in requests of a type, less what a request takes. */
    private static double slots(View view, int server, int type, int less) {
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < view.resources(); r++) {
            long free = view.free(server, r) - (less == View.NONE ? 0 : view.demand(less, r));
            if (view.typeDemand(type, r) > 0) {
                least = Math.min(least, (double) free / view.typeDemand(type, r));
            }
        }
        return least;
    }
}
