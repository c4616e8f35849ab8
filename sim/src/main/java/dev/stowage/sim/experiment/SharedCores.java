package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** An inventory of more vCPU than its servers have cores, of which nobody has said whether they share them. */
final class SharedCores {
    private static final String CPU = "cpu_milli";
    /** More than this is not what hosts are overcommitted by: then the servers are too few, or only named as a kind. */
    private static final double MOST = 8;

    private SharedCores() {}

    /** Whether overcommitment, an object with resources as keys, has that of cores, under whichever of their names. */
    static boolean areSaid(JsonNode overcommit) {
        return overcommit.properties().stream()
                .anyMatch(each -> ResourceKeys.resource(each.getKey()).equals(CPU));
    }

    /**
     * The warning. Requests that fit no server do not count. Where there is one server, or one of each kind and none
     * has a name, only the kinds are given.
     */
    static Optional<Remark> warning(Workload workload, Cluster cluster) {
        List<ServerBlock> blocks = cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .filter(block -> block.count() > 0)
                .toList();
        List<String> names = cluster.resources().stream().map(Resource::name).toList();
        if (!workload.isInventory()
                || !(workload instanceof TraceWorkload list)
                || !names.contains(CPU)
                || !workload.resources().contains(CPU)
                || blocks.stream().mapToLong(ServerBlock::count).sum() < 2
                || blocks.stream()
                        .allMatch(block -> block.count() == 1 && block.names().isEmpty())) {
            return Optional.empty();
        }
        Trace trace = list.trace();
        int[] resource = trace.resources().stream().mapToInt(names::indexOf).toArray();
        int cpu = trace.resources().indexOf(CPU);
        int[] fitting = IntStream.range(0, trace.size())
                .filter(i -> blocks.stream()
                        .anyMatch(block -> IntStream.range(0, resource.length)
                                .allMatch(r -> resource[r] < 0
                                        || trace.demand(i, r)
                                                <= block.capacity().get(resource[r]))))
                .toArray();
        double asked =
                IntStream.of(fitting).mapToDouble(i -> trace.demand(i, cpu)).sum();
        double there = blocks.stream()
                .mapToDouble(block -> (double) block.count() * block.capacity().get(names.indexOf(CPU)))
                .sum();
        double ratio = asked / there;
        return ratio <= 1 || ratio > MOST
                ? Optional.empty()
                : Optional.of(Remark.warning(String.format(
                        Locale.ROOT,
                        "%s has %s vCPU together, and these servers have %s cores. If vCPUs share cores, as on most"
                                + " hosts of VMs, say so: --overcommit \"cpu %.0f:1\"",
                        fitting.length < trace.size() ? "all that fits a server" : "all of it",
                        cores(asked),
                        cores(there),
                        Math.ceil(ratio))));
    }

    private static String cores(double milli) {
        return String.format(
                Locale.ROOT, milli % 1000 == 0 ? "%,.0f" : milli % 100 == 0 ? "%,.1f" : "%,.3f", milli / 1000);
    }
}
