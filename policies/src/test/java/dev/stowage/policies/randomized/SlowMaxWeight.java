package dev.stowage.policies.randomized;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Max-weight as it is written down: every step looks at all servers and all queues, and every refresh tries all
 * configurations. The rules of the order: servers to which something happened first, by index; then, with central
 * queues, open slots of other servers; then other empty servers.
 */
final class SlowMaxWeight implements Policy {
    private final MaxWeightOptions options;
    /** Open slots by type, of the servers that have a configuration. */
    private final TreeMap<Integer, int[]> open = new TreeMap<>();

    private final TreeSet<Integer> inSlot = new TreeSet<>();
    private final TreeSet<Integer> changed = new TreeSet<>();
    private final TreeSet<Integer> changedSites = new TreeSet<>();
    /** How often a tie was broken. */
    int ties;

    SlowMaxWeight(MaxWeightOptions options) {
        this.options = options;
    }

    @Override
    public int queues(View view) {
        return options.distributed() ? 1 + view.servers() * view.types() : Math.max(1, view.types());
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        int type = view.type(job);
        boolean ordinary = type >= 0;
        long sum = 0;
        for (int r = 0; ordinary && r < view.resources(); r++) {
            ordinary = view.demand(job, r) == view.typeDemand(type, r);
            sum += view.demand(job, r);
        }
        for (int p = 0; ordinary && p < view.pooledResources(); p++) {
            ordinary = view.pooledDemand(job, p) == view.typePooledDemand(type, p);
        }
        if (!ordinary || sum == 0) {
            actions.reject(job, "slow");
        }
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server < 0) {
            return;
        }
        changed.add(server);
        for (int p = 0; p < view.pooledResources(); p++) {
            if (view.pooledDemand(job, p) > 0) {
                changedSites.add(view.site(server));
            }
        }
        if (inSlot.remove(job) && options.refill() && open.containsKey(server)) {
            open.get(server)[view.type(job)]++;
        }
        endConfiguration(server, view);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        left(job, server, view, actions);
        arrived(job, view, actions);
    }

    /**
     * A configuration ends with its server's last request, or, if all refresh together, only when the server is not up.
     */
    private void endConfiguration(int server, View view) {
        boolean refreshable = view.firstOn(server) < 0 && !options.global();
        if (refreshable || view.status(server) != ServerStatus.UP) {
            open.remove(server);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        endConfiguration(server, view);
        changed.add(server);
        if (view.pooledResources() > 0) {
            changedSites.add(view.site(server));
        }
        if (options.distributed()) {
            for (int each = 0; each < view.servers(); each++) {
                changed.add(each);
            }
            boolean up = view.status(server) == ServerStatus.UP;
            for (int type = 0; type < (up ? 1 : view.types()); type++) {
                for (int job : waiting(view, up ? 0 : queue(view, server, type))) {
                    route(job, view, actions);
                }
            }
        }
    }

    @Override
    public void round(View view, Actions actions) {
        List<Integer> pending = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            pending.add(job);
        }
        pending.sort(Comparator.comparingLong(view::order));
        for (int job : pending) {
            if (options.distributed()) {
                route(job, view, actions);
            } else {
                actions.enqueue(job, view.type(job), "slow");
            }
        }
        if (options.global()) {
            refreshAll(view);
        }
        for (int server = 0; server < view.servers(); server++) {
            if (changed.contains(server) || changedSites.contains(view.site(server))) {
                serve(server, view, actions);
            }
        }
        if (!options.distributed()) {
            serveOthers(view, actions);
        }
        changed.clear();
        changedSites.clear();
    }

    private void serveOthers(View view, Actions actions) {
        for (int type = 0; type < view.types(); type++) {
            for (int server = 0; server < view.servers(); server++) {
                fill(server, type, view, actions);
            }
        }
        for (int server = 0; server < view.servers() && !options.global(); server++) {
            boolean empty = view.firstOn(server) < 0 && view.status(server) == ServerStatus.UP;
            if (empty && somethingWaits(view)) {
                serve(server, view, actions);
            }
        }
    }

    private void refreshAll(View view) {
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP && view.firstOn(server) >= 0) {
                return;
            }
        }
        for (int server = 0; server < view.servers() && somethingWaits(view); server++) {
            if (view.status(server) == ServerStatus.UP) {
                open.put(server, heaviest(server, view));
                changed.add(server);
            }
        }
    }

    private static boolean somethingWaits(View view) {
        for (int queue = 0; queue < view.queues(); queue++) {
            if (view.queueLength(queue) > 0) {
                return true;
            }
        }
        return false;
    }

    private void serve(int server, View view, Actions actions) {
        if (view.status(server) != ServerStatus.UP) {
            return;
        }
        if (!options.global() && view.firstOn(server) < 0) {
            int[] configuration = heaviest(server, view);
            if (weight(configuration, server, view) > 0) {
                open.put(server, configuration);
            }
        }
        for (int type = 0; type < view.types(); type++) {
            fill(server, type, view, actions);
        }
    }

    private void fill(int server, int type, View view, Actions actions) {
        int[] slots = open.get(server);
        int queue = queue(view, server, type);
        while (slots != null && slots[type] > 0 && view.queueLength(queue) > 0) {
            int job = view.queueHead(queue);
            if (!view.fits(job, server)) {
                return;
            }
            actions.place(job, server, "slow");
            inSlot.add(job);
            slots[type]--;
        }
    }

    private int queue(View view, int server, int type) {
        return options.distributed() ? 1 + server * view.types() + type : type;
    }

    private static List<Integer> waiting(View view, int queue) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.queueHead(queue); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    /** Join the shortest queue of the type among servers that are up and could hold it; queue 0 if there is none. */
    private void route(int job, View view, Actions actions) {
        List<Integer> shortest = new ArrayList<>();
        int least = Integer.MAX_VALUE;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) == ServerStatus.UP && couldHold(view, server, job)) {
                int length = view.queueLength(queue(view, server, view.type(job)));
                if (length < least) {
                    shortest.clear();
                    least = length;
                }
                if (length == least) {
                    shortest.add(server);
                }
            }
        }
        if (shortest.isEmpty()) {
            actions.enqueue(job, 0, "slow");
            return;
        }
        int server = oneOf(shortest, view);
        actions.enqueue(job, queue(view, server, view.type(job)), "slow");
        changed.add(server);
    }

    private static boolean couldHold(View view, int server, int job) {
        boolean fits = view.state(job) != JobState.RUNNING;
        for (int r = 0; r < view.resources(); r++) {
            fits &= view.demand(job, r) <= view.capacity(server, r);
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            fits &= view.pooledDemand(job, p) <= view.pooledCapacity(view.site(server), p);
        }
        return fits;
    }

    private <T> T oneOf(List<T> list, View view) {
        if (list.size() > 1) {
            ties++;
            return list.get(view.random().nextInt(list.size()));
        }
        return list.get(0);
    }

    /** One of the heaviest maximal configurations, uniformly, in lexicographic order from the largest. */
    private int[] heaviest(int server, View view) {
        List<int[]> best = new ArrayList<>();
        long most = -1;
        for (int[] each : feasible(view, server)) {
            long weight = weight(each, server, view);
            if (!isMaximal(each, server, view) || weight < most) {
                continue;
            }
            if (weight > most) {
                best.clear();
                most = weight;
            }
            best.add(each);
        }
        best.sort((one, other) -> Arrays.compare(other, one));
        return oneOf(best, view).clone();
    }

    private long weight(int[] configuration, int server, View view) {
        long weight = 0;
        for (int type = 0; type < configuration.length; type++) {
            weight += (long) configuration[type] * view.queueLength(queue(view, server, type));
        }
        return weight;
    }

    private static List<int[]> feasible(View view, int server) {
        List<int[]> all = new ArrayList<>(List.of(new int[view.types()]));
        for (int at = 0; at < all.size(); at++) {
            int[] here = all.get(at);
            int last = here.length - 1;
            while (last > 0 && here[last] == 0) {
                last--;
            }
            // Each configuration is reached once: by adding its types in ascending order.
            for (int type = Math.max(0, last); type < here.length; type++) {
                int[] next = here.clone();
                next[type]++;
                if (demandsSomething(view, type) && fits(next, server, view)) {
                    all.add(next);
                }
            }
        }
        return all;
    }

    private static boolean isMaximal(int[] configuration, int server, View view) {
        for (int type = 0; type < configuration.length; type++) {
            int[] more = configuration.clone();
            more[type]++;
            if (demandsSomething(view, type) && fits(more, server, view)) {
                return false;
            }
        }
        return true;
    }

    private static boolean demandsSomething(View view, int type) {
        long sum = 0;
        for (int r = 0; r < view.resources(); r++) {
            sum += view.typeDemand(type, r);
        }
        return sum > 0;
    }

    private static boolean fits(int[] configuration, int server, View view) {
        for (int r = 0; r < view.resources(); r++) {
            long sum = 0;
            for (int type = 0; type < configuration.length; type++) {
                sum += configuration[type] * view.typeDemand(type, r);
            }
            if (sum > view.capacity(server, r)) {
                return false;
            }
        }
        return true;
    }
}
