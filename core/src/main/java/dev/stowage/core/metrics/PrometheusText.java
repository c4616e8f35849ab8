package dev.stowage.core.metrics;

/** The text format of Prometheus: for each metric two lines of description, then a line for each value. */
public final class PrometheusText {
    private final StringBuilder text = new StringBuilder();

    /**
     * How values are distributed.
     *
     * @param bounds upper bounds, ascending
     * @param counts how many values there are up to each bound and above the one before, then how many above all
     * @param sum of all values
     */
    public record Buckets(double[] bounds, long[] counts, double sum) {}

    /**
     * Begins a metric.
     *
     * @param type {@code gauge}, {@code counter} or {@code histogram}
     */
    public PrometheusText head(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** A value of the metric begun last; {@code labels} as in {@code state="queued"}. */
    public PrometheusText sample(String name, String labels, Number value) {
        text.append(name).append(labels.isEmpty() ? "" : "{" + labels + "}");
        text.append(' ').append(value).append('\n');
        return this;
    }

    /** A number that only grows. */
    public PrometheusText counter(String name, String help, Number value) {
        return head(name, "counter", help).sample(name, "", value);
    }

    /** A number that changes. */
    public PrometheusText gauge(String name, String help, Number value) {
        return head(name, "gauge", help).sample(name, "", value);
    }

    /** The values of a histogram that {@link #head} began; each count contains those before it. */
    public PrometheusText samples(String name, String labels, Buckets values) {
        long below = 0;
        for (int k = 0; k < values.counts.length; k++) {
            below += values.counts[k];
            String bound = k < values.bounds.length ? Double.toString(values.bounds[k]) : "+Inf";
            sample(name + "_bucket", labels + (labels.isEmpty() ? "" : ",") + "le=\"" + bound + "\"", below);
        }
        return sample(name + "_sum", labels, values.sum).sample(name + "_count", labels, below);
    }

    /** A histogram without labels. */
    public PrometheusText histogram(String name, String help, Buckets values) {
        return head(name, "histogram", help).samples(name, "", values);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
