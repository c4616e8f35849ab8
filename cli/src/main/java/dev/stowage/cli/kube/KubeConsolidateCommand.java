package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.advise.ConsolidationOptions;
import dev.stowage.cli.advise.ConsolidationPlan;
import dev.stowage.cli.advise.ConsolidationProgress;
import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.log.ListenAddress;
import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.kube.consolidate.ControllerLease;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.schedule.HealthServer;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictions;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.Restraint;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage kube consolidate}: empties nodes of a cluster. */
@Command(
        name = "consolidate",
        description = "Empty as many nodes of a cluster as possible. Shows the plan; with --carry-out, carries it out"
                + " one pod at a time, by cordons and by evictions within disruption budgets. The cluster's own"
                + " scheduler finds the places. Ctrl-C stops it at any time: it uncordons what it cordoned, with no"
                + " more nodes in use than before (docs/advise.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage kube consolidate",
            "  stowage kube consolidate --carry-out --move-every \"30 s\" --most 5 --keep-closed",
            "  stowage kube consolidate --watch --carry-out --between \"22:00-06:00 Europe/Berlin\" --at-once \"10 %%\" --spare 1",
            "  stowage kube consolidate --open"
        })
public final class KubeConsolidateCommand extends ConsoleCommand implements Runnable {
    private static final Pattern AT_ONCE = Pattern.compile("(\\d{1,6})(?:(\\.\\d+)? *(%))?");
    private static final int HUNDRED = 100;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Address and credentials of the cluster (default: KUBECONFIG, or ~/.kube/config).")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--at-once",
            paramLabel = "N|PART",
            description =
                    "Nodes, or percent of all nodes, that are cordoned at one time, to be emptied one after the other;"
                            + " then a new plan is made. With --watch, emptied nodes that still exist count, too"
                            + " (default: ${DEFAULT-VALUE}).")
    private String atOnce = "10";

    @Rare
    @Option(
            names = "--open",
            description = "Only open the nodes that earlier runs left cordoned (--keep-closed, or a killed run).")
    private boolean open;

    @Mixin
    private WatchOptions watch = new WatchOptions();

    @Mixin
    private ConsolidationOptions options = new ConsolidationOptions();

    @Override
    public void run() {
        if (open && (options.carriesOut() || watch.watches())) {
            throw new BadInputException(
                    "--open and --carry-out or --watch cannot be combined; run one after the other");
        }
        watch.check(spec());
        atOnce(HUNDRED);
        ServiceLog.quiet();
        try (LiveNodes nodes = BadInputException.saying("", () -> new LiveNodes(kubeconfig))) {
            if (open) {
                openAll(nodes);
            } else if (watch.watches()) {
                watch(nodes);
            } else {
                consolidate(nodes);
            }
        } catch (KubernetesClientException | SnapshotException e) {
            throw new CallFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Of a number of nodes, how many may be cordoned at one time; a percentage is rounded up. */
    private int atOnce(int all) {
        Matcher parts = AT_ONCE.matcher(atOnce);
        double number = parts.matches()
                ? Double.parseDouble(parts.group(1) + (parts.group(2) == null ? "" : parts.group(2)))
                : 0;
        boolean percent = number > 0 && parts.group(3) != null;
        if (number <= 0 || (percent && number > HUNDRED)) {
            throw new BadInputException("--at-once " + atOnce + " must be at least 1, or a percentage up to 100 %");
        }
        return (int) (percent ? Math.ceil(all * number / HUNDRED) : number);
    }

    private void watch(LiveNodes nodes) {
        ServiceLog.start(false);
        Console console = console();
        ConsolidationSettings settings = options.settings(1, true);
        String[] name = watch.lease();
        InetSocketAddress address = watch.listen();
        try (WallPace pace = new WallPace();
                ControllerLease lease = nodes.lease(name[0], name[1], watch.leaseDuration())) {
            ConsolidationWatch controller = new ConsolidationWatch(
                    nodes,
                    lease,
                    watch,
                    settings,
                    options.carriesOut(),
                    this::atOnce,
                    pace,
                    console,
                    KubeAdviseCommand.words(),
                    options.json());
            try (HealthServer health = BadInputException.saying(
                    "--listen " + address + ": cannot listen on it: ",
                    () -> new HealthServer(
                            address,
                            () -> true,
                            () -> true,
                            () -> controller.tells().metrics()))) {
                console.note((options.carriesOut()
                                ? "Empties nodes"
                                : "Shows what it would empty (--carry-out is not given)")
                        + ", as Lease and ConfigMap " + name[0] + "/" + name[1]
                        + "; metrics at " + ListenAddress.url(address, health.port()) + "/metrics");
                controller.run();
            }
        }
    }

    private void openAll(LiveNodes nodes) {
        Console console = console();
        for (String node : nodes.marked().keySet()) {
            nodes.uncordon(node);
            console.out().println("opened " + node);
        }
        console.out().flush();
    }

    private void consolidate(LiveNodes nodes) {
        Console console = console();
        AdviceWords words = KubeAdviseCommand.words();
        try (WallPace pace = new WallPace()) {
            KubeState state = new KubeState(nodes.look(), new KubeNames(false, ""));
            ConsolidationSettings settings =
                    options.settings(atOnce(state.state().servers().size()), true);
            KubeLiveCluster cluster = new KubeLiveCluster(nodes, "", settings, pace);
            if (!options.carriesOut()) {
                new ConsolidationPlan(console, words, options).show(state.state(), state.notes());
                return;
            }
            ConsolidationProgress tell = new ConsolidationProgress(console, words, options.json());
            tell.begins(settings);
            Closed closed = new Closed(cluster);
            NewlyWaiting waiting = new NewlyWaiting();
            JobEvictions evictions =
                    new JobEvictions(cluster, cluster, settings, pace, pace::stop, closed, waiting, tell);
            tell.ended(new ConsolidationRun(cluster, evictions, settings, Restraint.NONE, pace, closed, waiting, tell)
                    .run());
            if (!evictions.failure().isEmpty()) {
                throw new CallFailedException(evictions.failure(), new SnapshotException(evictions.failure()));
            }
        }
    }
}
