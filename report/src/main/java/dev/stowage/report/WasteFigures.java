package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of the most used resource is free and of use to the largest request, under each policy: the rest of what is
 * free is lost to fragmentation for it. Where a resource comes in devices, a figure per policy: what is free of it, how
 * much of it requests of each type could use, and the devices that are asked for and in use.
 */
final class WasteFigures {
    private final TimeFigures time;
    private final FigureNames names;
    private final Map<String, Map<MetricName, SeriesRow>> byPolicy = new LinkedHashMap<>();

    WasteFigures(TimeFigures time, FigureNames names, List<String> policies) {
        this.time = time;
        this.names = names;
        policies.forEach(policy -> byPolicy.put(policy, time.firstReplication(policy)));
    }

    List<Figure> of() {
        String resource = device();
        if (resource.isEmpty()) {
            return time.usable(scarcest());
        }
        double most = 0;
        for (Map<MetricName, SeriesRow> rows : byPolicy.values()) {
            SeriesRow free = rows.get(free(resource));
            most = free == null ? most : Math.max(most, TimeFigures.largest(List.of(free)));
        }
        // The same for all policies.
        Axis y = Axis.fromZero("part of all " + free(resource).resource(), Math.min(1, most), Axis::percent);
        List<Figure> figures = new ArrayList<>();
        byPolicy.forEach((policy, rows) -> {
            SeriesRow free = rows.get(free(resource));
            if (free != null) {
                figures.add(figure(policy, free, rows, y));
            }
        });
        byPolicy.forEach((policy, rows) -> figures.addAll(devices(policy, rows)));
        return figures;
    }

    private List<Figure> devices(String policy, Map<MetricName, SeriesRow> rows) {
        MetricName name = MetricName.parse("devices_in_use{resource=" + device() + "}");
        SeriesRow used = rows.get(name);
        SeriesRow asked = rows.get(MetricName.parse("devices_asked_for{resource=" + device() + "}"));
        if (used == null || asked == null) {
            return List.of();
        }
        double end = TimeFigures.end(used);
        return List.of(new LineFigure(
                names.of("devices-" + policy),
                policy + ": " + name.resource() + " devices asked for and in use",
                "Devices of " + name.resource() + " that requests hold under " + policy
                        + ", and that they hold or wait for" + time.results().first(", in") + ".",
                TimeAxis.covering(end).axis(end),
                Axis.fromZero("devices", TimeFigures.largest(List.of(asked)), Numbers::plain),
                List.of(time.line(asked, "asked for", 0), time.line(used, "in use", 1)),
                time.marks(end),
                false));
    }

    /** The resource that comes in devices, or nothing. */
    private String device() {
        return byPolicy.values().stream()
                .flatMap(rows -> rows.keySet().stream())
                .filter(name -> name.base().equals("devices_in_use"))
                .map(name -> name.labels().getOrDefault("resource", ""))
                .findFirst()
                .orElse("");
    }

    private Figure figure(String policy, SeriesRow free, Map<MetricName, SeriesRow> rows, Axis y) {
        MetricName its = MetricName.parse(free.name());
        double end = TimeFigures.end(free);
        List<Line> lines = new ArrayList<>();
        lines.add(time.line(free, "free", 0));
        rows.forEach((name, usable) -> {
            String type = name.label("type");
            if (name.base().equals("usable_capacity") && name.resource().equals(its.resource()) && type != null) {
                lines.add(time.line(usable, "usable by " + type, lines.size()));
            }
        });
        return new LineFigure(
                names.of("waste-" + policy),
                policy + ": free and usable",
                "Free " + its.resource() + " under " + policy
                        + ", and how much of it requests of each type could use"
                        + time.results().first(", in") + ". The difference is lost to fragmentation.",
                TimeAxis.covering(end).axis(end),
                y,
                lines,
                time.marks(end),
                false);
    }

    private static MetricName free(String resource) {
        return MetricName.parse("free_capacity{resource=" + resource + "}");
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
