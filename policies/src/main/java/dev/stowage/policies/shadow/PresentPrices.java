package dev.stowage.policies.shadow;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.Typed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request would cost at each block, by the virtual queues of Algorithm A, fed not with the requests that arrive
 * but with those that are there.
 *
 * <p>Requests of a type that the same sites may run are a class. With every arrival {@value #DRAWN} virtual ones are
 * drawn, of the classes in proportion to their numbers in the system (waiting or running); each goes to the block with
 * the least Q_ji / beta*_j + sum of Q_jk a_ik / beta_jk, and then the superserver may serve, as in {@link AlgorithmA}
 * with mean service times of 1. So by Proposition 1, for fixed numbers in the system, the virtual routes tend to the
 * optimum of LP (2)-(7) for the load that is there, and no service time has to be known or learned.
 *
 * <p>The regret of a class at a block is the part of its cost there that is more than its least cost, from 0 to 1,
 * averaged over its virtual arrivals: over as many as it has requests in the system, and at least
 * {@value #LEAST_AVERAGED}. Where the optimum routes the class it tends to 0.
 *
 * <p>gamma is {@value #STEPS} (the paper's) times the most slots that a server has for one type, at most
 * {@value #MOST_GAMMA}: a service takes as many steps from a queue as the configuration has slots. c is 1.01 times the
 * largest increment with the servers that are up.
 *
 * <p>An arrival costs O({@value #DRAWN} x (classes + blocks x pools + configurations that have the type)).
 */
final class PresentPrices {
    private static final int DRAWN = 8;
    private static final int LEAST_AVERAGED = 10;
    private static final double STEPS = 5;
    private static final double MOST_GAMMA = 1000;
    private static final double FACTOR = 1.01;

    /** Requests of a type that the same sites may run: no sites are all. */
    private static final class PresentClass {
        final int type;
        final int[] sites;
        int present;
        /** By how many virtual arrivals the class is behind its part. */
        double credit;

        long drawn;
        double[] regret = {};

        PresentClass(int type, int[] sites) {
            this.type = type;
            this.sites = sites;
        }

        boolean allows(int site) {
            return sites.length == 0 || Arrays.binarySearch(sites, site) >= 0;
        }
    }

    private final Blocks blocks;
    private final int pools;
    private final List<PresentClass> demands = new ArrayList<>();
    private VirtualSystem system;
    private long present;
    private double unit;

    PresentPrices(View view, Blocks blocks) {
        this.blocks = blocks;
        pools = view.pooledResources();
        system = newSystem(view);
        blocksChanged(view);
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                count(view, job, 1);
            }
        }
    }

    private VirtualSystem newSystem(View view) {
        double slots = 1;
        for (int type = 0; type < blocks.types(); type++) {
            for (int number : blocks.fitting(type)) {
                slots = Math.max(slots, (double) slots(view, blocks.get(number), type));
            }
        }
        double gamma = Math.min(MOST_GAMMA, STEPS * slots);
        return new VirtualSystem(gamma, blocks.types(), new UsageFractions(0.5, false));
    }

    /** Most requests of a type that a server holds. */
    private static long slots(View view, Block block, int type) {
        long slots = Long.MAX_VALUE;
        for (int r = 0; r < block.capacity.length; r++) {
            long demand = view.typeDemand(type, r);
            slots = demand == 0 ? slots : Math.min(slots, block.capacity[r] / demand);
        }
        return slots;
    }

    /** Takes in blocks and numbers of servers; with new blocks the virtual queues begin anew. */
    void blocksChanged(View view) {
        if (system.blocks() != blocks.size()) {
            Block[] all = new Block[blocks.size()];
            Arrays.setAll(all, blocks::get);
            system = newSystem(view);
            system.grow(all, blocks.sites() * pools);
            for (PresentClass demand : demands) {
                demand.regret = Arrays.copyOf(demand.regret, blocks.size());
            }
        }
        double greatest = 0;
        for (int type = 0; type < blocks.types(); type++) {
            for (int number : blocks.fitting(type)) {
                Block block = blocks.get(number);
                if (block.up > 0) {
                    greatest = Math.max(greatest, 1.0 / block.up);
                    for (int p = 0; p < pools; p++) {
                        greatest = Math.max(greatest, AlgorithmA.ofPool(view, type, block.site, p));
                    }
                }
            }
        }
        unit = FACTOR * greatest;
    }

    /** Number of the class of a request, or NONE if it has no type of which servers hold a bounded number. */
    int classOf(View view, int job) {
        if (!Typed.isOfItsType(view, job) || blocks.fitting(view.type(job)).length == 0) {
            return View.NONE;
        }
        int type = view.type(job);
        List<Integer> sites = view.constraints(view.constraint(job)).sites();
        for (int number = 0; number < demands.size(); number++) {
            if (demands.get(number).type == type && isSame(demands.get(number).sites, sites)) {
                return number;
            }
        }
        PresentClass demand = new PresentClass(
                type, sites.stream().mapToInt(Integer::intValue).toArray());
        demand.regret = new double[blocks.size()];
        demands.add(demand);
        return demands.size() - 1;
    }

    private static boolean isSame(int[] one, List<Integer> other) {
        boolean same = one.length == other.size();
        for (int k = 0; same && k < one.length; k++) {
            same = one[k] == other.get(k);
        }
        return same;
    }

    private void count(View view, int job, int change) {
        int number = classOf(view, job);
        if (number != View.NONE) {
            demands.get(number).present += change;
            present += change;
        }
    }

    /** A request arrived. */
    void arrived(View view, int job) {
        count(view, job, 1);
        for (int k = 0; k < DRAWN && present > 0; k++) {
            PresentClass next = draw();
            Block block = cheapest(next, view);
            if (block != null) {
                learn(next, cost(next.type, block, view), view);
                route(next, block, view);
            }
        }
    }

    /** A request left the system. */
    void left(View view, int job) {
        count(view, job, -1);
    }

    /** The class that is most behind its part, of several the first. */
    private PresentClass draw() {
        PresentClass chosen = null;
        for (int number = 0; number < demands.size(); number++) {
            PresentClass each = demands.get(number);
            if (each.present > 0) {
                each.credit += (double) each.present / present;
                chosen = chosen == null || each.credit > chosen.credit ? each : chosen;
            }
        }
        if (chosen == null) {
            throw new IllegalStateException("no request is present to draw");
        }
        chosen.credit -= 1;
        return chosen;
    }

    private boolean isOpen(PresentClass demand, Block block) {
        return block.up > 0 && demand.allows(block.site);
    }

    private @Nullable Block cheapest(PresentClass demand, View view) {
        Block chosen = null;
        double least = Double.POSITIVE_INFINITY;
        for (int number : blocks.fitting(demand.type)) {
            Block block = blocks.get(number);
            double cost = isOpen(demand, block) ? cost(demand.type, block, view) : least;
            if (cost < least) {
                least = cost;
                chosen = block;
            }
        }
        return chosen;
    }

    private double cost(int type, Block block, View view) {
        double cost = (double) system.length(block.number, type) / block.up;
        for (int p = 0; p < pools; p++) {
            cost += system.pooled(block.site * pools + p) * AlgorithmA.ofPool(view, type, block.site, p);
        }
        return cost;
    }

    private void learn(PresentClass demand, double least, View view) {
        demand.drawn++;
        double weight = Math.max(1.0 / demand.drawn, 1.0 / Math.max(LEAST_AVERAGED, demand.present));
        for (int number : blocks.fitting(demand.type)) {
            Block block = blocks.get(number);
            if (isOpen(demand, block)) {
                double cost = cost(demand.type, block, view);
                double regret = cost > least ? 1 - least / cost : 0;
                demand.regret[number] += weight * (regret - demand.regret[number]);
            }
        }
    }

    private void route(PresentClass demand, Block block, View view) {
        for (int p = 0; p < pools; p++) {
            double part = AlgorithmA.ofPool(view, demand.type, block.site, p);
            if (part > 0) {
                system.addToPool(block.site * pools + p, units(part));
            }
        }
        system.addToBlock(block.number, demand.type, units(1.0 / block.up));
        system.serve();
    }

    private long units(double part) {
        return Math.max(1, (long) StrictMath.rint(part / unit * VirtualSystem.WORK));
    }

    /** The average regret of a class ({@link #classOf}) at a block, from 0 to 1. */
    double regret(int number, int block) {
        return number == View.NONE ? 0 : demands.get(number).regret[block];
    }

    void save(StateWriter out) {
        out.putInt(demands.size());
        for (PresentClass each : demands) {
            out.putInt(each.type);
            out.putInts(each.sites, each.sites.length);
            out.putDouble(each.credit);
            out.putLong(each.drawn);
            out.putInt(each.regret.length);
            for (double regret : each.regret) {
                out.putDouble(regret);
            }
        }
        system.save(out);
    }

    /** To be called on new ones; the requests that run are counted already, those that wait are counted here. */
    void restore(StateReader in, View view) {
        List<PresentClass> counted = List.copyOf(demands);
        demands.clear();
        for (int left = in.getInt(); left > 0; left--) {
            PresentClass each = new PresentClass(in.getInt(), in.getInts());
            each.credit = in.getDouble();
            each.drawn = in.getLong();
            each.regret = new double[in.getInt()];
            for (int block = 0; block < each.regret.length; block++) {
                each.regret[block] = in.getDouble();
            }
            for (PresentClass one : counted) {
                each.present += one.type == each.type && Arrays.equals(one.sites, each.sites) ? one.present : 0;
            }
            demands.add(each);
        }
        for (int job = view.queueHead(0); job != View.NONE; job = view.next(job)) {
            count(view, job, 1);
        }
        for (int job = view.pendingHead(); job != View.NONE; job = view.next(job)) {
            count(view, job, 1);
        }
        system.restore(in);
    }
}
