package dev.stowage.study.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.report.Ranking;
import dev.stowage.report.Results;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ExperimentUnits;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RowAddition;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.unit.UnitHeader;
import dev.stowage.sim.unit.UnitStore;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.study.TestExperiments;
import dev.stowage.study.load.PolicyCautions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All policies that {@code recommend} tries on all public traces that are there, and what each loses at worst against
 * the best baseline; {@code .ci/league} puts the tables into docs/choosing.md.
 */
final class LeagueTest {
    private static final String GPUS = "cpu_milli: 96000, mem_mib: 393216, gpu_milli: 8000";

    /**
     * A trace on some servers.
     *
     * @param name heading of the column
     * @param file below ../shared/data
     * @param cluster as in an experiment
     * @param more keys of the trace
     * @param prices what requests pay by their demand
     */
    private record Game(String name, String file, String cluster, String more, String prices) {
        Experiment experiment(Path data) {
            return TestExperiments.of("cluster: {" + cluster + "}\nworkload:\n  trace: {file: " + data.resolve(file)
                    + more + "}\n  prices: {" + prices + "}\npolicies: [first-fit]\nwarm-up: none\nseed: 1\n");
        }
    }

    private static final String OPENB = "openb";
    private static final String BY_SIZE = "cpu: 0.037 / h, memory: 0.00275 / h";

    private static final List<Game> GAMES = List.of(
            new Game(
                    "Azure/20, a day",
                    "azure2017_vms_small_1d.csv",
                    "servers: {count: 40, cpu: 48, memory: 128 GiB}",
                    "",
                    BY_SIZE),
            new Game("HPC2N", "hpc2n_excerpt.swf.gz", "servers: {count: 120, cpu: 2}", "", "cpu: 0.037 / h"),
            new Game(
                    "Philly",
                    "philly_jobs_15000.csv.gz",
                    "servers: {count: 90, cpu: 64, gpu: 8}",
                    "",
                    "cpu: 0.037 / h, gpu_milli: 0.002 / h"),
            new Game(
                    OPENB,
                    "openb_requests.csv.gz",
                    "sites: [" + openb("a", 40, GPUS) + ", " + openb("b", 30, GPUS) + ", " + openb("c", 20, GPUS) + ", "
                            + openb("d", 20, "cpu_milli: 128000, mem_mib: 786432, gpu_milli: 4000") + "]",
                    ", traffic-scaling: 400",
                    BY_SIZE + ", gpu_milli: 0.002 / h"),
            new Game(
                    "Azure/20",
                    "azure2017_vms_5pct_5.7d.csv.gz",
                    "servers: {count: 54, cpu: 48, memory: 128 GiB}",
                    "",
                    BY_SIZE),
            new Game(
                    "Azure/20, sites",
                    "azure2017_vms_5pct_5.7d.csv.gz",
                    "sites: [" + azure("a") + ", " + azure("b") + ", " + azure("c") + "]",
                    "",
                    BY_SIZE),
            new Game(
                    "Azure, 3.5 days",
                    "azure2017_vms_3.5d.csv.gz",
                    "servers: {count: 850, cpu: 48, memory: 128 GiB}",
                    "",
                    BY_SIZE),
            new Game(
                    "Azure, 5.7 days",
                    "azure2017_vms_5.7d.csv.gz",
                    "servers: {count: 1300, cpu: 48, memory: 128 GiB}",
                    "",
                    BY_SIZE));

    private static final String PLAN =
            "the exact plan for its 149 types of requests is not found in 100 s of a processor";

    /** Policies that would take too long, by game, and what was measured. */
    private static final Map<String, Map<String, String>> LEFT_OUT =
            Map.of(OPENB, Map.of("dra", PLAN, "gpa-static", PLAN, "static-partition", PLAN));

    /** All policies but some. */
    private record Without(Set<String> left) implements PolicyFactory {
        private static final PolicyFactory ALL = new Policies();

        @Override
        public Policy create(PolicySpec spec) {
            return ALL.create(spec);
        }

        @Override
        public PolicySpec pinned(PolicySpec spec) {
            return ALL.pinned(spec);
        }

