package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.SlowScore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The reference implementation of {@link PricedBalancing}: at the end of every step each request that waits, in order
 * of arrival, asks every block and every server; all sums are computed anew. Of the virtual queues it has its own
 * lengths by name, and the superserver of {@link SlowShadow}.
 */
public final class SlowPricedBalancing implements Policy {
    private final SlowScore score = new SlowScore("mix");
    /** Classes in order of appearance, by type and sites. */
    private final List<String> classes = new ArrayList<>();

    private final Map<String, Double> credit = new TreeMap<>();
    private final Map<String, Integer> drawn = new TreeMap<>();
    private final Map<String, Double> regret = new TreeMap<>();
    private SlowShadow superserver = new SlowShadow(false, false, false, 5, 0.5);
    private SlowShadow.Virtual queues = new SlowShadow.Virtual();
    private int blocks;

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SITE_LIMITS, Capability.CONSTRAINTS);
    }

    private void blocksSeen(View view) {
        if (blocks < view.capacityClasses()) {
            blocks = view.capacityClasses();
            double most = 1;
            for (int type = 0; type < view.types(); type++) {
                for (int b = 0; b < blocks; b++) {
                    if (SlowShadow.couldHold(view, b, type)) {
                        long slots = Long.MAX_VALUE;
                        for (int r = 0; r < view.resources(); r++) {
                            long demand = view.typeDemand(type, r);
                            slots = demand == 0 ? slots : Math.min(slots, view.classCapacity(b, r) / demand);
                        }
                        most = Math.max(most, (double) slots);
                    }
                }
            }
            superserver = new SlowShadow(false, false, false, 5 * most, 0.5);
            queues = new SlowShadow.Virtual();
        }
    }

    @Override
    public void started(View view, Actions actions) {
        blocksSeen(view);
        present(view);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        blocksSeen(view);
    }

    /** Of a request that has a type; otherwise null. */
    private String name(View view, int job) {
        int type = view.type(job);
        boolean typed = type >= 0;
        for (int r = 0; typed && r < view.resources(); r++) {
            typed = view.demand(job, r) == view.typeDemand(type, r);
        }
        for (int p = 0; typed && p < view.pooledResources(); p++) {
            typed = view.pooledDemand(job, p) == view.typePooledDemand(type, p);
        }
        boolean fits = false;
        for (int b = 0; typed && b < blocks; b++) {
            fits |= SlowShadow.couldHold(view, b, type);
        }
        if (!fits) {
            return null;
        }
        String name = type + " " + view.constraints(view.constraint(job)).sites();
        if (!classes.contains(name)) {
            classes.add(name);
        }
        return name;
    }

    /** Numbers in the system, of the running first, so that new classes are found in that order. */
    private Map<String, Integer> present(View view) {
        List<Integer> all = new ArrayList<>();
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job >= 0; job = view.next(job)) {
                all.add(job);
            }
        }
        all.addAll(waiting(view));
        Map<String, Integer> counts = new TreeMap<>();
        for (int job : all) {
            String name = name(view, job);
            if (name != null) {
                counts.merge(name, 1, Integer::sum);
            }
        }
        return counts;
    }

    private static List<Integer> waiting(View view) {
        List<Integer> all = new ArrayList<>();
        for (int job = view.queueHead(0); job >= 0; job = view.next(job)) {
            all.add(job);
        }
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            all.add(job);
        }
        all.sort(Comparator.comparingLong(view::order));
        return all;
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        // It was present before, and is.
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        name(view, job);
        Map<String, Integer> counts = present(view);
        int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
        for (int k = 0; k < 8 && sum > 0; k++) {
            String next = null;
            for (String each : classes) {
                if (counts.containsKey(each)) {
                    credit.merge(each, (double) counts.get(each) / sum, Double::sum);
                    next = next == null || credit.get(each) > credit.get(next) ? each : next;
                }
            }
            credit.merge(next, -1.0, Double::sum);
            virtualArrival(view, next, counts.get(next));
        }
    }

    private static int type(String name) {
        return Integer.parseInt(name.substring(0, name.indexOf(' ')));
    }

    private static boolean isOpen(View view, String name, int block) {
        String sites = name.substring(name.indexOf(' ') + 1)
                .replace("[", ",")
                .replace("]", ",")
                .replace(" ", "");
        return SlowShadow.couldHold(view, block, type(name))
                && SlowShadow.up(view, block) > 0
                && (sites.equals(",,") || sites.contains("," + view.classSite(block) + ","));
    }

    private double cost(View view, int type, int block) {
        double cost = (double) queues.length("j" + block + " i" + type) / SlowShadow.up(view, block);
        int site = view.classSite(block);
        for (int k = 0; k < view.pooledResources(); k++) {
            cost += queues.length("j" + site + " k" + k) * SlowShadow.part(view, type, site, k);
        }
        return cost;
    }

    private void virtualArrival(View view, String name, int number) {
        int type = type(name);
        int chosen = -1;
        for (int b = 0; b < blocks; b++) {
            if (isOpen(view, name, b) && (chosen < 0 || cost(view, type, b) < cost(view, type, chosen))) {
                chosen = b;
            }
        }
        if (chosen < 0) {
            return;
        }
        double least = cost(view, type, chosen);
        double weight = Math.max(1.0 / drawn.merge(name, 1, Integer::sum), 1.0 / Math.max(10, number));
        for (int b = 0; b < blocks; b++) {
            if (isOpen(view, name, b)) {
                double now = cost(view, type, b) == least ? 0 : 1 - least / cost(view, type, b);
                double before = regret.getOrDefault(name + " at " + b, 0.0);
                regret.put(name + " at " + b, before + weight * (now - before));
            }
        }
        int site = view.classSite(chosen);
        for (int k = 0; k < view.pooledResources(); k++) {
            double part = SlowShadow.part(view, type, site, k);
            if (part > 0) {
                lengthen(view, "j" + site + " k" + k, part);
            }
        }
        lengthen(view, "j" + chosen + " i" + type, 1.0 / SlowShadow.up(view, chosen));
        superserver.serve(view, queues, -1, true, view.pooledResources());
    }

    private void lengthen(View view, String queue, double part) {
        double largest = 0;
        for (int type = 0; type < view.types(); type++) {
            for (int b = 0; b < blocks; b++) {
                if (SlowShadow.couldHold(view, b, type) && SlowShadow.up(view, b) > 0) {
                    largest = Math.max(largest, 1.0 / SlowShadow.up(view, b));
                    for (int k = 0; k < view.pooledResources(); k++) {
                        largest = Math.max(largest, SlowShadow.part(view, type, view.classSite(b), k));
                    }
                }
            }
        }
        long work = Math.max(1, (long) StrictMath.rint(part / (1.01 * largest) * VirtualSystem.WORK));
        queues.lengths.merge(queue, work, Long::sum);
    }

    @Override
    public void round(View view, Actions actions) {
        for (int job : waiting(view)) {
            int server = choose(view, job);
            if (server >= 0) {
                actions.place(job, server, "slow");
            } else if (view.queue(job) < 0) {
                actions.enqueue(job, 0, "slow");
            }
        }
    }

    private int choose(View view, int job) {
        int best = -1;
        for (int server = 0; server < view.servers(); server++) {
            if (view.fits(job, server) && (best < 0 || isBetter(view, job, server, best))) {
                best = server;
            }
        }
        return best;
    }

    private boolean isBetter(View view, int job, int server, int best) {
        int block = view.capacityClass(server);
        int other = view.capacityClass(best);
        if (block != other) {
            double here = sum(view, job, block);
            double there = sum(view, job, other);
            return here < there || (here == there && block < other);
        }
        return view.resources() == 1
                ? view.free(server, 0) < view.free(best, 0)
                : score.ofServer(view, job, server) > score.ofServer(view, job, best);
    }

    private double sum(View view, int job, int block) {
        int up = SlowShadow.up(view, block);
        int occupied = 0;
        double largest = 0;
        for (int server = 0; server < view.servers(); server++) {
            boolean counts = view.capacityClass(server) == block && view.status(server) == ServerStatus.UP;
            occupied += counts && view.firstOn(server) >= 0 ? 1 : 0;
        }
        for (int r = 0; r < view.resources(); r++) {
            long used = 0;
            for (int server = 0; server < view.servers(); server++) {
                boolean counts = view.capacityClass(server) == block && view.status(server) == ServerStatus.UP;
                for (int one = view.firstOn(server); counts && one >= 0; one = view.next(one)) {
                    used += part(view, one, server, r);
                }
            }
            largest = Math.max(largest, used / ((double) up * (1L << 30)));
        }
        for (int k = 0; k < view.pooledResources(); k++) {
            long all = view.pooledCapacity(view.classSite(block), k);
            long used = all - view.pooledFree(view.classSite(block), k);
            largest = all > 0 ? Math.max(largest, (double) used / all) : largest;
        }
        String name = name(view, job);
        return (double) occupied / up + largest + (name == null ? 0 : regret.getOrDefault(name + " at " + block, 0.0));
    }

    /** What a request takes of a server's resource in whole slots, in 2^-30. */
    private static long part(View view, int job, int server, int resource) {
        double most = Double.POSITIVE_INFINITY;
        for (int r = 0; r < view.resources(); r++) {
            if (view.demand(job, r) > 0) {
                most = Math.min(most, (double) view.capacity(server, r) / view.demand(job, r));
            }
        }
        double slot = most / Math.max(1, Math.floor(most));
        return view.demand(job, resource) == 0
                ? 0
                : (long) StrictMath.rint(
                        slot * view.demand(job, resource) / view.capacity(server, resource) * (1L << 30));
    }
}
