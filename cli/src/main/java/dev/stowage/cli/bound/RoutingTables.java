package dev.stowage.cli.bound;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.text.Columns;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.RoutingPeriod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The bounds of routing as text. */
final class RoutingTables {
    /** Number of periods that are shown in full. */
    private static final int MOST_PERIODS = 4;

    private static final int MOST_MIXES = 8;

    private RoutingTables() {}

    /** Adds the tables, if there is something to route; for several points of a sweep only rho. */
    static void add(List<PointBound> bounds, AnswerParts answer) {
        List<PointBound> routed =
                bounds.stream().filter(bound -> !bound.routing().isEmpty()).toList();
        if (routed.isEmpty()) {
            return;
        }
        List<String> header = new ArrayList<>(routed.get(0).point().keySet());
        header.addAll(List.of("from (s)", "rho", "proven from", "to", "tightest"));
        Columns columns = new Columns(header);
        for (PointBound bound : routed) {
            for (RoutingPeriod period : bound.routing()) {
                List<String> cells = new ArrayList<>(bound.point().values());
                cells.add(format("%.6g", period.fromSeconds()));
                cells.addAll(period.bounded() ? cells(period) : List.of("-", "-", "-", period.reason()));
                columns.row(cells);
            }
        }
        answer.heading("Largest utilization of servers and pools under the best routing (rho)");
        answer.table(columns);
        List<RoutingPeriod> periods = routed.get(0).routing();
        if (routed.size() == 1 && periods.size() <= MOST_PERIODS) {
            periods.stream().filter(RoutingPeriod::bounded).forEach(period -> details(period, answer));
        }
    }

    private static List<String> cells(RoutingPeriod period) {
        List<String> tight = new ArrayList<>();
        double nearly = period.rhoAtMost() * (1 - 1e-6);
        for (RoutingPeriod.BlockUse block : period.blocks()) {
            if (block.ofServers() >= nearly && !tight.contains(block.site())) {
                tight.add(block.site());
            }
        }
        for (RoutingPeriod.PoolUse pool : period.pools()) {
            if (pool.ofCapacity() >= nearly) {
                tight.add(pool.site() + " " + pool.resource());
            }
        }
        return List.of(
                format("%.6f", (period.rhoAtLeast() + period.rhoAtMost()) / 2),
                format("%.6f", period.rhoAtLeast()),
                format("%.6f", period.rhoAtMost()),
                String.join(", ", tight));
    }

    private static void details(RoutingPeriod period, AnswerParts answer) {
        List<String> header = new ArrayList<>(List.of("site", "servers", "in use"));
        List<String> pools = period.pools().stream()
                .map(RoutingPeriod.PoolUse::resource)
                .distinct()
                .toList();
        header.addAll(pools);
        header.addAll(period.load().keySet());
        period.blocks().get(0).from().keySet().forEach(origin -> header.add("from " + origin));
        Columns columns = new Columns(header);
        for (RoutingPeriod.BlockUse block : period.blocks()) {
            List<String> cells = new ArrayList<>(
                    List.of(block.site(), Integer.toString(block.up()), format("%.2f %%", 100 * block.ofServers())));
            period.pools().stream()
                    .filter(pool -> pool.site().equals(block.site()))
                    .forEach(pool -> cells.add(format("%.2f %%", 100 * pool.ofCapacity())));
            block.routed().values().forEach(number -> cells.add(format("%.2f", number)));
            block.from().values().forEach(number -> cells.add(format("%.2f", number)));
            columns.row(cells);
        }
        answer.heading(
                format("From %.6g s, one of several optima: mean number in service by type", period.fromSeconds()));
        answer.table(columns);
        Columns mixes = new Columns("site", "fraction of its servers", "hold");
        period.blocks()
                .forEach(block -> block.mixes().stream()
                        .sorted(Comparator.comparingDouble(mix -> -mix.ofServers()))
                        .forEach(mix -> mixes.row(
                                block.site(),
                                format("%.1f %%", 100 * mix.ofServers()),
                                BoundOverview.held(mix.holds()))));
        answer.gap();
        answer.table(mixes, MOST_MIXES * period.blocks().size());
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