        @Override
        public List<String> names() {
            return ALL.names().stream().filter(name -> !left.contains(name)).toList();
        }
    }

    private static String azure(String site) {
        return "{name: " + site + ", servers: {count: 18, cpu: 48, memory: 128 GiB}}";
    }

    private static String openb(String site, int count, String server) {
        return "{name: " + site + ", servers: {count: " + count + ", " + server + "}}";
    }

    /** What is compared, and by how much a policy is behind a baseline: of more than 0, in parts of the baseline's. */
    private enum Score {
        WAIT("mean wait", "wait_mean_s", "`fifo-ff`, first fit and best fit with a queue"),
        REJECTED("rejected", "rejection_fraction", "first fit and best fit without a queue"),
        REWARD("worst loss of reward", "reward_rate", "first fit and best fit without a queue");

        private final String title;
        private final String metric;
        private final String baselines;

        Score(String title, String metric, String baselines) {
            this.title = title;
            this.metric = metric;
            this.baselines = baselines;
        }

        Optional<Ranking> rank(Results results) {
            return this == WAIT ? Ranking.ofPatient(results, metric) : Ranking.ofLoss(results, metric);
        }

        double loss(double value, double baseline, double meanService) {
            return switch (this) {
                case WAIT -> (value - baseline) / (baseline + meanService);
                case REJECTED -> (value - baseline) / (1 - baseline);
                case REWARD -> (baseline - value) / baseline;
            };
        }

        String text(double value) {
            return Ranking.text(metric, new Estimate(value, null, 0.95, "exact", 1));
        }
    }

    static boolean isBaseline(String policy) {
        return policy.startsWith("first-fit") || policy.startsWith("best-fit") || policy.equals("fifo-ff");
    }

    /** Values by policy and game. */
    private final Map<Score, Map<String, Map<String, Double>>> values = new TreeMap<>();

    private final Map<Score, Map<String, Map<String, Double>>> losses = new TreeMap<>();
    private final Map<String, Set<String>> far = new TreeMap<>();
    private final Map<String, Set<String>> waiting = new TreeMap<>();
    private final Map<String, Map<String, String>> unsuited = new TreeMap<>();
    private final Set<String> played = new LinkedHashSet<>();

    /** The loss by hand: 30 min instead of 10 after one hour of service is 20 of 70 minutes. */
    @Test
    void losses() {
        assertThat(Score.WAIT.loss(1800, 600, 3600)).isEqualTo(1200.0 / 4200);
        assertThat(Score.REJECTED.loss(0.32, 0.02, 0)).isEqualTo(0.3 / 0.98);
        assertThat(Score.REWARD.loss(73, 100, 0)).isEqualTo(0.27);
        assertThat(isBaseline("best-fit:score=mix") && !isBaseline("bf-js")).isTrue();
    }

