package dev.stowage.cli.bound;

import dev.stowage.cli.text.Columns;
import dev.stowage.report.TextStyle;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.RoutingPeriod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The bounds of routing as text. */
final class RoutingTables {
    /** Number of periods that are shown in full. */
    private static final int MOST_PERIODS = 4;

    private static final int MOST_MIXES = 8;

    private RoutingTables() {}

    /** The tables; empty if there is nothing to route; for several points of a sweep only rho. */
    static String of(List<PointBound> bounds, TextStyle style) {
        List<PointBound> routed =
                bounds.stream().filter(bound -> !bound.routing().isEmpty()).toList();
        if (routed.isEmpty()) {
            return "";
        }
        List<String> header = new ArrayList<>(routed.get(0).point().keySet());
        header.addAll(List.of("from (s)", "rho", "proven from", "to", "tightest"));
        Columns columns = new Columns(header.toArray(String[]::new));
        for (PointBound bound : routed) {
            for (RoutingPeriod period : bound.routing()) {
                List<String> cells = new ArrayList<>(bound.point().values());
                cells.add(format("%.6g", period.fromSeconds()));
                cells.addAll(period.bounded() ? cells(period) : List.of("-", "-", "-", period.reason()));
                columns.row(cells.toArray(String[]::new));
            }
        }
        StringBuilder text = new StringBuilder("\nThe least largest utilization of all servers and pools (rho):\n");
        text.append(columns.text(style));
        List<RoutingPeriod> periods = routed.get(0).routing();
        if (routed.size() == 1 && periods.size() <= MOST_PERIODS) {
            periods.stream().filter(RoutingPeriod::bounded).forEach(period -> text.append(details(period, style)));
        }
        return text.toString();
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

    private static String details(RoutingPeriod period, TextStyle style) {
        List<String> header = new ArrayList<>(List.of("site", "servers", "in use"));
        List<String> pools = period.pools().stream()
                .map(RoutingPeriod.PoolUse::resource)
                .distinct()
                .toList();
        header.addAll(pools);
        header.addAll(period.load().keySet());
        period.blocks().get(0).from().keySet().forEach(origin -> header.add("from " + origin));
        Columns columns = new Columns(header.toArray(String[]::new));
        for (RoutingPeriod.BlockUse block : period.blocks()) {
            List<String> cells = new ArrayList<>(
                    List.of(block.site(), Integer.toString(block.up()), format("%.2f %%", 100 * block.ofServers())));
            period.pools().stream()
                    .filter(pool -> pool.site().equals(block.site()))
                    .forEach(pool -> cells.add(format("%.2f %%", 100 * pool.ofCapacity())));
            block.routed().values().forEach(number -> cells.add(format("%.2f", number)));
            block.from().values().forEach(number -> cells.add(format("%.2f", number)));
            columns.row(cells.toArray(String[]::new));
        }
        StringBuilder text = new StringBuilder(
                format("%nFrom %.6g s, one optimum of many: mean number in service by type%n", period.fromSeconds()));
        text.append(columns.text(style));
        period.blocks().forEach(block -> text.append(mixes(block)));
        return text.toString();
    }

    private static String mixes(RoutingPeriod.BlockUse block) {
        StringBuilder text = new StringBuilder();
        block.mixes().stream()
                .sorted(Comparator.comparingDouble(mix -> -mix.ofServers()))
                .limit(MOST_MIXES)
                .forEach(mix -> text.append(format("  %5.1f %% of %s: ", 100 * mix.ofServers(), block.site()))
                        .append(mix.holds().entrySet().stream()
                                .map((Map.Entry<String, Integer> entry) -> entry.getValue() + " x " + entry.getKey())
                                .collect(Collectors.joining(" + ")))
                        .append('\n'));
        if (block.mixes().size() > MOST_MIXES) {
            text.append(format("  and %,d more configurations%n", block.mixes().size() - MOST_MIXES));
        }
        return text.toString();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
