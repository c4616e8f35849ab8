package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure per policy: the free capacity of the most used resource, and how much of it the smallest, the median and the
 * largest request could use. The difference is lost to fragmentation.
 */
final class WasteFigures {
    private static final List<String> SIZES = List.of("smallest", "median", "largest");

    private final TimeFigures time;
    private final FigureNames names;
    private final Map<String, Map<MetricName, SeriesRow>> byPolicy = new LinkedHashMap<>();

    WasteFigures(TimeFigures time, FigureNames names, List<String> policies) {
        this.time = time;
        this.names = names;
        policies.forEach(policy -> byPolicy.put(policy, time.firstReplication(policy)));
    }

    List<Figure> of() {
        String resource = scarcest();
        List<Figure> figures = new ArrayList<>();
        double most = 0;
        for (Map<MetricName, SeriesRow> rows : byPolicy.values()) {
            SeriesRow free = rows.get(free(resource));
            most = free == null ? most : Math.max(most, TimeFigures.largest(List.of(free)));
        }
        // The same for all policies.
        Axis y = Axis.fromZero("part of all " + free(resource).resource(), Math.min(1, most), Axis::percent);
        byPolicy.forEach((policy, rows) -> {
            SeriesRow free = rows.get(free(resource));
            if (free != null) {
                figures.add(figure(policy, resource, free, rows, y));
            }
        });
        return figures;
    }

    private Figure figure(String policy, String resource, SeriesRow free, Map<MetricName, SeriesRow> rows, Axis y) {
        double end = TimeFigures.end(free);
        List<Line> lines = new ArrayList<>();
        lines.add(time.line(free, "free", 0));
        for (String size : SIZES) {
            SeriesRow usable = rows.get(usable(size, resource));
            if (usable != null) {
                lines.add(time.line(usable, "usable by the " + size, lines.size()));
            }
        }
        return new LineFigure(
                names.of("waste-" + policy),
                policy + ": free and usable",
                "What is free of " + free(resource).resource() + " under " + policy
                        + ", and how much of it the smallest, the median and the"
                        + " largest request so far could use, first replication. The difference is lost to fragmentation.",
                TimeAxis.covering(end).axis(end),
                y,
                lines,
                time.marks(end),
                false);
    }

    private static MetricName free(String resource) {
        return MetricName.parse("free_capacity{resource=" + resource + "}");
    }

    private static MetricName usable(String size, String resource) {
        return MetricName.parse("usable_capacity{request=" + size + ",resource=" + resource + "}");
    }

    /** The resource with the smallest free fraction, over all policies and the whole run. */
    private String scarcest() {
        Map<String, Double> free = new LinkedHashMap<>();
        byPolicy.values()
                .forEach(rows -> rows.forEach((name, row) -> {
                    String resource = name.label("resource");
                    if (name.base().equals("free_capacity") && resource != null) {
                        free.merge(resource, Arrays.stream(row.mean()).average().orElse(1), Double::sum);
                    }
                }));
        return free.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
