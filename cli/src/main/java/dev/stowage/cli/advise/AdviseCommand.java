package dev.stowage.cli.advise;

import dev.stowage.cli.experiment.PlacedList;
import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.client.StowageClient;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ServerAdmission;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage advise}: what to do with a cluster as it is. */
@Command(
        name = "advise",
        description =
                "Advise on a cluster as it is now: on how few servers what runs fits, with a proven lower bound; valid"
                        + " moves to get there; why jobs wait; which servers must not fail (docs/advise.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "live:    the servers and requests of a running service (--at).",
            "SERVERS: CSV with name and resources such as cpu_milli, mem_mib; optional: label:KEY, site, closed.",
            "JOBS:    CSV with name, server (blank: waits) and resources; optional: where, avoid, spread, fixed,"
                    + " budget.",
            "VMS:     list of VMs with the host of each, such as RVTools_tabvInfo.csv or rvtools.xlsx.",
            "",
            "Examples:",
            "  stowage advise servers.csv jobs.csv --add \"40 x 2 cores, 4 GiB\" --report advice.html",
            "  stowage advise RVTools_tabvInfo.csv --servers RVTools_tabvHost.csv --overcommit \"cpu 4:1\" --spare 1",
            "  stowage advise live --at 127.0.0.1:7411"
        })
public final class AdviseCommand extends ConsoleCommand implements Runnable {
    private static final long MIB = 1 << 20;
    private static final int THOUSAND = 1000;

    @Parameters(
            index = "0",
            paramLabel = "SERVERS|VMS|live",
            description = "The servers as CSV, a list of VMs (with --servers, unless an .xlsx has both), or live.")
    private Path servers = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "JOBS", description = "What runs where, and what waits.")
    private @Nullable Path jobs;

    @Option(
            names = "--zone-label",
            paramLabel = "KEY",
            description = "Label of the servers' zones (default: ${DEFAULT-VALUE}).")
    private String zoneLabel = "zone";

    @Mixin
    private AdviceOptions options = new AdviceOptions();

    @Mixin
    private PlacedList lists = new PlacedList();

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Override
    public void run() {
        boolean live = servers.toString().equals("live");
        boolean listed = !live && jobs == null && lists.isMeant(servers);
        if (!listed && !live && !lists.namesHosts() && ClusterFiles.isOfAnotherSystem(servers)) {
            throw new BadInputException(servers + " is a list as another system writes it. A list of VMs that says on"
                    + " which host each runs comes first: stowage advise "
                    + (jobs == null
                            ? "RVTools_tabvInfo.csv --servers RVTools_tabvHost.csv"
                            : jobs + " --servers " + servers)
                    + ". Otherwise: CSV with name, cpu_milli and mem_mib of the servers, and CSV with name, server,"
                    + " cpu_milli and mem_mib of the jobs (docs/advise.md)");
        }
        if (!listed) {
            lists.refuse();
        }
        if (!listed && live == (jobs != null)) {
            throw new BadInputException(
                    live
                            ? "live takes no files; to name a file live, write ./live"
                            : "advise needs SERVERS and JOBS (two CSV files), a list of VMs with --servers, or the word"
                                    + " live");
        }
        if (!live) {
            ClientOptions.refuseAll(spec(), "is only for live, not for files");
        }
        AddedJobs added = options.added();
        List<String> notes = new ArrayList<>();
        ClusterState state = StatusLine.during(
                console(),
                "stowage: reading the cluster",
                () -> listed ? lists.read(servers, notes::add) : jobs == null ? served(notes) : read(jobs));
        ClusterAdvice.@Nullable Addition addition = added == null
                ? null
                : new ClusterAdvice.Addition(
                        added.jobs(),
                        added.demand(state.resources(), AdviseCommand::unit),
                        ServerAdmission.everywhere(state.servers().size()));
        AdviceWords words = listed ? new AdviceWords("host", "VM", ResourceWords::amount) : words(live);
        new AdviceOutput(console(), options, words).show(state, addition, zoneLabel, notes);
    }

    private ClusterState read(Path jobFile) {
        return BadInputException.saying("", () -> ClusterFiles.read(servers, jobFile));
    }

    private ClusterState served(List<String> notes) {
        try (StowageClient service = client.client()) {
            ServedCluster cluster = new ServedCluster(ServedPages.of(service));
            ClusterState state = cluster.look();
            notes.addAll(cluster.notes());
            return state;
        }
    }

    /** Words for a service, which has requests, or for files of jobs. */
    static AdviceWords words(boolean service) {
        return new AdviceWords("server", service ? "request" : "job", ResourceWords::amount);
    }

    private static Map.Entry<String, BigDecimal> unit(String written, List<String> resources) {
        return switch (written) {
            case "cpu" -> Map.entry("cpu_milli", BigDecimal.valueOf(THOUSAND));
            case "gpu" -> Map.entry("gpu_milli", BigDecimal.valueOf(THOUSAND));
            case "memory" -> Map.entry("mem_mib", BigDecimal.ONE.divide(BigDecimal.valueOf(MIB)));
            case "disk" -> Map.entry("disk_mib", BigDecimal.ONE.divide(BigDecimal.valueOf(MIB)));
            default -> Map.entry(written, BigDecimal.ONE);
        };
    }
}
