package dev.stowage.report;

import dev.stowage.sim.result.DistributionRow;
import dev.stowage.sim.result.MetricName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How waits and server occupancies are distributed at one sweep point, a line per policy. */
record DistributionFigures(Results results, Map<String, String> point, FigureNames names) {
    /** Shares below this are not shown: no run has enough requests behind them. */
    private static final double SMALLEST_SHARE = 1e-6;

    List<Figure> occupancies() {
        Set<String> quantities = new LinkedHashSet<>();
        results.distributions().stream()
                .filter(row -> row.origin().point().equals(point) && row.probability().length > 0)
                .map(DistributionRow::name)
                .filter(name -> MetricName.parse(name).base().endsWith("_occupancy"))
                .forEach(quantities::add);
        return quantities.stream().map(this::occupancy).toList();
    }

    private Map<String, List<DistributionRow>> byPolicy(String quantity) {
        Map<String, List<DistributionRow>> rows = new LinkedHashMap<>();
        for (String policy : results.policies()) {
            for (DistributionRow row : results.distributions()) {
                if (row.name().equals(quantity)
                        && row.probability().length > 0
                        && PolicyOutcome.matches(row.origin(), policy, point)) {
                    rows.computeIfAbsent(policy, key -> new ArrayList<>()).add(row);
                }
            }
        }
        return rows;
    }

    private String at() {
        return point.isEmpty() ? "" : " at " + PolicyOutcome.describe(point);
    }

    /** The distribution of waits; none if no request waited. */
    List<Figure> waits() {
        Map<String, Tail> tails = new LinkedHashMap<>();
        List<String> without = new ArrayList<>();
        byPolicy("wait_s").forEach((policy, rows) -> {
            Tail tail = Tail.of(rows);
            if (tail.x().length > 0 && tail.positive() > SMALLEST_SHARE) {
                tails.put(policy, tail);
            } else {
                without.add(policy);
            }
        });
        if (tails.isEmpty()) {
            return List.of();
        }
        double least =
                tails.values().stream().mapToDouble(tail -> tail.x()[0]).min().orElseThrow();
        double most = tails.values().stream()
                .mapToDouble(tail -> tail.x()[tail.x().length - 1])
                .max()
                .orElseThrow();
        // More than six decades cannot be read; waits below a millionth of the longest do not matter here.
        double left = Math.max(least, most / 1e6) / 1.2;
        TimeAxis time = TimeAxis.covering(most);
        List<Line> lines = new ArrayList<>();
        tails.forEach((policy, tail) -> lines.add(tailLine(policy, tail, left, time)));
        double smallest =
                lines.stream().flatMapToDouble(l -> Arrays.stream(l.y())).min().orElse(0.1);
        double bottom = Math.min(smallest, 0.5) / 1.5;
        String caption = "Share of requests that waited longer than the time below, both axes logarithmic;"
                + " a line further left and lower is better."
                + (without.isEmpty() ? "" : " No request waited under " + String.join(", ", without) + ".")
                + unstable(tails.keySet());
        return List.of(new LineFigure(
                names.of("wait distribution" + at()),
                "How long requests wait" + at(),
                caption,
                new Axis(
                        "wait (" + time.unit() + ")",
                        true,
                        left / time.secondsPerUnit(),
                        most * 1.2 / time.secondsPerUnit(),
                        Numbers::plain),
                new Axis("share that waits longer", true, bottom, 1, Axis::percent),
                lines,
                List.of(),
                false));
    }

    private String unstable(Set<String> policies) {
        List<String> unstable = results.outcomes().stream()
                .filter(o -> o.unstable() && o.point().equals(point) && policies.contains(o.policy()))
                .map(PolicyOutcome::policy)
                .toList();
        return unstable.isEmpty()
                ? ""
                : " Unstable, so that a longer run would show longer waits: " + String.join(", ", unstable) + ".";
    }

    /** From the left edge at the share that waited at all, then down to the smallest share above 0. */
    private Line tailLine(String policy, Tail tail, double left, TimeAxis time) {
        List<double[]> kept = new ArrayList<>();
        double before = tail.positive();
        for (int i = 0; i < tail.x().length; i++) {
            if (tail.x()[i] <= left) {
                before = tail.share()[i];
            } else if (tail.share()[i] >= SMALLEST_SHARE) {
                kept.add(new double[] {tail.x()[i], tail.share()[i]});
            } else {
                // The longest wait: the line ends there at the last share that was above 0.
                kept.add(new double[] {tail.x()[i], kept.isEmpty() ? before : kept.get(kept.size() - 1)[1]});
                break;
            }
        }
        kept.add(0, new double[] {left, Math.max(before, SMALLEST_SHARE)});
        double[] x =
                kept.stream().mapToDouble(p -> p[0] / time.secondsPerUnit()).toArray();
        double[] y = kept.stream().mapToDouble(p -> p[1]).toArray();
        return Line.plain(policy, results.policies().indexOf(policy), x, y);
    }

    private Figure occupancy(String quantity) {
        MetricName name = MetricName.parse(quantity);
        List<Line> lines = new ArrayList<>();
        byPolicy(quantity).forEach((policy, rows) -> {
            double[] probability = rows.get(0).probability();
            double[] quantile = rows.get(0).quantile();
            int n = probability.length;
            double[] x = new double[n];
            double[] y = new double[n];
            for (int i = 0; i < n; i++) {
                x[i] = 1 - probability[n - 1 - i];
                y[i] = quantile[n - 1 - i];
            }
            lines.add(Line.plain(policy, results.policies().indexOf(policy), x, y));
        });
        String each = name.base().replace("_occupancy", "");
        String caption = TimeFigures.capital(each)
                + "s at the end" + results.first(" of") + ", the fullest on the left: a line that is high and then"
                + " drops to 0 shows tight packing, which leaves " + each + "s empty.";
        return new LineFigure(
                names.of(name + at()),
                TimeFigures.capital(name.resource()) + " in use per " + each + at(),
                caption,
                Axis.share(each + "s, fullest first"),
                Axis.share(name.resource() + " in use"),
                lines,
                List.of(),
                false);
    }
}
