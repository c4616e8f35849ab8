package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import dev.stowage.policies.index.DominanceIndex;
import dev.stowage.policies.index.DominanceQuery;
import dev.stowage.policies.index.ItemHeaps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * BF-J/S (Psychas and Ghaderi 2019, section IV-A) as the layer of the sites, below any router. A request goes to the
 * server of its block that fits it best: the largest inner product of demand and occupied amounts, both as parts of the
 * server's capacity, which in one resource is the least room left; ties to the lowest server. Where room appears, the
 * largest waiting request goes first: the sum of its demands as parts of the server's capacity, ties to the one that
 * arrived first.
 *
 * <p>A choice is one search of the block's {@link DominanceIndex}, a change of a server costs O(log servers).
 */
final class BestFitLayer implements SitePlacement {
    private static final String REASON = "best score in the block it was routed to";

    private final Blocks blocks;
    private final int resources;
    private final SiteGauges gauges;
    private final DominanceQuery query;
    private final List<DominanceIndex> contents = new ArrayList<>();
    private final ItemHeaps items = new ItemHeaps();
    private final long[] held;
    /** Servers that are up and hold something. */
    private boolean[] occupied = {};

    private int[] occupiedOfSite = {};
    private int known;

    BestFitLayer(View view, Blocks blocks) {
        this.blocks = blocks;
        resources = view.resources();
        gauges = new SiteGauges(view, false);
        query = new DominanceQuery(resources);
        held = new long[resources];
        grow(view);
    }

    private void grow(View view) {
        while (contents.size() < blocks.size()) {
            int number = contents.size();
            contents.add(DominanceIndex.ofPlainScores(blocks.get(number).capacity, items, number));
        }
        if (view.servers() > occupied.length) {
            occupied = Arrays.copyOf(occupied, Math.max(view.servers(), 2 * occupied.length));
        }
        occupiedOfSite = Arrays.copyOf(occupiedOfSite, blocks.sites());
        for (; known < view.servers(); known++) {
            refresh(view, known);
        }
    }

    /** Updates the data of a server. */
    private void refresh(View view, int server) {
        Block block = blocks.of(view, server);
        DominanceIndex index = contents.get(block.number);
        if (index.contains(server)) {
            index.remove(server);
        }
        boolean up = view.status(server) == ServerStatus.UP;
        if (up) {
            for (int r = 0; r < resources; r++) {
                held[r] = block.capacity[r] - view.free(server, r);
            }
            index.insert(server, server, held, 0);
        }
        boolean now = up && view.firstOn(server) != View.NONE;
        occupiedOfSite[block.site] += (now ? 1 : 0) - (occupied[server] ? 1 : 0);
        occupied[server] = now;
    }

    @Override
    public void adopt(View view, Actions actions) {
        gauges.all(blocks, occupiedOfSite, actions);
    }

    @Override
    public boolean place(int job, int number, View view, Actions actions) {
        int type = view.type(job);
        Block block = blocks.get(number);
        if (!Typed.poolsHaveRoom(view, type, block.site)) {
            return false;
        }
        query.forget();
        for (int r = 0; r < resources; r++) {
            long demand = view.typeDemand(type, r);
            query.limit(r, block.capacity[r] - demand);
            query.weight(r, part(block, r, demand) / Math.max(1, block.capacity[r]));
        }
        contents.get(number).search(query);
        int server = query.item();
        if (server == DominanceQuery.NONE) {
            return false;
        }
        actions.place(job, server, REASON);
        changed(server, type, 1, view, actions);
        return true;
    }

    private static double part(Block block, int resource, long amount) {
        return (double) amount / Math.max(1, block.capacity[resource]);
    }

    private void changed(int server, int type, int change, View view, Actions actions) {
        refresh(view, server);
        gauges.servers(view.site(server), occupiedOfSite[view.site(server)], 0, actions);
        gauges.running(view.site(server), type, change, actions);
    }

    /** The largest first. */
    @Override
    public int compareWaiting(int one, int other, int number, View view) {
        return Double.compare(size(other, number, view), size(one, number, view));
    }

    private double size(int type, int number, View view) {
        double size = 0;
        for (int r = 0; r < resources; r++) {
            size += part(blocks.get(number), r, view.typeDemand(type, r));
        }
        return size;
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
        grow(view);
        refresh(view, server);
        gauges.all(blocks, occupiedOfSite, actions);
    }
}
