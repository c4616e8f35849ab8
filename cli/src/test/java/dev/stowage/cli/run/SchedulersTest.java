package dev.stowage.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.stowage.cli.Program;
import dev.stowage.cli.ProgramElsewhere;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/scale.md shows for schedulers of jobs, as it stands there, with four shards instead of 40. */
@Tag("once")
final class SchedulersTest {
    private static final int SHARDS = 4;

    @TempDir
    private Path directory;

    private String page;
    private Path results;

    @BeforeEach
    void write() throws IOException {
        page = Files.readString(Path.of("..", "docs", "scale.md"))
                .replace("1-40", "1-" + SHARDS)
                .replace("/40", "/" + SHARDS)
                .replace("seq 1 40", "seq 1 " + SHARDS)
                .replace("\"40\"", "\"" + SHARDS + "\"")
                .replace("--shards 40", "--shards " + SHARDS)
                .replace("array=2,17", "array=2");
        results = directory.resolve("results/sweep");
        Files.writeString(directory.resolve("sweep.yaml"), ShardsTest.EXPERIMENT.replace("name: parts", "name: sweep"));
        // One that is killed at once, and one that hangs: where a file says so, and the first time only.
        script("stowage", """
                [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || ! mv "kill-$SLURM_ARRAY_TASK_ID" killed 2>/dev/null || kill -9 $$
                [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || ! mv "hang-$SLURM_ARRAY_TASK_ID" hangs 2>/dev/null || exec sleep 3600
                exec '%s' "$@"
                """.formatted(
                        String.join("' '", ProgramElsewhere.process().command())));
    }

    private void script(String name, String lines) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + lines);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** The page's blocks below a heading. */
    private List<String> blocks(String heading) {
        String section = page.substring(page.indexOf("\n### " + heading + "\n") + 5);
        return Pattern.compile("(?ms)^```\\w*\\R(.*?)^```")
                .matcher(section.substring(0, Math.max(section.indexOf("\n##"), 0)))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private String bash(String lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", "-ec", lines)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    /** In this JVM: a process for each is what Slurm and GNU parallel start. */
    private static void shard(Stream<String> words) {
        String[] arguments = words.toArray(String[]::new);
        Program program = Program.run(arguments);
        assertThat(program.code())
                .as("%s%n%s", List.of(arguments), program.err())
                .isZero();
    }

    private void sameAsStraight() {
        Path straight = directory.resolve("straight");
        assertThat(Program.run("run", directory + "/sweep.yaml", "--out", straight.toString(), "--no-report")
                        .code())
                .isZero();
        assertThat(results.resolve("results.jsonl")).hasSameBinaryContentAs(straight.resolve("results.jsonl"));
    }

    private void merged() {
        assertThat(Program.run("merge", results.toString(), "--no-report").err())
                .doesNotContain("missing");
        sameAsStraight();
    }

    /** A shard that was killed is named by the merge and submitted again; one that was requeued goes on by itself. */
    @Test
    void slurm() throws IOException, InterruptedException {
        if (!SlurmCluster.isInstalled()) {
            System.out.println("skipped: no slurmctld, slurmd, sbatch and srun here (Debian: slurm-wlm)");
            assumeTrue(false, "skipped: no Slurm");
        }
        List<String> shown = blocks("Slurm");
        assertThat(shown).hasSize(3);
        Files.writeString(directory.resolve("sweep.sh"), shown.get(0));
        Files.createFile(directory.resolve("kill-2"));
        Files.createFile(directory.resolve("hang-3"));
        try (SlurmCluster slurm = new SlurmCluster(directory, shown.get(2))) {
            String submitted = slurm.output("bash", "-ec", shown.get(1) + "echo array $array");
            String array = submitted.replaceFirst("(?s).*array (\\d+)\\s*", "$1");
            String merge = submitted.replaceFirst("(?s).*batch job (\\d+).*", "$1");
            assertThat(array).as(submitted).matches("\\d+");
            Path hangs = directory.resolve("hangs");
            SlurmCluster.until(() -> Files.exists(hangs));
            assertThat(slurm.output("scontrol", "requeue", array + "_3")).isEmpty();
            slurm.await();
            assertThat(directory.resolve("killed")).as(slurm.logs()).exists();
            assertThat(Files.readString(directory.resolve("slurm-" + merge + ".out")))
                    .contains("3 of 12 units are missing")
                    .contains("Run these shards of 4 again, into the same directories: 2;");
            assertThat(results.resolve("results.jsonl")).doesNotExist();

            MatchResult again = Pattern.compile("`(sbatch --array=2 sweep.sh)`")
                    .matcher(page)
                    .results()
                    .findFirst()
                    .orElseThrow();
            assertThat(slurm.output("bash", "-ec", again.group(1))).contains("Submitted");
            slurm.await();
            String last =
                    slurm.output("bash", "-ec", shown.get(1).replaceAll("(?s)^array=.*?\n|--dependency=\\S+", ""));
            slurm.await();
            assertThat(Files.readString(directory.resolve("slurm-" + last.replaceAll("\\D", "") + ".out")))
                    .contains("bf-js");
        }
        sameAsStraight();
    }

    /** Reads YAML into objects of the Kubernetes API, and refuses what these do not have. */
    private static final ObjectMapper KUBERNETES = YAMLMapper.builder()
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            })
            .build();

    /** With the files that a Job mounts where they are here. */
    @Test
    void anIndexedJob() throws IOException, InterruptedException {
        String job = blocks("Kubernetes").get(0);
        JobSpec spec = KUBERNETES.readValue(job, Job.class).getSpec();
        assertThat(spec.getBackoffLimitPerIndex()).isEqualTo(3);
        assertThat(spec.getCompletions()).isEqualTo(40);
        assertThatThrownBy(() -> KUBERNETES.readValue(job.replace("completionMode", "completionmode"), Job.class))
                .hasMessageContaining("\"completionmode\"");
        Container container = spec.getTemplate().getSpec().getContainers().get(0);
        assertThat(container.getCommand()).as("the image's own is stowage").isEmpty();
        for (int index = 0; index < SHARDS; index++) {
            String shard = String.valueOf(index);
            shard(container.getArgs().stream()
                    .map(word -> word.replace("$(JOB_COMPLETION_INDEX)", shard)
                            .replaceFirst("^/experiments/", directory + "/")
                            .replaceFirst("^/results/", directory + "/results/")));
        }
        merged();
    }

    @Test
    void parallel() throws IOException, InterruptedException {
        if (!bash("command -v parallel || true").contains("parallel")) {
            System.out.println("skipped: no parallel here (Debian: parallel)");
            assumeTrue(false, "skipped: no GNU parallel");
        }
        List<String> lines = blocks("GNU parallel, HTCondor").get(0).lines().toList();
        assertThat(lines).hasSize(2);
        bash(lines.get(0));
        assertThat(Files.readAllLines(directory.resolve("jobs.txt"))).hasSize(1 + SHARDS);
        merged();
    }

    @Test
    void htCondor() throws IOException, InterruptedException {
        String submit = blocks("GNU parallel, HTCondor").get(1);
        String arguments = submit.replaceFirst("(?s).*arguments *= *(.*?)\n.*", "$1")
                .replace(" sweep.yaml ", " " + directory + "/sweep.yaml ")
                .replace(" results/", " " + directory + "/results/");
        assertThat(submit).contains("queue 40");
        for (int process = 0; process < SHARDS; process++) {
            shard(Stream.of(
                    arguments.replace("$(Process)", String.valueOf(process)).split(" +")));
        }
        merged();
    }
}
