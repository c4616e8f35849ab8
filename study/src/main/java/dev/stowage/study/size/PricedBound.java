package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.TypeChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Below which cost no servers of given kinds meet a target under any policy, at the moment that asks for most.
 *
 * @param rule what decides; null with the evidence where no server is needed
 * @param run if a requirement about the whole run decides: what follows from it; else null
 * @param demands of each kind of request, per resource
 * @param present how many of each kind must run, at some moments
 */
record PricedBound(
        PricedSizing.Least least,
        PeakBound.@Nullable Rule rule,
        @Nullable Evidence evidence,
        @Nullable RunNeed run,
        long[][] demands,
        List<long[]> present) {
    /** Far more than the rounding of the programs' sums. */
    private static final double ROUNDING = 1e-9;

    static PricedBound of(
            Experiment experiment,
            SizeQuestion question,
            ServerFleet fleet,
            double[] price,
            long seed,
            Packing packing) {
        RequestList requests = RequestList.of(experiment, seed);
        boolean[] fits = Sweep.fitting(requests, fleet);
        long[][] kinds = fleet.kinds();
        double[][] size = Arrays.stream(kinds)
                .map(kind -> Arrays.stream(kind).asDoubleStream().toArray())
                .toArray(double[][]::new);
        long end = PeakBound.end(experiment, requests);
        CheapestServers.LeastCost best = CheapestServers.LeastCost.nothing(price.length);
        PeakBound.@Nullable Rule rule = null;
        @Nullable Evidence evidence = null;
        @Nullable RunNeed run = null;
        List<long[]> present = new ArrayList<>();
        for (PeakBound.Rule each : PeakBound.rules(experiment, question, requests, fits)) {
            long delay = each.delay(experiment);
            Supplier<Sweep> sweeps = () -> new Sweep(requests, delay, each.types(), fits, end);
            for (Packing.PeakMoment at : Packing.peaks(sweeps)) {
                if (each.allowed() == 0) {
                    present.add(at.count());
                }
                Packing.PackedCost answer = packing.least(requests, at, kinds, price, each.allowed());
                if (answer.cost().atLeast() > best.atLeast()) {
                    best = answer.cost();
                    rule = each;
                    evidence = Evidence.packing(at.nanos(), answer);
                }
            }
            if (each.allowed() > 0) {
                MissProgram.MissPrices answer = MissProgram.least(
                        size,
                        price,
                        new double[size[0].length],
                        requests,
                        each.allowed(),
                        sweeps,
                        PeakBound.present(requests, each.types(), fits, delay),
                        end);
                if (answer.cost().atLeast() > best.atLeast()) {
                    best = answer.cost();
                    rule = each;
                    evidence = Evidence.amounts(answer, size);
                }
            }
        }
        for (SizeRequirement each : question.target().requirements()) {
            RunWork work = RunWork.of(experiment, question, each, fleet, requests, fits);
            RunNeed need = work == null ? null : work.cheapest(price);
            if (need != null && need.cost(price) > best.atLeast()) {
                best = need.least(price);
                rule = new PeakBound.Rule(each, TypeChoice.ALL, 0, 0);
                run = need;
                evidence = need.evidence();
            }
        }
        return new PricedBound(
                new PricedSizing.Least(best.atLeast() * (1 - ROUNDING), list(best.servers()), list(best.worth())),
                rule,
                evidence,
                run,
                requests.demands(),
                present);
    }

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
