package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.statistics.TwoStage;
import dev.stowage.sim.workload.Workload;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads {@code precision} and {@code max-replications}. */
record PrecisionReader(@Nullable Cluster cluster, @Nullable Workload workload) {
    private static final int MOST = 10_000;
    /** Least relative half-width. */
    private static final double LEAST = 0.0001;

    /** If there are more names, not all of them are listed. */
    private static final int MANY = 60;

    /** {@code replications}: how many there are, or with a precision those of the pilot. */
    static int replications(YamlFields root) {
        YamlFields at = root.at("replications");
        if (!root.has("precision")) {
            return (int) at.whole(1, 1, MOST);
        }
        int least = TwoStage.LEAST_PILOT;
        long pilot = at.whole(least, 1, MOST);
        if (pilot < least) {
            at.problem(pilot + " are too few to start with: precision starts from at least " + least
                    + "; leave out replications (--replications), or, for a fixed number, precision (--precision)");
            return least;
        }
        return (int) pilot;
    }

    /** The precision of an experiment with a pilot of that many replications; null if none is wanted. */
    @Nullable
    Precision read(YamlFields root, int pilot) {
        YamlFields at = root.at("precision");
        YamlFields most = root.at("max-replications");
        if (!at.present()) {
            if (most.present()) {
                most.problem("is the limit of precision, which is missing, e.g. precision: 2 %");
            }
            return null;
        }
        double relative = 0;
        String metric = Precision.DEFAULT_METRIC;
        if (at.node().isObject()) {
            relative = relative(at.at("within"));
            metric = metric(at.at("of"));
            at.rejectUnknown();
        } else {
            relative = relative(at);
        }
        long limit = most.whole(Math.max(pilot, Precision.MOST_REPLICATIONS), 1, MOST);
        if (limit < pilot) {
            most.problem(limit + " is below the " + pilot + " replications that precision begins with");
        }
        return new Precision(metric, relative, (int) Math.max(limit, pilot));
    }

    private static double relative(YamlFields at) {
        if (!at.present()) {
            at.problem("is missing: the half-width over the mean, e.g. 2 %");
        }
        if (!at.present()) {
            return LEAST;
        }
        return at.parsed(LEAST, text -> {
            double value = Units.number(text);
            if (!(value >= LEAST && value <= 0.5)) {
                throw new IllegalArgumentException("must be 0.01 % to 50 % of the mean"
                        + (value >= 1 && value <= 50 ? ", e.g. \"" + text.strip() + " %\"" : ""));
            }
            return value;
        });
    }

    private String metric(YamlFields at) {
        String metric = at.text(Precision.DEFAULT_METRIC);
        if (cluster != null && workload != null) {
            Collection<String> names = RunMetrics.names(cluster, workload.types());
            if (!names.contains(metric)) {
                at.problem("unknown metric '" + metric + "'; " + NearestName.among(metric, names, MANY));
            }
        }
        return metric;
    }
}
