package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.Picture.Curve;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.TimeBlocks;
import dev.stowage.sim.statistics.Intervals;
import dev.stowage.study.TestExperiments;
import dev.stowage.study.load.ResampledWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Server-hours of the policies that look at expected lifetimes and of those that do not, over the least possible, on
 * the public traces that are there; {@code .ci/lifetimes} puts the table into docs/lifetimes.md.
 */
final class LifetimesTest {
    private static final List<String> PLAIN = List.of("first-fit", "best-fit", "best-fit:score=even");
    private static final List<String> RULES =
            List.of("lifetime-classes", "lifetime-classes:rule=nilas", "lifetime-classes:rule=lava");
    private static final List<String> PREDICTIONS = List.of("true", "error 1", "error 4", "learned 2 d", "worthless");

    /**
     * A trace on so many servers that none is turned away.
     *
     * @param name heading of the column
     * @param file below ../shared/data
     * @param servers as in an experiment
     * @param more keys of the trace
     */
    private record Game(String name, String file, String servers, String more) {
        Experiment experiment(List<String> policies, String prediction) {
            String predict = prediction.isEmpty() ? "" : ", predict: " + prediction;
            return TestExperiments.of("cluster: {servers: {" + servers + "}}\nworkload:\n  trace: {file: "
                    + DATA.resolve(file) + more + predict + "}\npolicies: ["
                    + String.join(", ", policies.stream().map(Game::yaml).toList())
                    + "]\nwarm-up: none\nseed: 1\n");
        }

        /** A policy as results name it, as an experiment does. */
        private static String yaml(String policy) {
            String[] parts = policy.split("[:=]", -1);
            return parts.length == 1 ? policy : "{policy: " + parts[0] + ", " + parts[1] + ": " + parts[2] + "}";
        }
    }

    private static final List<Game> GAMES = List.of(
            new Game("Azure's twentieth", "azure2017_vms_5pct_5.7d.csv.gz", "count: 150, cpu: 48, memory: 128 GiB", ""),
            new Game(
                    "openb × 400",
                    "openb_requests.csv.gz",
                    "count: 250, cpu_milli: 96000, mem_mib: 393216, gpu_milli: 8000",
                    ", traffic-scaling: 400"),
            new Game("SURF", "surf2022_halfyear_jobs.csv.gz", "count: 900, slots: 16", ""),
            new Game("Azure, 3.5 days", "azure2017_vms_3.5d.csv.gz", "count: 1700, cpu: 48, memory: 128 GiB", ""),
            new Game("Azure, 5.7 days", "azure2017_vms_5.7d.csv.gz", "count: 1700, cpu: 48, memory: 128 GiB", ""),
            new Game(
                    "Azure, 5.7 days, 96 cores and 384 GiB",
                    "azure2017_vms_5.7d.csv.gz",
                    "count: 850, cpu: 96, memory: 384 GiB",
                    ""));

    private static final Path DATA = Path.of(System.getProperty("stowage.data", "../../shared/data"))
            .toAbsolutePath()
            .normalize();

    private static final String OCCUPIED = "occupied_servers_mean";
    private static final long SIX_HOURS = 6 * 3600;

