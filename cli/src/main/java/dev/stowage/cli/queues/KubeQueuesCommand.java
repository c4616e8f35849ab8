package dev.stowage.cli.queues;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Columns;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgressBar;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.kube.queues.QueueExperiment;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.translate.Quantities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage kube queues}: Kueue's queues and workloads as an experiment. */
@Command(
        name = "queues",
        description = "Write Kueue's queues, and the workloads that they admitted, as an experiment that shows what"
                + " other quotas would do (docs/kubernetes.md).",
        footer = {
            "",
            "Examples:",
            "  kubectl get nodes,clusterqueues,cohorts,localqueues,workloads.kueue.x-k8s.io -A -o json > queues.json",
            "  stowage kube queues queues.json --out what-if",
            "  stowage run what-if/experiment.yaml",
            "  stowage run what-if/experiment.yaml --set cluster.sites.pooled.queue_team_a_cpu_milli=64000"
        })
public final class KubeQueuesCommand extends ConsoleCommand implements Runnable {
    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Files of kubectl get -o json or yaml.")
    private List<Path> sources = new ArrayList<>();

    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "DIR",
            description = "Directory for experiment.yaml and " + QueueExperiment.REQUESTS + ".")
    private Path out = Path.of("");

    @Override
    public void run() {
        QueueExperiment read;
        try {
            read = StatusLine.during(console(), "stowage: reading the queues", () -> QueueExperiment.read(sources));
        } catch (SnapshotException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
        Path experiment = out.resolve("experiment.yaml");
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve(QueueExperiment.REQUESTS), read.requests());
            Files.writeString(experiment, read.experiment());
        } catch (IOException e) {
            throw new BadInputException("--out " + out + ": cannot be written: " + e.getMessage(), e);
        }
        Console console = console();
        Columns table = new Columns("queue", "cohort", "quota", "ended", "running", "waiting", "mean wait");
        for (QueueExperiment.Queue queue : read.queues()) {
            List<String> quota = new ArrayList<>();
            queue.quota()
                    .forEach((resource, amount) -> quota.add(Quantities.text(resource, amount)
                            + (resource.equals(Quantities.CPU) || resource.equals("memory") ? "" : " " + resource)));
            table.row(
                    queue.name(),
                    queue.cohort(),
                    String.join(", ", quota),
                    Integer.toString(queue.finished()),
                    Integer.toString(queue.running()),
                    Integer.toString(queue.waiting()),
                    queue.waits().isEmpty() ? "–" : ProgressBar.duration(mean(queue.waits())));
        }
        console.out().print(table.text(console.style()));
        console.out().println();
        read.notes().forEach(note -> console.out().print(console.wrapped("- ", note)));
        console.note("To run it unchanged: stowage run " + experiment
                + ". To try another quota, change an amount under 'pooled'.");
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
