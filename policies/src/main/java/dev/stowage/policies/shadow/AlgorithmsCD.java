package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.learn.ServiceTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The simplified scheme. Algorithm C routes to a site by virtual queues (j, k) for all resources, as if those of
 * servers were pooled too: beta_jk is then the sum over servers that are up. Each site runs Algorithm D for itself:
 * queues (j, i) of its blocks, and usage fractions that change with its own arrivals only. With several blocks D
 * chooses the block as A would.
 *
 * <p>An arrival costs O(sites that its type fits x resources + blocks of the site), and its block's configurations that
 * have the type.
 */
final class AlgorithmsCD implements ShadowRouter {
    private final Blocks blocks;
    private final ServiceTimes times;
    private final ShadowOptions options;
    private final int pools;
    private final int kinds;
    private final VirtualSystem routing;
    private final Work work;
    /** Capacity of the servers that are up, by site and resource. */
    private long[] sums = {};

    private final List<InSite> sites = new ArrayList<>();

    /** Algorithm D at one site. */
    private static final class InSite {
        Block[] blocks = {};
        final UsageFractions fractions;
        final VirtualSystem system;
        final Work work;

        InSite(ShadowOptions options, int types, ServiceTimes times) {
            fractions = options.fractions();
            system = new VirtualSystem(options.gamma(), types, fractions);
            work = new Work(times, this::greatest);
        }

        private double greatest() {
            double greatest = 0;
            for (Block block : blocks) {
                for (int type = 0; type < block.fits.length; type++) {
                    if (block.up > 0 && block.fits[type]) {
                        greatest = Math.max(greatest, 1.0 / block.up * work.mean(type));
                    }
                }
            }
            return greatest;
        }
    }

    AlgorithmsCD(View view, Blocks blocks, ServiceTimes times, ShadowOptions options) {
        this.blocks = blocks;
        this.times = times;
        this.options = options;
        pools = view.pooledResources();
        kinds = pools + view.resources();
        routing = new VirtualSystem(options.gamma(), view.types(), new UsageFractions(options.theta(), false));
        work = new Work(times, () -> greatest(view));
        blocksChanged(view);
    }

    @Override
    public void blocksChanged(View view) {
        int resources = kinds - pools;
        sums = new long[blocks.sites() * resources];
        for (int number = 0; number < blocks.size(); number++) {
            Block block = blocks.get(number);
            for (int r = 0; r < resources; r++) {
                sums[block.site * resources + r] += block.up * block.capacity[r];
            }
        }
        if (routing.pools() != blocks.sites() * kinds) {
            routing.grow(new Block[0], blocks.sites() * kinds);
        }
        while (sites.size() < blocks.sites()) {
            sites.add(new InSite(options, blocks.types(), times));
        }
        for (InSite each : sites) {
            each.blocks = new Block[0];
        }
        for (int number = 0; number < blocks.size(); number++) {
            Block block = blocks.get(number);
            InSite site = sites.get(block.site);
            block.place = site.blocks.length;
            site.blocks = Arrays.copyOf(site.blocks, site.blocks.length + 1);
            site.blocks[block.place] = block;
        }
        for (InSite each : sites) {
            if (each.system.blocks() != each.blocks.length) {
                each.system.grow(each.blocks, 0);
            }
        }
    }

    /** The right-hand side of (10) with all resources pooled. */
    private double greatest(View view) {
        double greatest = 0;
        for (int type = 0; type < blocks.types(); type++) {
            double mean = work.mean(type);
            for (int number : blocks.fitting(type)) {
                Block block = blocks.get(number);
                for (int k = 0; k < kinds && block.up > 0; k++) {
                    greatest = Math.max(greatest, part(view, type, block.site, k) * mean);
                }
            }
        }
        return greatest;
    }

    /** a_ik / beta_jk, pools first. */
    private double part(View view, int type, int site, int k) {
        int resource = k - pools;
        long demand = k < pools ? view.typePooledDemand(type, k) : view.typeDemand(type, resource);
        if (demand == 0) {
            return 0;
        }
        long all = k < pools ? view.pooledCapacity(site, k) : sums[site * (kinds - pools) + resource];
        return (double) demand / all;
    }

    @Override
    public int route(int type, int constraint, View view) {
        int site = site(type, constraint, view);
        if (site == View.NONE) {
            return View.NONE;
        }
        double mean = work.mean(type);
        for (int k = 0; k < kinds; k++) {
            double part = part(view, type, site, k);
            if (part > 0) {
                routing.addToPool(site * kinds + k, work.units(part * mean));
            }
        }
        routing.serve();
        return packAt(site, type, sites.get(site).work.mean(type));
    }

    VirtualSystem routing() {
        return routing;
    }

    VirtualSystem inSite(int site) {
        return sites.get(site).system;
    }

    /** Step 1 of C. */
    private int site(int type, int constraint, View view) {
        int chosen = View.NONE;
        double least = Double.POSITIVE_INFINITY;
        int seen = View.NONE;
        for (int number : blocks.fitting(type)) {
            Block block = blocks.get(number);
            if (block.up > 0 && block.site != seen && view.allowsSite(constraint, block.site)) {
                seen = block.site;
                double cost = 0;
                for (int k = 0; k < kinds; k++) {
                    cost += routing.pooled(seen * kinds + k) * part(view, type, seen, k);
                }
                if (cost < least || (cost == least && seen < chosen)) {
                    least = cost;
                    chosen = seen;
                }
            }
        }
        return chosen;
    }

    /** Steps 1 to 3 of D at a site. */
    int packAt(int number, int type, double mean) {
        InSite site = sites.get(number);
        Block chosen = null;
        double least = Double.POSITIVE_INFINITY;
        for (Block block : site.blocks) {
            double cost = block.up == 0 || !block.fits[type]
                    ? Double.POSITIVE_INFINITY
                    : (double) site.system.length(block.place, type) / block.up;
            if (cost < least) {
                least = cost;
                chosen = block;
            }
        }
        if (chosen == null) {
            throw new IllegalStateException("no block for type " + type);
        }
        site.system.addToBlock(chosen.place, type, site.work.units(mean / chosen.up));
        site.system.serve();
        return chosen.number;
    }

    @Override
    public double share(int block, int configuration) {
        Block of = blocks.get(block);
        return sites.get(of.site).fractions.share(of.place, configuration);
    }

    @Override
    public void save(StateWriter out) {
        work.save(out);
        routing.save(out);
        for (InSite site : sites) {
            site.work.save(out);
            site.system.save(out);
        }
    }

    @Override
    public void restore(StateReader in, View view) {
        work.restore(in);
        routing.restore(in);
        for (InSite site : sites) {
            site.work.restore(in);
            site.system.restore(in);
        }
    }
}