    /** The runs of an experiment, in the order of the policies and then of the replications. */
    private static List<RunRow> runs(Experiment experiment) throws InterruptedException {
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(new Policies(), "", 2, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                .run(List.of(experiment), rows::add);
        List<RunRow> runs = new ArrayList<>();
        for (ResultRow row : rows) {
            if (row instanceof RunRow run) {
                assertThat(run.metrics().get("rejection_fraction"))
                        .as("turned away are only those that fit no server")
                        .isEqualTo(run.metrics().getOrDefault("fits_no_server_fraction", 0.0));
                runs.add(run);
            }
        }
        return runs;
    }

    /** Occupied servers in the mean over each run. */
    private static List<Double> occupied(Experiment experiment) throws InterruptedException {
        return runs(experiment).stream().map(LifetimesTest::occupied).toList();
    }

    private static double occupied(RunRow run) {
        return Objects.requireNonNull(run.metrics().get(OCCUPIED));
    }

    @Test
    @Tag("nightly")
    void table() throws IOException, InterruptedException {
        Path out = Path.of("target", "lifetimes.md");
        StringBuilder table = new StringBuilder("\n| trace | `first-fit` | `best-fit` | `best-fit`, even | rule |");
        PREDICTIONS.forEach(prediction -> table.append(" ").append(prediction).append(" |"));
        table.append("\n|").append("---|".repeat(5 + PREDICTIONS.size())).append('\n');
        for (Game game : GAMES) {
            if (!Files.exists(DATA.resolve(game.file()))) {
                System.out.println("skipped: no " + game.file());
                continue;
            }
            Experiment plain = game.experiment(PLAIN, "");
            double least = SizedRuns.leastServers(plain);
            List<Double> without = occupied(plain);
            Map<String, StringBuilder> rows = new LinkedHashMap<>();
            for (String rule : RULES) {
                StringBuilder row = rows.computeIfAbsent(rule, any -> new StringBuilder("|"));
                boolean first = rows.size() == 1;
                row.append(first ? " " + game.name() : "").append(" |");
                without.forEach(its -> row.append(first ? cell(its / least) : " |"));
                String[] parts = rule.split("[:=]", -1);
                row.append(parts.length == 1 ? " extension |" : " " + parts[2] + " |");
            }
            for (String prediction : PREDICTIONS) {
                List<Double> its = occupied(game.experiment(RULES, prediction));
                for (int k = 0; k < its.size(); k++) {
                    rows.get(RULES.get(k)).append(cell(its.get(k) / least));
                }
                System.out.println(game.name() + ", " + prediction + ": " + rows);
            }
            rows.values().forEach(row -> table.append(row).append('\n'));
            Files.createDirectories(out.getParent());
            Files.writeString(out, table + "\n");
        }
        System.out.println(table);
    }

    /** A cell of the table about days: policy, prediction, as the table names it. */
    private record Cell(String policy, String prediction, String name) {}

    private static final Cell BEST = new Cell("best-fit", "", "`best-fit`");

    private static final Cell EVEN = new Cell("best-fit:score=even", "", "`best-fit`, even");

    private static final List<Cell> CELLS = List.of(
            BEST,
            new Cell("first-fit", "", "`first-fit`"),
            EVEN,
            new Cell("lifetime-classes", "true", "lifetimes, true"),
            new Cell("lifetime-classes", "error 1", "lifetimes, error 1"),
            new Cell("lifetime-classes", "error 2", "lifetimes, error 2"),
            new Cell("lifetime-classes", "error 4", "lifetimes, error 4"),
            new Cell("lifetime-classes", "learned 2 d", "lifetimes, learned 2 d"),
            new Cell("lifetime-classes", "worthless", "lifetimes, worthless"));

    /**
     * How the differences to best fit vary from day to day on Azure's 5.7 days, and from one trace of resampled days of
     * its twentieth to another; with {@code -Dstowage.pictures=write} the pictures of docs/lifetimes.md.
     */
    @Test
    @Tag("nightly")
    void days() throws IOException, InterruptedException {
        Game whole = GAMES.get(4);
        Game part = new Game("twentieth", GAMES.get(0).file(), "count: 400, cpu: 48, memory: 128 GiB", "");
        if (!Files.exists(DATA.resolve(whole.file())) || !Files.exists(DATA.resolve(part.file()))) {
            System.out.println("skipped: no " + whole.file() + " or " + part.file());
            return;
        }
        Map<Cell, RunRow> runs = new LinkedHashMap<>();
        Map<Cell, double[]> parts = new LinkedHashMap<>();
        StringBuilder table = new StringBuilder(
                "\n| | 5.7 days, to `best-fit` | to `best-fit`, even | the twentieth, to `best-fit` | to `best-fit`, even |");
        table.append("\n|").append("---|".repeat(5)).append('\n');
        for (Cell cell : CELLS) {
            runs.put(
                    cell,
                    runs(whole.experiment(List.of(cell.policy()), cell.prediction()))
                            .get(0));
            parts.put(
                    cell,
                    occupied(ResampledWorkload.of(part.experiment(List.of(cell.policy()), cell.prediction()), 20, 0))
                            .stream()
                            .mapToDouble(its -> its)
                            .toArray());
            System.out.println(cell);
        }
        // Where expectations are not acted on, rows are equal.
        Map<String, String> names = new LinkedHashMap<>();
        for (Cell cell : CELLS.subList(1, CELLS.size())) {
            StringBuilder row = new StringBuilder();
            for (Cell other : List.of(BEST, EVEN)) {
                double[] days = drawn(byDay(runs.get(cell)), byDay(runs.get(other)));
                double all = occupied(runs.get(cell)) / occupied(runs.get(other)) - 1;
                row.append(
                        cell.equals(other)
                                ? " |"
                                : String.format(
                                        Locale.ROOT,
                                        " %+.1f (%+.1f to %+.1f) |",
                                        100 * all,
                                        100 * days[0],
                                        100 * days[1]));
            }
            for (Cell other : List.of(BEST, EVEN)) {
                Estimate ratio = Intervals.ratio(parts.get(cell), parts.get(other), 0.95);
                row.append(
                        cell.equals(other)
                                ? " |"
                                : String.format(
                                        Locale.ROOT,
                                        " %+.1f ± %.1f |",
                                        100 * (ratio.mean() - 1),
                                        100 * Objects.requireNonNull(ratio.halfWidth())));
            }
            names.merge(row.toString(), cell.name(), (one, other) -> one + other.replace("lifetimes", ""));
        }
        names.forEach((row, name) ->
                table.append("| ").append(name).append(" |").append(row).append('\n'));
        System.out.println(table);
        Path out = Path.of("target", "lifetimes-days.md");
        Files.createDirectories(out.getParent());
        Files.writeString(out, table + "\n");
        if ("write".equals(System.getProperty("stowage.pictures"))) {
            Path images = Path.of("..", "docs", "images");
            Files.writeString(images.resolve("lifetimes-hours.svg"), hours(whole, runs));
            Files.writeString(images.resolve("lifetimes-days.svg"), overTime(whole, runs));
        }
    }

    /** Server-hours of each day; the last one may be a part of a day. */
    private static double[] byDay(RunRow run) {
        TimeBlocks blocks = Objects.requireNonNull(run.blocks().get(OCCUPIED));
        double[] pieces = blocks.numerators();
        double[] days = new double[(int) (pieces.length * blocks.widthSeconds() / 86_400) + 1];
        for (int i = 0; i < pieces.length; i++) {
            days[(int) ((i + 0.5) * blocks.widthSeconds() / 86_400)] += pieces[i] * blocks.widthSeconds() / 3600;
        }
        return days;
    }

    /**
     * Between which differences 95 % of all draws lie: n days drawn with replacement from n, each of the n^n draws
     * counted once; the difference is that of the sums, as a part of the other's.
     */
    static double[] drawn(double[] its, double[] others) {
        int n = its.length;
        double[] differences = new double[(int) Math.pow(n, n)];
        for (int draw = 0; draw < differences.length; draw++) {
            double one = 0;
            double other = 0;
            int rest = draw;
            for (int k = 0; k < n; k++) {
                one += its[rest % n];
                other += others[rest % n];
                rest /= n;
            }
            differences[draw] = one / other - 1;
        }
        Arrays.sort(differences);
        int left = differences.length / 40;
        return new double[] {differences[left], differences[differences.length - 1 - left]};
    }

    /** Of two days with 10 and 20 % more there are four draws; of three equal ones all draws are alike. */
    @Test
    void drawsOfDays() {
        assertThat(drawn(new double[] {110, 240}, new double[] {100, 200})).containsExactly(1.1 - 1, 1.2 - 1);
        double[] alike = drawn(new double[] {95, 95, 95}, new double[] {100, 100, 100});
        assertThat(alike).containsExactly(0.95 - 1, 0.95 - 1);
    }

    /** Server-hours against the error of what is expected. */
    private static String hours(Game game, Map<Cell, RunRow> runs) {
        double least = SizedRuns.leastServers(game.experiment(List.of(BEST.policy()), ""));
        double[] errors = {0, 1, 2, 4};
        double[] known = new double[errors.length];
        List<Curve> curves = new ArrayList<>();
        runs.forEach((cell, run) -> {
            double[] its = new double[errors.length];
            Arrays.fill(its, 100 * occupied(run) / least);
            int error = List.of("true", "error 1", "error 2", "error 4").indexOf(cell.prediction());
            if (error >= 0) {
                known[error] = its[0];
            } else if (cell.prediction().isEmpty()) {
                curves.add(new Curve(cell.name().replace("`", ""), errors, its, false));
            }
        });
        curves.add(new Curve("lifetime-classes", errors, known, false));
        return new AnswerPage.Chart(
                        "Server-hours on Azure's 5.7 days",
                        "Server-hours in use by how wrong the expected lifetimes are.",
                        "error s: lifetimes times e^N(0, s)",
                        "server-hours, % of the least possible",
                        curves)
                .svg("lifetimes-hours");
    }

    /** Servers in use and the least possible, in the mean over each six hours. */
    private static String overTime(Game game, Map<Cell, RunRow> runs) {
        Experiment point = game.experiment(List.of(BEST.policy()), "");
        RequestList requests = RequestList.of(point, point.seed());
        ServerFleet fleet = ServerFleet.of(point.cluster(), "");
        double[] least =
                new double[(int) (Objects.requireNonNull(runs.get(BEST)).horizonSeconds() / SIX_HOURS)];
        double[] days = new double[least.length];
        double before = 0;
        for (int i = 0; i < least.length; i++) {
            double until = LeastHours.of(requests, fleet, (i + 1) * SIX_HOURS * 1_000_000_000L);
            least[i] = (until - before) / 6;
            before = until;
            days[i] = (i + 0.5) / 4;
        }
        List<Curve> curves = new ArrayList<>();
        runs.forEach((cell, run) -> {
            if (cell.equals(BEST) || cell.equals(EVEN) || cell.prediction().equals("true")) {
                String name = cell.name().replace("`", "").replace("lifetimes, true", "lifetimes known");
                curves.add(new Curve(name, days, means(run, days.length), false));
            }
        });
        curves.add(new Curve("least possible", days, least, true));
        return new AnswerPage.Chart(
                        "Servers in use on Azure's 5.7 days",
                        "Servers in use, in the mean over each six hours.",
                        "days",
                        "servers in use",
                        curves)
                .svg("lifetimes-days");
    }

    private static double[] means(RunRow run, int steps) {
        TimeBlocks blocks = Objects.requireNonNull(run.blocks().get(OCCUPIED));
        double[] sums = new double[steps];
        int[] pieces = new int[steps];
        for (int i = 0; i < blocks.numerators().length; i++) {
            int step = (int) ((i + 0.5) * blocks.widthSeconds() / SIX_HOURS);
            if (step < steps) {
                sums[step] += blocks.numerators()[i];
                pieces[step]++;
            }
        }
        Arrays.setAll(sums, step -> sums[step] / pieces[step]);
        return sums;
    }

    private static String cell(double part) {
        return String.format(Locale.ROOT, " %.1f |", 100 * part);
    }
}
