package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.sim.workload.AzureLikeWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part {@code workload} of an experiment. */
final class WorkloadReader {
    private static final String EXAMPLE = "{azure-like: {scale: 0.1, days: 2}} or {trace: {file: requests.csv}}";

    private final TraceCache traces;
    private final long slotNanos;
    private final List<String> notes;

    WorkloadReader(TraceCache traces, long slotNanos, List<String> notes) {
        this.traces = traces;
        this.slotNanos = slotNanos;
        this.notes = notes;
    }

    /** The workload, or null if it could not be read (the problems say why). */
    @Nullable
    Workload read(Fields workload, @Nullable Cluster cluster) {
        if (!workload.isObject(EXAMPLE)) {
            return null;
        }
        int before = workload.problems();
        List<String> given = List.of("azure-like", "trace", "types").stream()
                .filter(workload::has)
                .toList();
        Workload result = null;
        if (given.size() != 1) {
            workload.problem("must have exactly one of azure-like, trace, types, not " + given + "; e.g. " + EXAMPLE);
        } else {
            result = switch (given.get(0)) {
                case "azure-like" -> azureLike(workload.at("azure-like"));
                case "trace" -> traces.read(workload.at("trace"), notes);
                default -> new SyntheticReader(slotNanos, cluster).read(workload);
            };
        }
        workload.rejectUnknown();
        if (result != null && cluster != null && workload.problems() == before) {
            checkResources(workload, result, cluster);
        }
        return workload.problems() == before ? result : null;
    }

    private static @Nullable Workload azureLike(Fields at) {
        if (at.present() && !at.isObject("{scale: 0.1, days: 2}")) {
            return null;
        }
        double scale = at.at("scale").number(1, 0, 1e6);
        double days = at.at("days").number(1, 0, 1e4);
        double warmDays = at.at("warm-days").number(AzureLikeWorkload.of(1, 1).warmDays(), 0, 1e4);
        at.rejectUnknown();
        try {
            return new AzureLikeWorkload(scale, days, warmDays);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static void checkResources(Fields at, Workload workload, Cluster cluster) {
        List<String> there =
                new ArrayList<>(cluster.resources().stream().map(Resource::name).toList());
        there.addAll(cluster.pooledResources());
        for (String resource : workload.resources()) {
            if (!there.contains(resource)) {
                at.problem("requests demand " + resource + ", which no server has; the cluster has "
                        + String.join(", ", there) + ". Give the servers that resource, or leave it out of the trace");
            }
        }
        if (cluster.resources().stream().map(Resource::name).noneMatch(workload.resources()::contains)) {
            at.problem("requests demand none of the servers' resources " + there);
        }
    }
}
