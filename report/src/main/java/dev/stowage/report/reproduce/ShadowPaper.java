package dev.stowage.report.reproduce;

import dev.stowage.sim.result.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for VM Placement in a Network Cloud, sections IV to VI. */
final class ShadowPaper {
    private static final int SITES = 6;
    private static final int TYPES = 8;
    /** Disk of the types, and of a site, hundredths of a TB. */
    private static final double[] DISK = {169, 169, 85, 169, 42, 169, 85, 35};

    private static final double SITE_DISK = 36_000;
    /** The optimum of LP (2)-(7) for Dist-I, Dist-II, half of data center 1, and 30 minutes; tested in RoutingBoundTest. */
    private static final double RHO = 0.45;

    private static final double RHO_OTHER_MIX = 2643.0 / 10_400;
    private static final double RHO_MAINTENANCE = 0.60;
    private static final double RHO_LONGER = 0.675;
    private static final double WARM_UP = 7200;
    private static final double HOUR = 3600;
    private static final String SIMPLIFIED = "shadow-simplified";
    private static final String BASELINE = "load-balancing";
    private static final String STRICT = "strict fits";

    /** Table II, rows are data centers, percent. */
    private static final double[][] TABLE_II = {
        {7.5, 0, 0, 0, 1.6, 4.2, 2.2, 0},
        {7.5, 0, 0, 0, 6.2, 0, 0.8, 0.2},
        {0, 7.7, 5.0, 0.1, 0.9, 0.3, 0.2, 0},
        {0, 7.3, 4.9, 0.6, 1.1, 0.8, 5.9, 2.8},
        {0, 0, 0, 14.3, 0, 0, 0, 0.1},
        {0, 0, 0, 0, 0, 14.5, 0.9, 1.9}
    };

    /** Table III. */
    private static final double[][] TABLE_III = {
        {7.7, 2.4, 0.7, 0.9, 0.7, 0.3, 0, 0},
        {7.3, 2.3, 0.7, 1.0, 0.6, 0.2, 0, 0},
        {0, 0, 6.2, 9.3, 6.2, 1.9, 0, 0},
        {0, 10.4, 2.4, 3.8, 2.3, 0.7, 0, 0},
        {0, 0, 0, 0, 0, 0, 10.1, 5.1},
        {0, 0, 0, 0, 0, 16.7, 0, 0}
    };

    static final Paper PAPER = new Paper(
            "shadow",
            "Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for Virtual Machine Placement in a Network"
                    + " Cloud, IEEE INFOCOM 2013",
            List.of(
                    figure(
                            "fig1",
                            "Servers in use with the Shadow scheme, gamma 2, 5 and 10",
                            "shadow-fig1",
                            "Some curves oscillate closely around the optimum, and gamma matters little.",
                            ShadowPaper::nearOptimum,
                            new double[] {0, RHO}),
                    new PaperFigure(
                            "fig2",
                            "Disk in use with the Shadow scheme",
                            "shadow-fig1",
                            PaperFigure.NO_PICTURE,
                            "All disk utilizations are below the optimal level.",
                            ShadowPaper::disksBelow),
                    new PaperFigure(
                            "table2",
                            "Routing table of the Shadow scheme",
                            "shadow-fig1",
                            PaperFigure.NO_PICTURE,
                            "Table II; the optimal routing is not unique.",
                            measured -> table(measured, "gamma 5", TABLE_II)),
                    figure(
                            "fig3",
                            "Servers in use with load balancing and best fit",
                            "shadow-fig6",
                            "The baseline's maximum utilization is more than 20 % above that of the Shadow scheme.",
                            ShadowPaper::baselineAbove,
                            new double[] {0, RHO}),
                    new PaperFigure(
                            "table3",
                            "Routing table of the baseline",
                            "shadow-fig6",
                            PaperFigure.NO_PICTURE,
                            "Table III (which has VM2 not at DC3 and VM4 not at DC5, where they fit with nothing left over).",
                            measured -> table(measured, STRICT, TABLE_III)),
                    figure(
                            "fig4",
                            "Another mix of VMs from hour 8",
                            "shadow-fig4",
                            "The Shadow scheme responds promptly and keeps track of the new optimum.",
                            ShadowPaper::followsMix,
                            new double[] {0, RHO},
                            new double[] {8, RHO_OTHER_MIX}),
                    figure(
                            "fig5",
                            "Half of data center 1 in maintenance from hour 6 to 13",
                            "shadow-fig5",
                            "The Shadow scheme responds to the change; data centers 1 and 2 bind.",
                            ShadowPaper::followsMaintenance,
                            new double[] {0, RHO},
                            new double[] {6, RHO_MAINTENANCE},
                            new double[] {13, RHO}),
                    figure(
                            "fig6",
                            "The simplified scheme",
                            "shadow-fig6",
                            "Its maximum utilization is about 10 % above the Shadow scheme's and about 10 % below the baseline's.",
                            ShadowPaper::simplified,
                            new double[] {0, RHO}),
                    figure(
                            "fig7",
                            "Service times of 30 instead of 20 minutes from hour 8, learned",
                            "shadow-fig7",
                            "The impact of learning the mean service time is marginal.",
                            ShadowPaper::learned,
                            new double[] {0, RHO},
                            new double[] {8, RHO_LONGER}),
                    new PaperFigure(
                            "trace-azure",
                            "Azure's VM trace from four regions over four sites, one in maintenance",
                            "shadow-trace-azure",
                            PaperFigure.QUEUE_OVER_TIME,
                            "No claim of the paper: do shadow routing's sites have less to do, and do its requests wait less,"
                                    + " than with load balancing on a real load?",
                            ShadowPaper::betterOnTrace)));

