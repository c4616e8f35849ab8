package dev.stowage.cli.bound;

import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.experiment.ExperimentSource;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.OutputFormat;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.optimize.bound.LoadBound;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import dev.stowage.study.bound.PointBound;
import dev.stowage.study.bound.RewardPoint;
import dev.stowage.study.bound.RoutingPeriod;
import dev.stowage.study.bound.RoutingPeriods;
import dev.stowage.study.bound.SupportedLoads;
import dev.stowage.study.load.OfferedLoad;
import dev.stowage.study.size.InventoryFit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Carries out {@code stowage bound}. */
record BoundOverview(Console console, ReportOption report) {
    private static final int MOST_CLASSES = 512;
    private static final int MOST_MIXES = 8;
    /** A smaller share would be rounded to nothing. */
    private static final double LEAST_SHOWN = .0005;

    private static final double FOUR_DIGITS = 1e4;

    void show(ExperimentSource source, double tolerance, int windows, OutputFormat format) {
        ReadExperiment experiment = source.experiment(console);
        try {
            show(experiment, tolerance, windows, format);
        } finally {
            experiment.notes().stream()
                    .filter(note -> format != OutputFormat.TABLE
                            || !experiment.warnings().contains(note))
                    .forEach(console::note);
        }
    }

    private void show(ReadExperiment experiment, double tolerance, int windows, OutputFormat format) {
        List<Remark> warnings = experiment.warnings();
        List<PointBound> bounds = bounds(experiment.points(), tolerance, windows);
        AnswerParts answer = new AnswerParts(console);
        answer.reading(experiment);
        Optional<InventoryFit> fit = experiment.points().size() == 1
                ? InventoryFit.of(experiment.points().get(0))
                : Optional.empty();
        answer.first(fit.map(its -> inventory(its, LoadReport.losesServers(warnings)))
                .orElseGet(() -> sentence(bounds) + unkept(bounds)));
        answer.gap();
        table(bounds, fit.isEmpty(), answer);
        rewards(bounds, answer);
        if (fit.isEmpty()) {
            RoutingTables.add(bounds, answer);
        }
        answer.warnings(warnings);
        answer.print(format, () -> Data.json(bounds, warnings), () -> csv(bounds));
        report.write(
                answer,
                "Maximum supportable load: " + experiment.points().get(0).name(),
                Map.of());
    }

    /** What runs at once either fits or does not: a fraction of a load is not the answer. */
    private static String inventory(InventoryFit fit, boolean loses) {
        return "An inventory: all of it runs now and does not end. "
                + (loses ? fit.sentenceOfRemaining() : fit.sentence())
                + " How many are needed, and which to buy: stowage size. The table divides requests among servers, so a"
                + " load below 1 does not mean that whole ones fit.";
    }

