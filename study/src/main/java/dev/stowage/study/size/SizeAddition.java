package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.SummaryRow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds {@code size_servers}, how many servers the policy needs for the experiment's target, and {@code size_bound}, how
 * many
 * any policy needs, to runs and summary; the former is missing if no number is enough.
 */
public final class SizeAddition implements RowAddition {
    private final SizeQuestion question;
    private final PolicyFactory policies;
    private final Consumer<String> notes;
    private @Nullable Experiment sized;
    private @Nullable Sizing sizing;

    /**
     * For one call of {@code ExperimentRunner.run}.
     *
     * @param notes receives remarks about an answer
     */
    public SizeAddition(SizeQuestion question, PolicyFactory policies, Consumer<String> notes) {
        this.question = question;
        this.policies = policies;
        this.notes = notes;
    }

    @Override
    public List<ResultRow> with(Experiment point, List<ResultRow> rows) {
        Sizing here = sizing;
        if (here == null || !point.equals(sized)) {
            here = new Sizing(point, question, policies);
            sizing = here;
            sized = point;
            if (nothing(here)) {
                notes.accept("servers were not counted: no request of the run needs one");
            }
        }
        if (nothing(here)) {
            return rows;
        }
        Sizing.Need need = here.need(policy(point, rows));
        need.notes().forEach(notes);
        Sizing of = here;
        return rows.stream().map(row -> with(row, of, need)).toList();
    }

    private static boolean nothing(Sizing of) {
        return of.least().stream().allMatch(least -> least == 0);
    }

    private static PolicySpec policy(Experiment point, List<ResultRow> rows) {
        String label = rows.get(0).origin().policy();
        return point.policies().stream()
                .filter(policy -> policy.label().equals(label))
                .map(LabelledPolicy::spec)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no policy has the label " + label));
    }

    private static ResultRow with(ResultRow row, Sizing sizing, Sizing.Need need) {
        if (row instanceof RunRow run) {
            Map<String, Double> metrics = new TreeMap<>(run.metrics());
            metrics.put("size_bound", (double) sizing.least().get(run.replication()));
            if (need.servers().get(run.replication()) > 0) {
                metrics.put("size_servers", (double) need.servers().get(run.replication()));
            }
            return new RunRow(
                    run.origin(),
                    run.replication(),
                    run.seed(),
                    run.digest(),
                    run.warmupSeconds(),
                    run.horizonSeconds(),
                    metrics,
                    run.blocks());
        }
        if (row instanceof SummaryRow summary) {
            Map<String, Estimate> metrics = new TreeMap<>(summary.metrics());
            metrics.put("size_bound", sizing.estimate(sizing.least()));
            if (need.known()) {
                metrics.put("size_servers", sizing.estimate(need.servers()));
            }
            return new SummaryRow(
                    summary.origin(), summary.replications(), summary.warmUp(), summary.stability(), metrics);
        }
        return row;
    }
}
