package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Hazards;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Seconds;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads one point of an experiment: the whole tree with the sweep's values in place. */
record PointReader(
        InputFiles inputs,
        PolicyFactory policies,
        TraceCache traces,
        List<Problem> problems,
        List<Remark> notes,
        List<String> remarks) {
    /** The experiment, or null if there were problems. */
    @Nullable
    Experiment read(ObjectNode tree, String hash, Map<String, String> point) {
        YamlFields root = new YamlFields(tree, "", problems, remarks);
        String name = name(root.at("name"));
        root.at("title").text("");
        root.at("description").text("");
        root.at("sweep");
        long slotNanos = slot(root.at("time"));
        boolean withClasses = EfficiencyReader.isTable(root.at("workload"));
        Cluster cluster = new ClusterReader(inputs, notes, withClasses).read(root.at("cluster"));
        TaskReader tasks = new TaskReader(new EfficiencyReader(inputs, root.at("cluster")));
        Workload workload = new WorkloadReader(traces, tasks, slotNanos, notes)
                .read(root.at("workload"), cluster, root.at("cluster"));
        if (cluster != null && workload != null) {
            cluster = TaskReader.withDeclared(cluster, workload);
        }
        if (cluster != null && workload != null) {
            workload = ConstraintReader.checked(workload, cluster, root.at("workload"), notes);
        }
        if (cluster != null && workload != null) {
            ClusterReader.checkDemands(root.at("workload"), workload, cluster);
        }
        if (workload != null) {
            ResourceNames.check(root.at("cluster"), workload.resources());
        }
        Origins origins = cluster == null
                ? DrawnOrigins.ANYWHERE
                : new OriginsReader(cluster, slotNanos).read(root.at("workload").at("origins"));
        Hazards hazards = cluster == null ? Hazards.NONE : new HazardReader(slotNanos).read(root, cluster);
        Set<Capability> needed =
                cluster == null || workload == null ? Set.of() : PolicyNeeds.of(cluster, workload, origins, hazards);
        List<LabelledPolicy> compared = policies(root, needed, workload, tasks.parameters());
        End end = end(root, slotNanos, workload);
        WarmUpRule warmUp = warmUp(root.at("warm-up"), slotNanos, tree, lastNanos(end, workload));
        long seed = root.at("seed").whole(1, Long.MIN_VALUE, Long.MAX_VALUE);
        int replications = PrecisionReader.replications(root);
        double confidence = root.at("confidence").number(0.95, 0.5, 0.9999);
        Precision precision = new PrecisionReader(cluster, workload).read(root, replications);
        List<ScheduledChange> changes = cluster == null
                ? List.of()
                : new ServerChangeReader(cluster, root.at("cluster"), slotNanos).read(root.at("server-changes"));
        boolean grows = changes.stream().anyMatch(change -> change.kind() == ScheduledChange.Kind.ADD);
        boolean counted = root.at("size").present();
        if (cluster != null && workload != null && !grows && !counted) {
            TraitReader.check(root.at("workload"), workload, cluster);
        }
        checkChanges(root.at("server-changes"), changes, end);
        HazardReader.check(root.at("server-changes"), changes, hazards);
        boolean allSeries = allSeries(root.at("series"));
        for (String key : PromisedCapacity.SPARES) {
            if (root.has("size") && root.at("cluster").has(key)) {
                root.at("cluster")
                        .at(key)
                        .problem("must be given as size." + key
                                + " in a size question; there the fullest servers are lost");
            }
        }
        SizeReader.check(root.at("size"), cluster, workload, changes, hazards, precision != null);
        root.rejectUnknown();
        if (!problems.isEmpty() || cluster == null || workload == null) {
            return null;
        }
        if (tree.findValues(PromisedCapacity.OVERCOMMIT).stream().noneMatch(SharedCores::areSaid)) {
            SharedCores.warning(workload, cluster).ifPresent(notes::add);
        }
        return new Experiment(
                name,
                hash,
                point,
                cluster,
                workload,
                origins,
                compared,
                slotNanos > 0 ? Steps.SLOTS : Steps.COMMANDS,
                slotNanos,
                end,
                warmUp,
                seed,
                replications,
                confidence,
                changes,
                speedOneShare(cluster),
                precision,
                hazards,
                allSeries);
    }

    /** {@code first} (the default) or {@code all}. */
    private static boolean allSeries(YamlFields at) {
        String text = at.text("first");
        if (!text.equals("first") && !text.equals("all")) {
            at.problem("'" + text + "' must be first (series of replication 0, the default) or all");
        }
        return text.equals("all");
    }

    private static String name(YamlFields at) {
        String name = at.text("experiment");
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            at.problem("'" + name + "' must consist of letters, digits, '.', '_' and '-': it names a directory");
        }
        return name;
    }

    /** Length of a slot; 0 in continuous time. */
    private static long slot(YamlFields time) {
        if (!time.present() || "continuous".equals(time.node().asText())) {
            return 0;
        }
        if (!time.isObject("continuous, or {slot: 100 ms}")) {
            return 0;
        }
        long slot = time.at("slot").parsed(1L, text -> Units.durationNanos(text, 0));
        if (slot < 1) {
            time.at("slot").problem("must be at least 1 ns");
        }
        time.rejectUnknown();
        return Math.max(1, slot);
    }

    private List<LabelledPolicy> policies(
            YamlFields root, Set<Capability> needed, @Nullable Workload workload, Map<String, String> parameters) {
        YamlFields at = root.at("policies");
        List<LabelledPolicy> all = new ArrayList<>();
        Set<String> labels = new TreeSet<>();
        Set<String> swept = new TreeSet<>();
        root.at("sweep").elements().forEach(axis -> swept.add(axis.at("path").text("")));
        if (at.elements().isEmpty()) {
            at.problem("is missing: at least one policy, e.g. [best-fit, first-fit]");
        }
        for (YamlFields policy : at.elements()) {
            int before = at.problems();
            LabelledPolicy read = new PolicyReader(policies).read(policy, parameters, swept);
            if (workload != null && !needed.isEmpty() && at.problems() == before) {
                PolicyNeeds.obstacle(read.spec(), policies, needed, workload).ifPresent(policy::problem);
            }
            if (!labels.add(read.label())) {
                policy.problem("'" + read.label() + "' is the label of another policy too; give it a label of its own");
            }
            all.add(read);
        }
        return all;
    }

    private static End end(YamlFields root, long slotNanos, @Nullable Workload workload) {
        int before = root.problems();
        long at = root.has("horizon")
                ? root.at("horizon").parsed(Long.MAX_VALUE, text -> Units.durationNanos(text, slotNanos))
                : Long.MAX_VALUE;
        long requests = root.at("requests").whole(Long.MAX_VALUE, 1, Long.MAX_VALUE);
        boolean drain = root.at("drain").flag(false);
        if (at == 0) {
            root.at("horizon").problem("must be above 0");
        }
        if (drain && at != Long.MAX_VALUE) {
            root.at("drain").problem("contradicts horizon: a run that is drained ends when nothing waits");
        }
        boolean endless = workload != null && workload.endNanos() == Long.MAX_VALUE;
        if (root.problems() == before && endless && at == Long.MAX_VALUE && requests == Long.MAX_VALUE) {
            root.at("horizon")
                    .problem("is missing: this workload never ends, so give a horizon (e.g. 5 d) or requests");
        }
        if (workload != null && workload.isInventory()) {
            return new End(Math.min(at, workload.endNanos()), requests, drain);
        }
        // After the last arrival only a system that empties would be measured.
        boolean endsBefore = workload != null && workload.endNanos() < at;
        return new End(endsBefore ? Long.MAX_VALUE : at, requests, drain);
    }

    /** When the last request may arrive. */
    private static long lastNanos(End end, @Nullable Workload workload) {
        return workload == null ? end.atNanos() : Math.min(end.atNanos(), workload.endNanos());
    }

    private static WarmUpRule warmUp(YamlFields at, long slotNanos, ObjectNode tree, long lastNanos) {
        String text = at.text(tree.at("/workload/trace").isMissingNode() ? "auto" : "none");
        if ("auto".equals(text)) {
            return WarmUpRule.AUTOMATIC;
        }
        if ("none".equals(text)) {
            return WarmUpRule.NONE;
        }
        long nanos = at.parsed(0L, value -> Units.durationNanos(value, slotNanos));
        if (nanos >= lastNanos) {
            at.problem("'" + text + "' leaves nothing to measure: the run ends after " + lastNanos / 1e9 + " s");
        }
        return WarmUpRule.of(nanos);
    }

    private static void checkChanges(YamlFields at, List<ScheduledChange> changes, End end) {
        for (ScheduledChange change : changes) {
            if (change.atNanos() >= end.atNanos()) {
                at.problem("a change at " + Seconds.words(change.atNanos()) + " is not before the horizon, "
                        + Seconds.words(end.atNanos()));
            }
        }
    }

    /** One core gives speed one if cores are divisible; else one unit. */
    private static long speedOneShare(Cluster cluster) {
        return cluster.resources().stream()
                .filter(Resource::divisible)
                .mapToLong(resource -> resource.name().endsWith("_milli") ? 1000 : 1)
                .findFirst()
                .orElse(1);
    }
}
