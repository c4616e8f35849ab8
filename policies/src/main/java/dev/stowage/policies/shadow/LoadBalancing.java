package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.index.EqualPoints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paper's baseline. The router pretends that all resources are pooled and takes, of the sites with a server that
 * could hold the request, the one whose largest utilization is least before the request is added; ties to the lowest
 * site. Best fit takes, of the servers with room, the one whose largest utilization grows least; ties to the fullest,
 * then to the lowest.
 *
 * <p>Utilizations of servers are whole numbers, so that ties, which are frequent here by construction, are recognised:
 * an empty server ties with each whose largest utilization is in the request's own largest resource. A request costs
 * O(sites x resources + distinct contents of the site's servers x resources), a departure O(resources + log servers).
 *
 * <p>With constraints beyond sites the router takes of the sites where a server that could hold the request is admitted
 * now, and best fit of the servers that are ({@link PointsByGroup}, made for the first such request).
 */
final class LoadBalancing implements Router, SitePlacement {
    private static final String REASON = "the fullest of the servers whose largest utilization grows least";
    /** Utilization 1 if the capacities have no smaller common multiple. */
    private static final long LARGEST_WHOLE = 1L << 50;

    private final Blocks blocks;
    private final int resources;
    private final SiteGauges gauges;
    /** Used and present amounts of servers that are up, by site and resource. */
    private long[] used = {};

    private long[] present = {};
    private int[] occupied = {};
    /** By block: servers that are up, at their utilizations. */
    private final List<EqualPoints> contents = new ArrayList<>();

    private @Nullable PointsByGroup byGroup;
    private final LeastGrowth leastGrowth;

    /**
     * The amounts that each server held at its last update, by server and resource, and whether anything runs there.
     */
    private long[] held = {};

    private boolean[] busy = {};
    private int known;
    private long whole = 1;
    private final long[] point;

    LoadBalancing(View view, Blocks blocks, boolean strict) {
        this.blocks = blocks;
        resources = view.resources();
        leastGrowth = new LeastGrowth(resources, strict);
        gauges = new SiteGauges(view, false);
        point = new long[resources];
        rebuild(view);
    }

    /** Recomputes everything, because the unit of utilization may have changed. */
    private void rebuild(View view) {
        whole = 1;
        for (int number = 0; number < blocks.size(); number++) {
            for (long capacity : blocks.get(number).capacity) {
                whole = commonMultiple(whole, capacity);
            }
        }
        contents.clear();
        byGroup = null;
        used = new long[blocks.sites() * resources];
        present = new long[used.length];
        occupied = new int[blocks.sites()];
        known = 0;
        while (contents.size() < blocks.size()) {
            contents.add(new EqualPoints(resources));
        }
        grow(view);
    }

    private void grow(View view) {
        if (view.servers() > busy.length) {
            int length = Math.max(view.servers(), 2 * busy.length);
            busy = Arrays.copyOf(busy, length);
            held = Arrays.copyOf(held, length * resources);
        }
        for (; known < view.servers(); known++) {
            refresh(view, known);
        }
    }

    private static long commonMultiple(long whole, long capacity) {
        if (capacity == 0 || whole == LARGEST_WHOLE) {
            return whole;
        }
        long a = whole;
        long b = capacity;
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        long factor = capacity / a;
        return factor > LARGEST_WHOLE / whole ? LARGEST_WHOLE : whole * factor;
    }

    /** Updates the sums and points of a server. */
    private void refresh(View view, int server) {
        Block block = blocks.of(view, server);
        EqualPoints points = contents.get(block.number);
        if (points.contains(server)) {
            points.remove(server);
            add(block, server, -1);
        }
        for (int r = 0; r < resources; r++) {
            held[server * resources + r] = block.capacity[r] - view.free(server, r);
        }
        busy[server] = view.firstOn(server) != View.NONE;
        if (point(view, server, point)) {
            points.insert(server, point);
            add(block, server, 1);
        }
        if (byGroup != null) {
            byGroup.changed(server);
        }
    }

    /** Sets the utilizations of a server; false if it is not up. */
    private boolean point(View view, int server, long[] into) {
        Block block = blocks.of(view, server);
        for (int r = 0; r < resources; r++) {
            into[r] = (block.capacity[r] - view.free(server, r)) * block.weight(r, whole);
        }
        return view.status(server) == ServerStatus.UP;
    }

    private void add(Block block, int server, int sign) {
        for (int r = 0; r < resources; r++) {
            used[block.site * resources + r] += sign * held[server * resources + r];
            present[block.site * resources + r] += sign * block.capacity[r];
        }
        occupied[block.site] += busy[server] ? sign : 0;
    }

    @Override
    public int destination(Block block) {
        return block.site;
    }

    @Override
    public int route(int type, int constraint, View view) {
        int chosen = View.NONE;
        double least = Double.POSITIVE_INFINITY;
        int seen = View.NONE;
        for (int number : blocks.fitting(type)) {
            Block block = blocks.get(number);
            if (block.up > 0 && block.site != seen && view.allowsSite(constraint, block.site)) {
                seen = block.site;
                double utilization = utilization(seen, view);
                boolean wins = utilization < least || (utilization == least && seen < chosen);
                if (wins && admitsAny(view, type, constraint, seen)) {
                    least = utilization;
                    chosen = seen;
                }
            }
        }
        return chosen;
    }

    private boolean admitsAny(View view, int type, int constraint, int site) {
        return constraint == 0
                || view.constraints(constraint).hasSitesOnly()
                || byGroup(view).admitsAny(view, type, constraint, site);
    }

    private PointsByGroup byGroup(View view) {
        PointsByGroup its = byGroup == null ? new PointsByGroup(view, blocks, this::point) : byGroup;
        byGroup = its;
        return its;
    }

    @Override
    public boolean isOpen(int site, int type, int constraint, View view) {
        return admitsAny(view, type, constraint, site);
    }

    /** The largest of all utilizations of a site; equal fractions give equal doubles. */
    private double utilization(int site, View view) {
        double largest = 0;
        for (int p = 0; p < view.pooledResources(); p++) {
            long capacity = view.pooledCapacity(site, p);
            if (capacity > 0) {
                largest = Math.max(largest, (double) (capacity - view.pooledFree(site, p)) / capacity);
            }
        }
        for (int r = 0; r < resources; r++) {
            int at = site * resources + r;
            if (present[at] > 0) {
                largest = Math.max(largest, (double) used[at] / present[at]);
            }
        }
        return largest;
    }

    @Override
    public void blocksChanged(View view) {
        // serverChanged has taken it in.
    }

    @Override
    public void adopt(View view, Actions actions) {
        gauges.all(blocks, occupied, actions);
    }

    @Override
    public boolean place(int job, int site, View view, Actions actions) {
        int type = view.type(job);
        int constraint = WaitingClasses.constraint(view, job);
        int server = !Typed.poolsHaveRoom(view, type, site)
                ? View.NONE
                : constraint == 0 ? bestFit(type, site, view) : bestAdmitted(type, constraint, site, view);
        if (server == View.NONE) {
            return false;
        }
        actions.place(job, server, REASON);
        changed(server, type, 1, view, actions);
        return true;
    }

    private void changed(int server, int type, int sign, View view, Actions actions) {
        int site = view.site(server);
        refresh(view, server);
        gauges.servers(site, occupied[site], 0, actions);
        gauges.running(site, type, sign, actions);
    }

    private int bestFit(int type, int site, View view) {
        leastGrowth.begin();
        for (int number : blocks.fitting(type)) {
            Block block = blocks.get(number);
            if (block.site == site) {
                leastGrowth.search(view, type, block, whole, contents.get(number));
            }
        }
        return leastGrowth.best();
    }

    private int bestAdmitted(int type, int constraint, int site, View view) {
        PointsByGroup servers = byGroup(view);
        int best = bestOf(servers, type, constraint, site, view);
        while (best != View.NONE && !view.admits(constraint, best)) {
            servers.except(best);
            best = bestOf(servers, type, constraint, site, view);
        }
        servers.putBack(view);
        return best;
    }

    private int bestOf(PointsByGroup servers, int type, int constraint, int site, View view) {
        leastGrowth.begin();
        servers.search(
                view, type, constraint, site, (block, points) -> leastGrowth.search(view, type, block, whole, points));
        return leastGrowth.best();
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        changed(server, view.type(job), -1, view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        gauges.running(view.site(server), view.type(job), -1, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        if (contents.size() < blocks.size()) {
            rebuild(view);
        } else {
            grow(view);
            refresh(view, server);
        }
        gauges.all(blocks, occupied, actions);
    }

    @Override
    public void save(StateWriter out) {
        // All of it is in the view.
    }

    @Override
    public void restore(StateReader in, View view) {
        // All of it is in the view.
    }
}
