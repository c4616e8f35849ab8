package dev.stowage.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import dev.stowage.study.reproduce.Paper;
import dev.stowage.study.reproduce.Papers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReproductionTest {
    private static final Path FILES = Path.of("..", "experiments", "paper");

    @TempDir
    private Path directory;

    @Test
    void everyExperimentBelongsToAFigureAndIsValid() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Paper paper : Papers.ALL) {
            paper.figures().stream()
                    .flatMap(figure -> figure.experiments().stream())
                    .forEach(names::add);
        }
        try (Stream<Path> files = Files.list(FILES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(names);
        }
        for (String name : names) {
            Files.writeString(
                    directory.resolve(name + ".yaml"),
                    Files.readString(FILES.resolve(name + ".yaml"))
                            .replaceAll("\\bfile: [^\\s}]+", "file: requests.csv"));
            Files.writeString(directory.resolve("requests.csv"), request(name));
            Program program =
                    Program.run("validate", directory.resolve(name + ".yaml").toString());
            assertThat(program.code()).as(name + ": " + program.err()).isZero();
        }
    }

    /** Requests until after every warm-up. */
    private static String request(String experiment) {
        if (experiment.contains("google")) {
            return "arrival_s,duration_s,size_ppm\n0,10,1000\n200000,10,1000\n";
        }
        return experiment.contains("openb")
                ? "arrival_s,duration_s,cpu_milli,mem_mib,gpu_milli\n0,10,1000,1024,0\n200000,10,1000,1024,0\n"
                : "arrival_s,duration_s,cpu_milli,mem_mib\n0,10,1000,1024\n200000,10,1000,1024\n";
    }

    @Test
    void theListNamesEveryFigureAndClaim() {
        Program list = Program.wide("reproduce");
        assertThat(list.code()).isZero();
        for (Paper paper : Papers.ALL) {
            paper.figures()
                    .forEach(figure ->
                            assertThat(list.out()).contains(figure.key()).contains(figure.claim()));
        }
    }

    @Test
    void aQuickLookWritesThePageThePictureAndTheRowsButNoVerdict() throws IOException {
        Path whole = directory.resolve("out");
        Path out = whole.resolve("quick");
        Program run = Program.run("reproduce", "bestfit", "fig3a", "--quick", "--out", whole.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("not judged", "Not judged, because only a part was run: --quick")
                .contains("Page: " + out.resolve("bestfit.md"));
        assertThat(Files.readString(out.resolve("bestfit.md")))
                .contains(
                        "| fig3b | VQS is stable where BF-J/S and VQS-BF are unstable. | not run: `./stowage reproduce"
                                + " bestfit fig3b` |")
                .contains("VQS is unstable where BF-J/S and VQS-BF are stable.")
                .contains(
                        "Written by `./stowage reproduce bestfit --quick`",
                        "`./stowage reproduce bestfit fig3a --quick`:")
                .contains("](pictures/bestfit-fig3a.svg)")
                .contains("The same in all rows: load / maximum 70 %; rejected 0 %.\n\n| policy | waiting requests |")
                .contains("seeds 1, ");
        assertThat(Files.readString(out.resolve("pictures/bestfit-fig3a.svg"))).contains("<svg");
        assertThat(out.resolve("bestfit-fig3a/results.jsonl")).isNotEmptyFile();
        assertThat(out.resolve("bestfit-fig3a/report.html")).isNotEmptyFile();
        try (Stream<Path> all = Files.list(whole)) {
            assertThat(all).as("nothing of a whole run is replaced").containsExactly(out);
        }
        // The page of a second figure has the first one too, and a whole run has nothing of a shortened one.
        Program second = Program.run("reproduce", "bestfit", "fig3b", "--quick", "--out", whole.toString());
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.err()).contains("On the page from rows of earlier calls: fig3a");
        assertThat(Files.readString(out.resolve("bestfit.md")))
                .contains("](pictures/bestfit-fig3a.svg)", "](pictures/bestfit-fig3b.svg)");
        // Judged again as they are.
        Program again = Program.run("reproduce", "bestfit", "fig3a", "--reuse", "--out", out.toString());
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).doesNotContain("not judged");
        assertThat(again.err()).doesNotContain("earlier calls");
        // Once more: the old results are replaced.
        assertThat(Program.run("reproduce", "bestfit", "fig3a", "--quick", "--quiet", "--out", whole.toString())
                        .code())
                .isZero();
    }

    /** Rows of an experiment that two figures share; an experiment of few hours. */
    @Test
    void rowsAreOncePerPage() throws IOException {
        Path out = directory.resolve("shared");
        Program run = Program.run(
                "reproduce",
                "reservation",
                "l1000",
                "deterministic",
                "--policy",
                "best-fit",
                "--quick",
                "--quiet",
                "--out",
                out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        String page = Files.readString(out.resolve("best-fit+quick/reservation.md"));
        assertThat(page.split("\\| 0\\.8 \\| ", -1)).hasSize(3);
        assertThat(page.split("This figure uses the rows in the table of l1000\\.", -1))
                .hasSize(2);
    }

    @Test
    void thePageNamesWhatWasSkippedAndTheOptionThatAddsIt() throws IOException {
        Path out = directory.resolve("skipped");
        Program run = Program.run(
                "reproduce",
                "bestfit",
                "fig3a",
                "trace-azure",
                "--quick",
                "--traces",
                directory.toString(),
                "--out",
                out.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("skipped, as the table says why: trace-azure");
        assertThat(Files.readString(out.resolve("quick/bestfit.md")))
                .containsPattern(
                        "\\| trace-azure \\| .* \\| skipped: no \\S+ in " + directory
                                + "; name its directory with --traces DIR; docs/traces.md, Published files, says where it comes from \\|");
    }

    @Test
    void someOfTheirPolicies() throws IOException {
        Path out = directory.resolve("some");
        Path whole = Files.createDirectories(out.resolve("bestfit-fig3a")).resolve("results.jsonl");
        Files.writeString(whole, "of a whole run");
        Program run = Program.run(
                "reproduce", "bestfit", "fig3a", "--policy", "vqs", "--quick", "--quiet", "--out", out.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(whole).hasContent("of a whole run");
        assertThat(out.resolve("bestfit.md")).doesNotExist();
        assertThat(Files.readString(out.resolve("vqs+quick/bestfit.md")))
                .contains("Verdict: **not judged**")
                .contains("- Only a part of it was run: `--policy \"vqs\" --quick`.")
                .contains("| vqs |")
                .doesNotContain("| bf-js |");
    }

    @Test
    void aPolicyThatNoFigureHas() {
        String out = directory.resolve("none").toString();
        Program one = Program.run("reproduce", "bestfit", "fig3a", "--policy", "bf-js, vq", "--out", out);
        assertThat(one.code()).isEqualTo(2);
        assertThat(one.err().replaceAll("\\s+", " "))
                .contains("no policy 'vq' in these figures; known: vqs, bf-js", "did you mean vqs?");
        Program all = Program.run("reproduce", "bestfit", "--policy", "nosuch", "--out", out);
        assertThat(all.code()).isEqualTo(2);
        assertThat(all.err()).contains("no policy 'nosuch'");
        Program planners = Program.run("reproduce", "parallel", "--policy", "vqs", "--out", out);
        assertThat(planners.code()).isEqualTo(2);
        Program list = Program.run("reproduce", "--policy", "vqs");
        assertThat(list.code()).isEqualTo(2);
        assertThat(list.err()).contains("name the paper");
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @Test
    void aStudyOfPlannersIsAFileThatRuns() throws IOException {
        Path out = directory.resolve("study");
        Program run = Program.run(
                "run",
                FILES.resolve("parallel-tasks.yaml").toString(),
                "--out",
                out.toString(),
                "--no-report",
                "--set",
                "planning.problems=2",
                "--set",
                "planning.servers=16",
                "--set",
                "planning.planners=[tapra, tapra-fast, {planner: min-min, allocation: equal-share}]",
                "--set",
                "sweep=[{path: planning.tasks, values: [6, 8]}]");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("Min-Min equal").contains("TaPRA-fast");
        // Two sizes, three planners and the bound, a row per problem that is feasible and a summary.
        String rows = Files.readString(out.resolve("results.jsonl"));
        assertThat(rows).contains("\"tasks\":\"6\"").contains("\"tasks\":\"8\"");
        assertThat(rows.lines().filter(row -> row.contains("summary"))).hasSize(8);
        assertThat(Files.readString(out.resolve("experiment.yaml"))).contains("planning:");
    }

    @Test
    void aStudyOfPlannersTellsItsMistakes() throws IOException {
        Path file = Files.writeString(
                directory.resolve("study.yaml"),
                "name: s\nplanning: {servers: 100, tasks: 0, planers: [gsa], planners: [tapro,"
                        + " {planner: tapra, allocation: equal-share}]}\nreplications: 3\n");
        Program run = Program.run("validate", file.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("planning.servers: 100 must be the servers of a fat tree")
                .contains("planning.tasks")
                .contains("planning.planners[0]: 'tapro' must be one of tapra")
                .contains("planning.planners[1]")
                .contains("planers")
                .contains("replications");
        Program bound =
                Program.run("bound", FILES.resolve("parallel-tasks.yaml").toString());
        assertThat(bound.code()).isEqualTo(2);
        assertThat(bound.err()).contains("only 'stowage run' takes it");
        Program record = Program.run(
                "run",
                FILES.resolve("parallel-tasks.yaml").toString(),
                "--record",
                directory.resolve("x.log").toString());
        assertThat(record.code()).isEqualTo(2);
        assertThat(record.err()).contains("--record");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bestfit", "reservation"})
    void aFigureWithoutItsTraceIsSkipped(String paper) {
        Program run = Program.run(
                "reproduce",
                paper,
                "trace-azure",
                "--traces",
                directory.toString(),
                "--out",
                directory.resolve("out").toString());
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.out())
                .contains("skipped")
                .contains("azure2017_vms_5.7d.csv.gz")
                .contains("--traces");
        assertThat(directory.resolve("out")).doesNotExist();
    }

    @Test
    void unknownNamesAreToldWithWhatThereIs() {
        Program paper = Program.run("reproduce", "randomised");
        assertThat(paper.code()).isEqualTo(2);
        assertThat(paper.err()).contains("no paper randomised").contains("randomized, bestfit");
        Program figure = Program.run("reproduce", "bestfit", "fig9");
        assertThat(figure.code()).isEqualTo(2);
        assertThat(figure.err()).contains("no figure fig9 of bestfit").contains("fig3a, fig3b");
    }

    @Test
    void gpusAreSkippedWithoutTheirFiles() {
        Program program = Program.run(
                "reproduce",
                "fgd",
                "--traces",
                directory.toString(),
                "-o",
                directory.resolve("out").toString());
        assertThat(program.code()).isEqualTo(2);
        assertThat(program.err()).contains("skipped").contains("--traces");
    }

    /** One server of two GPUs: a request for both of them is most that fits of what asks for 2.6. */
    @Test
    void gpusOfAListOfOnesOwn() throws IOException {
        Files.writeString(
                directory.resolve("openb_node_list_gpu_node.csv"),
                "sn,cpu_milli,memory_mib,gpu,model\na,64000,262144,2,T4\n");
        Files.writeString(
                directory.resolve("openb_pod_list_own.csv"),
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1000,1024,2,1000\n");
        Path out = directory.resolve("out");
        Program program = Program.run(
                "reproduce", "fgd", "own", "--quick", "--traces", directory.toString(), "-o", out.toString());
        assertThat(program.err()).isEqualTo("fgd own\n");
        assertThat(program.out()).contains("fill-ties-last").contains("100.00");
        assertThat(Files.readString(out.resolve("quick/fgd.md"))).contains("| own | fill | 100.00 +- 0.00 |");
        assertThat(Files.readString(out.resolve("quick/fgd-curves.csv"))).contains("own,fgd,43,");
        assertThat(Program.run("reproduce", "fgd", "other", "--traces", directory.toString())
                        .err())
                .contains("no list other")
                .contains("own");
    }
}