    private List<PointBound> bounds(List<Experiment> points, double tolerance, int windows) {
        SupportedLoads loads = new SupportedLoads(tolerance, MOST_CLASSES);
        StatusLine status = new StatusLine(console);
        List<PointBound> bounds = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            status.step("point " + (i + 1) + " of " + points.size());
            Experiment point = points.get(i);
            List<PointBound> phases = loads.of(point);
            List<RoutingPeriod> periods = RoutingPeriods.of(point, tolerance, windows);
            for (int phase = 0; phase < phases.size(); phase++) {
                PointBound bound = phases.get(phase);
                double end = phase + 1 < phases.size() ? phases.get(phase + 1).fromSeconds() : Double.POSITIVE_INFINITY;
                PointBound routed = bound.withRouting(periods.stream()
                        .filter(period -> period.fromSeconds() >= bound.fromSeconds() && period.fromSeconds() < end)
                        .toList());
                bounds.add(
                        bound.bounded()
                                ? RewardPoint.of(point, bound.fromSeconds())
                                        .map(routed::withReward)
                                        .orElse(routed)
                                : routed);
            }
        }
        status.clear();
        return bounds;
    }

    /** {@code 65.3 % of the greatest load that any policy can support}, or how many loads are above it. */
    private static String sentence(List<PointBound> bounds) {
        List<PointBound> known = bounds.stream().filter(PointBound::bounded).toList();
        if (known.isEmpty()) {
            return "No bound is known here.";
        }
        boolean change = known.stream().anyMatch(PointBound::serversChange);
        String start = change
                ? " on the servers at the start. The servers change for good, so this does not say whether some policy"
                        + " can support it."
                : ".";
        if (bounds.size() == 1) {
            PointBound bound = known.get(0);
            Optional<String> refused = bound.notes().stream()
                    .filter(note -> note.endsWith(OfferedLoad.FITS_NONE))
                    .findFirst();
            return refused.map(note -> note.replace(": it is", ", is") + " The rest")
                            .orElse("The load") + " is "
                    + interval(bound.loadOfBoundAtLeast(), bound.loadOfBoundAtMost())
                    + " times the greatest load that any policy can support"
                    + switch (bound.verdict()) {
                        case "supportable" -> ", so some policy can support it.";
                        case "unsupportable" -> ", so no policy can support it.";
                        case "at the bound" -> ": it is at the bound.";
                        default -> start;
                    };
        }
        long supportable = known.stream()
                .filter(bound -> bound.verdict().equals("supportable"))
                .count();
        return (change ? "" : "Some policy can support " + supportable + " of the " + bounds.size() + " loads. ")
                + "The largest load is "
                + number(known.stream()
                        .mapToDouble(PointBound::loadOfBoundAtMost)
                        .max()
                        .orElseThrow())
                + " of the greatest that any policy can support"
                + start;
    }

    /** In how many periods no policy can keep up, as their bounds of routing prove; empty if that is said already. */
    private static String unkept(List<PointBound> bounds) {
        List<RoutingPeriod> periods = bounds.stream()
                .filter(bound -> !bound.verdict().equals("unsupportable"))
                .flatMap(bound -> bound.routing().stream())
                .toList();
        long above = periods.stream()
                .filter(period -> period.rhoAtLeast() > 1 || period.code().equals("no-server-up"))
                .count();
        return above == 0
                ? ""
                : format(
                        " In %,d of %,d periods no policy can keep up (rho above 1, or no server up).",
                        above, periods.size());
    }

    private void table(List<PointBound> bounds, boolean withMixes, AnswerParts answer) {
        List<String> header = new ArrayList<>(bounds.get(0).point().keySet());
        boolean phases = bounds.stream().anyMatch(bound -> bound.fromSeconds() > 0);
        if (phases) {
            header.add("from (s)");
        }
        header.addAll(List.of("requests in service", "load / maximum", "tightest resource", "verdict"));
        Columns columns = new Columns(header);
        for (PointBound bound : bounds) {
            List<String> cells = new ArrayList<>(bound.point().values());
            if (phases) {
                cells.add(format("%.6g", bound.fromSeconds()));
            }
            cells.addAll(bound.bounded() ? cells(bound) : List.of("-", "-", "-", bound.reason()));
            columns.row(cells);
        }
        answer.table(columns);
        if (bounds.size() == 1 && bounds.get(0).bounded()) {
            answer.heading("Servers at the greatest load that is proven to be supportable");
            bounds.get(0).servers().forEach(each -> {
                use(each, answer);
                if (withMixes) {
                    mixes(each, answer);
                }
            });
        }
        notes(bounds).forEach(note -> {
            answer.gap();
            answer.say(note);
        });
    }

    /**
     * The greatest reward rates beside those of the greedy assignment; for a single point also the configurations of
     * the latter.
     */
    private static void rewards(List<PointBound> bounds, AnswerParts answer) {
        List<PointBound> paying =
                bounds.stream().filter(bound -> bound.reward() != null).toList();
        if (paying.isEmpty()) {
            return;
        }
        List<String> header = new ArrayList<>(paying.get(0).point().keySet());
        header.addAll(List.of("from (s)", "greatest reward per second", "greedy assignment", "ratio"));
        Columns columns = new Columns(header);
        for (PointBound bound : paying) {
            RewardPoint reward = Objects.requireNonNull(bound.reward());
            List<String> cells = new ArrayList<>(bound.point().values());
            cells.addAll(List.of(
                    format("%.6g", bound.fromSeconds()),
                    format("%.8g", reward.atMost()),
                    format("%.8g", reward.greedy()),
                    format("%.4f", reward.greedy() / reward.atMost())));
            columns.row(cells);
        }
        answer.gap();
        answer.table(columns);
        if (paying.size() == 1) {
            Columns greedy = new Columns("servers", "hold");
            for (RewardPoint.GreedyConfiguration each :
                    Objects.requireNonNull(paying.get(0).reward()).configurations()) {
                greedy.row(format("%.6f", each.servers()), held(each.holds()));
            }
            answer.heading("The greedy assignment, in order");
            answer.table(greedy);
        }
    }

    /** {@code 1 x small + 4 x large}. */
    static String held(Map<String, Integer> holds) {
        return holds.entrySet().stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining(" + "));
    }

    private static List<String> cells(PointBound bound) {
        PointBound.ResourceUse tightest = bound.offered().stream()
                .max(Comparator.comparingDouble(PointBound.ResourceUse::ofCapacity))
                .orElseThrow();
        return List.of(
                format("%.4g", bound.requestsInService()),
                interval(bound.loadOfBoundAtLeast(), bound.loadOfBoundAtMost()),
                ResourceWords.resource(tightest.resource())
                        + format(": %.1f %% of the capacity", 100 * tightest.ofCapacity()),
                bound.verdict());
    }

    /** Rounded outwards; one number if both are the same to four digits. */
    private static String interval(double least, double most) {
        if (number(least).equals(number(most))) {
            return number(least);
        }
        return number(Math.floor(least * FOUR_DIGITS) / FOUR_DIGITS) + " to "
                + number(Math.ceil(most * FOUR_DIGITS) / FOUR_DIGITS);
    }

    private static String number(double value) {
        return Double.isInfinite(value) ? "no limit" : format("%.4f", value);
    }

    /** How much of a class of servers is used at the greatest load that is proven supportable. */
    private static void use(PointBound.ClassUse each, AnswerParts answer) {
        List<String> names =
                each.used().stream().map(PointBound.ResourceUse::resource).toList();
        answer.say(format("%,d x %s: ", each.count(), ResourceWords.of(names, each.capacity()))
                + each.used().stream()
                        .filter(use -> !Double.isNaN(use.ofCapacity()))
                        .map(use -> ResourceWords.resource(use.resource())
                                + format(" %.1f %% used", 100 * use.ofCapacity()))
                        .collect(Collectors.joining(", ")));
    }

    /** What it holds then. */
    private static void mixes(PointBound.ClassUse each, AnswerParts answer) {
        Columns columns = new Columns("fraction of servers", "hold");
        each.mixes().stream()
                .sorted(Comparator.comparingDouble(mix -> -mix.ofServers()))
                .forEach(mix -> columns.row(share(mix.ofServers()), held(mix.holds())));
        answer.table(columns, MOST_MIXES);
    }

    private static String share(double ofAll) {
        return ofAll < LEAST_SHOWN ? "< 0.1 %" : format("%.1f %%", 100 * ofAll);
    }

    private static List<String> notes(List<PointBound> bounds) {
        TreeSet<String> notes = new TreeSet<>();
        bounds.forEach(bound -> notes.addAll(bound.notes()));
        List<String> all = new ArrayList<>(notes);
        PointBound.caution(bounds).map(Remark::toString).ifPresent(all::add);
        if (bounds.stream().anyMatch(bound -> bound.bounded() && bound.offered().size() == 1)) {
            all.add(format(
                    "Guarantees with one resource and equal servers: bf-js supports at least %.3f of the maximum, VQS"
                            + " and VQS-BF at least %.3f, for requests of any size.",
                    LoadBound.BEST_FIT_GUARANTEE, LoadBound.VIRTUAL_QUEUES_GUARANTEE));
        }
        return all;
    }

    private static String csv(List<PointBound> bounds) {
        Data.Csv csv = new Data.Csv(
                "point",
                "from_s",
                "requests_in_service",
                "load_of_bound_at_least",
                "load_of_bound_at_most",
                "growth_at_least",
                "growth_at_most",
                "verdict",
                "reason",
                "reward_at_least",
                "reward_at_most",
                "reward_greedy");
        for (PointBound bound : bounds) {
            csv.row(
                    bound.point().entrySet().stream()
                            .map((Map.Entry<String, String> axis) -> axis.getKey() + "=" + axis.getValue())
                            .collect(Collectors.joining(" ")),
                    full(bound.fromSeconds()),
                    full(bound.requestsInService()),
                    bound.bounded() ? full(bound.loadOfBoundAtLeast()) : "",
                    bound.bounded() ? full(bound.loadOfBoundAtMost()) : "",
                    bound.bounded() ? full(bound.growthAtLeast()) : "",
                    bound.bounded() ? full(bound.growthAtMost()) : "",
                    bound.verdict(),
                    bound.reason(),
                    bound.reward() == null ? "" : full(bound.reward().atLeast()),
                    bound.reward() == null ? "" : full(bound.reward().atMost()),
                    bound.reward() == null ? "" : full(bound.reward().greedy()));
        }
        return csv.text();
    }

    private static String full(double value) {
        return format("%.12g", value);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
