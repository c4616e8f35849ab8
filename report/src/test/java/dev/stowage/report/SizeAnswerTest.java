package dev.stowage.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SizeAnswerTest {
    private static final String EXPERIMENT = "name: e\nsize: {target: wait p99.9 <= 10 min}\n";

    private static void policy(List<ResultRow> rows, String policy, double[] servers, double[] bounds) {
        Origin origin = new ResultSample().origin(policy, Map.of());
        for (int run = 0; run < servers.length; run++) {
            Map<String, Double> metrics = Map.of("size_servers", servers[run], "size_bound", bounds[run]);
            rows.add(new RunRow(origin, run, 42 + run, "0", 0.0, 3600.0, metrics));
        }
        rows.add(new SummaryRow(
                origin,
                servers.length,
                "given",
                new Stability("stable", 0, 1.0),
                Map.of("size_servers", mean(servers), "size_bound", mean(bounds))));
    }

    private static Estimate mean(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return new Estimate(mean, values.length > 1 ? 1.0 : null, 0.95, "replications", values.length);
    }

    /** Of four runs drawn alike, the last needs most with probability 1/4; a bound is proven for its run alone. */
    @Test
    void aMeanIsNotWhatToBuyNorABound() {
        List<ResultRow> rows = new ArrayList<>();
        double[] bounds = {9, 10, 11};
        policy(rows, "best-fit", new double[] {10, 12, 14}, bounds);
        policy(rows, "fifo-ff", new double[] {13, 15, 17}, bounds);
        assertThat(SizeAnswer.of(new Results(rows, EXPERIMENT, List.of())))
                .contains(
                        "best-fit needed 10 to 14 servers in 3 runs (12.0 ± 1.0 on average), fifo-ff 13 to 17 (15.0 ± 1.0).")
                .contains(
                        "For another such run plan 14 with best-fit: the most that it needed in 3 runs, enough for one more")
                // t of 2 degrees of freedom, 95 % on one side, is 2.920; the logarithms have the mean 2.4755 and the
                // standard deviation 0.1684: exp(2.4755 + 2.92 x 0.1684 x sqrt(4/3)) = 20.98.
                .contains("with a probability of at least 75 %; or 21 for 95 %, if needs are log-normally distributed.")
                .contains("Proven run by run: no policy can do with fewer than 9 to 11.")
                .contains("fifo-ff needs 3 more");
    }

    @Test
    void policiesThatNeedTheSameAreNamedTogether() {
        String answer = SizeAnswer.another(
                "run",
                "runs",
                new TreeMap<>(
                        Map.of("a", new double[] {20, 23}, "b", new double[] {21, 23}, "c", new double[] {20, 24})));
        assertThat(answer).startsWith("For another such run plan 23 with a or b: the most that it needed in 2 runs");
    }

    /** Of 1, 1 and 2 servers an interval of ± 1 says nothing that the range does not. */
    @Test
    void runsThatAreTooUnlikeHaveNoInterval() {
        List<ResultRow> rows = new ArrayList<>();
        policy(rows, "best-fit", new double[] {1, 1, 2}, new double[] {1, 1, 1});
        assertThat(SizeAnswer.of(new Results(rows, EXPERIMENT, List.of())))
                .contains("best-fit needed 1 to 2 servers in 3 runs (1.33 on average).");
    }

    @Test
    void oneRunIsExact() {
        List<ResultRow> rows = new ArrayList<>();
        policy(rows, "best-fit", new double[] {8}, new double[] {7});
        assertThat(SizeAnswer.of(new Results(rows, EXPERIMENT, List.of())))
                .endsWith("best-fit needs 8 servers. On these requests no policy can do with fewer than 7.");
    }
}
