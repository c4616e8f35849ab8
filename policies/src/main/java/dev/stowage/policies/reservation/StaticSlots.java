package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.fit.Undecided;
import java.util.Arrays;
import java.util.List;

/**
 * A static reservation (Psychas and Ghaderi 2020, section 3): every server has a fixed configuration, by a
 * {@link StaticPlan} for a known load. A request goes to the lowest-numbered server with an empty slot of its type, or
 * is rejected.
 *
 * <p>A plan is made for all servers that are not gone, and again when a server comes or goes; running requests stay,
 * and a server that holds more requests of a type than its new configuration has slots takes no more of that type. O(J
 * log servers) per event, O(servers) per plan.
 */
final class StaticSlots implements Policy {
    private static final long UNLIMITED = 1L << 40;
    /** So that 0.1 per server on 10 servers is 1 request. */
    private static final double ROUNDING = 1e-6;

    private final StaticPlan plan;
    /** Load per server, by type; empty for a load beyond the capacity. */
    private final double[] loadPerServer;

    private final Undecided undecided = new Undecided();
    private final int types;
    /** Per site and type the servers with an empty slot. */
    private LeastKey[][] open = {};

    /** Per server and type: slots, and jobs. */
    private int[] slots = {};

    private int[] filled = {};

    /**
     * A reservation by a plan.
     *
     * @param loadPerServer per type; empty for an unlimited load of each
     * @throws IllegalArgumentException if there are not as many loads as types
     */
    StaticSlots(View view, StaticPlan plan, double[] loadPerServer) {
        types = view.types();
        if (loadPerServer.length > 0 && loadPerServer.length != types) {
            throw new IllegalArgumentException("parameter load-per-server has " + loadPerServer.length
                    + " numbers, the cluster has " + types + " request types; give one for each, in their order");
        }
        this.plan = plan;
        this.loadPerServer = loadPerServer.clone();
        replan(view);
    }

    private void replan(View view) {
        int[] servers = new int[view.capacityClasses()];
        int count = 0;
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) != ServerStatus.GONE) {
                servers[view.capacityClass(server)]++;
                count++;
            }
        }
        assign(view, plan.parts(view, load(count), servers));
        open = new LeastKey[view.sites()][types];
        for (LeastKey[] each : open) {
            Arrays.setAll(each, type -> new LeastKey());
        }
        filled = new int[view.servers() * types];
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                count(view, job, server, 1);
            }
            update(view, server);
        }
    }

    private long[] load(int servers) {
        long[] load = new long[types];
        for (int type = 0; type < types; type++) {
            load[type] = loadPerServer.length == 0
                    ? UNLIMITED
                    : (long) StrictMath.ceil(loadPerServer[type] * servers - ROUNDING);
        }
        return load;
    }

    private void assign(View view, List<List<StaticPlan.Part>> parts) {
        int[] part = new int[parts.size()];
        int[] used = new int[parts.size()];
        slots = new int[view.servers() * types];
        for (int server = 0; server < view.servers(); server++) {
            int c = view.capacityClass(server);
            if (view.status(server) == ServerStatus.GONE) {
                continue;
            }
            while (part[c] < parts.get(c).size()
                    && used[c] == parts.get(c).get(part[c]).servers()) {
                part[c]++;
                used[c] = 0;
            }
            if (part[c] < parts.get(c).size()) {
                used[c]++;
                System.arraycopy(parts.get(c).get(part[c]).counts(), 0, slots, server * types, types);
            }
        }
    }

    private void count(View view, int job, int server, int change) {
        if (Typed.isOfItsType(view, job)) {
            filled[server * types + view.type(job)] += change;
        }
    }

    private void update(View view, int server) {
        for (int type = 0; type < types; type++) {
            int at = server * types + type;
            boolean takes = filled[at] < slots[at] && view.status(server) == ServerStatus.UP;
            for (int r = 0; takes && r < view.resources(); r++) {
                // Earlier jobs may hold capacity outside the slots.
                takes = view.typeDemand(type, r) <= view.free(server, r);
            }
            open[view.site(server)][type].set(server, takes ? server : LeastKey.NONE);
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        // Decided when the step ends.
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server != View.NONE) {
            count(view, job, server, -1);
            update(view, server);
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        replan(view);
    }

    @Override
    public void round(View view, Actions actions) {
        undecided.collect(view);
        for (int k = 0; k < undecided.size(); k++) {
            int job = undecided.get(k);
            int server = Typed.isOfItsType(view, job) ? choose(view, view.type(job)) : View.NONE;
            if (server == View.NONE) {
                actions.reject(job, "no empty slot of its type");
            } else {
                actions.place(job, server, "slot of its type");
                count(view, job, server, 1);
                update(view, server);
            }
        }
    }

    private int choose(View view, int type) {
        long lowest = LeastKey.NONE;
        for (int site = 0; site < open.length; site++) {
            if (Typed.poolsHaveRoom(view, type, site)) {
                lowest = Math.min(lowest, open[site][type].least());
            }
        }
        return lowest == LeastKey.NONE ? View.NONE : (int) lowest;
    }
}
