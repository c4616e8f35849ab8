package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Spread;
import dev.stowage.sim.driver.RequestConstraints;
import dev.stowage.sim.measure.PricesInUse;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.TraceWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which servers requests may use: {@code where}, {@code avoid} and {@code spread} of a type, and whether such servers
 * exist.
 */
final class ConstraintReader {
    /** Labels that a list of servers has where nobody gave them any. */
    private static final Set<String> OF_PRICES = Set.of(PricesInUse.LABEL, PricesInUse.CURRENCY);

    private ConstraintReader() {}

    /** The constraints of a type. */
    static ConstraintWords words(YamlFields type) {
        ConstraintWords words =
                new ConstraintWords(texts(type.at("where")), texts(type.at("avoid")), texts(type.at("spread")));
        try {
            return words.checked();
        } catch (IllegalArgumentException e) {
            type.problem(String.valueOf(e.getMessage()));
            return ConstraintWords.NONE;
        }
    }

    private static List<String> texts(YamlFields at) {
        return at.present() ? at.elements().stream().map(one -> one.text("")).toList() : List.of();
    }

    /**
     * The workload as it can be run on a cluster. If no server has a label, a trace's constraints are left out, with a
     * warning, except that requests are on servers of their own; else a label or name that no server has is a problem.
     */
    static Workload checked(Workload workload, Cluster cluster, YamlFields at, List<Remark> notes) {
        if (!workload.isConstrained()) {
            return workload;
        }
        Set<String> keys = new TreeSet<>();
        Set<String> names = new TreeSet<>(RequestConstraints.names(cluster));
        names.remove("");
        cluster.sites().forEach(site -> {
            for (ServerBlock block : site.servers()) {
                keys.addAll(block.labels().values().keySet());
            }
        });
        if (workload instanceof TraceWorkload trace && OF_PRICES.containsAll(keys)) {
            workload = new TraceWorkload(trace.trace(), false);
            long lost = lost(trace, workload);
            if (lost > 0) {
                notes.add(Remark.warning("constraints of " + lost + " of "
                        + trace.trace().size()
                        + " requests are not kept, because no server has a label: servers are treated as alike"));
            }
            if (!workload.isConstrained()) {
                return workload;
            }
        }
        Set<String> told = new TreeSet<>();
        for (int type = 0; type < workload.types().size(); type++) {
            check(workload.typeConstraints(type), keys, names, at, told);
        }
        notes.add(Remark.plain(
                "bounds of rewards, routing and numbers of servers ignore constraints (that of an inventory counts"
                        + " spread): they hold, but may be farther from what is possible; the bound of the load takes labels and servers to avoid into"
                        + " account"));
        return workload;
    }

    private static long lost(TraceWorkload trace, Workload kept) {
        long count = 0;
        for (int i = 0; i < trace.trace().size(); i++) {
            int type = trace.trace().type(i);
            count += trace.typeConstraints(type).equals(kept.typeConstraints(type)) ? 0 : 1;
        }
        return count;
    }

    private static void check(
            ConstraintWords words, Set<String> keys, Set<String> names, YamlFields at, Set<String> told) {
        for (String server : words.avoid()) {
            if (!names.contains(server) && told.add("server " + server)) {
                at.problem("requests avoid server '" + server + "', which does not exist; " + among(server, names));
            }
        }
        Constraints asked = new ConstraintWords(words.where(), List.of(), words.spread()).meaning(List.of(), List.of());
        Stream.concat(
                        asked.terms().stream().flatMap(List::stream).map(Requirement::key),
                        asked.spread().stream().filter(one -> !one.perServer()).map(Spread::key))
                .filter(key -> !keys.contains(key) && told.add("label " + key))
                .forEach(key ->
                        at.problem("requests ask for label '" + key + "', which no server has; " + among(key, keys)));
    }

    private static String among(String given, Set<String> known) {
        return known.isEmpty()
                ? "there is none"
                : NearestName.among(given, known.stream().limit(50).toList());
    }
}
