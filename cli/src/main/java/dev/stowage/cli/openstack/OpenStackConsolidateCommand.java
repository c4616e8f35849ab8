package dev.stowage.cli.openstack;

import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.advise.ConsolidationOptions;
import dev.stowage.cli.advise.ConsolidationPlan;
import dev.stowage.cli.advise.ConsolidationProgress;
import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.CallFailedException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.PlannedMoves;
import dev.stowage.study.advise.Restraint;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage openstack consolidate}: empties hosts of a cloud. */
@Command(
        name = "consolidate",
        description = "Empty as many hosts of a cloud as possible. Shows the plan; with --carry-out, carries it out by"
                + " live migrations to the hosts that the plan names. A host is disabled while it is emptied. A"
                + " migration that fails stops the run; so does Ctrl-C, once the migrations in progress have ended. The"
                + " hosts that the run disabled are then enabled again (docs/openstack.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage openstack consolidate --cloud mycloud",
            "  stowage openstack consolidate --cloud mycloud --carry-out --at-once 2 --most 5 --keep-closed",
            "  stowage openstack consolidate --cloud mycloud --open"
        })
public final class OpenStackConsolidateCommand extends ConsoleCommand implements Runnable {
    @Mixin
    private CloudOptions cloud = new CloudOptions();

    @Mixin
    private LocalDisksOption localDisks = new LocalDisksOption();

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "Maximum number of live migrations in progress at one time (default: ${DEFAULT-VALUE}).")
    private int atOnce = 1;

    @Option(
            names = "--open",
            description = "Only enable the hosts that earlier runs left disabled (--keep-closed, or a killed run).")
    private boolean open;

    @Mixin
    private ConsolidationOptions options = new ConsolidationOptions();

    @Override
    public void run() {
        if (atOnce < 1) {
            throw new BadInputException("--at-once " + atOnce + " must be at least 1");
        }
        if (open && options.carriesOut()) {
            throw new BadInputException("--open and --carry-out cannot be combined; run one after the other");
        }
        // The plan names where each server goes, so empty hosts need not be closed, and hosts are emptied one by one.
        ConsolidationSettings settings = options.settings(1, false);
        String failure;
        try (WallPace pace = new WallPace()) {
            OpenStackLiveCluster cluster = new OpenStackLiveCluster(cloud.session(), localDisks.keep(), settings, pace);
            failure = open ? openAll(cluster) : consolidate(cluster, settings, pace);
        } catch (CloudException e) {
            throw new CallFailedException(String.valueOf(e.getMessage()), e);
        }
        if (!failure.isEmpty()) {
            throw new CallFailedException(failure, new CloudException(failure));
        }
    }

    private String openAll(OpenStackLiveCluster cluster) {
        Console console = console();
        List<String> marked = cluster.marked();
        for (String host : marked) {
            cluster.open(host);
            console.out().println("opened " + host);
        }
        if (marked.isEmpty()) {
            console.out().println("No host is disabled by an earlier run.");
        }
        console.out().flush();
        return "";
    }

    private String consolidate(OpenStackLiveCluster cluster, ConsolidationSettings settings, WallPace pace) {
        Console console = console();
        AdviceWords words = OpenStackAdviseCommand.words();
        if (!options.carriesOut()) {
            ClusterState now = cluster.look();
            new ConsolidationPlan(console, words, options).show(now, cluster.notes());
            return "";
        }
        ConsolidationProgress tell = new ConsolidationProgress(console, words, options.json());
        tell.begins(settings);
        cluster.awaitMigrations();
        NewlyWaiting waiting = new NewlyWaiting();
        PlannedMoves moves = new PlannedMoves(cluster, cluster, settings, atOnce, pace, pace::stop, waiting, tell);
        tell.ended(
                new ConsolidationRun(cluster, moves, settings, Restraint.NONE, pace, new Closed(cluster), waiting, tell)
                        .run());
        return moves.failure();
    }
}
