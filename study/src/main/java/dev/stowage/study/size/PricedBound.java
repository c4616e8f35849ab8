package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The cost below which no servers of given kinds meet a target under any policy, from the moment with the greatest
 * need.
 */
final class PricedBound {
    /** Far more than the rounding errors of the programs' sums. */
    private static final double ROUNDING = 1e-9;

    private PricedBound() {}

    static PricedSizing.Least of(
            Experiment experiment, SizeQuestion question, ServerFleet fleet, double[] price, long seed) {
        RequestList requests = RequestList.of(experiment, seed);
        boolean[] fits = Sweep.fitting(requests, fleet);
        long[][] kinds = fleet.kinds();
        CheapestServers.LeastCost best =
                new CheapestServers.LeastCost(0, 0, new double[price.length], new double[price.length], new double[0]);
        for (SizeRequirement each : question.target().requirements()) {
            for (SizeRequirement relaxed : PeakBound.relaxed(each, experiment, requests)) {
                int type = PeakBound.type(experiment, each);
                long allowed =
                        Math.max(0, relaxed.allowed(requests.count(type)) - PeakBound.fitNone(requests, fits, type));
                long delay = (relaxed.waitsForEver() ? 0 : relaxed.withinNanos()) + experiment.slotNanos();
                long end = Math.min(experiment.end().atNanos(), requests.last());
                Supplier<Sweep> sweeps = () -> new Sweep(requests, delay, type, fits, end);
                for (Packing.PeakMoment at : Packing.peaks(sweeps)) {
                    CheapestServers.LeastCost answer = Packing.least(requests, at, kinds, price, allowed);
                    best = answer.atLeast() > best.atLeast() ? answer : best;
                }
                if (allowed > 0) {
                    double[][] size = Arrays.stream(kinds)
                            .map(kind -> Arrays.stream(kind).asDoubleStream().toArray())
                            .toArray(double[][]::new);
                    CheapestServers.LeastCost overTime = MissProgram.least(
                            size,
                            price,
                            new double[size[0].length],
                            requests,
                            allowed,
                            sweeps,
                            PeakBound.present(requests, type, fits, delay),
                            end);
                    best = overTime.atLeast() > best.atLeast() ? overTime : best;
                }
            }
        }
        return new PricedSizing.Least(best.atLeast() * (1 - ROUNDING), list(best.servers()), list(best.worth()));
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
