package dev.stowage.service.api;

/** The text format of Prometheus: for each metric two lines of description, then a line for each value. */
final class PrometheusText {
    private final StringBuilder out = new StringBuilder();

    void gauge(String name, String help, Number value) {
        head(name, "gauge", help);
        line(name, value);
    }

    void counter(String name, String help, Number value) {
        head(name, "counter", help);
        line(name, value);
    }

    /**
     * The description of a metric.
     *
     * @param kind {@code gauge}, {@code counter} or {@code histogram}
     */
    void head(String name, String kind, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
    }

    /** A value; the name is followed by its labels. */
    void line(String name, Number value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
