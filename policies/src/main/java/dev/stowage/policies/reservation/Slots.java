package dev.stowage.policies.reservation;

import java.util.Arrays;

/**
 * The configurations of the servers of one class, and which of their slots are filled. Servers are numbered within the
 * class, in the order of their numbers in the cluster.
 */
final class Slots {
    /** The configuration of a server that does not take part. */
    static final int OUTSIDE = -1;

    final Stacks stacks;
    final ConfigurationTable configurations = new ConfigurationTable();
    private final int types;
    private int servers;
    private int nonEmptyStacks;
    private int[] configuration = {};
    private int[] filled = {};
    private int[] jobs = {};
    private final long[] total;
    private final long[] totalFilled;

    Slots(int types) {
        this.types = types;
        stacks = new Stacks(types);
        total = new long[types];
        totalFilled = new long[types];
    }

    void growToServers(int count) {
        if (count > configuration.length) {
            int old = configuration.length;
            int room = Math.max(count, old + (old >> 1));
            configuration = Arrays.copyOf(configuration, room);
            Arrays.fill(configuration, old, room, OUTSIDE);
            filled = Arrays.copyOf(filled, room * types);
            jobs = Arrays.copyOf(jobs, room);
            stacks.growToServers(room);
        }
    }

    /** Number of a configuration; there is a stack for it. */
    int number(int[] counts) {
        int number = configurations.number(counts);
        stacks.growToStacks(configurations.size());
        return number;
    }

    /** Servers that take part. */
    int servers() {
        return servers;
    }

    int nonEmptyStacks() {
        return nonEmptyStacks;
    }

    int configuration(int server) {
        return configuration[server];
    }

    int slots(int number, int type) {
        return configurations.counts(number)[type];
    }

    int filled(int server, int type) {
        return filled[server * types + type];
    }

    /** Slots of a type on all servers. */
    long total(int type) {
        return total[type];
    }

    /** Filled slots of a type on all servers. */
    long totalFilled(int type) {
        return totalFilled[type];
    }

    /** A server with these jobs takes part, in a configuration that has slots for them. */
    void join(int server, int number, int[] placement) {
        growToServers(server + 1);
        servers++;
        jobs[server] = 0;
        for (int type = 0; type < types; type++) {
            filled[server * types + type] = placement[type];
            jobs[server] += placement[type];
            totalFilled[type] += placement[type];
        }
        stacks.setEmpty(server, jobs[server] == 0);
        push(server, number);
    }

    /** A server takes part no more. */
    void withdraw(int server) {
        servers--;
        pull(server);
        configuration[server] = OUTSIDE;
        for (int type = 0; type < types; type++) {
            totalFilled[type] -= filled(server, type);
        }
    }

    /** Gives an empty server another configuration, where it is the newest server. */
    void assign(int server, int number) {
        pull(server);
        push(server, number);
    }

    private void push(int server, int number) {
        configuration[server] = number;
        int[] counts = configurations.counts(number);
        for (int type = 0; type < types; type++) {
            total[type] += counts[type];
            stacks.setOpen(server, type, counts[type] > filled(server, type));
        }
        nonEmptyStacks += stacks.size(number) == 0 ? 1 : 0;
        stacks.append(number, server);
    }

    private void pull(int server) {
        int number = configuration[server];
        int[] counts = configurations.counts(number);
        for (int type = 0; type < types; type++) {
            total[type] -= counts[type];
        }
        stacks.remove(number, server);
        nonEmptyStacks -= stacks.size(number) == 0 ? 1 : 0;
    }

    /**
     * A job fills a slot (change = 1) or leaves one (change = -1). Returns whether the server became empty or stopped
     * being empty.
     */
    boolean fill(int server, int type, int change) {
        int at = server * types + type;
        boolean wasOpen = stacks.isOpen(server, type);
        filled[at] += change;
        jobs[server] += change;
        totalFilled[type] += change;
        boolean isOpen = filled[at] < slots(configuration[server], type);
        boolean isEmpty = jobs[server] == 0;
        boolean turned = isEmpty != stacks.isEmpty(server);
        if (isOpen != wasOpen || turned) {
            stacks.setOpen(server, type, isOpen);
            stacks.setEmpty(server, isEmpty);
            stacks.update(configuration[server], server);
        }
        return turned;
    }
}
