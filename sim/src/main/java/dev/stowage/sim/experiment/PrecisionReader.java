package dev.stowage.sim.experiment;

import dev.stowage.core.model.Cluster;
import dev.stowage.sim.measure.RunMetrics;
import dev.stowage.sim.workload.Workload;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads {@code precision} and {@code max-replications}. */
final class PrecisionReader {
    private static final int MOST_REPLICATIONS = 200;

    private final @Nullable Cluster cluster;
    private final @Nullable Workload workload;

    PrecisionReader(@Nullable Cluster cluster, @Nullable Workload workload) {
        this.cluster = cluster;
        this.workload = workload;
    }

    /** The precision of an experiment with a pilot of so many replications; null if none is wanted. */
    @Nullable
    Precision read(Fields root, int pilot) {
        Fields at = root.at("precision");
        Fields most = root.at("max-replications");
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
        int limit = (int) most.whole(Math.max(pilot, MOST_REPLICATIONS), pilot, 10_000);
        return new Precision(metric, relative, limit);
    }

    private static double relative(Fields at) {
        if (!at.present()) {
            at.problem("is missing: the half-width over the mean, e.g. 2 %");
        }
        return at.number(0.02, 0.0001, 0.5);
    }

    private String metric(Fields at) {
        String metric = at.text(Precision.DEFAULT_METRIC);
        if (cluster != null && workload != null) {
            Collection<String> names = RunMetrics.names(cluster, workload.types());
            if (!names.contains(metric)) {
                at.problem("unknown metric '" + metric + "'; " + Suggestion.among(metric, names));
            }
        }
        return metric;
    }
}
