package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AddedJobs;
import dev.stowage.cli.advise.AdviceOptions;
import dev.stowage.cli.advise.AdviceOutput;
import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.answer.AnswerParts;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.kube.schedule.KubeClients;
import dev.stowage.kube.snapshot.LiveReader;
import dev.stowage.kube.snapshot.NodesAndPods;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.kube.snapshot.SnapshotReader;
import dev.stowage.kube.translate.PodGpus;
import dev.stowage.kube.translate.Quantities;
import dev.stowage.sim.driver.RecordingException;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterState;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage kube advise}: advice for a Kubernetes cluster as it is. */
@Command(
        name = "advise",
        description = "Advise on a cluster as it is now, read only: on how few nodes what runs fits, with a proven"
                + " lower bound; valid evictions to get there; why pods wait; which nodes must not fail"
                + " (docs/advise.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  kubectl get nodes,pods,pdb -A -o json > cluster.json",
            "  stowage kube advise cluster.json --report advice.html",
            "  stowage kube advise live --add \"40 x 2 cores, 4 GiB\"",
            "  stowage kube advise --recording recordings/pods-20260304T050607Z.log.gz",
            "  stowage kube advise cluster.json --why-not \"default/web-1 on n17\""
        })
public final class KubeAdviseCommand extends ConsoleCommand implements Runnable {
    private static final String LIVE = "live";
    private static final int THOUSAND = 1000;
    /** An invented cluster, as kubectl would write it; made by {@code ExampleClusterTest}. */
    static final String EXAMPLE = "example-cluster.json.gz";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE|DIR|live",
            description =
                    "Files of kubectl get -o json or yaml, directories of them (also of kubectl cluster-info dump),"
                            + " or the word live: ask the cluster itself.")
    private List<Path> sources = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "With live: address and credentials of the cluster (default: KUBECONFIG, or ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Rare
    @Option(names = "--anonymous", description = "Replace all names by numbers, so that the report can be shared.")
    private boolean anonymous;

    @Rare
    @Option(
            names = "--zone-label",
            paramLabel = "KEY",
            description = "Label of the nodes' zones (default: ${DEFAULT-VALUE}).")
    private String zoneLabel = "topology.kubernetes.io/zone";

    @Option(
            names = "--example",
            paramLabel = "FILE",
            description = "Only write an example cluster of 200 nodes to a file.")
    private @Nullable Path example;

    @Option(
            names = "--recording",
            paramLabel = "FILE",
            description = "Instead of a snapshot, read a recording by 'stowage kube schedule --record' with every"
                    + " arrival and departure: show how fast pods of each size come and go, with intervals, and how"
                    + " much of the nodes they ask for in the long run.")
    private @Nullable Path recording;

    @Rare
    @Option(
            names = "--experiment",
            paramLabel = "FILE",
            description = "With --recording: write an experiment with these rates and lifetimes on these nodes, for the"
                    + " forecast of 'stowage run FILE'.")
    private @Nullable Path experiment;

    @Mixin
    private AdviceOptions options = new AdviceOptions();

    @Override
    public void run() {
        if (example != null) {
            writeExample(example);
            return;
        }
        if (anonymous && options.asksWhyNot()) {
            throw new BadInputException("--why-not names a pod and a node; leave --anonymous out");
        }
        if (recording != null) {
            recorded(recording);
            return;
        }
        if (experiment != null) {
            throw new BadInputException("--experiment is for a recording: name it with --recording FILE");
        }
        AddedJobs added = options.added();
        KubeState cluster = new KubeState(read(), new KubeNames(anonymous, zoneLabel));
        ClusterState state = cluster.state();
        ClusterAdvice.@Nullable Addition addition = added == null ? null : addition(added, cluster);
        new AdviceOutput(console(), options, words()).show(state, addition, zoneLabel, cluster.notes());
    }

    /** What is said of Kubernetes. */
    static AdviceWords words() {
        return new AdviceWords("node", "pod", KubeAdviseCommand::amount);
    }

    private static String amount(String resource, long amount) {
        return resource.equals(Quantities.CPU)
                ? PodTurnover.coresInWords(PodTurnover.cores(amount))
                : Quantities.text(resource, amount);
    }

    /** Pods without tolerations and selectors. */
    static ClusterAdvice.Addition addition(AddedJobs added, KubeState cluster) {
        long[] demand = demand(added, cluster);
        int gpu = cluster.resources().indexOf(PodGpus.GPU);
        return new ClusterAdvice.Addition(added.jobs(), demand, cluster.plain(gpu >= 0 && demand[gpu] > 0));
    }

    private static long[] demand(AddedJobs added, KubeState cluster) {
        long[] demand = added.demand(cluster.resources(), KubeAdviseCommand::unit);
        int pods = cluster.resources().indexOf("pods");
        if (pods >= 0) {
            demand[pods] = 1;
        }
        return demand;
    }

    private static Map.Entry<String, BigDecimal> unit(String written, List<String> resources) {
        return switch (written) {
            case "cpu" -> Map.entry(Quantities.CPU, BigDecimal.valueOf(THOUSAND));
            case "disk" -> Map.entry("ephemeral-storage", BigDecimal.ONE);
            case "gpu" -> Map.entry(PodGpus.GPU, BigDecimal.ONE);
            default -> Map.entry(written, BigDecimal.ONE);
        };
    }

    private void recorded(Path file) {
        options.refuseWithRecording();
        if (!sources.isEmpty()) {
            throw new BadInputException("--recording is used alone; leave " + sources.get(0) + " out");
        }
        try {
            show(StatusLine.during(console(), "stowage: replaying " + file, () -> PodTurnover.of(file)));
        } catch (RecordingException e) {
            throw new BadInputException("--recording " + e.getMessage(), e);
        }
    }

    private void show(PodTurnover found) {
        Console console = console();
        AnswerParts answer = TurnoverText.of(found, console);
        console.out().print(options.json() ? Data.json(found.turnover()) : answer.text());
        options.report().write(answer, "How pods come and go", Map.of());
        if (experiment != null) {
            String text = TurnoverExperiment.of(found);
            try {
                Files.writeString(experiment, text);
            } catch (IOException e) {
                throw new BadInputException("--experiment " + experiment + ": cannot be written: " + e.getMessage(), e);
            }
            console.note("Forecast: stowage run " + experiment);
        }
    }

    private NodesAndPods read() {
        boolean live = sources.stream().anyMatch(source -> source.toString().equals(LIVE));
        if (sources.isEmpty()) {
            throw new BadInputException("kube advise needs a FILE or DIR, or the word live; write one with: kubectl get"
                    + " nodes,pods,pdb -A -o json > cluster.json");
        }
        if (live && sources.size() > 1) {
            throw new BadInputException("live takes no files; to name a file live, write ./live");
        }
        if (!live && kubeconfig != null) {
            throw new BadInputException("--kubeconfig is only for live, not for files");
        }
        ServiceLog.quiet();
        try (KubernetesClient client = live ? BadInputException.saying("", () -> KubeClients.open(kubeconfig)) : null) {
            return StatusLine.during(
                    console(),
                    "stowage: reading " + (live ? "the cluster" : sources.get(0)),
                    () -> client == null ? SnapshotReader.read(sources) : LiveReader.read(client));
        } catch (SnapshotException e) {
            String why = String.valueOf(e.getMessage());
            throw live ? new CallFailedException(why, e) : new BadInputException(why, e);
        }
    }

    private void writeExample(Path file) {
        try (InputStream packed =
                        Objects.requireNonNull(KubeAdviseCommand.class.getResourceAsStream(EXAMPLE), EXAMPLE);
                InputStream text = new GZIPInputStream(packed);
                OutputStream out = Files.newOutputStream(file)) {
            text.transferTo(out);
            console().note("Wrote an example cluster to " + file + ". Advice: stowage kube advise " + file);
        } catch (IOException e) {
            throw new BadInputException("--example " + Failures.whyNotWritten(file, e), e);
        }
    }
}
