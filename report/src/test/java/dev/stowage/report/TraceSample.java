package dev.stowage.report;

import dev.stowage.sim.trace.TraceStats;
import dev.stowage.sim.trace.TraceStats.ArrivalStats;
import dev.stowage.sim.trace.TraceStats.Concurrent;
import dev.stowage.sim.trace.TraceStats.DurationQuantiles;
import dev.stowage.sim.trace.TraceStats.Durations;
import dev.stowage.sim.trace.TraceStats.GroupStats;
import dev.stowage.sim.trace.TraceStats.Point;
import dev.stowage.sim.trace.TraceStats.ShapeStats;
import java.util.List;
import java.util.stream.IntStream;

/** Invented statistics of a trace of four days. */
final class TraceSample {
    private static final int HOURS = 96;
    private static final double END = HOURS * 3600.0;

    private TraceSample() {}

    static TraceStats stats() {
        List<Long> perHour = IntStream.range(0, HOURS)
                .mapToObj(h -> Math.round(3000 + 1200 * Math.sin(h * Math.PI / 12) + (h * 7919L) % 401))
                .toList();
        List<Double> hourOfDay = IntStream.range(0, 24)
                .mapToObj(h -> 3000 + 1200 * Math.sin(h * Math.PI / 12))
                .toList();
        List<ShapeStats> shapes = List.of(
                shape("2 vCPU / 3.5 GiB", 0.46, 2),
                shape("1 vCPU / 1.75 GiB", 0.31, 1),
                shape("4 vCPU / 7 GiB", 0.14, 8),
                shape("8 vCPU / 14 GiB <large>", 0.06, 30),
                shape("16 vCPU / 112 GiB", 0.03, 60));
        return new TraceStats(
                288_000,
                0,
                END,
                new ArrivalStats(3000, perHour, hourOfDay, 240.0),
                15,
                shapes,
                List.of(),
                durations(3),
                List.of(
                        concurrent("requests", 9_000),
                        concurrent("cpu_milli", 24_000_000),
                        concurrent("mem_mib", 66_000_000)),
                new GroupStats(0, 0, 0, 0, List.of()),
                new GroupStats(288_000, 100_000, 2.88, 300, List.of()));
    }

    private static ShapeStats shape(String name, double share, double scale) {
        return new ShapeStats(name, List.of(1L, 1L), Math.round(288_000 * share), share, durations(scale));
    }

    private static Durations durations(double scale) {
        return new Durations(
                280_000,
                8_000,
                new DurationQuantiles(
                        9000 * scale,
                        0,
                        200 * scale,
                        300 * scale,
                        900 * scale,
                        3000 * scale,
                        20_000 * scale,
                        60_000 * scale,
                        200_000 * scale,
                        490_000 * scale));
    }

    private static Concurrent concurrent(String name, long level) {
        List<Point> points = IntStream.range(0, 400)
                .mapToObj(i -> new Point(
                        i * END / 400, level * (0.8 + 0.2 * Math.sin(i / 16.0)) * (1 - Math.exp(-i / 20.0)), level))
                .toList();
        return new Concurrent(name, level * 0.8, level, END / 2, points);
    }
}