    private ShadowPaper() {}

    private static PaperFigure figure(
            String key, String title, String experiment, String claim, Judge judge, double[]... optimum) {
        return new PaperFigure(key, title, experiment, PaperFigure.SERVERS_BY_SITE, claim, judge, optimum);
    }

    /** As in the paper's figures: idealised where the policy tells it (remark 2), else occupied. */
    private static String servers(Measured measured, String policy, int site) {
        String idealised = "idealised_servers_mean{site=" + site + "}";
        return measured.has(policy, idealised) ? idealised : "occupied_servers_mean{site=" + site + "}";
    }

    private static Estimate share(Measured measured, String policy, int site) {
        Estimate used = measured.estimate(policy, "", servers(measured, policy, site));
        double up = measured.estimate(policy, "", "up_servers_mean{site=" + site + "}")
                .mean();
        return new Estimate(used.mean() / up, Measured.half(used) / up, used.confidence(), used.method(), used.count());
    }

    /** The largest of the mean utilizations of the sites. */
    private static Estimate largest(Measured measured, String policy) {
        Estimate largest = share(measured, policy, 0);
        for (int site = 1; site < SITES; site++) {
            Estimate other = share(measured, policy, site);
            largest = other.mean() > largest.mean() ? other : largest;
        }
        return largest;
    }

