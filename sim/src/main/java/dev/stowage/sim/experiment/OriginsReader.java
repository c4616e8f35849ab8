package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Site;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RequestOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The part {@code workload.origins}: where requests come from, and at which sites they may run. */
final class OriginsReader {
    private static final String EXAMPLE = "{period: 24 h, of: [{name: west, sites: [a, b], weights: 2}]}";
    private static final String WEIGHTS = "{from: 8 h, weight: 2}";
    /** The greatest number of different sets of sites that the engine keeps. */
    private static final int MOST_SETS = 256;

    private static final double MOST_WEIGHT = 1e9;
    private static final double SECOND_NANOS = 1e9;

    private final List<String> siteNames;
    private final long slotNanos;

    OriginsReader(Cluster cluster, long slotNanos) {
        siteNames = cluster.sites().stream().map(Site::name).toList();
        this.slotNanos = slotNanos;
    }

    /** The origins; {@code ANYWHERE} for a workload without origins, or if there is a problem. */
    Origins read(YamlFields at) {
        if (!at.present() || !at.isObject(EXAMPLE)) {
            return DrawnOrigins.ANYWHERE;
        }
        int before = at.problems();
        long period = period(at);
        List<DrawnOrigins.Share> shares = shares(at.at("of"), period);
        at.rejectUnknown();
        if (at.problems() == before) {
            checkSum(at, new TreeSet<>(times(shares)), shares);
        }
        return at.problems() == before ? new DrawnOrigins(period, shares) : DrawnOrigins.ANYWHERE;
    }

    /** 0 where there is none. */
    private long period(YamlFields at) {
        if (!at.has("period")) {
            return 0;
        }
        long period = at.at("period").parsed(1L, text -> Units.durationNanos(text, slotNanos));
        if (period == 0) {
            at.at("period").problem("must be above 0; leave it out if nothing repeats");
        }
        return period;
    }

    private List<DrawnOrigins.Share> shares(YamlFields at, long period) {
        List<DrawnOrigins.Share> shares = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        Set<String> sets = new TreeSet<>();
        if (at.elements().isEmpty()) {
            at.problem("is missing: at least one origin; e.g. " + EXAMPLE);
        }
        for (YamlFields origin : at.elements()) {
            if (origin.isObject("{name: west, sites: [a, b], weights: 2}")) {
                String name = origin.at("name").requiredText("every origin needs a name");
                if (!name.isBlank() && !names.add(name)) {
                    origin.at("name").problem("'" + name + "' is the name of another origin too");
                }
                List<Integer> sites = sites(origin.at("sites"));
                sets.add(sites.toString());
                List<DrawnOrigins.Weight> weights = weights(origin.at("weights"), period);
                origin.rejectUnknown();
                shares.add(new DrawnOrigins.Share(new RequestOrigin(name.isBlank() ? "?" : name, sites), weights));
            }
        }
        if (sets.size() > MOST_SETS) {
            at.problem("name " + sets.size() + " different sets of sites, at most " + MOST_SETS + " are possible");
        }
        return shares;
    }

    /** Ascending; empty if all sites are named, or none is. */
    private List<Integer> sites(YamlFields at) {
        Set<Integer> sites = new TreeSet<>();
        if (at.present() && at.elements().isEmpty()) {
            at.problem("is empty: name at least one site, or leave it out to allow every site");
        }
        for (YamlFields each : at.elements()) {
            String name = each.text("");
            int site = siteNames.indexOf(name);
            if (site < 0) {
                each.problem("'" + name + "' is not a site; " + NearestName.among(name, siteNames));
            } else if (!sites.add(site)) {
                each.problem("'" + name + "' is named twice");
            }
        }
        return sites.size() == siteNames.size() ? List.of() : List.copyOf(sites);
    }

    /** A number, or a list by time; one that has a problem is 1. */
    private List<DrawnOrigins.Weight> weights(YamlFields at, long period) {
        if (!at.present()) {
            return List.of();
        }
        if (!at.node().isContainerNode()) {
            return List.of(new DrawnOrigins.Weight(0, at.number(1, 0, MOST_WEIGHT)));
        }
        int before = at.problems();
        if (at.elements().isEmpty()) {
            at.problem("is empty: give a number, or at least one of " + WEIGHTS);
        }
        List<DrawnOrigins.Weight> weights = new ArrayList<>();
        for (YamlFields each : at.elements()) {
            if (each.isObject(WEIGHTS)) {
                long from = each.at("from").parsed(0L, text -> Units.durationNanos(text, slotNanos));
                checkStart(each.at("from"), from, weights, period);
                if (!each.has("weight")) {
                    each.at("weight").problem("is missing; e.g. " + WEIGHTS);
                }
                weights.add(new DrawnOrigins.Weight(from, each.at("weight").number(1, 0, MOST_WEIGHT)));
                each.rejectUnknown();
            }
        }
        return at.problems() == before ? weights : List.of();
    }

    private static void checkStart(YamlFields at, long from, List<DrawnOrigins.Weight> before, long period) {
        String given = "'" + at.text("") + "' ";
        if (before.isEmpty() && from != 0) {
            at.problem(given + "must be 0 h for the first weight");
        } else if (!before.isEmpty() && from <= before.get(before.size() - 1).fromNanos()) {
            at.problem(given + "must be after the time of the weight before");
        } else if (period > 0 && from >= period) {
            at.problem(given + "must be before the end of the period");
        }
    }

    private static List<Long> times(List<DrawnOrigins.Share> shares) {
        return shares.stream()
                .flatMap(share -> share.weights().stream())
                .map(DrawnOrigins.Weight::fromNanos)
                .toList();
    }

    private static void checkSum(YamlFields at, Set<Long> times, List<DrawnOrigins.Share> shares) {
        for (long time : times) {
            if (shares.stream().allMatch(share -> share.weightAt(time) == 0)) {
                at.at("of")
                        .problem("all weights are 0 from " + time / SECOND_NANOS
                                + " s on, so requests would come from nowhere: one must be above 0");
            }
        }
    }
}
