package dev.stowage.policies.reservation;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.optimize.greedy.MaxReward;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The servers by class, a class being the servers of one site with the same capacity. A server takes part when it is up
 * and all of its requests fill slots; until then it is set aside.
 */
final class Fleet {
    static final int NONE = View.NONE;

    private final int types;
    private final List<Groups> classes = new ArrayList<>();
    /** Number within its class, per server; and servers per class. */
    private int[] within = {};

    private int[][] members = {};
    private final int[] counts;
    private int known;
    private int takingPart;

    Fleet(View view) {
        types = view.types();
        counts = new int[types];
        growTo(view);
    }

    /** Learns of classes and servers that are new. */
    void growTo(View view) {
        if (known == view.servers() && classes.size() == view.capacityClasses()) {
            return;
        }
        while (classes.size() < view.capacityClasses()) {
            classes.add(new Groups(types, maxReward(view, classes.size())));
        }
        if (view.servers() > within.length) {
            within = Arrays.copyOf(within, Math.max(view.servers(), 2 * within.length));
        }
        int[] sizes = new int[classes.size()];
        for (int server = 0; server < known; server++) {
            sizes[view.capacityClass(server)]++;
        }
        members = Arrays.copyOf(members, classes.size());
        for (; known < view.servers(); known++) {
            int group = view.capacityClass(known);
            within[known] = sizes[group]++;
            int[] list = members[group] == null ? new int[16] : members[group];
            members[group] = sizes[group] > list.length ? Arrays.copyOf(list, 2 * list.length) : list;
            members[group][within[known]] = known;
            classes.get(group).slots().growToServers(sizes[group]);
        }
    }

    /** The configurations of greatest reward of a capacity class. */
    static MaxReward maxReward(View view, int group) {
        int types = view.types();
        long[] capacity = new long[view.resources()];
        long[][] demand = new long[types][capacity.length];
        long[] rewards = new long[types];
        Arrays.setAll(capacity, r -> view.classCapacity(group, r));
        for (int type = 0; type < types; type++) {
            int each = type;
            Arrays.setAll(demand[type], r -> view.typeDemand(each, r));
            rewards[type] = view.typeReward(type);
        }
        return new MaxReward(capacity, demand, rewards);
    }

    List<Groups> classes() {
        return classes;
    }

    /** Servers that take part. */
    int size() {
        return takingPart;
    }

    /** Number of a server within its class. */
    int within(int server) {
        return within[server];
    }

    /** The server of a class with that number. */
    int server(int group, int number) {
        return members[group][number];
    }

    boolean takesPart(View view, int server) {
        return classes.get(view.capacityClass(server)).slots().configuration(within[server]) != Slots.OUTSIDE;
    }

    /** Lets a server take part if it does not yet and may. Returns whether it joined. */
    boolean offer(View view, int server) {
        if (view.status(server) != ServerStatus.UP || takesPart(view, server)) {
            return false;
        }
        Arrays.fill(counts, 0);
        if (!TypedJobs.count(view, server, counts)) {
            return false;
        }
        classes.get(view.capacityClass(server)).join(within[server], counts);
        takingPart++;
        return true;
    }

    void withdraw(View view, int server) {
        if (takesPart(view, server)) {
            classes.get(view.capacityClass(server)).withdraw(within[server]);
            takingPart--;
        }
    }

    void save(StateWriter out) {
        for (Groups each : classes) {
            each.save(out);
        }
    }

    void restore(StateReader in, View view) {
        for (int group = 0; group < classes.size(); group++) {
            int[] servers = members[group];
            classes.get(group).restore(in, number -> {
                Arrays.fill(counts, 0);
                TypedJobs.count(view, servers[number], counts);
                return counts;
            });
            takingPart += classes.get(group).slots().servers();
        }
    }
}
