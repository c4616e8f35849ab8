package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.Reward;
import dev.stowage.core.policy.Declared;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.TraceTransforms;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.AzureLikeWorkload;
import dev.stowage.sim.workload.PricedWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part {@code workload} of an experiment. */
record WorkloadReader(TraceCache traces, TaskReader tasks, long slotNanos, List<Remark> notes) {
    private static final String EXAMPLE = "{azure-like: {scale: 0.1, days: 2}} or {trace: {file: requests.csv}}";
    private static final List<String> SERVERS = List.of("server-list", "servers");

    /**
     * The workload, or null if it could not be read (the problems say why).
     *
     * @param servers the part of the experiment that the cluster was read from
     */
    @Nullable
    Workload read(YamlFields workload, @Nullable Cluster cluster, YamlFields servers) {
        if (!workload.isObject(EXAMPLE)) {
            return null;
        }
        int before = workload.problems();
        List<String> given = List.of("azure-like", "parallel-jobs", "trace", "types").stream()
                .filter(workload::has)
                .toList();
        Workload result = null;
        if (given.size() != 1) {
            workload.problem("must have exactly one of azure-like, parallel-jobs, trace, types, not " + given
                    + "; e.g. " + EXAMPLE);
        } else {
            result = switch (given.get(0)) {
                case "azure-like" -> priced(azureLike(workload.at("azure-like")), workload);
                case "trace" ->
                    priced(
                            tasks.ofTrace(
                                    ordered(traces.read(workload.at("trace"), notes), cluster), workload.at("tasks")),
                            workload);
                case "parallel-jobs" -> tasks.parallelJobs(workload.at("parallel-jobs"), slotNanos);
                default -> new SyntheticReader(slotNanos, cluster).read(workload);
            };
        }
        workload.at("origins");
        workload.rejectUnknown();
        if (result != null && cluster != null && workload.problems() == before) {
            YamlFields at = SERVERS.stream()
                    .filter(servers::has)
                    .findFirst()
                    .map(servers::at)
                    .orElse(workload);
            checkResources(at, result, cluster);
        }
        return workload.problems() == before ? result : null;
    }

    /** An inventory with its largest requests first, by their share of the largest capacity of a server. */
    private static @Nullable TraceWorkload ordered(@Nullable TraceWorkload workload, @Nullable Cluster cluster) {
        if (workload == null || cluster == null || !workload.isInventory()) {
            return workload;
        }
        long[] capacity = new long[workload.resources().size()];
        for (int r = 0; r < capacity.length; r++) {
            int resource = cluster.resources().stream()
                    .map(Resource::name)
                    .toList()
                    .indexOf(workload.resources().get(r));
            capacity[r] = resource < 0
                    ? 0
                    : cluster.sites().stream()
                            .flatMap(site -> site.servers().stream())
                            .mapToLong(block -> block.capacity().get(resource))
                            .max()
                            .orElse(0);
        }
        return new TraceWorkload(TraceTransforms.largestFirst(workload.trace(), capacity));
    }

    private static @Nullable Workload azureLike(YamlFields at) {
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

    /** The workload with rewards by demand, if {@code prices} is given. */
    private static @Nullable Workload priced(@Nullable Workload workload, YamlFields fields) {
        YamlFields prices = fields.at("prices");
        if (!prices.present() || !prices.isObject("{cpu: 0.037 / h, memory: 0.0028 / h}") || workload == null) {
            return workload;
        }
        double[] micros = new double[workload.resources().size()];
        for (String key : prices.keys()) {
            int resource = ResourceKeys.isResource(key) ? workload.resources().indexOf(ResourceKeys.resource(key)) : -1;
            double perSecond = prices.at(key).parsed(0.0, text -> Units.perSecond(text, 0));
            if (resource < 0) {
                prices.at(key).problem("is not a resource of the workload; it has " + workload.resources());
            } else {
                micros[resource] = perSecond * Reward.ONE_PER_SECOND / ResourceKeys.scale(key);
            }
        }
        return new PricedWorkload(workload, micros);
    }

    /** What can be done about a resource that requests demand and no server has. */
    private static String give(String resource) {
        String meaning = Map.of("cpu_milli", "cpu", "mem_mib", "mem", "gpu_milli", "gpu", "disk_mib", "disk")
                .getOrDefault(resource, "");
        return meaning.isEmpty()
                ? "Give the servers that resource, or leave it out of the trace"
                : "Give the servers that resource (of a list of servers: --server-columns " + meaning
                        + "=COLUMN), or leave it out of what runs (of a table: --columns " + meaning + "=)";
    }

    private static void checkResources(YamlFields at, Workload workload, Cluster cluster) {
        List<String> there =
                new ArrayList<>(cluster.resources().stream().map(Resource::name).toList());
        there.addAll(cluster.pooledResources());
        for (String resource : workload.resources()) {
            if (!there.contains(resource) && !Declared.isDeclared(resource)) {
                at.problem("requests demand " + ResourceWords.resource(resource)
                        + ", which no server has; the servers have "
                        + there.stream().map(ResourceWords::resource).collect(Collectors.joining(", "))
                        + ". " + give(resource));
            }
        }
        List<String> ofTasks =
                workload.resources().stream().filter(Declared::isDeclared).toList();
        boolean tasks = !ofTasks.isEmpty();
        if (tasks && !ofTasks.contains(Declared.LOAD)) {
            at.problem("requests have " + String.join(", ", ofTasks)
                    + ", which tasks of jobs have. Add tasks: {} beside the trace, or leave them out of the trace");
        }
        if (!tasks && cluster.resources().stream().map(Resource::name).noneMatch(workload.resources()::contains)) {
            at.problem("requests demand none of the servers' resources " + there);
        }
    }
}
