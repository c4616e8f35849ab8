package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.ProgressListener;
import dev.stowage.sim.experiment.RunObserver;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.RunRow;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Server-hours of the policies that look at expected lifetimes and of those that do not, over the least possible, on
 * the public traces that are there; {@code .ci/lifetimes} puts the table into docs/lifetimes.md.
 */
final class LifetimesTest {
    private static final List<String> PLAIN = List.of("first-fit", "best-fit", "best-fit(score=even)");
    private static final List<String> CLASSES =
            List.of("lifetime-classes", "lifetime-classes(classes=tenfold)", "lifetime-classes(classes=none)");
    private static final List<String> PREDICTIONS =
            List.of("true", "error 1", "error 2", "error 4", "learned 2 d", "worthless");

    /**
     * A trace on so many servers that none is turned away.
     *
     * @param name heading of the column
     * @param file below ../shared/data
     * @param servers as in an experiment
     * @param more keys of the trace
     */
    private record Game(String name, String file, String servers, String more) {
        Experiment experiment(Path data, List<String> policies, String prediction) {
            String predict = prediction.isEmpty() ? "" : ", predict: " + prediction;
            return TestExperiments.of("cluster: {servers: {" + servers + "}}\nworkload:\n  trace: {file: "
                    + data.resolve(file) + more + predict + "}\npolicies: ["
                    + String.join(", ", policies.stream().map(Game::yaml).toList())
                    + "]\nwarm-up: none\nseed: 1\n");
        }

        /** A policy as results name it, as an experiment does. */
        private static String yaml(String policy) {
            String[] parts = policy.split("[(=)]");
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

    /** Occupied servers in the mean over the run, in the order of the policies. */
    private static List<Double> occupied(Experiment experiment) throws InterruptedException {
        List<ResultRow> rows = new ArrayList<>();
        new ExperimentRunner(new Policies(), "", 1, ProgressListener.NONE, (at, policy, r) -> RunObserver.NONE)
                .run(List.of(experiment), rows::add);
        List<Double> occupied = new ArrayList<>();
        for (ResultRow row : rows) {
            if (row instanceof RunRow run) {
                assertThat(run.metrics().get("rejection_fraction"))
                        .as("turned away are only those that fit no server")
                        .isEqualTo(run.metrics().getOrDefault("fits_no_server_fraction", 0.0));
                occupied.add(run.metrics().get("occupied_servers_mean"));
            }
        }
        return occupied;
    }

    @Test
    @Tag("nightly")
    void table() throws IOException, InterruptedException {
        Path data = Path.of(System.getProperty("stowage.data", "../../shared/data"))
                .toAbsolutePath()
                .normalize();
        Path out = Path.of("target", "lifetimes.md");
        StringBuilder table = new StringBuilder("\n| trace | `first-fit` | `best-fit` | `best-fit`, even | classes |");
        PREDICTIONS.forEach(prediction -> table.append(" ").append(prediction).append(" |"));
        table.append("\n|").append("---|".repeat(5 + PREDICTIONS.size())).append('\n');
        for (Game game : GAMES) {
            if (!Files.exists(data.resolve(game.file()))) {
                System.out.println("skipped: no " + game.file());
                continue;
            }
            Experiment plain = game.experiment(data, PLAIN, "");
            double least = Sizing.leastServers(plain);
            List<Double> without = occupied(plain);
            Map<String, StringBuilder> rows = new LinkedHashMap<>();
            for (String classes : CLASSES) {
                StringBuilder row = rows.computeIfAbsent(classes, any -> new StringBuilder("|"));
                boolean first = rows.size() == 1;
                row.append(first ? " " + game.name() : "").append(" |");
                without.forEach(its -> row.append(first ? cell(its / least) : " |"));
                String[] parts = classes.split("[(=)]");
                row.append(parts.length == 1 ? " doubling |" : " " + parts[2] + " |");
            }
            for (String prediction : PREDICTIONS) {
                List<Double> its = occupied(game.experiment(data, CLASSES, prediction));
                for (int k = 0; k < its.size(); k++) {
                    rows.get(CLASSES.get(k)).append(cell(its.get(k) / least));
                }
                System.out.println(game.name() + ", " + prediction + ": " + rows);
            }
            rows.values().forEach(row -> table.append(row).append('\n'));
            Files.createDirectories(out.getParent());
            Files.writeString(out, table + "\n");
        }
        System.out.println(table);
    }

    private static String cell(double part) {
        return String.format(Locale.ROOT, " %.1f %% |", 100 * part);
    }
}
