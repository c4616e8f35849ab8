package dev.stowage.report;

import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.SeriesRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Slots per type over time, for each policy that reserves slots: how many are filled, how many are empty, how many
 * requests of the type are turned away, and how many servers are being emptied.
 */
record SlotFigures(TimeFigures time, String at, FigureNames names) {
    private static final Set<String> FILLED = Set.of("filled_slots", "busy_vms");
    private static final Set<String> EMPTY = Set.of("reserved_slots", "idle_vms");
    /** The number of colours. */
    private static final int MOST_TYPES = 10;

    List<Figure> of(List<String> policies) {
        List<Figure> figures = new ArrayList<>();
        for (String policy : policies) {
            Map<MetricName, SeriesRow> series = time.firstReplication(policy);
            List<SeriesRow> filled = ofTypes(series, FILLED);
            if (!filled.isEmpty()) {
                List<String> types = filled.stream().map(SlotFigures::type).toList();
                add(figures, policy, "requests in slots", filled, types);
                add(figures, policy, "empty slots", ofTypes(series, EMPTY), types);
                add(figures, policy, "rejected requests per second", ofTypes(series, Set.of("rejection_rate")), types);
                addGroups(figures, policy, series);
            }
        }
        return figures;
    }

    private static List<SeriesRow> ofTypes(Map<MetricName, SeriesRow> series, Set<String> bases) {
        List<SeriesRow> rows = new ArrayList<>();
        series.forEach((name, row) -> {
            if (bases.contains(name.base()) && name.label("type") != null) {
                rows.add(row);
            }
        });
        return rows;
    }

    private static String type(SeriesRow row) {
        return MetricName.parse(row.name()).labels().getOrDefault("type", "");
    }

    /** A type has the same colour in each figure: the one for its index among all types. */
    private void add(List<Figure> figures, String policy, String what, List<SeriesRow> rows, List<String> types) {
        if (rows.isEmpty()) {
            return;
        }
        List<SeriesRow> shown = rows.stream()
                .sorted(Comparator.comparingDouble(row -> -sum(row)))
                .limit(MOST_TYPES)
                .toList();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (shown.contains(rows.get(i))) {
                String type = type(rows.get(i));
                lines.add(time.line(rows.get(i), type, Math.max(0, types.indexOf(type))));
            }
        }
        String left = rows.size() > shown.size() ? " The " + shown.size() + " types that have the most slots." : "";
        figures.add(figure(policy, what + " by type", what, lines, shown, left));
    }

    private void addGroups(List<Figure> figures, String policy, Map<MetricName, SeriesRow> series) {
        SeriesRow reject = series.get(MetricName.parse("reject_group"));
        SeriesRow accept = series.get(MetricName.parse("accept_group"));
        if (reject != null && accept != null) {
            figures.add(figure(
                    policy,
                    "servers of the reject group",
                    "servers of the reject group",
                    List.of(time.line(reject, "reject group", 0)),
                    List.of(reject),
                    " The other servers, on average " + Numbers.plain(Math.rint(sum(accept) / accept.mean().length))
                            + ", are in the accept group."));
        }
    }

    private Figure figure(
            String policy, String title, String axis, List<Line> lines, List<SeriesRow> rows, String more) {
        double end = rows.stream().mapToDouble(TimeFigures::end).max().orElse(0);
        String caption = TimeFigures.capital(title) + " over time with " + policy
                + time.results().first(" in") + "." + more;
        return new LineFigure(
                names.of(policy + " " + title + at),
                policy + ": " + title + at,
                caption,
                TimeAxis.covering(end).axis(end),
                Axis.fromZero(axis, TimeFigures.largest(rows), Numbers::plain),
                lines,
                time.marks(end),
                false);
    }

    private static double sum(SeriesRow row) {
        return Arrays.stream(row.mean()).sum();
    }
}
