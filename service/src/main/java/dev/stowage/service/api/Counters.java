package dev.stowage.service.api;

import dev.stowage.core.metrics.PrometheusText;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Calls counted by method and result, and their times. */
final class Counters {
    /** Upper bounds of the latency buckets, seconds. */
    private static final double[] BOUNDS = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5};

    private final Map<String, LongAdder> calls = new ConcurrentSkipListMap<>();
    private final Map<String, Latency> latencies = new ConcurrentSkipListMap<>();

    private static final class Latency {
        private final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
        private final LongAdder nanos = new LongAdder();

        Latency() {
            Arrays.setAll(buckets, i -> new LongAdder());
        }

        void add(long value) {
            int bucket = 0;
            while (bucket < BOUNDS.length && value > BOUNDS[bucket] * 1e9) {
                bucket++;
            }
            buckets[bucket].increment();
            nanos.add(value);
        }

        PrometheusText.Buckets values() {
            return new PrometheusText.Buckets(
                    BOUNDS, Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray(), nanos.sum() / 1e9);
        }
    }

    /** Counts a call with its result, or a request that was refused before any call. */
    void count(String method, String result) {
        calls.computeIfAbsent("method=\"" + method + "\",result=\"" + result + "\"", key -> new LongAdder())
                .increment();
    }

    /** Records how long a call took to be answered, or a watch to be admitted. */
    void time(String method, long nanos) {
        latencies.computeIfAbsent(method, key -> new Latency()).add(nanos);
    }

    void write(PrometheusText out) {
        out.head("stowage_calls_total", "counter", "Calls by method and result.");
        calls.forEach((labels, count) -> out.sample("stowage_calls_total", labels, count.sum()));
        out.head("stowage_call_seconds", "histogram", "Time to answer a call.");
        latencies.forEach((method, latency) ->
                out.samples("stowage_call_seconds", "method=\"" + method + "\"", latency.values()));
    }
}