    /** Who loses more than 3 % in the table of docs/choosing.md says by how much. */
    @Test
    void everyLossIsNamed() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "choosing.md"));
        // The figures of the traces, then the worst loss, and in the second table that of reward.
        Matcher row = Pattern.compile("(?m)^\\| `([^`:]+)[^`]*` \\|(?: [^|]*\\|){" + GAMES.size()
                        + "}((?: (?:[0-9.]+ %|grows) \\|)+)$")
                .matcher(docs.substring(docs.indexOf("<!-- league -->"), docs.indexOf("<!-- end of league -->")));
        int named = 0;
        while (row.find()) {
            String key = row.group(1);
            for (String loss : row.group(2).split("\\|", -1)) {
                boolean grows = loss.contains("grows");
                if (loss.isBlank() || (!grows && Double.parseDouble(loss.replace("%", "")) <= 3)) {
                    continue;
                }
                String said = Policies.all().stream()
                        .filter(info -> info.key().equals(key))
                        .findFirst()
                        .orElseThrow()
                        .guarantee();
                assertThat(said)
                        .as(key)
                        .contains("Compared on public traces (docs/choosing.md): ")
                        .contains(grows ? "grows" : "at worst" + loss.stripTrailing());
                named++;
            }
        }
        assertThat(named).isPositive();
    }

    @Test
    @Tag("nightly")
    void table() throws IOException, InterruptedException {
        Path data = Path.of(System.getProperty("stowage.data", "../../shared/data"))
                .toAbsolutePath()
                .normalize();
        List<String> skipped = new ArrayList<>();
        Path out = Path.of("target", "league.md");
        for (Game game : GAMES) {
            if (Files.exists(data.resolve(game.file()))) {
                long begun = System.nanoTime();
                play(game, data);
                System.out.printf(Locale.ROOT, "%s: %.0f s%n", game.name(), (System.nanoTime() - begun) / 1e9);
                Files.createDirectories(out.getParent());
                Files.writeString(out, tables());
            } else {
                System.out.println("skipped: no " + game.file());
                skipped.add(game.name());
            }
        }
        if (!played.isEmpty()) {
            System.out.println(tables());
            assertThat(skipped.isEmpty() ? values.get(Score.REJECTED).keySet() : Set.of("best-fit"))
                    .contains("best-fit");
        }
    }

    private void play(Game game, Path data) throws InterruptedException {
        Experiment point = game.experiment(data);
        Map<String, String> leftOut = LEFT_OUT.getOrDefault(game.name(), Map.of());
        Candidates candidates = new Candidates(point, new Without(leftOut.keySet()), true);
        List<LabelledPolicy> suited = candidates.suited();
        far.put(game.name(), new TreeSet<>());
        for (LabelledPolicy each : suited) {
            if (!PolicyCautions.of(point.with(List.of(each), 1)).isEmpty()) {
                far.get(game.name()).add(each.label());
            }
        }
        List<ResultRow> rows = rows(point.with(suited, 1));
        Results results = new Results(rows, null, List.of());
        waiting.put(game.name(), leavingRequestsWaiting(rows));
        played.add(game.name());
        unsuited.put(game.name(), candidates.unsuited());
        double service = meanService(point);
        Set<String> told = new LinkedHashSet<>();
        boolean bears = false;
        for (Score score : Score.values()) {
            List<Ranking.Ranked> ranked =
                    score.rank(results).map(Ranking::ranked).orElse(List.of());
            Optional<Ranking.Ranked> baseline =
                    ranked.stream().filter(each -> isBaseline(each.policy())).findFirst();
            bears |= score == Score.WAIT && baseline.isPresent();
            for (Ranking.Ranked each : ranked) {
                told.add(each.policy());
                put(score, each.policy(), game, each.value().mean());
                if (baseline.isPresent()) {
                    double loss = score.loss(
                            each.value().mean(), baseline.get().value().mean(), service);
                    lose(score, each.policy(), game, loss);
                }
            }
        }
        for (LabelledPolicy each : suited) {
            if (!told.contains(each.label())) {
                put(Score.WAIT, each.label(), game, Double.POSITIVE_INFINITY);
                if (bears) {
                    lose(Score.WAIT, each.label(), game, Double.POSITIVE_INFINITY);
                }
            }
        }
    }

    /** Runs what a run of the league before this one, which was interrupted, has not finished; two at a time. */
    private static List<ResultRow> rows(Experiment all) throws InterruptedException {
        List<Experiment> points = List.of(all);
        UnitStore finished = new UnitStore(
                Path.of(System.getProperty("stowage.league", "target/league")).resolve(all.hash()),
                ExperimentUnits.stamps(points, ""),
                new UnitHeader.Dealing(0, ""),
                false);
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(new Policies(), "", 2, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                .run(points, finished, System.out::println, RowAddition.NONE, rows::add);
        return rows;
    }

    /** Policies under which more than 1 % of the requests still wait at the end. */
    private static Set<String> leavingRequestsWaiting(List<ResultRow> rows) {
        Set<String> policies = new TreeSet<>();
        for (ResultRow row : rows) {
            if (row instanceof RunRow run
                    && run.metrics().getOrDefault("queue_length_final", 0.0)
                            > 0.01 * run.metrics().getOrDefault("arrived", 0.0)) {
                policies.add(run.origin().policy());
            }
        }
        return policies;
    }

    private void put(Score score, String policy, Game game, double value) {
        put(values, score, policy, game, value);
    }

    private void lose(Score score, String policy, Game game, double loss) {
        put(losses, score, policy, game, loss);
    }

    private static void put(
            Map<Score, Map<String, Map<String, Double>>> into, Score score, String policy, Game game, double value) {
        into.computeIfAbsent(score, any -> new TreeMap<>())
                .computeIfAbsent(policy, any -> new LinkedHashMap<>())
                .put(game.name(), value);
    }

    private static double meanService(Experiment point) {
        RequestStream requests = point.workload().open(point.seed());
        double sum = 0;
        long count = 0;
        while (requests.next()) {
            if (requests.workNanos() != RequestStream.ENDLESS) {
                sum += requests.workNanos() / 1e9;
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    private String tables() {
        StringBuilder out = new StringBuilder();
        for (Score score : List.of(Score.WAIT, Score.REJECTED)) {
            Map<String, Map<String, Double>> all = values.getOrDefault(score, Map.of());
            List<String> games = played.stream()
                    .filter(game -> all.values().stream().anyMatch(row -> row.containsKey(game)))
                    .toList();
            out.append("| ").append(score.title);
            games.forEach(game -> out.append(" | ").append(game));
            boolean paid = score == Score.REJECTED;
            out.append(" | worst loss |")
                    .append(paid ? " " + Score.REWARD.title + " |" : "")
                    .append("\n|---")
                    .append("|---".repeat(games.size() + (paid ? 2 : 1)))
                    .append("|\n");
            all.forEach((policy, row) -> {
                out.append("| `").append(policy).append('`');
                games.forEach(game -> out.append(" | ")
                        .append(
                                LEFT_OUT.getOrDefault(game, Map.of()).containsKey(policy)
                                        ? "left out"
                                        : cell(score, row.get(game)))
                        .append(row.containsKey(game) && far.get(game).contains(policy) ? " *" : "")
                        .append(
                                isPartOfWaits(score, row.get(game))
                                                && waiting.get(game).contains(policy)
                                        ? " †"
                                        : ""));
                out.append(" | ").append(worst(score, policy)).append(" |");
                out.append(paid ? " " + worst(Score.REWARD, policy) + " |\n" : "\n");
            });
            out.append("\nBaselines: ").append(score.baselines).append(".\n\n");
        }
        out.append(
                "\\* Far from what its theorem is about (a warning of the run says in what); `recommend` leaves it out.\n\n");
        out.append("† More than 1 % of the requests still wait when the trace ends, and are not in the mean.\n\n");
        for (String game : played) {
            Map<String, Set<String>> leftOut = new TreeMap<>();
            LEFT_OUT.getOrDefault(game, Map.of())
                    .forEach((policy, why) ->
                            leftOut.computeIfAbsent(why, any -> new TreeSet<>()).add('`' + policy + '`'));
            leftOut.forEach((why, policies) -> out.append("Left out: ")
                    .append(String.join(", ", policies))
                    .append(" on ")
                    .append(game)
                    .append(": ")
                    .append(why)
                    .append(".\n\n"));
        }
        out.append("Not run; `recommend` says why:\n\n");
        Map<String, Set<String>> games = new TreeMap<>();
        unsuited.forEach((game, reasons) -> games.computeIfAbsent(
                        reasons.isEmpty() ? "none" : String.join(", ", reasons.keySet()), any -> new TreeSet<>())
                .add(game));
        games.forEach((policies, where) -> out.append("- ")
                .append(String.join("; ", where))
                .append(": ")
                .append(policies)
                .append(".\n"));
        return out.toString();
    }

    private String worst(Score score, String policy) {
        return part(losses.getOrDefault(score, Map.of()).getOrDefault(policy, Map.of()).values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0));
    }

    private static boolean isPartOfWaits(Score score, @Nullable Double value) {
        return score == Score.WAIT && value != null && !Double.isInfinite(value);
    }

    private static String cell(Score score, @Nullable Double value) {
        return value == null ? "" : Double.isInfinite(value) ? "grows" : score.text(value);
    }

    private static String part(double loss) {
        return Double.isInfinite(loss) ? "grows" : String.format(Locale.ROOT, "%.1f %%", 100 * Math.max(0, loss));
    }
}
