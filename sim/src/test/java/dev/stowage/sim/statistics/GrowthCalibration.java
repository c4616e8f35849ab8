package dev.stowage.sim.statistics;

import dev.stowage.sim.result.Stability;
import java.util.List;
import java.util.Locale;

/** Prints the table of verdicts in docs/statistics.md. Arguments: runs per row. */
public final class GrowthCalibration {
    private static final double[] LOADS = {0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0, 1.02, 1.05, 1.1, 1.2};

    private GrowthCalibration() {}

    public static void main(String[] arguments) {
        int runs = Integer.parseInt(arguments[0]);
        System.out.println("| seconds | replications | load | stable | unstable | undecided | interval covers drift |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (long seconds : new long[] {10_000, 100_000}) {
            for (int replications : new int[] {1, 5}) {
                for (double load : LOADS) {
                    System.out.println(row(seconds, replications, load, runs));
                }
            }
        }
    }

    private static String row(long seconds, int replications, double load, int runs) {
        int stable = 0;
        int unstable = 0;
        int covered = 0;
        double drift = Math.max(0, load - 1) * 3600;
        for (int run = 0; run < runs; run++) {
            List<Trajectory> queues = MM1.queues(load, seconds, run + 1, replications);
            Stability found = GrowthTest.judge(queues, WarmUp.choose(queues).intervals());
            stable += found.verdict().equals(GrowthTest.STABLE) ? 1 : 0;
            unstable += found.verdict().equals(GrowthTest.UNSTABLE) ? 1 : 0;
            Double half = found.halfWidth();
            covered += half != null && Math.abs(found.growthPerHour() - drift) <= half ? 1 : 0;
        }
        return String.format(
                Locale.ROOT,
                "| %,d | %d | %.2f | %.3f | %.3f | %.3f | %.3f |",
                seconds,
                replications,
                load,
                (double) stable / runs,
                (double) unstable / runs,
                1 - (double) (stable + unstable) / runs,
                (double) covered / runs);
    }
}
