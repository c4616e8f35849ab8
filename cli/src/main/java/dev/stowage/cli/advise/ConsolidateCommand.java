package dev.stowage.cli.advise;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.service.client.StowageClient;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.Restraint;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stowage consolidate}: empties servers of a service. */
@Command(
        name = "consolidate",
        description = "Empty as many servers of a running service as possible. Shows the plan; with --carry-out,"
                + " carries it out one request at a time. Before it empties a server, the service shows what would"
                + " move where. Ctrl-C stops it at any time, with no more servers in use than before (docs/advise.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Examples:",
            "  stowage consolidate",
            "  stowage consolidate --carry-out --move-every \"5 s\" --most 3 --keep-closed"
        })
public final class ConsolidateCommand extends ConsoleCommand implements Runnable {
    @Mixin
    private ConsolidationOptions options = new ConsolidationOptions();

    @Option(
            names = "--pages",
            hidden = true,
            description = "Plan from a service's answers on standard input, as the service's console does.")
    private boolean pages;

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Override
    public void run() {
        Console console = console();
        AdviceWords words = AdviseCommand.words(true);
        // Draining closes a server, so there is one at a time, and empty ones stay open.
        ConsolidationSettings settings = options.settings(1, false);
        if (pages) {
            if (options.carriesOut()) {
                throw new BadInputException("--pages only plans; --carry-out needs a service");
            }
            ServedCluster written = new ServedCluster(ServedPages.of(System.in));
            new ConsolidationPlan(console, words, options).show(written.look(), written.notes());
            return;
        }
        try (StowageClient service = client.client()) {
            ServedCluster cluster = new ServedCluster(ServedPages.of(service));
            if (!options.carriesOut()) {
                ClusterState now = cluster.look();
                List<String> notes = new ArrayList<>(cluster.notes());
                notes.addAll(ServerDrains.left(service));
                new ConsolidationPlan(console, words, options).show(now, notes);
                return;
            }
            carryOut(service, cluster, settings, new ConsolidationProgress(console, words, options.json()));
        }
    }

    private static void carryOut(
            StowageClient service, ServedCluster cluster, ConsolidationSettings settings, ConsolidationProgress tell) {
        try (WallPace pace = new WallPace()) {
            ServerDrains drains = new ServerDrains(service, cluster, settings, pace, tell);
            tell.begins(settings);
            ServerDrains.left(service).forEach(tell::left);
            tell.ended(new ConsolidationRun(
                            drains,
                            drains,
                            settings,
                            Restraint.NONE,
                            pace,
                            new Closed(drains),
                            new NewlyWaiting(),
                            tell)
                    .run());
        }
    }
}
