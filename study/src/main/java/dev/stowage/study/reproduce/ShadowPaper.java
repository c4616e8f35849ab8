package dev.stowage.study.reproduce;

import java.util.List;

/**
 * Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for VM Placement in a Network Cloud,
 * sections IV to VI.
 */
final class ShadowPaper {
    private static final String STRICT_BASELINE = "the baseline with strict fits, as the paper's Table III was made";
    private static final String FULL_BASELINE = "a baseline whose requests may fill a server exactly";

    private static final String ABOVE =
            "The baseline's maximum utilization is more than 20 % above that of the Shadow scheme: ";
    private static final String ABOUT_10 =
            "Its maximum utilization is about 10 % above the Shadow scheme's and about 10 % below that of ";

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
            "Y. Guo, A. L. Stolyar, A. Walid: Shadow-Routing Based Dynamic Algorithms for Virtual Machine Placement in"
                    + " a Network"
                    + " Cloud, IEEE INFOCOM 2013",
            List.of(
                    figure(
                            "fig1",
                            "Servers in use with the Shadow scheme, gamma 2, 5 and 10",
                            "shadow-fig1",
                            "Some curves oscillate closely around the optimum, and gamma matters little.",
                            ShadowJudges::nearOptimum,
                            new double[] {0, ShadowJudges.RHO}),
                    new PaperFigure(
                            "fig2",
                            "Disk in use with the Shadow scheme",
                            "shadow-fig1",
                            PaperFigure.NO_PICTURE,
                            "All disk utilizations are below the optimal level.",
                            ShadowJudges::disksBelow),
                    new PaperFigure(
                            "table2",
                            "Routing table of the Shadow scheme",
                            "shadow-fig1",
                            PaperFigure.NO_PICTURE,
                            "Table II; the optimal routing is not unique.",
                            measured -> ShadowJudges.table(measured, "gamma 5", TABLE_II)),
                    figure(
                            "fig3",
                            "Servers in use with load balancing and best fit",
                            "shadow-fig6",
                            ABOVE + STRICT_BASELINE + ".",
                            measured -> ShadowJudges.baselineAbove(measured, ShadowJudges.STRICT),
                            new double[] {0, ShadowJudges.RHO}),
                    new PaperFigure(
                            "fig3-full",
                            "The same, where a request that fills a server exactly fits",
                            "shadow-fig6",
                            PaperFigure.NO_PICTURE,
                            ABOVE + FULL_BASELINE + ".",
                            measured -> ShadowJudges.baselineAbove(measured, ShadowJudges.BASELINE)),
                    new PaperFigure(
                            "table3",
                            "Routing table of the baseline",
                            "shadow-fig6",
                            PaperFigure.NO_PICTURE,
                            "Table III (which has no VM2 at DC3 and no VM4 at DC5, where they fit with nothing left"
                                    + " over).",
                            measured -> ShadowJudges.table(measured, ShadowJudges.STRICT, TABLE_III)),
                    figure(
                            "fig4",
                            "Another mix of VMs from hour 8",
                            "shadow-fig4",
                            "The Shadow scheme responds promptly and keeps track of the new optimum.",
                            ShadowJudges::followsMix,
                            new double[] {0, ShadowJudges.RHO},
                            new double[] {8, ShadowJudges.RHO_OTHER_MIX}),
                    figure(
                            "fig5",
                            "Half of data center 1 in maintenance from hour 6 to 13",
                            "shadow-fig5",
                            "The Shadow scheme responds to the change; data centers 1 and 2 are the bottleneck.",
                            ShadowJudges::followsMaintenance,
                            new double[] {0, ShadowJudges.RHO},
                            new double[] {6, ShadowJudges.RHO_MAINTENANCE},
                            new double[] {13, ShadowJudges.RHO}),
                    figure(
                            "fig6",
                            "The simplified scheme",
                            "shadow-fig6",
                            ABOUT_10 + STRICT_BASELINE + ".",
                            measured -> ShadowJudges.simplified(measured, ShadowJudges.STRICT),
                            new double[] {0, ShadowJudges.RHO}),
                    new PaperFigure(
                            "fig6-full",
                            "The same, where a request that fills a server exactly fits",
                            "shadow-fig6",
                            PaperFigure.NO_PICTURE,
                            ABOUT_10 + FULL_BASELINE + ".",
                            measured -> ShadowJudges.simplified(measured, ShadowJudges.BASELINE)),
                    figure(
                            "fig7",
                            "Service times of 30 instead of 20 minutes from hour 8, learned",
                            "shadow-fig7",
                            "The impact of learning the mean service time is marginal.",
                            ShadowJudges::learned,
                            new double[] {0, ShadowJudges.RHO},
                            new double[] {8, ShadowJudges.RHO_LONGER}),
                    new PaperFigure(
                            "trace-azure",
                            "Azure's VM trace from four regions over four sites, one in maintenance",
                            "shadow-trace-azure",
                            PaperFigure.QUEUE_OVER_TIME,
                            "No claim of the paper: are sites less loaded, and do requests wait less, with"
                                    + " shadow routing"
                                    + " than with load balancing on a real load?",
                            ShadowJudges::betterOnTrace)));

    private ShadowPaper() {}

    private static PaperFigure figure(
            String key, String title, String experiment, String claim, Judge judge, double[]... optimum) {
        return new PaperFigure(key, title, experiment, PaperFigure.SERVERS_BY_SITE, claim, judge, optimum);
    }
}
