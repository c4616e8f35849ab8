package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.learn.ServiceTimes;

/**
 * Algorithm A: virtual queues (j, k) for the pools of the sites and (j, i) for blocks and types; a request goes to the
 * block with the least Q_ji / beta*_j + sum of Q_jk a_ik / beta_jk, which is the paper's sum without its common factor
 * 1 / mu_i.
 *
 * <p>An arrival costs O(blocks that its type fits x pools), and its block's configurations that have the type.
 */
final class AlgorithmA implements ShadowRouter {
    private final Blocks blocks;
    private final int pools;
    private final UsageFractions fractions;
    private final VirtualSystem system;
    private final Work work;

    AlgorithmA(View view, Blocks blocks, ServiceTimes times, ShadowOptions options) {
        this.blocks = blocks;
        pools = view.pooledResources();
        fractions = options.fractions();
        system = new VirtualSystem(options.gamma(), view.types(), fractions);
        work = new Work(times, () -> greatest(view));
        blocksChanged(view);
    }

    VirtualSystem system() {
        return system;
    }

    @Override
    public void blocksChanged(View view) {
        if (system.blocks() != blocks.size()) {
            Block[] all = new Block[blocks.size()];
            for (int b = 0; b < all.length; b++) {
                all[b] = blocks.get(b);
            }
            system.grow(all, blocks.sites() * pools);
        }
    }

    /**
     * The greater of H1 and H2, the right-hand sides of (10), over blocks with servers up and the types that fit them.
     */
    private double greatest(View view) {
        double greatest = 0;
        for (int type = 0; type < blocks.types(); type++) {
            for (int number : blocks.fitting(type)) {
                Block block = blocks.get(number);
                if (block.up > 0) {
                    double largest = 1.0 / block.up;
                    for (int p = 0; p < pools; p++) {
                        largest = Math.max(largest, ofPool(view, type, block.site, p));
                    }
                    greatest = Math.max(greatest, largest * work.mean(type));
                }
            }
        }
        return greatest;
    }

    /** The part of a pool that a request of a type takes. */
    static double ofPool(View view, int type, int site, int pool) {
        long demand = view.typePooledDemand(type, pool);
        return demand == 0 ? 0 : (double) demand / view.pooledCapacity(site, pool);
    }

    @Override
    public int route(int type, int constraint, View view) {
        Block chosen = null;
        double least = Double.POSITIVE_INFINITY;
        for (int number : blocks.fitting(type)) {
            Block block = blocks.get(number);
            boolean open = block.up > 0 && view.allowsSite(constraint, block.site);
            double cost = open ? cost(block, type, view) : least;
            if (cost < least) {
                least = cost;
                chosen = block;
            }
        }
        if (chosen == null) {
            return View.NONE;
        }
        double mean = work.mean(type);
        for (int p = 0; p < pools; p++) {
            double part = ofPool(view, type, chosen.site, p);
            if (part > 0) {
                system.addToPool(chosen.site * pools + p, work.units(part * mean));
            }
        }
        system.addToBlock(chosen.number, type, work.units(mean / chosen.up));
        system.serve();
        return chosen.number;
    }

    private double cost(Block block, int type, View view) {
        double cost = (double) system.length(block.number, type) / block.up;
        for (int p = 0; p < pools; p++) {
            cost += system.pooled(block.site * pools + p) * ofPool(view, type, block.site, p);
        }
        return cost;
    }

    @Override
    public double share(int block, int configuration) {
        return fractions.share(block, configuration);
    }

    @Override
    public void save(StateWriter out) {
        work.save(out);
        system.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        work.restore(in);
        system.restore(in);
    }
}
