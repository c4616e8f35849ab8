package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.trace.ServerList;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads {@code size}: the target for which the least number of servers is sought. */
final class SizeReader {
    private static final SizeTarget ANY = new SizeTarget(List.of());

    private SizeReader() {}

    /** Why a site cannot be lost. */
    static String oneSite(Site site) {
        return site.name().equals(ServerList.DEFAULT_SITE)
                ? "there is one site only: without it nothing is left. If a column of the server list says where each is,"
                        + " name it: --spare-site=COLUMN (server-columns: site=COLUMN)"
                : "all servers are at one site, " + site.name()
                        + ": without it nothing is left. If another column tells"
                        + " sites apart, name that; else leave out --spare-site";
    }

    /** The question, or null if there is none. */
    static @Nullable SizeQuestion read(YamlFields at) {
        if (!at.present() || !at.isObject("{target: wait max <= 10 min}")) {
            return null;
        }
        YamlFields target = at.at("target");
        String site = at.at("site").text("");
        int spare = (int) at.at("spare").whole(0, 0, 1_000_000);
        boolean spareSite = at.at("spare-site").flag(false);
        SizeQuestion.Maintenance maintenance = maintenance(at.at("maintenance"));
        at.rejectUnknown();
        if (target.elements().isEmpty()) {
            target.requiredText(SizeTarget.ALLOWED);
            return null;
        }
        List<SizeRequirement> all = target.elements().stream()
                .flatMap(each -> each.parsed(ANY, SizeTarget::parse).requirements().stream())
                .toList();
        return all.isEmpty() ? null : new SizeQuestion(new SizeTarget(all), site, spare, spareSite, maintenance, false);
    }

    private static SizeQuestion.Maintenance maintenance(YamlFields at) {
        if (!at.present() || !at.isObject("{part: 5 %, for: 2 h}")) {
            return SizeQuestion.Maintenance.NONE;
        }
        double part = at.at("part").number(0, 0, 0.5);
        long forNanos = at.at("for").parsed(0L, text -> Units.durationNanos(text, 0));
        at.rejectUnknown();
        if (part == 0 || forNanos == 0) {
            at.problem("needs a part above 0 and how long it takes, as in {part: 5 %, for: 2 h}");
        }
        return new SizeQuestion.Maintenance(Math.round(part * 1e6), forNanos);
    }

    /** Notes a problem if servers cannot be counted in this experiment. */
    static void check(
            YamlFields at,
            @Nullable Cluster cluster,
            @Nullable Workload workload,
            List<ScheduledChange> changes,
            Hazards hazards,
            boolean precision) {
        SizeQuestion question = read(at);
        if (question == null || cluster == null || workload == null) {
            return;
        }
        List<String> sites = cluster.sites().stream().map(Site::name).toList();
        boolean ofAll = question.site().isEmpty();
        if (!ofAll && !sites.contains(question.site())) {
            at.at("site").problem("no such site; " + NearestName.among(question.site(), sites));
        } else if (!isEachThere(cluster, question.site())) {
            at.problem("cannot count servers here: there must be a server of each kind"
                    + (ofAll ? "" : " at " + question.site()) + ", for their ratio");
        }
        String problem = obstacle(cluster, workload, changes, hazards, precision);
        if (!problem.isEmpty()) {
            at.problem("cannot count servers here: " + problem);
        }
        if (question.spareSite() && sites.size() < 2) {
            at.at("spare-site").problem(oneSite(cluster.sites().get(0)));
        }
        for (SizeRequirement each : question.target().requirements()) {
            try {
                TypeChoice.of(each.type(), workload.types());
            } catch (IllegalArgumentException e) {
                at.at("target").problem(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Whether a site, or all of them if it is empty, has servers to count, and at least one of each kind. */
    private static boolean isEachThere(Cluster cluster, String site) {
        List<ServerBlock> grow = cluster.sites().stream()
                .filter(each -> site.isEmpty() || each.name().equals(site))
                .flatMap(each -> each.servers().stream())
                .toList();
        return !grow.isEmpty() && grow.stream().allMatch(block -> block.count() > 0);
    }

    private static String obstacle(
            Cluster cluster, Workload workload, List<ScheduledChange> changes, Hazards hazards, boolean precision) {
        int servers = cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .mapToInt(ServerBlock::count)
                .sum();
        boolean allFail = hazards.failures().isEmpty()
                || (hazards.failures().size() == 1
                        && hazards.failures().get(0).from() == 0
                        && hazards.failures().get(0).count() == servers);
        if (!cluster.pooledResources().isEmpty()) {
            return "no resource may be pooled";
        } else if (cluster.resources().stream().anyMatch(Resource::divisible)) {
            return "no resource may be divisible";
        } else if (!changes.isEmpty()) {
            return "servers may not come and go (server-changes; size has spare and maintenance)";
        } else if (hazards.starts() != null) {
            return "starts may not fail (starts)";
        } else if (!allFail) {
            return "all servers must fail at one rate, or none (failures)";
        } else if (avoidsServers(workload)) {
            return "no request may avoid servers by name: the number of servers varies";
        } else if (precision) {
            return "the number of replications must be given (no precision)";
        }
        return "";
    }

    private static boolean avoidsServers(Workload workload) {
        return IntStream.range(0, workload.types().size())
                .anyMatch(type -> !workload.typeConstraints(type).avoid().isEmpty());
    }
}
