package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request type that waits longest on average, which shows starving types that a mean over all would hide.
 *
 * @param name of the type
 * @param text its mean wait, for people
 * @param mean the same, s
 */
record WorstType(String name, String text, double mean) {
    private static final int SHOWN = 30;

    /** The worst type of one policy; null if types are not distinguished, or no request waited. */
    static @Nullable WorstType of(PolicyOutcome outcome) {
        WorstType worst = null;
        for (Map.Entry<MetricName, Estimate> metric : outcome.metrics().entrySet()) {
            String type = metric.getKey().label("type");
            if (type != null
                    && metric.getKey().base().equals("wait_mean_s")
                    && metric.getValue().mean() > (worst == null ? 0 : worst.mean)) {
                worst = new WorstType(
                        type,
                        outcome.text(metric.getKey(), metric.getValue()),
                        metric.getValue().mean());
            }
        }
        return worst;
    }

    Table.Cell cell() {
        String shown = name.length() <= SHOWN ? name : name.substring(0, SHOWN - 1) + "…";
        return Table.Cell.number(text + " (" + shown + ")", mean);
    }
}
