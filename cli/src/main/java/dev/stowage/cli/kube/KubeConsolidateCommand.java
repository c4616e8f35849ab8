package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.advise.ConsolidationOptions;
import dev.stowage.cli.advise.ConsolidationPlan;
import dev.stowage.cli.advise.ConsolidationProgress;
import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictions;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.Restraint;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage kube consolidate}: empties nodes of a cluster. */
@Command(
        name = "consolidate",
        description =
                "Empty nodes of a cluster, as many as can be: shows the plan, and carries it out where --carry-out"
                        + " says so, one pod at a time, by cordons and by evictions that keep disruption budgets. The cluster's"
                        + " own scheduler finds the places. Ctrl-C stops it at any time: what it cordoned is opened again, with"
                        + " no more nodes in use than before (docs/advise.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage kube consolidate",
            "  stowage kube consolidate --carry-out --move-every \"30 s\" --most 5 --keep-closed",
            "  stowage kube consolidate --open"
        })
public final class KubeConsolidateCommand extends ConsoleCommand implements Runnable {
    private static final int AT_ONCE = 10;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Address and credentials of the cluster (default: KUBECONFIG, or ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description =
                    "Nodes that are cordoned at one time, to be emptied one after the other; then the plan is made"
                            + " anew (default: ${DEFAULT-VALUE}).")
    private int atOnce = AT_ONCE;

    @Rare
    @Option(
            names = "--open",
            description = "Only open the nodes that earlier runs left cordoned (--keep-closed, or a killed run).")
    private boolean open;

    @Mixin
    private ConsolidationOptions options = new ConsolidationOptions();

    @Override
    public void run() {
        if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
            throw new BadInputException("--kubeconfig " + kubeconfig + ": there is no such file, or it cannot be read");
        }
        if (atOnce < 1) {
            throw new BadInputException("--at-once " + atOnce + " must be at least 1");
        }
        if (open && options.carriesOut()) {
            throw new BadInputException("--open and --carry-out cannot be combined; run one after the other");
        }
        ConsolidationSettings settings = options.settings(atOnce, true);
        try (LiveNodes nodes = new LiveNodes(kubeconfig)) {
            if (open) {
                openAll(nodes);
            } else {
                consolidate(nodes, settings);
            }
        } catch (KubernetesClientException | SnapshotException e) {
            throw new CallFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private void openAll(LiveNodes nodes) {
        Console console = console();
        for (String node : nodes.marked()) {
            nodes.uncordon(node);
            console.out().println("opened " + node);
        }
        console.out().flush();
    }

    private void consolidate(LiveNodes nodes, ConsolidationSettings settings) {
        Console console = console();
        AdviceWords words = KubeAdviseCommand.words();
        try (WallPace pace = new WallPace()) {
            KubeLiveCluster cluster = new KubeLiveCluster(nodes, "", settings, pace);
            if (!options.carriesOut()) {
                KubeState state = new KubeState(nodes.look(), new KubeNames(false, ""));
                new ConsolidationPlan(console, words, options).show(state.state(), state.notes());
                return;
            }
            ConsolidationProgress tell = new ConsolidationProgress(console, words, options.json());
            tell.begins(settings);
            Closed closed = new Closed(cluster);
            NewlyWaiting waiting = new NewlyWaiting();
            tell.ended(new ConsolidationRun(
                            cluster,
                            new JobEvictions(cluster, cluster, settings, pace, closed, waiting, tell),
                            settings, Restraint.NONE,
                            pace,
                            closed,
                            waiting,
                            tell)
                    .run());
        }
    }
}
