package dev.stowage.cli.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.v1.State;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts and latencies of a load; latencies in nanoseconds, to three digits. */
final class GeneratorReport {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final String RELEASE_FAILED = "release failed: ";
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    private final Histogram submits = new ConcurrentHistogram(3);
    private final Histogram releases = new ConcurrentHistogram(3);
    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private volatile long from;
    private long sentNanos = 1;
    private long answeredNanos = 1;

    /** Calls that were due earlier than this instant of {@link System#nanoTime} are counted but not measured. */
    void measureFrom(long instant) {
        from = instant;
    }

    void submitted(long due, long at, State state) {
        if (due - from >= 0) {
            submits.recordValue(Math.max(0, at - due));
        }
        count(state.name().toLowerCase(Locale.ROOT));
    }

    void failed(String reason) {
        count("failed: " + reason);
    }

    void released(@Nullable Throwable thrown) {
        if (thrown != null) {
            count(RELEASE_FAILED + Reasons.reason(thrown));
        }
    }

    /** Not called for releases at the end, which are not measured. */
    void releaseTook(long due, long at) {
        if (due - from >= 0) {
            releases.recordValue(Math.max(0, at - due));
        }
    }

    private void count(String what) {
        outcomes.computeIfAbsent(what, key -> new LongAdder()).increment();
    }

    /** Time after which the last request was sent. */
    void sent(long nanos) {
        sentNanos = Math.max(1, nanos);
    }

    /** Time after which the last request was answered. */
    void answered(long nanos) {
        answeredNanos = Math.max(1, nanos);
    }

    String progress(long now) {
        if (now - from < 0) {
            return "warming up";
        }
        return String.format(
                Locale.ROOT,
                "%.0f s, %,d answered, p99 %.1f ms",
                (now - from) / SECOND,
                submits.getTotalCount(),
                at(submits, 99));
    }

    String table(LoadCommand options, Console console) {
        Columns columns = new Columns(
                "call", "answered", "per second", "mean ms", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "max ms");
        row(columns, "submit", submits);
        row(columns, "release", releases);
        return console.wrapped(
                        "",
                        String.format(
                                Locale.ROOT,
                                "Sent %,d requests %s to %s: asked for %,.0f a second, sent for %.1f s, all answered after"
                                        + " %.1f s. %s",
                                outcomes.entrySet().stream()
                                        .filter(outcome -> !outcome.getKey().startsWith(RELEASE_FAILED))
                                        .mapToLong(outcome -> outcome.getValue().sum())
                                        .sum(),
                                options.traces.isEmpty()
                                        ? "of 1, 2, 4, 8 or 16 cores, each with 1.75, 3.5 or 7 GiB per core,"
                                        : "of the trace",
                                String.join(",", options.client.at()),
                                options.rate,
                                sentNanos / SECOND,
                                answeredNanos / SECOND,
                                options.keep
                                        ? "What had not ended by then was kept (--keep)."
                                        : "What had not ended by then was released."))
                + columns.text(console.style())
                + console.wrapped(
                        "",
                        "Answers to submit: "
                                + outcomes.entrySet().stream()
                                        .map(outcome -> String.format(
                                                Locale.ROOT,
                                                "%,d %s",
                                                outcome.getValue().sum(),
                                                outcome.getKey()))
                                        .collect(Collectors.joining(", "))
                                + ". Latency counts from when a call was due"
                                + (options.warmUp.startsWith("0")
                                        ? ", with the slow first seconds of fresh processes (--warm-up leaves them out)"
                                        : ", after " + options.warmUp + " of warm-up")
                                + ". If fewer submits are answered per second than asked for, or latencies rise with"
                                + " --duration, the service cannot keep up. What it holds now: stowage status.");
    }

    private void row(Columns columns, String name, Histogram latencies) {
        columns.row(
                name,
                String.format(Locale.ROOT, "%,d", latencies.getTotalCount()),
                String.format(Locale.ROOT, "%,.0f", latencies.getTotalCount() / (answeredNanos / SECOND)),
                millis(latencies.getMean() / MILLI),
                millis(at(latencies, PERCENTILES[0])),
                millis(at(latencies, PERCENTILES[1])),
                millis(at(latencies, PERCENTILES[2])),
                millis(at(latencies, PERCENTILES[3])),
                millis(latencies.getMaxValue() / MILLI));
    }

    private static double at(Histogram latencies, double percentile) {
        return latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(percentile) / MILLI;
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    String json(LoadCommand options) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("rate", options.rate);
        root.put("batch", options.batch);
        root.put("outstanding", options.outstanding);
        root.put("sent_s", sentNanos / SECOND);
        root.put("answered_s", answeredNanos / SECOND);
        root.set("submit", json(submits));
        root.set("release", json(releases));
        ObjectNode counts = root.putObject("outcomes");
        outcomes.forEach((what, count) -> counts.put(what, count.sum()));
        return Data.json(root);
    }

    private ObjectNode json(Histogram latencies) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("answered", latencies.getTotalCount());
        node.put("per_second", latencies.getTotalCount() / (answeredNanos / SECOND));
        node.put("mean_ms", latencies.getTotalCount() == 0 ? 0 : latencies.getMean() / MILLI);
        for (double percentile : PERCENTILES) {
            String name = percentile == Math.rint(percentile) ? "p" + (int) percentile : "p" + percentile;
            node.put(name + "_ms", at(latencies, percentile));
        }
        node.put("max_ms", latencies.getMaxValue() / MILLI);
        return node;
    }
}