    private static String sites(Measured measured, String policy) {
        List<String> parts = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            Estimate share = share(measured, policy, site);
            parts.add(format("%.4f ± %.4f", share.mean(), Measured.half(share)));
        }
        return policy + ": servers in use at DC1 to DC6 " + String.join(", ", parts) + ".";
    }

    /** Closely: within a tenth; in part: within a fifth. */
    private static Verdict within(double worst) {
        return worst <= 1.1 ? Verdict.REPRODUCED : worst <= 1.2 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED;
    }

    private static Finding nearOptimum(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double worst = 0;
        for (String policy : List.of("gamma 2", "gamma 5", "gamma 10")) {
            double ratio = largest(measured, policy).mean() / RHO;
            worst = Math.max(worst, ratio);
            evidence.add(sites(measured, policy));
            evidence.add(format("%s: the largest is %.1f %% above the optimum 0.45.", policy, 100 * (ratio - 1)));
        }
        String moving = "gamma 5 with migration";
        evidence.add(sites(measured, moving));
        evidence.add(format(
                "Migrations that make it so: %.3f per arrival.",
                measured.estimate(moving, "", "migrations").mean()
                        / measured.estimate(moving, "", "arrived").mean()));
        return new Finding(within(worst), evidence);
    }

    private static double running(Measured measured, String policy, int site, int type) {
        String metric = "running_mean{site=" + site + ",type=" + type + "}";
        return measured.has(policy, metric)
                ? measured.estimate(policy, "", metric).mean()
                : 0;
    }

    private static Finding disksBelow(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double largest = 0;
        for (String policy : List.of("gamma 2", "gamma 5", "gamma 10")) {
            List<String> parts = new ArrayList<>();
            for (int site = 0; site < SITES; site++) {
                double used = 0;
                for (int type = 0; type < TYPES; type++) {
                    used += running(measured, policy, site, type) * DISK[type] / SITE_DISK;
                }
                largest = Math.max(largest, used);
                parts.add(format("%.3f", used));
            }
            evidence.add(policy + ": disk in use at DC1 to DC6 " + String.join(", ", parts) + ".");
        }
        return new Finding(largest < RHO ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED, evidence);
    }

    /** All cells within one percentage point, or all within two; rows are data centers. */
    private static Finding table(Measured measured, String policy, double[][] paper) {
        double sum = 0;
        for (int site = 0; site < SITES; site++) {
            for (int type = 0; type < TYPES; type++) {
                sum += running(measured, policy, site, type);
            }
        }
        List<String> evidence = new ArrayList<>();
        double worst = 0;
        for (int site = 0; site < SITES; site++) {
            List<String> row = new ArrayList<>();
            for (int type = 0; type < TYPES; type++) {
                double percent = 100 * running(measured, policy, site, type) / sum;
                worst = Math.max(worst, Math.abs(percent - paper[site][type]));
                row.add(format("%.1f (%.1f)", percent, paper[site][type]));
            }
            evidence.add("DC" + (site + 1) + ", VM1 to VM8, ours (the paper's), %: " + String.join(", ", row) + ".");
        }
        evidence.add(format("Largest difference: %.2f percentage points.", worst));
        return new Finding(
                worst <= 1 ? Verdict.REPRODUCED : worst <= 2 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding baselineAbove(Measured measured) {
        double shadow = largest(measured, "shadow").mean();
        Estimate strict = largest(measured, STRICT);
        Estimate exact = largest(measured, BASELINE);
        List<String> evidence = new ArrayList<>();
        for (String policy : List.of("shadow", BASELINE, STRICT)) {
            evidence.add(sites(measured, policy));
        }
        evidence.add(format(
                "The baseline with strict fits, as in the paper's Table III, is %.1f %% above shadow (%.1f %% above the optimum).",
                100 * (strict.mean() / shadow - 1), 100 * (strict.mean() / RHO - 1)));
        evidence.add(format(
                "Where requests may fill a server exactly it is %.1f %% above shadow (%.1f %% above the optimum).",
                100 * (exact.mean() / shadow - 1), 100 * (exact.mean() / RHO - 1)));
        boolean above = strict.mean() - Measured.half(strict) > 1.2 * shadow;
        return new Finding(
                above ? Verdict.REPRODUCED : strict.mean() > shadow ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static Finding simplified(Measured measured) {
        double shadow = largest(measured, "shadow").mean();
        double simplified = largest(measured, SIMPLIFIED).mean();
        double above = simplified / shadow - 1;
        double below = 1 - simplified / largest(measured, STRICT).mean();
        List<String> evidence = List.of(
                sites(measured, "shadow"),
                sites(measured, SIMPLIFIED),
                format(
                        "Simplified is %.1f %% above shadow; it is %.1f %% below the baseline with strict fits and %.1f %% below"
                                + " the baseline without.",
                        100 * above,
                        100 * below,
                        100 * (1 - simplified / largest(measured, BASELINE).mean())));
        boolean both = about10(above) && about10(below);
        return new Finding(
                both ? Verdict.REPRODUCED : above > 0 && below > 0 ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static boolean about10(double part) {
        return part > 0.05 && part < 0.15;
    }

    /** Largest over the sites of the part of servers in use from one hour after the warm-up to another. */
    private static double largest(Measured measured, String policy, double fromHour, double toHour) {
        double largest = 0;
        for (int site = 0; site < SITES; site++) {
            largest = Math.max(largest, share(measured, policy, site, fromHour, toHour));
        }
        return largest;
    }

    private static double share(Measured measured, String policy, int site, double fromHour, double toHour) {
        double from = WARM_UP + fromHour * HOUR;
        double to = WARM_UP + toHour * HOUR;
        String used = servers(measured, policy, site).replace("_mean{", "{");
        return measured.between(policy, used, from, to)
                / measured.between(policy, "up_servers{site=" + site + "}", from, to);
    }

    private static String window(Measured measured, String policy, double from, double to, double rho) {
        double largest = largest(measured, policy, from, to);
        return format(
                "%s, hours %.0f to %.0f, first replication: largest %.4f, %.1f %% above the optimum %.4f.",
                policy, from, to, largest, 100 * (largest / rho - 1), rho);
    }

    private static Finding followsMix(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double worst = 0;
        for (String policy : List.of("shadow", "gamma 10")) {
            evidence.add(window(measured, policy, 1, 8, RHO));
            evidence.add(window(measured, policy, 9, 10, RHO_OTHER_MIX));
            evidence.add(window(measured, policy, 11, 18, RHO_OTHER_MIX));
            worst = Math.max(worst, largest(measured, policy, 11, 18) / RHO_OTHER_MIX);
        }
        evidence.add(window(measured, BASELINE, 11, 18, RHO_OTHER_MIX));
        return new Finding(within(worst), evidence);
    }

    private static Finding followsMaintenance(Measured measured) {
        List<String> evidence = new ArrayList<>();
        double worst = 0;
        for (String policy : List.of("shadow", "gamma 10", SIMPLIFIED, BASELINE)) {
            evidence.add(window(measured, policy, 1, 6, RHO));
            evidence.add(window(measured, policy, 7, 13, RHO_MAINTENANCE));
            evidence.add(window(measured, policy, 14, 18, RHO));
        }
        for (String policy : List.of("shadow", "gamma 10")) {
            worst = Math.max(worst, largest(measured, policy, 7, 13) / RHO_MAINTENANCE);
            worst = Math.max(worst, largest(measured, policy, 14, 18) / RHO);
        }
        evidence.add(format(
                "shadow in maintenance: DC1 %.4f, DC2 %.4f of the servers that are up.",
                share(measured, "shadow", 0, 7, 13), share(measured, "shadow", 1, 7, 13)));
        return new Finding(within(worst), evidence);
    }

    private static Finding learned(Measured measured) {
        double ratio = largest(measured, "learned", 10, 18) / largest(measured, "declared", 10, 18);
        List<String> evidence = List.of(
                window(measured, "learned", 1, 8, RHO),
                window(measured, "declared", 1, 8, RHO),
                window(measured, "learned", 10, 18, RHO_LONGER),
                window(measured, "declared", 10, 18, RHO_LONGER),
                format("Learned over declared from hour 10 on: %.3f.", ratio));
        return new Finding(within(Math.max(ratio, 1 / ratio)), evidence);
    }

    /** Better: a smaller largest utilization, and no more requests that wait. One of both is half of it. */
    private static Finding betterOnTrace(Measured measured) {
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
        double waited = measured.estimate("shadow", "", "waited_fraction").mean();
        boolean waitsLess =
                waited <= measured.estimate(BASELINE, "", "waited_fraction").mean();
        boolean hasLessToDo = largestOccupied(measured, "shadow") < largestOccupied(measured, BASELINE);
        return new Finding(
                waitsLess && hasLessToDo
                        ? Verdict.REPRODUCED
                        : waitsLess || hasLessToDo ? Verdict.DIRECTION_ONLY : Verdict.NOT_REPRODUCED,
                evidence);
    }

    private static String onTrace(Measured measured, String policy) {
        List<String> parts = new ArrayList<>();
        for (int site = 0; measured.has(policy, occupied(site)); site++) {
            parts.add(format("%.3f", occupiedShare(measured, policy, site)));
        }
        return format(
                "%s: servers in use at the sites %s; %.1f %% of the requests waited; %.3f migrations per arrival.",
                policy,
                String.join(", ", parts),
                100 * measured.estimate(policy, "", "waited_fraction").mean(),
                measured.estimate(policy, "", "migrations_per_arrival").mean());
    }

    private static String occupied(int site) {
        return "occupied_servers_mean{site=" + site + "}";
    }

    private static double occupiedShare(Measured measured, String policy, int site) {
        return measured.estimate(policy, "", occupied(site)).mean()
                / measured.estimate(policy, "", "up_servers_mean{site=" + site + "}")
                        .mean();
    }

    private static double largestOccupied(Measured measured, String policy) {
        double largest = 0;
        for (int site = 0; measured.has(policy, occupied(site)); site++) {
            largest = Math.max(largest, occupiedShare(measured, policy, site));
        }
        return largest;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
