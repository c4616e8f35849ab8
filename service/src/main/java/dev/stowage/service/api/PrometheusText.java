package dev.stowage.service.api;

/** The text format of Prometheus: for each metric two lines of description, then a line for each value. */
final class PrometheusText {
    private PrometheusText() {}

    static void gauge(StringBuilder out, String name, String help, long value) {
        head(out, name, "gauge", help);
        line(out, name, value);
    }

    static void gauge(StringBuilder out, String name, String help, double value) {
        head(out, name, "gauge", help);
        line(out, name, value);
    }

    static void counter(StringBuilder out, String name, String help, long value) {
        head(out, name, "counter", help);
        line(out, name, value);
    }

    /**
     * The description of a metric.
     *
     * @param kind {@code gauge}, {@code counter} or {@code histogram}
     */
    static void head(StringBuilder out, String name, String kind, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
    }

    /** A value; the name is followed by its labels. */
    static void line(StringBuilder out, String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    /** A value; the name is followed by its labels. */
    static void line(StringBuilder out, String name, double value) {
        out.append(name).append(' ').append(value).append('\n');
    }
}
