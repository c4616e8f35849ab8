package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The reference implementation of {@link LoadBalancing}: every server looked at, every utilization a fraction of big
 * integers; whoever waits is tried at the end of every step, everywhere, as long as anything changes.
 */
final class SlowLoadBalancing implements Policy {
    private final boolean strict;

    SlowLoadBalancing(boolean strict) {
        this.strict = strict;
    }

    /** A fraction that is not negative. */
    private record Fraction(BigInteger over, BigInteger under) implements Comparable<Fraction> {
        static final Fraction ZERO = of(0, 1);

        static Fraction of(long over, long under) {
            return new Fraction(BigInteger.valueOf(over), BigInteger.valueOf(under));
        }

        @Override
        public int compareTo(Fraction other) {
            return over.multiply(other.under).compareTo(other.over.multiply(under));
        }

        Fraction max(Fraction other) {
            return compareTo(other) >= 0 ? this : other;
        }

        Fraction minus(Fraction other) {
            return new Fraction(
                    over.multiply(other.under).subtract(other.over.multiply(under)), under.multiply(other.under));
        }
    }

    @Override
    public int queues(View view) {
        return 1 + view.sites() * view.types();
    }

    private boolean couldHold(View view, int server, int type) {
        boolean demandsSomething = false;
        for (int r = 0; r < view.resources(); r++) {
            long demand = view.typeDemand(type, r);
            demandsSomething |= demand > 0;
            if (demand > view.capacity(server, r) || (strict && demand > 0 && demand == view.capacity(server, r))) {
                return false;
            }
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.typePooledDemand(type, p) > view.pooledCapacity(view.site(server), p)) {
                return false;
            }
        }
        return demandsSomething;
    }

    private static boolean isUp(View view, int server) {
        return view.status(server) == ServerStatus.UP;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SITE_LIMITS, Capability.CONSTRAINTS);
    }

    private int route(View view, int job) {
        int chosen = -1;
        Fraction least = Fraction.ZERO;
        for (int site = 0; site < view.sites(); site++) {
            boolean open = isOpen(view, job, site);
            Fraction utilization = utilization(view, site);
            if (open && (chosen < 0 || utilization.compareTo(least) < 0)) {
                chosen = site;
                least = utilization;
            }
        }
        return chosen;
    }

    private boolean isOpen(View view, int job, int site) {
        boolean open = false;
        for (int server = 0; server < view.servers(); server++) {
            open |= view.site(server) == site
                    && isUp(view, server)
                    && couldHold(view, server, view.type(job))
                    && view.admits(view.constraint(job), server);
        }
        return open;
    }

    private static Fraction utilization(View view, int site) {
        Fraction largest = Fraction.ZERO;
        for (int p = 0; p < view.pooledResources(); p++) {
            long capacity = view.pooledCapacity(site, p);
            largest = capacity == 0 ? largest : largest.max(Fraction.of(capacity - view.pooledFree(site, p), capacity));
        }
        for (int r = 0; r < view.resources(); r++) {
            long used = 0;
            long present = 0;
            for (int server = 0; server < view.servers(); server++) {
                if (view.site(server) == site && isUp(view, server)) {
                    used += view.capacity(server, r) - view.free(server, r);
                    present += view.capacity(server, r);
                }
            }
            largest = present == 0 ? largest : largest.max(Fraction.of(used, present));
        }
        return largest;
    }

    /** Largest utilization of a server with one more of a type, or as it is for -1. */
    private static Fraction utilization(View view, int server, int type) {
        Fraction largest = Fraction.ZERO;
        for (int r = 0; r < view.resources(); r++) {
            long capacity = view.capacity(server, r);
            long used = capacity - view.free(server, r) + (type < 0 ? 0 : view.typeDemand(type, r));
            largest = capacity == 0 ? largest : largest.max(Fraction.of(used, capacity));
        }
        return largest;
    }

    private int bestFit(View view, int site, int job) {
        int best = -1;
        Fraction least = Fraction.ZERO;
        Fraction fullest = Fraction.ZERO;
        for (int server = 0; server < view.servers(); server++) {
            boolean fits = view.site(server) == site && view.fits(job, server);
            for (int r = 0; r < view.resources(); r++) {
                fits &= !strict || view.demand(job, r) == 0 || view.demand(job, r) < view.free(server, r);
            }
            if (fits) {
                Fraction before = utilization(view, server, -1);
                Fraction growth = utilization(view, server, view.type(job)).minus(before);
                int order = best < 0 ? -1 : growth.compareTo(least);
                if (order < 0 || (order == 0 && before.compareTo(fullest) > 0)) {
                    best = server;
                    least = growth;
                    fullest = before;
                }
            }
        }
        return best;
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        boolean ever = false;
        for (int server = 0; server < view.servers(); server++) {
            ever |= couldHold(view, server, view.type(job));
        }
        if (!ever) {
            actions.reject(job, "slow");
        } else if (isBehind(job, view) || !routed(job, view, actions)) {
            actions.enqueue(job, 0, "slow");
        }
    }

    private static int beyondSites(View view, int job) {
        return view.constraints(view.constraint(job)).hasSitesOnly() ? 0 : view.constraint(job);
    }

    private static boolean isAlike(View view, int one, int other) {
        return view.type(one) == view.type(other) && beyondSites(view, one) == beyondSites(view, other);
    }

    /** Whether one like it is in queue 0, and was there first. */
    private static boolean isBehind(int job, View view) {
        boolean behind = false;
        for (int one = view.queueHead(0); one != View.NONE; one = view.next(one)) {
            behind |= isAlike(view, one, job);
        }
        return behind && view.queue(job) != 0 && beyondSites(view, job) != 0;
    }

    private boolean routed(int job, View view, Actions actions) {
        int site = route(view, job);
        if (site < 0) {
            return false;
        }
        int queue = 1 + site * view.types() + view.type(job);
        boolean first = true;
        for (int one = view.queueHead(queue); one != View.NONE; one = view.next(one)) {
            first &= !isAlike(view, one, job);
        }
        if (!first || !place(job, site, view, actions)) {
            actions.enqueue(job, queue, "slow");
        }
        return true;
    }

    private boolean place(int job, int site, View view, Actions actions) {
        int server = bestFit(view, site, job);
        if (server >= 0) {
            actions.place(job, server, "slow");
        }
        return server >= 0;
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        int site = view.site(server);
        boolean open = false;
        for (int other = 0; other < view.servers(); other++) {
            open |= view.site(other) == site && isUp(view, other);
        }
        if (open) {
            again(0, view, actions);
        } else {
            for (int type = 0; type < view.types(); type++) {
                again(1 + site * view.types() + type, view, actions);
            }
        }
    }

    private void again(int queue, View view, Actions actions) {
        for (int left = view.queueLength(queue); left > 0; left--) {
            arrived(view.queueHead(queue), view, actions);
        }
    }

    @Override
    public void round(View view, Actions actions) {
        serve(view, List.of(0), job -> routed(job, view, actions));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int site = 0; site < view.sites(); site++) {
                changed |= serveSite(site, view, actions);
            }
        }
    }

    private boolean serveSite(int site, View view, Actions actions) {
        List<Integer> queues = new ArrayList<>();
        for (int type = 0; type < view.types(); type++) {
            queues.add(1 + site * view.types() + type);
        }
        return serve(view, queues, job -> {
            boolean done = place(job, site, view, actions);
            if (!done && beyondSites(view, job) != 0 && !isOpen(view, job, site)) {
                List<Integer> alike = all(view, queues);
                alike.removeIf(one -> !isAlike(view, one, job));
                alike.forEach(one -> arrived(one, view, actions));
                done = true;
            }
            return done;
        });
    }

    private static List<Integer> all(View view, List<Integer> queues) {
        List<Integer> all = new ArrayList<>();
        for (int queue : queues) {
            for (int job = view.queueHead(queue); job != View.NONE; job = view.next(job)) {
                all.add(job);
            }
        }
        return all;
    }

    /**
     * Tries the first of those that are alike, those that arrived first first, until nobody can be served; whether
     * anybody was.
     */
    private static boolean serve(View view, List<Integer> queues, IntPredicate served) {
        boolean any = false;
        List<Integer> stuck = new ArrayList<>();
        while (true) {
            List<Integer> firsts = new ArrayList<>();
            for (int job : all(view, queues)) {
                if (Stream.concat(firsts.stream(), stuck.stream()).noneMatch(one -> isAlike(view, one, job))) {
                    firsts.add(job);
                }
            }
            if (firsts.isEmpty()) {
                return any;
            }
            int next = Collections.min(firsts, Comparator.comparing(view::order));
            if (served.test(next)) {
                any = true;
            } else {
                stuck.add(next);
            }
        }
    }
}
