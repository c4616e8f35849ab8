package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.cli.Program;
import dev.stowage.cli.text.Terminal;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.ExperimentTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments carry labels, are listed and run by them, and are the same experiments without them. */
final class LabelsTest {
    private static final Path FILES = Path.of("..", "experiments");

    @TempDir
    private Path directory;

    private static String experiment(String name, String labels) {
        return "name: " + name + "\nlabels: " + labels
                + "\ntitle: Title of " + name
                + "\ncluster: {servers: {count: 2, cpu: 4, memory: 8 GiB}}"
                + "\nworkload: {types: [{name: t, rate: 1 / s, demand: {cpu: 1, memory: 1 GiB}, service: 1 s}]}"
                + "\npolicies: [first-fit]\nrequests: 50\nreplications: 1\n";
    }

    private void folder() throws IOException {
        Files.createDirectories(directory.resolve("more"));
        Files.writeString(directory.resolve("a.yaml"), experiment("a", "[quick, mine]"));
        Files.writeString(directory.resolve("more/b.yaml"), experiment("b", "quick"));
        Files.writeString(directory.resolve("more/c.yaml"), experiment("c", "[]"));
        Files.writeString(directory.resolve("more/other.yaml"), "- not\n- an experiment\n");
    }

    @Test
    void everyExperimentThatComesAlongHasLabelsOfTheDocumentation() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(FILES)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
                List<String> labels = new ExperimentTree(file.toString(), Files.readString(file), List.of()).labels();
                assertThat(labels).as(file.toString()).isNotEmpty();
                assertThat(labels.contains("paper"))
                        .as(file.toString())
                        .isEqualTo(file.getParent().endsWith("paper"));
                used.addAll(labels);
            }
        }
        assertThat(used).containsExactly("nightly", "paper", "quick", "sweep", "trace");
        assertThat(Files.readString(Path.of("..", "docs", "experiments.md")))
                .contains("| `quick` |")
                .contains("| `sweep` |")
                .contains("| `paper` |")
                .contains("| `nightly` |")
                .contains("| `trace` |");
    }

    @Test
    void labelsChangeNothingThatIsRun() {
        ExperimentTree one = new ExperimentTree("x", experiment("x", "[quick, mine]"), List.of());
        ExperimentTree other = new ExperimentTree("x", experiment("x", "[nightly]"), List.of());
        assertThat(one.labels()).containsExactly("quick", "mine");
        assertThat(one.hash()).isEqualTo(other.hash());
        assertThat(one.resolvedYaml()).doesNotContain("labels");
        ExperimentTree set = new ExperimentTree("x", experiment("x", "[]"), List.of("labels=[a, b]"));
        assertThat(set.labels()).containsExactly("a", "b");
        assertThat(set.hash()).isEqualTo(one.hash());
    }

    @Test
    void wrongLabelsAreToldAllAtOnce() {
        assertThatThrownBy(() -> new ExperimentTree("x", experiment("x", "[Quick, a, a, {b: c}]"), List.of()))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("labels[0]: 'Quick' must be a word of small letters")
                .hasMessageContaining("labels[2]: 'a' is listed twice")
                .hasMessageContaining("labels[3]");
        String swept = experiment("x", "[a]") + "sweep: [{path: labels, values: [b, c]}]\n";
        assertThatThrownBy(() -> new ExperimentTree("x", swept, List.of()).points())
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("changes nothing that is run");
    }

    @Test
    void aListByLabel() throws IOException {
        folder();
        Program all = Program.run("experiments", directory.toString());
        assertThat(all.code()).as(all.err()).isZero();
        assertThat(all.out())
                .contains("a.yaml")
                .contains("b.yaml")
                .contains("c.yaml")
                .contains("Title of c");
        assertThat(all.err()).contains("skipped").contains("other.yaml");
        Program quick = Program.run("experiments", directory.toString(), "--label", "quick", "--format", "csv");
        assertThat(quick.out().lines())
                .containsExactly(
                        "experiment,labels,traces,title",
                        directory.resolve("a.yaml") + ",quick mine,,Title of a",
                        directory.resolve("more/b.yaml") + ",quick,,Title of b");
        Program alongs = Program.run("experiments", "--label", "trace", "--format", "csv");
        assertThat(alongs.out())
                .contains("\nazure-trace,trace,requests.csv.gz,")
                .contains("\npaper/shadow-trace-azure,paper trace,azure2017_vms_5.7d.csv.gz,")
                .doesNotContain("quickstart");
        // Of a hundred columns the title has half.
        assertThat(Program.on(new Terminal(true, false, 100, false, false), "experiments")
                        .out())
                .contains(
                        "azure-trace                        trace          A trace of VM requests on 1,400 servers (needs\n");
    }

    @Test
    void anUnknownLabelIsToldWithTheNearest() throws IOException {
        folder();
        Program run = Program.run("experiments", directory.toString(), "--label", "quik");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("no experiment in")
                .contains("did you mean quick?")
                .contains("mine, quick");
        Program file = Program.run("experiments", directory.resolve("a.yaml").toString(), "--label", "quick");
        assertThat(file.code()).isEqualTo(2);
        assertThat(file.err()).contains("is not a directory");
    }
}
