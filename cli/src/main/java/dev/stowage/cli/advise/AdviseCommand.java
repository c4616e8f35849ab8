package dev.stowage.cli.advise;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.study.advise.ClusterAdvice;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ServerAdmission;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage advise}: what to do with a cluster as it is. */
@Command(
        name = "advise",
        description =
                "What to do with a cluster as it is: the fewest servers that hold what runs, with proof; moves that"
                        + " get there, each valid; why jobs wait; which server cannot be lost (docs/advise.md).",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "SERVERS: CSV with name and resources as cpu_milli, mem_mib; label:KEY, site, closed.",
            "JOBS:    CSV with name, server (blank: waits) and resources; where, avoid, spread, fixed, budget.",
            "",
            "Example:",
            "  stowage advise servers.csv jobs.csv --add \"40 x 2 cores, 4 GiB\" --html advice.html"
        })
public final class AdviseCommand implements Runnable {
    private static final long MIB = 1 << 20;
    private static final int THOUSAND = 1000;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SERVERS", description = "The servers.")
    private Path servers = Path.of("");

    @Parameters(index = "1", paramLabel = "JOBS", description = "What runs where, and what waits.")
    private Path jobs = Path.of("");

    @Option(
            names = "--zone-label",
            paramLabel = "KEY",
            description = "Label of the servers' zones (default: ${DEFAULT-VALUE}).")
    private String zoneLabel = "zone";

    @Mixin
    private AdviceOptions options = new AdviceOptions();

    @Override
    public void run() {
        ClusterState state;
        AddedJobs added = options.added();
        try {
            state = ClusterFiles.read(servers, jobs);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(String.valueOf(e.getMessage()), e);
        }
        ClusterAdvice.@Nullable Addition addition = added == null
                ? null
                : new ClusterAdvice.Addition(
                        added.jobs(),
                        added.demand(state.resources(), AdviseCommand::unit),
                        ServerAdmission.everywhere(state.servers().size()));
        AdviceWords words = new AdviceWords("server", "job", AdviseCommand::amount);
        new AdviceOutput(Console.of(spec), options, words).show(state, addition, zoneLabel, List.of());
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

    private static String amount(String resource, long amount) {
        if (resource.endsWith("_milli")) {
            return String.format(Locale.ROOT, "%.2f %s", (double) amount / THOUSAND, resource.replace("_milli", ""));
        }
        return resource.endsWith("_mib")
                ? String.format(Locale.ROOT, "%.1f GiB", amount / 1024.0)
                : amount + " " + resource;
    }
}
