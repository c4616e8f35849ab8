package dev.stowage.cli.bound;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.Picture;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.bound.RewardWindows;
import dev.stowage.study.load.PresentLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Carries out {@code stowage bound --windows}. */
record WindowOverview(Console console, ReportOption report) {
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
        for (Experiment point : source.experiment(console).points()) {
            points.add(new PointWindows(point.point(), windows(point, windows)));
        }
        AnswerParts answer = answer(points);
        answer.print(format, () -> Data.json(points), () -> csv(points));
        report.write(
                answer,
                "The greatest reward: " + source.experiment().points().get(0).name(),
                Map.of());
    }

    private static List<RewardWindows.Window> windows(Experiment point, int windows) {
        RewardWindows.obstacle(point).ifPresent(reason -> {
            throw new BadInputException("no bound for windows: " + reason);
        });
        long end = RewardWindows.endNanos(point, point.seed());
        List<RewardWindows.Window> found =
                RewardWindows.of(point, point.seed(), RewardWindows.equal(0, Math.max(1, end), windows));
        if (found.isEmpty()) {
            throw new BadInputException("no bound for windows: no request has a reward, one demands nothing, or there"
                    + " are more than " + PresentLoad.MOST_KINDS + " kinds of demand and reward");
        }
        return found;
    }

    private AnswerParts answer(List<PointWindows> points) {
        List<String> header = new ArrayList<>(points.get(0).point().keySet());
        header.addAll(List.of(
                "from (s)",
                "to (s)",
                "requests in service",
                "greatest reward per second",
                "greedy assignment",
                "ratio"));
        Columns columns = new Columns(header);
        for (PointWindows point : points) {
            for (RewardWindows.Window window : point.windows()) {
                row(columns, point, window);
            }
        }
        AnswerParts answer = new AnswerParts(console);
        List<Picture.Curve> curves = new ArrayList<>();
        for (PointWindows point : points) {
            String name = point.name().isEmpty() ? "" : " at " + point.name();
            answer.first(format(
                    "Mean over the run%s: at most %.8g per second, the greedy assignment %.8g.",
                    name,
                    RewardWindows.mean(point.windows(), RewardWindows.Window::atMost),
                    RewardWindows.mean(point.windows(), RewardWindows.Window::greedy)));
            curves.add(curve("bound for any policy" + name, point, RewardWindows.Window::atMost, true));
            curves.add(curve("greedy assignment" + name, point, RewardWindows.Window::greedy, false));
        }
        answer.gap();
        answer.table(columns);
        answer.say("The load is the mean number in service in the window if every request of the first seed were"
                + " served at once.");
        answer.onPage(new AnswerPage.Chart(
                "Reward per second",
                "Mean in each window: the bound for any policy, and the greedy assignment.",
                "time, s",
                "reward per second",
                curves));
        return answer;
    }

    private static Picture.Curve curve(
            String name, PointWindows point, ToDoubleFunction<RewardWindows.Window> value, boolean dashed) {
        return new Picture.Curve(
                name,
                point.windows().stream()
                        .mapToDouble(window -> (window.fromSeconds() + window.toSeconds()) / 2)
                        .toArray(),
                point.windows().stream().mapToDouble(value).toArray(),
                dashed);
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
        columns.row(cells);
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
