package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.driver.ServerFailures;
import dev.stowage.sim.driver.Starts;
import dev.stowage.sim.workload.Distribution;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code failures} of the cluster or of blocks of its servers, and {@code starts}. Settings of a block take
 * precedence over those of the cluster.
 */
record HazardReader(long slotNanos) {
    static final String FAILURES = "failures";

    private static final String EXAMPLE = "{time-to-failure: {exponential: 30 d}, time-to-repair: {exponential: 4 h}}";
    private static final BigDecimal SECOND_NANOS = BigDecimal.valueOf(1_000_000_000L);
    private static final double LEAST_MEAN_SECONDS = 1;

    /** The failures of the cluster, and {@code starts} of the root. */
    Hazards read(YamlFields root, Cluster cluster) {
        YamlFields starts = root.at("starts");
        return new Hazards(failures(root.at("cluster"), cluster), starts.present() ? starts(starts) : null);
    }

    private List<ServerFailures> failures(YamlFields at, Cluster cluster) {
        Rule ofAll = at.has(FAILURES) ? rule(at.at(FAILURES)) : null;
        List<YamlFields> blocks = new ArrayList<>(at.at("servers").elements());
        at.at("sites")
                .elements()
                .forEach(site -> blocks.addAll(site.at("servers").elements()));
        List<Integer> counts = cluster.sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(ServerBlock::count)
                .toList();
        List<ServerFailures> all = new ArrayList<>();
        int from = 0;
        for (int block = 0; block < counts.size(); block++) {
            boolean own = block < blocks.size() && blocks.get(block).has(FAILURES);
            Rule rule = own ? rule(blocks.get(block).at(FAILURES)) : ofAll;
            if (rule != null && counts.get(block) > 0) {
                all.add(new ServerFailures(from, counts.get(block), rule.toFailure, rule.toRepair));
            }
            from += counts.get(block);
        }
        return all;
    }

    /** How servers fail. */
    private record Rule(Distribution toFailure, Distribution toRepair) {}

    private @Nullable Rule rule(YamlFields at) {
        if (at.node().asText().equals("none") || !at.isObject(EXAMPLE + ", or none")) {
            return null;
        }
        Rule rule = new Rule(duration(at.at("time-to-failure")), duration(at.at("time-to-repair")));
        if (rule.toFailure.mean() < LEAST_MEAN_SECONDS) {
            at.at("time-to-failure").problem("has a mean of less than 1 s");
        }
        at.rejectUnknown();
        return rule;
    }

    private Starts starts(YamlFields at) {
        if (!at.isObject("{failing: 2 %, duration: 10 s}")) {
            return new Starts(0, Distribution.deterministic(0));
        }
        double failing = at.at("failing").number(0, 0, Starts.MOST_FAILING);
        Distribution duration = at.has("duration") ? duration(at.at("duration")) : Distribution.deterministic(0);
        at.rejectUnknown();
        return new Starts(failing, duration);
    }

    /** In seconds. */
    private Distribution duration(YamlFields at) {
        if (!at.present()) {
            at.problem("is missing; e.g. " + EXAMPLE);
            return Distribution.deterministic(1);
        }
        return new DistributionReader(text -> Units.exactDuration(text, slotNanos)
                        .divide(SECOND_NANOS, MathContext.DECIMAL64)
                        .doubleValue())
                .read(at);
    }

    /** Notes changes that concern servers which fail by themselves: the result of both together is not defined. */
    static void check(YamlFields at, List<ScheduledChange> changes, Hazards hazards) {
        for (ScheduledChange change : changes) {
            boolean both = change.kind() != ScheduledChange.Kind.ADD
                    && hazards.failures().stream()
                            .anyMatch(each -> change.from() < each.from() + each.count()
                                    && each.from() < change.from() + change.count());
            if (both) {
                at.problem("servers that fail by themselves (failures) also have server changes at "
                        + change.atNanos() / 1e9 + " s; give only one of the two for the same servers");
            }
        }
    }
}
