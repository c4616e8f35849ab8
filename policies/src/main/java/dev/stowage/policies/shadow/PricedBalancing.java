package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.NumberSet;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Load balancing with the prices of shadow routing: every request goes to the block with room where the part of the
 * servers in use, the largest utilization and the price of its class together are least ({@link PricedServers}). What
 * has no room at any site that it may use waits in one queue, and whoever makes room takes the earliest that fits
 * ({@link JobByJob}).
 *
 * <p>A heuristic, without a theorem. Prices alone tend to the duals of LP (2)-(7) for the load that is present ({@link
 * PresentPrices}), but what the sum with utilizations makes of them is only measured (docs/shadow.md). Requests without
 * a type, or with other demands than its own, are balanced without prices.
 */
final class PricedBalancing extends ForwardingPolicy {
    /** As in the other policies of the package by default, and near enough where they are not listed. */
    private static final int LISTED = 500;

    private static final double WITHIN = 0.02;

    private final Blocks blocks;
    private final PresentPrices prices;
    private final SiteGauges gauges;
    private final Policy queue;
    private @Nullable PricedServers servers;
    /** By handle, whether a request is known to run. */
    private boolean[] runs = {};

    /** Those that began to run since the gauges were told. */
    private final NumberSet begun = new NumberSet();

    PricedBalancing(View view) {
        blocks = new Blocks(view, LISTED, WITHIN);
        prices = new PresentPrices(view, blocks);
        gauges = new SiteGauges(view, false);
        queue = new JobByJob(
                view,
                open -> {
                    servers = new PricedServers(view, blocks, prices, open, this::runs);
                    return servers;
                },
                false);
        begun.clear();
    }

    private void runs(int job) {
        if (job >= runs.length) {
            runs = Arrays.copyOf(runs, Math.max(job + 1, 2 * runs.length));
        }
        if (!runs[job]) {
            runs[job] = true;
            begun.add(job);
        }
    }

    private void ended(int job, int server, View view, Actions actions) {
        runs[job] = false;
        gauges.running(view.site(server), view.type(job), -1, actions);
    }

    @Override
    protected Policy policy() {
        return queue;
    }

    @Override
    public void started(View view, Actions actions) {
        queue.started(view, actions);
        tellAll(actions);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        prices.arrived(view, job);
        queue.arrived(job, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        prices.left(view, job);
        if (server != View.NONE) {
            ended(job, server, view, actions);
        }
        queue.left(job, server, view, actions);
        tell(actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        ended(job, server, view, actions);
        queue.displaced(job, server, view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        blocks.grow(view);
        blocks.statusSeen(view, server);
        prices.blocksChanged(view);
        queue.serverChanged(server, view, actions);
        tellAll(actions);
    }

    @Override
    public void round(View view, Actions actions) {
        queue.round(view, actions);
        for (int k = 0; k < begun.size(); k++) {
            int job = begun.get(k);
            gauges.running(view.site(view.server(job)), view.type(job), 1, actions);
        }
        begun.clear();
        tell(actions);
    }

    private void tellAll(Actions actions) {
        gauges.up(blocks, actions);
        tell(actions);
    }

    private void tell(Actions actions) {
        PricedServers choice = Objects.requireNonNull(servers, "the constructor did not create it");
        int[] occupied = new int[blocks.sites()];
        for (int number = 0; number < blocks.size(); number++) {
            occupied[blocks.get(number).site] += choice.occupied(number);
        }
        for (int site = 0; site < occupied.length; site++) {
            gauges.servers(site, occupied[site], 0, actions);
        }
    }

    @Override
    public void save(StateWriter out) {
        blocks.save(out);
        prices.save(out);
        queue.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        blocks.restore(in);
        prices.restore(in, view);
        queue.restore(in, view);
    }
}
