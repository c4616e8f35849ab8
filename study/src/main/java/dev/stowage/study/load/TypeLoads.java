package dev.stowage.study.load;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.optimize.bound.RoutingBound;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import dev.stowage.sim.workload.WorkloadPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * The load of an experiment by type from some time on: mean number in service if every request were served at once, for
 * types that have one demand each. Requests that the same sites may run are a group; without limits there is one.
 *
 * @param fromNanos when it begins
 * @param groups of requests
 * @param load by group and type
 * @param demand by type and server resource
 * @param pooledDemand by type and pooled resource
 */
public record TypeLoads(
        long fromNanos, List<SiteGroup> groups, double[][] load, long[][] demand, long[][] pooledDemand) {
    /** Limit on changes of a profile of origins: more would take long, and are too many to read. */
    private static final int MOST_CHANGES = 400;

    /** Why there is no such load although types have one demand each; empty if there is one. */
    public static Optional<String> obstacle(Experiment experiment) {
        return experiment.workload() instanceof SyntheticWorkload
                        && profileChanges(experiment, 0, Long.MAX_VALUE).size() > MOST_CHANGES
                ? Optional.of("the weights of the origins change more than " + MOST_CHANGES + " times")
                : Optional.empty();
    }

    /** When the split of the requests into groups changes, between two times and before the end of the run. */
    private static List<Long> profileChanges(Experiment experiment, long from, long to) {
        return experiment.origins() instanceof DrawnOrigins drawn && drawn.areLimited()
                ? drawn.changes(from, Math.min(to, experiment.end().atNanos()), MOST_CHANGES + 1)
                : List.of();
    }

    /**
     * The loads in order of time. For a synthetic workload one per phase and step of the origins' profile, with the
     * expected split, as if the step lasted for ever; for a trace one per window, or a single one, with the origins as
     * drawn for the first seed.
     *
     * @param windows number of windows, 0 for the whole; phases are not divided
     * @return empty if a type has no single demand, or demands nothing of a server
     */
    public static List<TypeLoads> of(Experiment experiment, int windows) {
        if (experiment.workload() instanceof SyntheticWorkload synthetic) {
            List<TypeLoads> loads = new ArrayList<>();
            for (int i = 0; i < synthetic.phases().size(); i++) {
                WorkloadPhase phase = synthetic.phases().get(i);
                boolean last = i + 1 == synthetic.phases().size();
                long until =
                        last ? Long.MAX_VALUE : synthetic.phases().get(i + 1).fromNanos();
                List<Long> times = new ArrayList<>(List.of(phase.fromNanos()));
                times.addAll(profileChanges(experiment, phase.fromNanos(), until));
                for (long from : times) {
                    Optional<TypeLoads> load = ofPhase(phase, from, experiment, synthetic);
                    if (load.isEmpty()) {
                        return List.of();
                    }
                    loads.add(load.get());
                }
            }
            return loads;
        }
        return measured(experiment, windows);
    }

    private static Optional<TypeLoads> ofPhase(
            WorkloadPhase phase, long from, Experiment experiment, SyntheticWorkload workload) {
        Cluster cluster = experiment.cluster();
        int types = phase.types().size();
        if (phase.types().stream().anyMatch(type -> !type.demand().drawnUnits(0).isEmpty())) {
            return Optional.empty();
        }
        List<SiteGroup> groups = SiteGroup.of(experiment.origins());
        double[] parts = parts(experiment.origins(), groups, from);
        double[][] load = new double[groups.size()][types];
        long[][] demand = new long[types][];
        long[][] pooledDemand = new long[types][];
        for (int i = 0; i < types; i++) {
            SyntheticType type = phase.types().get(i);
            double all = OfferedLoad.inService(type);
            for (int g = 0; g < parts.length; g++) {
                load[g][i] = all * parts[g];
            }
            demand[i] =
                    amounts(names(cluster), workload, source -> type.demand().fixedUnits(source));
            pooledDemand[i] = amounts(
                    cluster.pooledResources().stream(),
                    workload,
                    source -> type.demand().fixedUnits(source));
        }
        return demandsSomething(demand)
                ? Optional.of(new TypeLoads(from, groups, load, demand, pooledDemand))
                : Optional.empty();
    }

    /** Expected fraction of the requests in each group; 1 if there is only one group. */
    private static double[] parts(Origins origins, List<SiteGroup> groups, long at) {
        double[] parts = new double[groups.size()];
        if (parts.length == 1 || !(origins instanceof DrawnOrigins drawn)) {
            parts[0] = 1;
            return parts;
        }
        double[] byOrigin = drawn.parts(at);
        for (int g = 0; g < parts.length; g++) {
            for (int origin : groups.get(g).origins()) {
                parts[g] += byOrigin[origin];
            }
        }
        return parts;
    }

    /** Of all groups together, by type. */
    public double[] byType() {
        double[] sum = new double[demand.length];
        for (double[] group : load) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += group[i];
            }
        }
        return sum;
    }

    /** The loads as the bound needs them: group by group, the types of each. */
    public List<RoutingBound.RoutedLoad> classes() {
        List<RoutingBound.RoutedLoad> classes = new ArrayList<>();
        for (int g = 0; g < load.length; g++) {
            for (int i = 0; i < demand.length; i++) {
                classes.add(new RoutingBound.RoutedLoad(i, groups.get(g).sites(), load[g][i]));
            }
        }
        return classes;
    }

    private static Stream<String> names(Cluster cluster) {
        return cluster.resources().stream().map(Resource::name);
    }

    private static long[] amounts(Stream<String> resources, Workload workload, IntToLongFunction ofSource) {
        return RequestPass.inOrder(RequestPass.sources(resources, workload), ofSource);
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
        List<SiteGroup> groups = SiteGroup.of(experiment.origins());
        int[] groupOf = SiteGroup.byOrigin(groups);
        double[][][] load = new double[(int) ((end - 1) / width) + 1][groups.size()][types];
        RequestPass pass = new RequestPass(experiment, experiment.seed(), end);
        while (pass.next()) {
            long from = pass.arrivalNanos();
            long until = pass.untilNanos();
            int group = groupOf[pass.origin()];
            for (int window = (int) (from / width); window < load.length && window * width < until; window++) {
                long last = Math.min(end, (window + 1) * width);
                long within = Math.min(until, last) - Math.max(from, window * width);
                load[window][group][pass.type()] += (double) within / (last - window * width);
            }
        }
        List<TypeLoads> loads = new ArrayList<>();
        for (int window = 0; window < load.length; window++) {
            loads.add(new TypeLoads(window * width, groups, load[window], demand, pooledDemand));
        }
        return loads;
    }

    /** The times at which loads or servers change, ascending, the first 0. */
    public static TreeSet<Long> times(List<TypeLoads> loads, Experiment experiment) {
        TreeSet<Long> times = new TreeSet<>();
        loads.forEach(load -> times.add(load.fromNanos()));
        experiment.changes().forEach(change -> times.add(change.atNanos()));
        times.add(0L);
        times.removeIf(time -> time >= experiment.end().atNanos());
        return times;
    }
}
