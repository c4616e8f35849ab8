package dev.stowage.cli;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.Phase;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * The load of an experiment by type from some time on: mean number in service, were every request served at once. Of types that
 * have one demand each.
 *
 * @param fromNanos when it begins
 * @param load by type
 * @param demand by type and server resource
 * @param pooledDemand by type and pooled resource
 */
record TypeLoads(long fromNanos, double[] load, long[][] demand, long[][] pooledDemand) {
    private static final double SECOND_NANOS = 1e9;

    /**
     * The loads in order of time: one per phase of a synthetic workload; of a trace one per window, or one in all.
     *
     * @param windows how many, 0 for the whole; phases are not parted
     * @return empty where a type has no one demand, or demands nothing of a server
     */
    static List<TypeLoads> of(Experiment experiment, int windows) {
        if (experiment.workload() instanceof SyntheticWorkload synthetic) {
            List<TypeLoads> loads = new ArrayList<>();
            for (Phase phase : synthetic.phases()) {
                Optional<TypeLoads> load = ofPhase(phase, experiment.cluster(), synthetic);
                if (load.isEmpty()) {
                    return List.of();
                }
                loads.add(load.get());
            }
            return loads;
        }
        return measured(experiment, windows);
    }

    private static Optional<TypeLoads> ofPhase(Phase phase, Cluster cluster, SyntheticWorkload workload) {
        int types = phase.types().size();
        if (phase.types().stream().anyMatch(type -> !type.demand().drawnUnits(0).isEmpty())) {
            return Optional.empty();
        }
        double[] load = new double[types];
        long[][] demand = new long[types][];
        long[][] pooledDemand = new long[types][];
        for (int i = 0; i < types; i++) {
            RequestType type = phase.types().get(i);
            load[i] = type.ratePerSecond() * type.service().mean() * type.serviceUnitNanos() / SECOND_NANOS;
            demand[i] =
                    amounts(names(cluster), workload, source -> type.demand().fixedUnits(source));
            pooledDemand[i] = amounts(
                    cluster.pooledResources().stream(),
                    workload,
                    source -> type.demand().fixedUnits(source));
        }
        return demandsSomething(demand)
                ? Optional.of(new TypeLoads(phase.fromNanos(), load, demand, pooledDemand))
                : Optional.empty();
    }

    private static Stream<String> names(Cluster cluster) {
        return cluster.resources().stream().map(Resource::name);
    }

    private static long[] amounts(Stream<String> resources, Workload workload, IntToLongFunction ofSource) {
        return resources
                .mapToInt(workload.resources()::indexOf)
                .mapToLong(source -> source < 0 ? 0 : ofSource.applyAsLong(source))
                .toArray();
    }

    private static boolean demandsSomething(long[][] demand) {
        for (long[] each : demand) {
            long sum = 0;
            for (long amount : each) {
                sum += amount;
            }
            if (sum == 0) {
                return false;
            }
        }
        return true;
    }

    /** By one pass over the requests, those of the first seed: work within a window over its length. */
    private static List<TypeLoads> measured(Experiment experiment, int windows) {
        Workload workload = experiment.workload();
        int types = workload.types().size();
        long[][] demand = new long[types][];
        long[][] pooledDemand = new long[types][];
        for (int i = 0; i < types; i++) {
            int type = i;
            demand[i] = amounts(names(experiment.cluster()), workload, source -> workload.typeDemand(type, source));
            pooledDemand[i] = amounts(
                    experiment.cluster().pooledResources().stream(),
                    workload,
                    source -> workload.typeDemand(type, source));
        }
        long end = Math.min(experiment.end().atNanos(), workload.endNanos());
        if (!demandsSomething(demand) || end == Long.MAX_VALUE || end == 0) {
            return List.of();
        }
        long width = (end - 1) / Math.max(1, windows) + 1;
        double[][] load = new double[(int) ((end - 1) / width) + 1][types];
        RequestStream stream = workload.open(experiment.seed());
        for (long n = 0; n < experiment.end().requests() && stream.next() && stream.arrivalNanos() < end; n++) {
            long from = stream.arrivalNanos();
            long until = from + Math.min(stream.workNanos(), end - from);
            for (int window = (int) (from / width); window < load.length && window * width < until; window++) {
                long last = Math.min(end, (window + 1) * width);
                long within = Math.min(until, last) - Math.max(from, window * width);
                load[window][stream.type()] += (double) within / (last - window * width);
            }
        }
        List<TypeLoads> loads = new ArrayList<>();
        for (int window = 0; window < load.length; window++) {
            loads.add(new TypeLoads(window * width, load[window], demand, pooledDemand));
        }
        return loads;
    }

    /** The times at which loads or servers change, ascending, the first 0. */
    static TreeSet<Long> times(List<TypeLoads> loads, Experiment experiment) {
        TreeSet<Long> times = new TreeSet<>();
        loads.forEach(load -> times.add(load.fromNanos()));
        experiment.changes().forEach(change -> times.add(change.atNanos()));
        times.add(0L);
        times.removeIf(time -> time >= experiment.end().atNanos());
        return times;
    }
}
