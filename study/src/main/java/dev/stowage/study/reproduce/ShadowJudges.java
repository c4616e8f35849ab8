package dev.stowage.study.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Claims about shadow routing. They are judged by the largest utilization: that of the site whose mean over all
 * replications is largest, with its interval over them, or over pairs of them if policies are compared. (The largest
 * value of each replication would be above it by chance, the more so the shorter the time.)
 */
final class ShadowJudges {
    /**
     * The optimum of LP (2)-(7) for Dist-I, Dist-II, half of data center 1, and 30 minutes; tested in RoutingBoundTest.
     */
    static final double RHO = 0.45;

    static final double RHO_OTHER_MIX = 2643.0 / 10_400;
    static final double RHO_MAINTENANCE = 0.60;
    static final double RHO_LONGER = 0.675;

    static final String BASELINE = "load-balancing";
    static final String STRICT = "strict fits";

    private static final int SITES = 6;
    private static final int TYPES = 8;
    /** Disk of the types, and of a site, hundredths of a TB. */
    private static final double[] DISK = {169, 169, 85, 169, 42, 169, 85, 35};

    private static final double SITE_DISK = 36_000;
    private static final double WARM_UP = 7200;
    private static final double HOUR = 3600;
    private static final String SIMPLIFIED = "shadow-simplified";
    private static final String WAITED = "waited_fraction";
    private static final List<String> GAMMAS = List.of("gamma 2", "gamma 5", "gamma 10");
    private static final List<String> FOLLOWING = List.of("shadow", "gamma 10");
    /** "Closely", "keeps track", "marginal": within a tenth. */
    private static final double CLOSE = 0.1;
    /** Holds in part: within a fifth. */
    private static final double NEAR = 0.2;
    /** Gamma matters little: less than a twentieth of the optimum. */
    private static final double LITTLE = 0.05;

    private ShadowJudges() {}

    /**
     * Name of the metric of servers in use, as in the paper's figures: idealised if the policy reports it (remark 2),
     * else occupied.
     */
    private static String servers(Measured measured, String policy, int site) {
        String idealised = "idealised_servers_mean{site=" + site + "}";
        return measured.has(policy, idealised) ? idealised : "occupied_servers_mean{site=" + site + "}";
    }

    /** Fraction of a site's servers that are in use, in each replication. */
    private static double[] share(Measured measured, String policy, int site) {
        return over(
                measured.replications(policy, "", servers(measured, policy, site)),
                measured.replications(policy, "", "up_servers_mean{site=" + site + "}"));
    }

    /** The same from one hour after the warm-up to another. */
    private static double[] share(Measured measured, String policy, int site, double fromHour, double toHour) {
        double from = WARM_UP + fromHour * HOUR;
        double to = WARM_UP + toHour * HOUR;
        return over(
                measured.between(policy, servers(measured, policy, site).replace("_mean{", "{"), from, to),
                measured.between(policy, "up_servers{site=" + site + "}", from, to));
    }

    private static double[] over(double[] used, double[] up) {
        double[] part = new double[used.length];
        Arrays.setAll(part, replication -> used[replication] / up[replication]);
        return part;
    }

