package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads {@code size}: the target for which the least number of servers is sought. */
final class SizeReader {
    private SizeReader() {}

    /** The target, or null where none is wanted. */
    static @Nullable SizeTarget read(YamlFields at) {
        if (!at.present() || !at.isObject("{target: wait max <= 10 min}")) {
            return null;
        }
        YamlFields target = at.at("target");
        at.rejectUnknown();
        if (target.requiredText(SizeTarget.ALLOWED).isEmpty()) {
            return null;
        }
        return target.parsed(new SizeTarget(0, 0, ""), SizeTarget::parse);
    }

    /** Notes why servers cannot be counted here, if they cannot. */
    static void check(
            YamlFields at,
            @Nullable Cluster cluster,
            @Nullable Workload workload,
            Origins origins,
            List<ScheduledChange> changes,
            Hazards hazards,
            boolean precision) {
        if (!at.present() || cluster == null || workload == null) {
            return;
        }
        List<ServerBlock> blocks = cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
        boolean alike = blocks.stream()
                .allMatch(block -> block.capacity().equals(blocks.get(0).capacity())
                        && block.labels().equals(blocks.get(0).labels()));
        String problem = "";
        if (cluster.sites().size() > 1 || origins.areLimited()) {
            problem = "the servers must be at one site";
        } else if (blocks.isEmpty() || !alike) {
            problem = "the servers must be alike";
        } else if (!cluster.pooledResources().isEmpty()) {
            problem = "no resource may be pooled";
        } else if (cluster.resources().stream().anyMatch(Resource::divisible)) {
            problem = "no resource may be divisible";
        } else if (!changes.isEmpty()) {
            problem = "servers may not come and go (server-changes)";
        } else if (!hazards.equals(Hazards.NONE)) {
            problem = "servers and starts may not fail (failures, starts)";
        } else if (avoidsServers(workload)) {
            problem = "no request may avoid servers, which all are alike";
        } else if (precision) {
            problem = "the number of replications must be given (no precision)";
        }
        if (!problem.isEmpty()) {
            at.problem("counts servers of one kind: " + problem);
        }
    }

    private static boolean avoidsServers(Workload workload) {
        return IntStream.range(0, workload.types().size())
                .anyMatch(type -> !workload.typeConstraints(type).avoid().isEmpty());
    }
}
