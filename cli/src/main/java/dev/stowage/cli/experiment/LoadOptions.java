package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.sim.trace.ServerListReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which requests come to which servers, and override an experiment. */
public class LoadOptions extends ReadingOptions {
    @Option(
            names = "--trace",
            order = -2,
            paramLabel = "FILE",
            description = "Requests from a trace (see 'stowage trace formats').")
    List<Path> traces = List.of();

    @Rare
    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Only requests that arrive at or after this time, which becomes time 0 (default: the first"
                    + " arrival is time 0). 'stowage size' also accepts the data directory of a service here, in place"
                    + " of --trace, and takes the requests from its log.")
    @Nullable
    String from;

    @Rare
    @Option(names = "--to", paramLabel = "TIME", description = "Only requests that arrive before this time.")
    @Nullable
    String to;

    @Rare
    @Option(
            names = "--keep-running",
            description = "With --from: include requests that are running then, with their remaining time.")
    boolean keepRunning;

    @Rare
    @Option(
            names = "--predict",
            paramLabel = "HOW",
            description = "Give the trace's requests expected lifetimes: true, \"error 1\", \"learned 2 d\" or"
                    + " worthless (docs/lifetimes.md).")
    @Nullable
    String predict;

    @Rare
    @Option(
            names = "--max-bad",
            paramLabel = "PART",
            description = "Fraction of the trace's rows that may be bad (default: 0.2).")
    @Nullable
    String maxBad;

    @Rare
    @Option(
            names = "--traffic-scaling",
            paramLabel = "X",
            description = "Divide the trace's arrival times by X: 1.2 is 20 %% more requests per hour.")
    @Nullable
    String trafficScaling;

    @Option(
            names = "--servers",
            paramLabel = "SERVERS",
            description =
                    "\"1400 x 48 cores, 128 GiB\" (also: 2 TiB disk, 4 gpus, slots=8; blocks joined by +), or a server"
                            + " list file.")
    @Nullable
    String servers;

    /** The option that gives them. */
    String serversOption = "--servers";

    @Rare
    @Option(
            names = "--server-columns",
            paramLabel = "MAP",
            description = "Meaning of the columns of a server list: cpu=Kerne,mem=RAM:GiB,name=Host,site=Datacenter."
                    + " Others are guessed, and the guess is printed.")
    private @Nullable String serverColumns;

    @Option(
            names = "--overcommit",
            paramLabel = "RATIOS",
            description = "Overcommit each server to this multiple of its capacity: \"cpu 4:1\", \"cpu 4:1, memory"
                    + " 1.2:1\".")
    @Nullable
    String overcommit;

    @Option(
            names = "--reserve",
            paramLabel = "AMOUNTS",
            description =
                    "Keep this much free on each server, before it is overcommitted: \"cpu 10 %%, memory 8 GiB\".")
    @Nullable
    String reserve;

    @Option(
            names = "--spare",
            paramLabel = "N",
            description = "Make the answer hold with N servers lost: any N in 'size', elsewhere the largest.")
    @Nullable
    Integer spare;

    @Option(
            names = "--spare-site",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "COLUMN",
            description =
                    "The same for a site: any in 'size', elsewhere the largest. COLUMN of the list: each server's site.")
    @Nullable
    String spareSite;

    /** Whether the question is how many servers: then what may fail is a part of it. */
    boolean countsServers;

    @Rare
    @Option(names = "--horizon", paramLabel = "TIME", description = "End of the run, e.g. 5d or \"36 h\".")
    @Nullable
    String horizon;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the first replication.")
    @Nullable
    Long seed;

    @Rare
    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Set any value of the experiment, e.g. workload.azure-like.days=5. Repeatable.")
    List<String> set = List.of();

    /** What may fail, as values of this part of an experiment. */
    final List<String> spareOf(String part) {
        List<String> values = new ArrayList<>();
        if (spare != null) {
            values.add(part + ".spare=" + spare);
        }
        if (spareSite != null) {
            values.add(part + ".spare-site=true");
        }
        return values;
    }

    /** The servers as given, in words or as a file; null for those of the experiment. */
    public final @Nullable String servers() {
        return servers;
    }

    /** Whether the options alone, with a table, make the experiment, and neither of them has servers. */
    final boolean listsNoServers() {
        return servers == null
                && set.stream().noneMatch(path -> path.startsWith("cluster"))
                && (traces.size() != 1 || !ServerListReader.hasServersBeside(traces.get(0)));
    }

    /** What is said of the columns of a server list; null if nothing is. */
    final @Nullable String serverColumns() {
        if (spareSite == null || spareSite.isEmpty()) {
            return serverColumns;
        }
        return (serverColumns == null ? "" : serverColumns + ",") + "site=" + spareSite;
    }

    /** Whether {@code --from} names a directory and not a time. */
    boolean isFromDirectory() {
        return from != null && Files.isDirectory(Path.of(from));
    }

    /**
     * The experiment of this name with these options; by default the quickstart, or one made from the options alone.
     */
    public ExperimentSource source(@Nullable String experiment) {
        if (isFromDirectory()) {
            throw new BadInputException("--from " + from
                    + " is a directory, but must be a time here; 'stowage trace convert' makes a trace of a service's"
                    + " log");
        }
        takePipes();
        String named = orTable(experiment == null ? null : PipedFile.of(experiment));
        boolean alone = named == null && !traces.isEmpty();
        ExperimentSource source = alone
                ? ExperimentSource.ofOptions()
                : ExperimentSource.find(named == null ? BuiltInExperiments.QUICKSTART : named);
        Overrides overrides = new Overrides(this, source.base(), alone);
        return source.with(overrides.all()).withUsual(overrides.usualPolicies()).withServersOf(serversOption);
    }

    /** Replaces pipes by files with what came through them. */
    final void takePipes() {
        traces = traces.stream().map(PipedFile::of).toList();
        servers = servers == null ? null : PipedFile.of(servers);
    }

    /** A table in place of an experiment has the requests, as {@code --trace} does; null is left then. */
    final @Nullable String orTable(@Nullable String experiment) {
        if (experiment == null || !ExperimentSource.isTable(experiment)) {
            return experiment;
        }
        if (!traces.isEmpty()) {
            throw new BadInputException(
                    experiment + ": is a table with requests, as --trace is; leave out one of the two");
        }
        traces = List.of(Path.of(experiment));
        return null;
    }
}
