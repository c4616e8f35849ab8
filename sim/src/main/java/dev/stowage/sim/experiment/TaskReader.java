package dev.stowage.sim.experiment;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Declared;
import dev.stowage.sim.trace.TaskWorkload;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.ParallelJobsWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Workloads whose requests are tasks of jobs: {@code workload.tasks} beside a trace, and {@code
 * workload.parallel-jobs}.
 */
final class TaskReader {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final int MILLI = 1000;

    private final EfficiencyReader efficiencies;
    private Map<String, String> parameters = EfficiencyReader.Read.EQUAL.parameters();

    TaskReader(EfficiencyReader efficiencies) {
        this.efficiencies = efficiencies;
    }

    /** Parameters, by name, that the workload sets for the policy. */
    Map<String, String> parameters() {
        return parameters;
    }

    /** The trace with what its tasks declare, if {@code at} is present; mistakes are noted as problems. */
    @Nullable
    Workload ofTrace(@Nullable TraceWorkload workload, YamlFields at) {
        if (!at.present() || !at.isObject("{efficiency: efficiency.csv}")) {
            return workload;
        }
        EfficiencyReader.Read read = efficiencies.read(at.at("efficiency"), "equal");
        at.rejectUnknown();
        if (workload == null) {
            return null;
        }
        Trace trace = workload.trace();
        for (int type = 0; type < trace.types().size() && !read.kinds().isEmpty(); type++) {
            String kind = trace.ownTypeName(type);
            if (kind == null || !read.kinds().contains(kind)) {
                at.at("efficiency")
                        .problem((kind == null ? "requests without a type have" : "type '" + kind + "' has")
                                + " no row there; "
                                + (kind == null ? "give all a type" : NearestName.among(kind, read.kinds())));
            }
        }
        parameters = read.parameters();
        return new TaskWorkload(trace, read.kinds(), read.efficiency());
    }

    @Nullable
    Workload parallelJobs(YamlFields at, long slotNanos) {
        if (at.present() && !at.isObject("{rate: 0.15 / s, until: 1 h}")) {
            return null;
        }
        double rate = !at.has("rate") ? 0.15 : at.at("rate").parsed(0.15, text -> Units.perSecond(text, slotNanos));
        long until = !at.has("until")
                ? HOUR_NANOS
                : at.at("until").parsed(HOUR_NANOS, text -> Units.durationNanos(text, slotNanos));
        double scale = at.at("task-scale").number(7, 0, 1e6);
        double shape = at.at("task-shape").number(0.8, 0.05, 1000);
        int most = (int) at.at("most-tasks").number(70, 1, 1e6);
        double load = !at.has("most-load")
                ? 1000
                : at.at("most-load").parsed(1000.0, text -> Units.durationNanos(text, slotNanos) / 1e9);
        EfficiencyReader.Read read = efficiencies.read(at.at("efficiency"), "uniform");
        if (!read.kinds().isEmpty() && !read.kinds().equals(List.of("task"))) {
            at.at("efficiency").problem("has rows for " + read.kinds() + ", and the only type here is task");
        }
        long power = Math.round(MILLI * at.at("power").number(0, 0, 1e6));
        double budget = at.has("budget") ? at.at("budget").number(1, 1, 1000) : 0;
        at.rejectUnknown();
        parameters = read.parameters();
        try {
            return new ParallelJobsWorkload(rate, until, scale, shape, most, load, read.efficiency(), power, budget);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** The cluster, where every server has an unlimited amount of what tasks declare, unless an amount is given. */
    static Cluster withDeclared(Cluster cluster, Workload workload) {
        List<String> there = cluster.resources().stream().map(Resource::name).toList();
        List<Resource> resources = new ArrayList<>(cluster.resources());
        for (String resource : workload.resources()) {
            if (Declared.isDeclared(resource) && !there.contains(resource)) {
                resources.add(new Resource(resource, false));
            }
        }
        if (resources.size() == there.size()) {
            return cluster;
        }
        List<Site> sites = new ArrayList<>();
        for (Site site : cluster.sites()) {
            List<ServerBlock> blocks = site.servers().stream()
                    .map(block -> new ServerBlock(block.count(), withPlenty(block.capacity(), resources.size())))
                    .toList();
            sites.add(new Site(site.name(), blocks, site.pooled()));
        }
        return new Cluster(resources, cluster.pooledResources(), sites, cluster.types());
    }

    private static Amounts withPlenty(Amounts capacity, int resources) {
        long[] more = Arrays.copyOf(capacity.toArray(), resources);
        Arrays.fill(more, capacity.toArray().length, resources, Declared.PLENTY);
        return Amounts.of(more);
    }
}
