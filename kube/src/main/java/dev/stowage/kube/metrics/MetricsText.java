package dev.stowage.kube.metrics;

/** Metrics in the text form of Prometheus, each with what it is. */
public final class MetricsText {
    private final StringBuilder text = new StringBuilder();

    /** Begins a metric. */
    public MetricsText head(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** A value of the metric begun last; {@code labels} as in {@code state="queued"}. */
    public MetricsText sample(String name, String labels, Number value) {
        text.append(name).append(labels.isEmpty() ? "" : "{" + labels + "}");
        text.append(' ').append(value).append('\n');
        return this;
    }

    /** A number that only grows. */
    public MetricsText counter(String name, String help, Number value) {
        return head(name, "counter", help).sample(name, "", value);
    }

    /** A number that changes. */
    public MetricsText gauge(String name, String help, Number value) {
        return head(name, "gauge", help).sample(name, "", value);
    }

    /** How values are distributed. */
    public MetricsText histogram(String name, String help, Histogram values) {
        head(name, "histogram", help);
        values.write(this, name);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
