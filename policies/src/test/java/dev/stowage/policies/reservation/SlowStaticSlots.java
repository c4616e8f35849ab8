package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The reference implementation of {@link StaticSlots}: a walk over all servers and jobs for every request. The greedy
 * plan is Algorithm 1 word for word over all feasible configurations; the optimal one is what {@link StaticPlan} gives,
 * for an optimum of the linear program is not unique. Knows one site, no pools, requests of known types only.
 */
final class SlowStaticSlots implements Policy {
    private final boolean greedy;
    private final double[] loadPerServer;
    private Map<Integer, int[]> slots = new TreeMap<>();

    SlowStaticSlots(boolean greedy, double[] loadPerServer) {
        this.greedy = greedy;
        this.loadPerServer = loadPerServer;
    }

    @Override
    public int queues(View view) {
        return 0;
    }

    @Override
    public void started(View view, Actions actions) {
        plan(view);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        plan(view);
    }

    private void plan(View view) {
        slots = new TreeMap<>();
        List<List<Integer>> members = new ArrayList<>();
        int all = 0;
        for (int group = 0; group < view.capacityClasses(); group++) {
            members.add(new ArrayList<>());
        }
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) != ServerStatus.GONE) {
                members.get(view.capacityClass(server)).add(server);
                all++;
            }
        }
        long[] left = new long[view.types()];
        for (int type = 0; type < left.length; type++) {
            // As a decimal: 1/3 of 3 servers is 1 request.
            left[type] = loadPerServer.length == 0 ? 1L << 40 : (long) Math.ceil(loadPerServer[type] * all - 1e-6);
        }
        if (greedy) {
            for (int group = 0; group < members.size(); group++) {
                greedy(view, group, members.get(group), left);
            }
        } else {
            List<List<StaticPlan.Part>> parts = StaticPlan.OPTIMAL.parts(
                    view, left, members.stream().mapToInt(List::size).toArray());
            for (int group = 0; group < members.size(); group++) {
                int next = 0;
                for (StaticPlan.Part part : parts.get(group)) {
                    for (int n = 0; n < part.servers(); n++) {
                        slots.put(members.get(group).get(next++), part.counts());
                    }
                }
            }
        }
    }

    private void greedy(View view, int group, List<Integer> members, long[] left) {
        Set<Integer> candidates = SlowDra.candidates(view, group);
        int next = 0;
        while (!candidates.isEmpty()) {
            int[] k = SlowDra.maxReward(view, group, candidates);
            int first = -1;
            for (int j = 0; j < k.length; j++) {
                boolean sooner =
                        k[j] > 0 && (first < 0 || SlowDra.ceil(left[j], k[j]) < SlowDra.ceil(left[first], k[first]));
                first = sooner ? j : first;
            }
            long wanted = Math.min(SlowDra.ceil(left[first], k[first]), members.size() - next);
            for (long n = 0; n < wanted; n++) {
                slots.put(members.get(next++), k);
            }
            for (int j = 0; j < k.length; j++) {
                left[j] = Math.max(0, left[j] - wanted * k[j]);
            }
            candidates.remove(first);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {}

    @Override
    public void left(int job, int server, View view, Actions actions) {}

    @Override
    public void displaced(int job, int server, View view, Actions actions) {}

    @Override
    public void round(View view, Actions actions) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        jobs.sort((one, other) -> Long.compare(view.order(one), view.order(other)));
        for (int job : jobs) {
            int server = 0;
            while (server < view.servers() && !takes(view, server, job)) {
                server++;
            }
            if (server < view.servers()) {
                actions.place(job, server, "slow");
            } else {
                actions.reject(job, "slow");
            }
        }
    }

    private boolean takes(View view, int server, int job) {
        int filled = 0;
        for (int each = view.firstOn(server); each >= 0; each = view.next(each)) {
            filled += view.type(each) == view.type(job) ? 1 : 0;
        }
        int[] has = slots.getOrDefault(server, new int[view.types()]);
        return filled < has[view.type(job)] && view.fits(job, server);
    }
}
