package dev.stowage.cli.bound;

import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.bound.RewardWindows;
import dev.stowage.study.load.PresentLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Carries out {@code stowage bound --windows}. */
final class WindowOverview {
    private final Console console;

    WindowOverview(Console console) {
        this.console = console;
    }

    /** The windows of a point, and the values for the whole run that follow from them. */
    private record PointWindows(Map<String, String> point, List<RewardWindows.Window> windows) {
        String name() {
            return point.entrySet().stream()
                    .map(axis -> axis.getKey() + "=" + axis.getValue())
                    .collect(Collectors.joining(" "));
        }
    }

    void show(ExperimentSource source, int windows, OutputFormat format) {
        List<PointWindows> points = new ArrayList<>();
        for (Experiment point : source.experiment().points()) {
            points.add(new PointWindows(point.point(), windows(point, windows)));
        }
        console.out()
                .print(
                        switch (format) {
                            case TABLE -> table(points);
                            case JSON -> Data.json(points);
                            case CSV -> csv(points);
                        });
    }

    private static List<RewardWindows.Window> windows(Experiment point, int windows) {
        RewardWindows.obstacle(point).ifPresent(reason -> {
            throw new BadInputException("no bound for windows: " + reason);
        });
        long end = RewardWindows.endNanos(point, point.seed());
        List<RewardWindows.Window> found =
                RewardWindows.of(point, point.seed(), RewardWindows.equal(0, Math.max(1, end), windows));
        if (found.isEmpty()) {
            throw new BadInputException("no bound for windows: no request pays, one demands nothing, or there are more"
                    + " than " + PresentLoad.MOST_KINDS + " kinds of demand and reward");
        }
        return found;
    }

    private String table(List<PointWindows> points) {
        List<String> header = new ArrayList<>(points.get(0).point().keySet());
        header.addAll(List.of(
                "from (s)",
                "to (s)",
                "requests in service",
                "greatest reward per second",
                "greedy assignment",
                "ratio"));
        Columns columns = new Columns(header.toArray(String[]::new));
        for (PointWindows point : points) {
            for (RewardWindows.Window window : point.windows()) {
                row(columns, point, window);
            }
        }
        StringBuilder text = new StringBuilder(columns.text(console.style()));
        for (PointWindows point : points) {
            text.append(format(
                    "%nMean over the run%s: at most %.8g per second, the greedy assignment %.8g.%n",
                    point.name().isEmpty() ? "" : " at " + point.name(),
                    RewardWindows.mean(point.windows(), RewardWindows.Window::atMost),
                    RewardWindows.mean(point.windows(), RewardWindows.Window::greedy)));
        }
        return text.append(
                        "\nThe load is the mean number in service in the window if every request of the first seed were"
                                + " served at once.\n")
                .toString();
    }

    private static void row(Columns columns, PointWindows point, RewardWindows.Window window) {
        List<String> cells = new ArrayList<>(point.point().values());
        cells.addAll(List.of(
                format("%.6g", window.fromSeconds()),
                format("%.6g", window.toSeconds()),
                format("%.6g", window.requests()),
                format("%.8g", window.atMost()),
                format("%.8g", window.greedy()),
                window.atMost() > 0 ? format("%.4f", window.greedy() / window.atMost()) : "-"));
        columns.row(cells.toArray(String[]::new));
    }

    private static String csv(List<PointWindows> points) {
        Data.Csv csv =
                new Data.Csv("point", "from_s", "to_s", "requests_in_service", "reward_at_most", "reward_greedy");
        for (PointWindows point : points) {
            for (RewardWindows.Window window : point.windows()) {
                csv.row(
                        point.name(),
                        format("%.12g", window.fromSeconds()),
                        format("%.12g", window.toSeconds()),
                        format("%.12g", window.requests()),
                        format("%.12g", window.atMost()),
                        format("%.12g", window.greedy()));
            }
        }
        return csv.text();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
