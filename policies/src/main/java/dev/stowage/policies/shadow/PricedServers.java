package dev.stowage.policies.shadow;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.Score;
import dev.stowage.policies.fit.ServerChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * The choice of {@link PricedBalancing}: of the blocks with room, the one with the least sum of the part of its servers
 * in use, its largest utilization (of its resources and its site's pools) and the request's regret there ({@link
 * PresentPrices}); ties to the lowest block. In the block the server that fits best ({@link Score#MIX}).
 *
 * <p>Resources are counted in whole slots: where a server holds n requests of a demand, each takes 1/n of the resource
 * that bounds their number, and of the others in proportion; so what is left over beside a request that nearly fills a
 * server does not count as room.
 *
 * <p>A choice costs O(blocks x (resources + pools)), and a search in each block up to the first with room; an update
 * O(requests on the server x resources).
 */
final class PricedServers implements ServerChoice {
    private static final String REASON =
            "best score, in the block with room where servers in use + largest utilization + price is least";

    /** A whole server. */
    private static final double WHOLE = 1L << 30;

    private final Blocks blocks;
    private final PresentPrices prices;
    private final IntPredicate open;
    /** Told of every request on a server whose requests changed. */
    private final IntConsumer runs;

    private final int resources;
    private final List<ServerChoice> choices = new ArrayList<>();
    /** Parts of servers in use, in whole slots, of those that are up, by block and resource. */
    private long[] used = {};

    /** By block: servers that are up and hold something. */
    private int[] occupied = {};

    /** What each server counts for: its block or NONE, its parts in use, whether it holds something. */
    private int[] blockOf = {};

    private long[] held = {};
    private boolean[] busy = {};
    /** Of the choice that is being made. */
    private double[] scores = {};

    PricedServers(View view, Blocks blocks, PresentPrices prices, IntPredicate open, IntConsumer runs) {
        this.blocks = blocks;
        this.prices = prices;
        this.open = open;
        this.runs = runs;
        resources = view.resources();
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        choices.clear();
        used = new long[blocks.size() * resources];
        occupied = new int[blocks.size()];
        scores = new double[blocks.size()];
        blockOf = new int[view.servers()];
        Arrays.fill(blockOf, View.NONE);
        held = new long[view.servers() * resources];
        busy = new boolean[view.servers()];
        for (int number = 0; number < blocks.size(); number++) {
            int its = number;
            choices.add(
                    BestFit.servers(view, Score.MIX, server -> view.capacityClass(server) == its && open.test(server)));
        }
        for (int server = 0; server < view.servers(); server++) {
            count(view, server);
        }
    }

    @Override
    public void update(View view, int server) {
        if (choices.size() < blocks.size()) {
            rebuild(view);
            return;
        }
        if (server >= blockOf.length) {
            int before = blockOf.length;
            int length = Math.max(view.servers(), 2 * before);
            blockOf = Arrays.copyOf(blockOf, length);
            Arrays.fill(blockOf, before, length, View.NONE);
            held = Arrays.copyOf(held, length * resources);
            busy = Arrays.copyOf(busy, length);
        }
        choices.get(view.capacityClass(server)).update(view, server);
        count(view, server);
    }

    private void count(View view, int server) {
        add(server, -1);
        blockOf[server] = view.status(server) == ServerStatus.UP ? view.capacityClass(server) : View.NONE;
        Arrays.fill(held, server * resources, (server + 1) * resources, 0);
        for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
            hold(view, job, server);
            runs.accept(job);
        }
        busy[server] = view.firstOn(server) != View.NONE;
        add(server, 1);
    }

    private void hold(View view, int job, int server) {
        double most = Double.POSITIVE_INFINITY;
        for (int r = 0; r < resources; r++) {
            double demand = view.demand(job, r);
            most = demand > 0 ? Math.min(most, view.capacity(server, r) / demand) : most;
        }
        double slot = most / Math.max(1, Math.floor(most));
        for (int r = 0; r < resources; r++) {
            double demand = view.demand(job, r);
            if (demand > 0) {
                held[server * resources + r] +=
                        (long) StrictMath.rint(slot * demand / view.capacity(server, r) * WHOLE);
            }
        }
    }

    private void add(int server, int sign) {
        int block = blockOf[server];
        if (block != View.NONE) {
            for (int r = 0; r < resources; r++) {
                used[block * resources + r] += sign * held[server * resources + r];
            }
            occupied[block] += busy[server] ? sign : 0;
        }
    }

    /** Servers of a block that are up and hold something. */
    int occupied(int block) {
        return occupied[block];
    }

    /** The largest part in use of the block's resources and its site's pools. */
    private double utilization(View view, Block block) {
        double largest = 0;
        for (int r = 0; r < resources; r++) {
            largest = Math.max(largest, used[block.number * resources + r] / (block.up * WHOLE));
        }
        for (int p = 0; p < view.pooledResources(); p++) {
            long capacity = view.pooledCapacity(block.site, p);
            double part = capacity > 0 ? (double) (capacity - view.pooledFree(block.site, p)) / capacity : 0;
            largest = Math.max(largest, part);
        }
        return largest;
    }

    private void score(View view, int job) {
        int demand = prices.classOf(view, job);
        for (int number = 0; number < blocks.size(); number++) {
            Block block = blocks.get(number);
            scores[number] = block.up == 0 || !view.mayRunAt(job, block.site)
                    ? Double.POSITIVE_INFINITY
                    : (double) occupied[number] / block.up + utilization(view, block) + prices.regret(demand, number);
        }
    }

    @Override
    public int choose(View view, int job, int site) {
        score(view, job);
        while (true) {
            int next = View.NONE;
            for (int number = 0; number < scores.length; number++) {
                boolean asked = site == View.NONE || site == blocks.get(number).site;
                if (asked
                        && scores[number] < Double.POSITIVE_INFINITY
                        && (next == View.NONE || scores[number] < scores[next])) {
                    next = number;
                }
            }
            if (next == View.NONE) {
                return View.NONE;
            }
            int server = choices.get(next).choose(view, job);
            if (server != View.NONE) {
                return server;
            }
            scores[next] = Double.POSITIVE_INFINITY;
        }
    }

    @Override
    public String reason() {
        return REASON;
    }
}