    /** The utilization, in each replication, of the site whose mean over the replications is largest. */
    private static double[] largest(Measured measured, String policy) {
        List<double[]> sites = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            sites.add(share(measured, policy, site));
        }
        return Measured.largestMean(sites);
    }

    private static double[] largest(Measured measured, String policy, double fromHour, double toHour) {
        List<double[]> sites = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            sites.add(share(measured, policy, site, fromHour, toHour));
        }
        return Measured.largestMean(sites);
    }

    /** By which fraction of a number it is above that number. */
    private static Estimate above(Measured measured, double[] values, double rho) {
        return Measured.plus(Measured.times(measured.mean(values), 1 / rho), -1);
    }

    private static String sites(Measured measured, String policy) {
        List<String> parts = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            Estimate share = measured.mean(share(measured, policy, site));
            parts.add(Measured.tell(share, "%.4f", "%.4f"));
        }
        return policy + ": servers in use at DC1 to DC6 " + String.join(", ", parts) + ".";
    }

    /** Whether it is at most this far above the optimum. */
    private static Truth within(Estimate above, double part) {
        return Truth.within(above, -part, part);
    }

    static Finding nearOptimum(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> close = new ArrayList<>();
        List<Truth> near = new ArrayList<>();
        for (String policy : GAMMAS) {
            Estimate above = above(measured, largest(measured, policy), RHO);
            close.add(within(above, CLOSE));
            near.add(within(above, NEAR));
            evidence.add(sites(measured, policy));
            evidence.add(policy + ": the largest differs from the optimum 0.45 by " + Measured.percent(above) + ".");
        }
        List<Truth> little = new ArrayList<>();
        for (String gamma : List.of("gamma 2", "gamma 10")) {
            Estimate more = Measured.plus(measured.ratio(largest(measured, gamma), largest(measured, "gamma 5")), -1);
            little.add(Truth.within(more, -LITTLE, LITTLE));
            evidence.add(gamma + ": the largest differs from that of gamma 5 by " + Measured.percent(more)
                    + ", paired replications (little: within 5 %).");
        }
        String moving = "gamma 5 with migration";
        evidence.add(sites(measured, moving));
        evidence.add(format(
                "Migrations needed for this: %.3f per arrival.",
                measured.estimate(moving, "", "migrations").mean()
                        / measured.estimate(moving, "", "arrived").mean()));
        return Finding.of(Truth.all(Truth.all(close), Truth.all(little)), Truth.all(near), evidence);
    }

    /** Requests of a type that run at a site, in each replication. */
    private static double[] running(Measured measured, String policy, int site, int type) {
        return measured.replications(policy, "", "running_mean{site=" + site + ",type=" + type + "}");
    }

    static Finding disksBelow(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> below = new ArrayList<>();
        for (String policy : GAMMAS) {
            List<String> parts = new ArrayList<>();
            for (int site = 0; site < SITES; site++) {
                List<double[]> disks = new ArrayList<>();
                for (int type = 0; type < TYPES; type++) {
                    disks.add(times(running(measured, policy, site, type), DISK[type] / SITE_DISK));
                }
                Estimate used = measured.mean(Measured.sum(disks));
                below.add(Truth.atMost(used, RHO));
                parts.add(Measured.tell(used, "%.3f", "%.3f"));
            }
            evidence.add(policy + ": disk in use at DC1 to DC6 " + String.join(", ", parts) + ".");
        }
        Truth all = Truth.all(below);
        return Finding.of(all, all, evidence);
    }

    private static double[] times(double[] values, double factor) {
        return Arrays.stream(values)
                .map(value -> Double.isNaN(value) ? 0 : value * factor)
                .toArray();
    }

    /** All cells within one percentage point, or all within two; rows are data centers. */
    static Finding table(Measured measured, String policy, double[][] paper) {
        List<double[]> all = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            for (int type = 0; type < TYPES; type++) {
                all.add(times(running(measured, policy, site, type), 1));
            }
        }
        double[] sum = Measured.sum(all);
        List<String> evidence = new ArrayList<>();
        List<Truth> one = new ArrayList<>();
        List<Truth> two = new ArrayList<>();
        double worst = 0;
        for (int site = 0; site < SITES; site++) {
            List<String> row = new ArrayList<>();
            for (int type = 0; type < TYPES; type++) {
                Estimate percent = Measured.times(measured.mean(over(all.get(site * TYPES + type), sum)), 100);
                Estimate difference = Measured.plus(percent, -paper[site][type]);
                one.add(Truth.within(difference, -1, 1));
                two.add(Truth.within(difference, -2, 2));
                worst = Math.max(worst, Math.abs(difference.mean()) + Measured.half(difference));
                row.add(format("%.1f (%.1f)", percent.mean(), paper[site][type]));
            }
            evidence.add("DC" + (site + 1) + ", VM1 to VM8, ours (the paper's), %: " + String.join(", ", row) + ".");
        }
        evidence.add(format("Largest difference, with its half-width: %.2f percentage points.", worst));
        return Finding.of(Truth.all(one), Truth.all(two), evidence);
    }

    /**
     * More than 20 % above shadow.
     *
     * @param baseline which of the two fits
     */
    static Finding baselineAbove(Measured measured, String baseline) {
        Estimate more = more(measured, baseline, "shadow");
        List<String> evidence = List.of(
                sites(measured, "shadow"),
                sites(measured, baseline),
                baseline + ": the largest differs from that of shadow by " + Measured.percent(more)
                        + " (the paper: more than 20 %), paired replications, and from the optimum by "
                        + Measured.percent(above(measured, largest(measured, baseline), RHO)) + ".");
        return Finding.of(Truth.above(more, 0.2), Truth.above(more, 0), evidence);
    }

    /** By which fraction the largest utilization of one policy is above that of another. */
    private static Estimate more(Measured measured, String policy, String other) {
        return Measured.plus(measured.ratio(largest(measured, policy), largest(measured, other)), -1);
    }

    /**
     * About 10 %: from 5 to 15.
     *
     * @param baseline which of the two fits
     */
    static Finding simplified(Measured measured, String baseline) {
        Estimate above = more(measured, SIMPLIFIED, "shadow");
        Estimate below = more(measured, SIMPLIFIED, baseline);
        List<String> evidence = List.of(
                sites(measured, SIMPLIFIED),
                SIMPLIFIED + ": the largest differs from that of shadow by " + Measured.percent(above)
                        + " and from that of " + baseline + " by " + Measured.percent(below)
                        + " (the paper: about +10 % and -10 %), paired"
                        + " replications.");
        return Finding.of(
                Truth.all(Truth.within(above, 0.05, 0.15), Truth.within(below, -0.15, -0.05)),
                Truth.all(Truth.above(above, 0), Truth.atMost(below, 0)),
                evidence);
    }

    private static String window(Measured measured, String policy, double from, double to, double rho) {
        double[] largest = largest(measured, policy, from, to);
        return format(
                "%s, hours %.0f to %.0f, %d replications: largest %.4f, a difference of %s from the optimum %.4f.",
                policy,
                from,
                to,
                largest.length,
                measured.mean(largest).mean(),
                Measured.percent(above(measured, largest, rho)),
                rho);
    }

    /** Promptly: near the new optimum in the second hour; keeps track: close to it from the third hour on. */
    static Finding followsMix(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> whole = new ArrayList<>();
        List<Truth> near = new ArrayList<>();
        for (String policy : FOLLOWING) {
            evidence.add(window(measured, policy, 1, 8, RHO));
            evidence.add(window(measured, policy, 9, 10, RHO_OTHER_MIX));
            evidence.add(window(measured, policy, 11, 18, RHO_OTHER_MIX));
            Estimate later = above(measured, largest(measured, policy, 11, 18), RHO_OTHER_MIX);
            whole.add(within(above(measured, largest(measured, policy, 9, 10), RHO_OTHER_MIX), NEAR));
            whole.add(within(later, CLOSE));
            near.add(within(later, NEAR));
        }
        evidence.add(window(measured, BASELINE, 11, 18, RHO_OTHER_MIX));
        return Finding.of(Truth.all(whole), Truth.all(near), evidence);
    }

    /**
     * Close to the optimum in maintenance and after it; and data centers 1 and 2 are the bottlenecks: close to it, and
     * above all others.
     */
    static Finding followsMaintenance(Measured measured) {
        List<String> evidence = new ArrayList<>();
        List<Truth> whole = new ArrayList<>();
        List<Truth> near = new ArrayList<>();
        for (String policy : List.of("shadow", "gamma 10", SIMPLIFIED, BASELINE)) {
            evidence.add(window(measured, policy, 1, 6, RHO));
            evidence.add(window(measured, policy, 7, 13, RHO_MAINTENANCE));
            evidence.add(window(measured, policy, 14, 18, RHO));
        }
        for (String policy : FOLLOWING) {
            Estimate during = above(measured, largest(measured, policy, 7, 13), RHO_MAINTENANCE);
            Estimate after = above(measured, largest(measured, policy, 14, 18), RHO);
            whole.add(Truth.all(within(during, CLOSE), within(after, CLOSE), binding(measured, policy, evidence)));
            near.add(Truth.all(within(during, NEAR), within(after, NEAR)));
        }
        return Finding.of(Truth.all(whole), Truth.all(near), evidence);
    }

    private static Truth binding(Measured measured, String policy, List<String> evidence) {
        List<double[]> sites = new ArrayList<>();
        List<String> told = new ArrayList<>();
        List<Truth> binding = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            double[] share = share(measured, policy, site, 7, 13);
            sites.add(share);
            Estimate mean = measured.mean(share);
            told.add("DC" + (site + 1) + " " + Measured.tell(mean, "%.4f", "%.4f"));
        }
        for (int site = 0; site < 2; site++) {
            binding.add(within(above(measured, sites.get(site), RHO_MAINTENANCE), CLOSE));
            for (int other = 2; other < SITES; other++) {
                binding.add(Truth.above(measured.ratio(sites.get(site), sites.get(other)), 1));
            }
        }
        Truth all = Truth.all(binding);
        evidence.add(policy + " in maintenance: " + String.join(", ", told)
                + " of the servers that are up; DC1 and DC2 are the bottleneck: "
                + (all == Truth.YES ? "yes." : all == Truth.NO ? "no." : "not shown."));
        return all;
    }

    static Finding learned(Measured measured) {
        Estimate more = Measured.plus(
                measured.ratio(largest(measured, "learned", 10, 18), largest(measured, "declared", 10, 18)), -1);
        List<String> evidence = List.of(
                window(measured, "learned", 1, 8, RHO),
                window(measured, "declared", 1, 8, RHO),
                window(measured, "learned", 10, 18, RHO_LONGER),
                window(measured, "declared", 10, 18, RHO_LONGER),
                "From hour 10 on the largest with learned means differs from that with declared means by "
                        + Measured.percent(more) + ", paired replications.");
        return Finding.of(within(more, CLOSE), within(more, NEAR), evidence);
    }

    /**
     * A smaller largest utilization, and fewer requests that wait? The replications have the requests of one trace,
     * with other origins: intervals are over these.
     */
    static Finding betterOnTrace(Measured measured) {
        List<String> evidence = new ArrayList<>();
        for (String policy : List.of(
                "shadow",
                "shadow gamma 200",
                SIMPLIFIED,
                BASELINE,
                "shadow-bfjs gamma 200",
                "shadow-consolidating 100")) {
            evidence.add(onTrace(measured, policy));
        }
        Estimate use = Measured.plus(
                measured.ratio(largestOccupied(measured, "shadow"), largestOccupied(measured, BASELINE)), -1);
        Estimate waited = measured.difference("shadow", BASELINE, "", WAITED);
        evidence.add(format(
                "Shadow compared with load balancing, %d paired draws of the origins of this one trace: %s servers in"
                        + " use at the fullest site, and %s points of requests that waited.",
                measured.replications("shadow", "", WAITED).length,
                Measured.percent(use),
                Measured.tell(Measured.times(waited, 100), "%+.1f", "%.1f")));
        return new Finding(Verdict.NO_CLAIM, evidence);
    }

    private static String onTrace(Measured measured, String policy) {
        List<String> parts = new ArrayList<>();
        for (double[] share : occupiedShares(measured, policy)) {
            parts.add(Measured.tell(measured.mean(share), "%.3f", "%.3f"));
        }
        Estimate waited = measured.mean(measured.replications(policy, "", WAITED));
        Estimate moved = measured.mean(measured.replications(policy, "", "migrations_per_arrival"));
        return policy + ": servers in use at the sites " + String.join(", ", parts) + "; "
                + Measured.tell(Measured.times(waited, 100), "%.1f", "%.1f") + " % of the requests waited; "
                + Measured.tell(moved, "%.3f", "%.3f") + " migrations per arrival.";
    }

    /** Fraction of each site's servers that are occupied, in each replication. */
    private static List<double[]> occupiedShares(Measured measured, String policy) {
        List<double[]> shares = new ArrayList<>();
        for (int site = 0; measured.has(policy, "occupied_servers_mean{site=" + site + "}"); site++) {
            shares.add(over(
                    measured.replications(policy, "", "occupied_servers_mean{site=" + site + "}"),
                    measured.replications(policy, "", "up_servers_mean{site=" + site + "}")));
        }
        return shares;
    }

    private static double[] largestOccupied(Measured measured, String policy) {
        return Measured.largestMean(occupiedShares(measured, policy));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
