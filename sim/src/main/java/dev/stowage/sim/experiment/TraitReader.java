package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.workload.MaxWait;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.function.Function;

/**
 * Reads {@code priority} of a type of requests, {@code gang}, a number or a group with {@code distinct-servers}, and
 * {@code max-wait}, a time.
 */
final class TraitReader {
    private static final int MOST_TOLD = 3;

    private TraitReader() {}

    /** With what reads a time that may be drawn. */
    static RequestTraits read(YamlFields type, Function<YamlFields, MaxWait> times) {
        RequestTraits traits = readGang(type);
        YamlFields maxWait = type.at("max-wait");
        return maxWait.present() ? traits.withMaxWait(times.apply(maxWait)) : traits;
    }

    private static RequestTraits readGang(YamlFields type) {
        int priority = (int) type.at("priority").whole(0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        YamlFields gang = type.at("gang");
        if (!gang.node().isObject()) {
            return new RequestTraits(priority, members(gang), false);
        }
        if (!gang.has("members")) {
            gang.at("members").problem("is missing; e.g. {members: 4, distinct-servers: true}");
        }
        RequestTraits traits = new RequestTraits(
                priority,
                members(gang.at("members")),
                gang.at("distinct-servers").flag(false));
        gang.rejectUnknown();
        return traits;
    }

    private static int members(YamlFields at) {
        return (int) at.whole(1, 1, RequestTraits.MOST_MEMBERS);
    }

    /** Notes gangs that the servers, even empty, cannot hold at once: they would wait for ever and block others. */
    static void check(YamlFields at, Workload workload, Cluster cluster) {
        int told = 0;
        for (int type = 0; type < workload.types().size() && told < MOST_TOLD; type++) {
            RequestTraits traits = workload.typeTraits(type);
            long room = traits.isGang() ? room(workload, type, cluster) : Long.MAX_VALUE;
            if (room < traits.members()) {
                at.problem("requests of type '" + workload.types().get(type) + "' are gangs of " + traits.members()
                        + ", and all servers, even empty, hold at most " + room + " members at once"
                        + (traits.distinctServers() ? ", one each" : "") + "; add servers, or leave them out");
                told++;
            }
        }
    }

    private static long room(Workload workload, int type, Cluster cluster) {
        Constraints constraints = workload.typeConstraints(type).meaning(List.of(), List.of());
        long members = workload.typeTraits(type).members();
        long room = 0;
        for (int site = 0; site < cluster.sites().size(); site++) {
            for (ServerBlock block : cluster.sites().get(site).servers()) {
                if (constraints.admits(site, block.labels())) {
                    room += block.count() * Math.min(members, each(workload, type, cluster, block));
                }
            }
        }
        return room;
    }

    /** Members that one empty server holds. */
    private static long each(Workload workload, int type, Cluster cluster, ServerBlock block) {
        long each = workload.typeTraits(type).distinctServers() ? 1 : RequestTraits.MOST_MEMBERS;
        List<Resource> resources = cluster.resources();
        for (int r = 0; r < resources.size(); r++) {
            int source = workload.resources().indexOf(resources.get(r).name());
            long demand = source < 0 ? 0 : workload.typeDemand(type, source);
            each = demand == 0 ? each : Math.min(each, block.capacity().get(r) / demand);
        }
        return each;
    }
}
