package dev.stowage.cli.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.stowage.cli.log.LoggedLoad;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Names;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.core.model.Spelling;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.RowGroups;
import dev.stowage.sim.trace.SaidColumns;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what to simulate, and override an experiment. */
public final class ExperimentOptions extends LoadOptions {
    private static final String USUAL_TARGET = "wait max <= 10 min";

    @Option(
            names = "--policy",
            paramLabel = "KEY,...",
            completionCandidates = PolicyArgument.PolicyKeys.class,
            split = ",",
            hideParamSyntax = true,
            description =
                    "Policies to compare, with parameters as in first-fit:when-full=queue (see 'stowage policies').")
    List<String> policies = List.of();

    @Rare
    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "Time cut from the start of each run: auto, none, or a duration.")
    @Nullable
    String warmUp;

    @Option(
            names = "--replications",
            paramLabel = "N",
            description = "Number of runs of each policy, with different seeds.")
    @Nullable
    Integer replications;

    @Option(
            names = "--precision",
            paramLabel = "PART",
            description = "Add replications until the metric's interval is this narrow, e.g. \"2 %%\" of its mean. With"
                    + " two policies: until they differ significantly, or are shown to differ by less than that.")
    @Nullable
    String precision;

    @Rare
    @Option(
            names = "--precision-of",
            paramLabel = "METRIC",
            description = "The metric of --precision (default: wait_mean_s).")
    @Nullable
    String precisionOf;

    @Rare
    @Option(
            names = "--max-replications",
            paramLabel = "N",
            description = "Maximum number of replications for --precision (default: 200).")
    @Nullable
    Integer maxReplications;

    @Option(names = "--confidence", paramLabel = "PART", description = "Confidence of intervals, e.g. 99%%.")
    @Nullable
    String confidence;

    private boolean usualTarget;
    private boolean kindsAlone;
    /** Whether the requests of {@link #sizeSource} are those of a log, which is no table. */
    private boolean countsLog;
    /** Whether the servers of {@link #sizeSource} are asked for by a limit of rejections, and of nothing else. */
    boolean countsRejectionsOnly;

    /** What is said of the requests of a log. */
    private List<Remark> said = List.of();

    /** Whether neither options nor experiment of {@link #sizeSource} have a target. */
    public boolean isTargetUsual() {
        return usualTarget;
    }

    /** Whether the servers of {@link #sizeSource} are kinds without a number of any: then none of them is there. */
    public boolean namesKindsAlone() {
        return kindsAlone;
    }

    /** Whether the options name policies. */
    public boolean namesPolicies() {
        return !policies.isEmpty();
    }

    /**
     * The experiment with a question about its servers, whose number need not be given.
     *
     * @param asked the experiment or the table, if one is named
     * @param targets in place of those of the experiment, if there are any
     * @param question further parts of the question, as {@code size.spare=1}
     * @param offered kinds of servers that may be bought, which a table without servers is about; null if none are
     */
    public ExperimentSource sizeSource(
            @Nullable String asked, List<String> targets, List<String> question, @Nullable String offered) {
        takePipes();
        String experiment = asked == null ? null : PipedFile.of(asked);
        kindsAlone = servers != null && ServerArgument.isOfKindsAlone(servers);
        countsServers = true;
        Path pods = experiment == null ? traces.size() == 1 ? traces.get(0) : null : Path.of(experiment);
        LoggedLoad cluster = pods == null ? null : PodLoad.read(pods);
        String named = cluster == null ? orTable(experiment) : null;
        countsLog = cluster != null || isFromDirectory();
        if (pods != null && cluster != null) {
            traces = List.of();
            take(cluster, pods);
        } else {
            takeLog(named == null);
        }
        if (named == null && traces.isEmpty()) {
            throw new BadInputException(
                    "size needs a list of what runs, a log of requests or an experiment: e.g. stowage"
                            + " size vms.csv --servers \"48 cores, 512 GiB\", or stowage size "
                            + BuiltInExperiments.QUICKSTART);
        }
        if (offered != null && named == null && listsNoServers()) {
            if (!ServerArgument.isFile(offered)) {
                ServerArgument.parse("--buy", offered, ServerArgument.oneOfEach(offered));
            }
            servers = offered;
            serversOption = ExperimentSource.OFFERS;
            kindsAlone = true;
        }
        countsRejectionsOnly = !targets.isEmpty() && targets.stream().allMatch(ExperimentOptions::isOfRejections);
        ExperimentSource source = source(named);
        List<String> more = new ArrayList<>(source.overrides());
        usualTarget = targets.isEmpty() && !source.tree().hasSize();
        if (!targets.isEmpty() || usualTarget) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            (targets.isEmpty() ? List.of(USUAL_TARGET) : targets).forEach(list::add);
            more.add("size.target=" + list);
        }
        more.addAll(spareOf("size"));
        more.addAll(question);
        return source.with(more).saying(said);
    }

    /**
     * The experiment of {@link #sizeSource} for each cluster of its lists: its rows alone, of both.
     *
     * @param column of both that says which cluster a row is in; empty for the one that is recognized
     */
    public Clusters clusters(ExperimentSource source, String column) {
        if (traces.isEmpty() || countsLog) {
            throw new BadInputException("--by-cluster is for a list of what runs, such as vms.csv or rvtools.xlsx");
        }
        Path list = servers == null ? traces.get(0) : Path.of(servers);
        boolean listed = !serversOption.equals(ExperimentSource.OFFERS) && (servers == null || Files.exists(list));
        if (!listed && !kindsAlone) {
            throw new BadInputException("--by-cluster: --servers \"" + servers + "\" does not say which servers are in"
                    + " which cluster; give a list of servers with such a column, or a kind alone, as in \"48 cores, 512"
                    + " GiB\"");
        }
        source.overrides().stream()
                .filter(each -> each.startsWith(Overrides.FORMAT))
                .map(each -> Overrides.textOf(each.substring(Overrides.FORMAT.length())))
                .filter(format -> !format.equals(TraceReader.OWN))
                .findFirst()
                .ifPresent(format -> {
                    throw new BadInputException("--by-cluster is for a table of your own (format '" + TraceReader.OWN
                            + "'), and cannot be combined with --trace-format " + format);
                });
        String said = serverColumns();
        RowGroups hosts = listed
                ? RowGroups.ofServers(list, said == null ? "" : said, column.isEmpty() ? null : column)
                : new RowGroups("", Map.of());
        String by = !column.isEmpty() ? column : listed ? hosts.column() : "Cluster";
        RowGroups rows = RowGroups.ofRequests(traces, reading(), by);
        Map<String, ExperimentSource> each = new TreeMap<>();
        List<String> without = new ArrayList<>();
        rows.rows().forEach((name, count) -> {
            if (listed && !hosts.rows().containsKey(name)) {
                String near = (name.isEmpty() ? Set.<String>of() : hosts.rows().keySet())
                        .stream()
                                .filter(known -> known.equalsIgnoreCase(name)
                                        || (Spelling.isNear(name, known)
                                                && !rows.rows().containsKey(known)))
                                .findFirst()
                                .map(known -> "; did you mean " + known + "?")
                                .orElse("");
                without.add(counted(name, count, near));
            } else {
                each.put(name, source.withOnly(rows.column(), hosts.column(), name));
            }
        });
        List<String> idle = hosts.rows().keySet().stream()
                .filter(name -> !rows.rows().containsKey(name))
                .map(name -> counted(name, hosts.rows().getOrDefault(name, 0L), ""))
                .toList();
        if (each.isEmpty()) {
            throw new BadInputException("--by-cluster: no " + rows.column() + " is in both lists. What runs is in "
                    + String.join(", ", without) + ", the servers are in " + String.join(", ", idle));
        }
        return new Clusters(rows.column(), each, without, idle);
    }

    private ReadOptions reading() {
        ReadOptions reading = ReadOptions.defaults().withMostBad(1);
        Map<String, @Nullable String> settings = new TreeMap<>();
        settings.put("columns", columns());
        settings.put("separator", separator());
        settings.put(TraceReader.POWERED_OFF, poweredOff() ? "true" : null);
        String sizes = sizes();
        settings.put(TraceReader.SIZES, sizes == null ? null : PipedFile.of(sizes));
        for (Map.Entry<String, @Nullable String> each : settings.entrySet()) {
            String value = each.getValue();
            reading = value == null ? reading : reading.withSetting(each.getKey(), value);
        }
        return reading;
    }

    /** Where a name stands that is no type, with the option that makes it one; empty where no column has it. */
    public String asType(String name) {
        if (traces.isEmpty() || countsLog) {
            return "";
        }
        List<String> columns;
        try {
            columns = RowGroups.columnsWith(traces, reading(), Set.of(name));
        } catch (TraceException e) {
            return "";
        }
        if (columns.isEmpty()) {
            return "";
        }
        String said = columns();
        String others = SaidColumns.items(said == null ? "" : said).stream()
                .filter(each -> !each.strip().startsWith("type="))
                .map(each -> each.strip() + ",")
                .collect(Collectors.joining());
        return (columns.size() == 1 ? "column " : "columns ") + String.join(", ", columns)
                + (columns.size() == 1 ? " has" : " have") + " it: use --columns \"" + others + "type=" + columns.get(0)
                + "\"";
    }

    private static String counted(String name, long rows, String beside) {
        return String.format(
                Locale.ROOT,
                "%s (%,d %s%s)",
                name.isEmpty() ? "(none)" : name,
                rows,
                rows == 1 ? "row" : "rows",
                beside);
    }

    /**
     * The clusters of an inventory.
     *
     * @param column that says which cluster a row is in
     * @param each by name, empty for rows without one
     * @param without those that have rows and no server, with how many rows
     * @param idle those that have servers and no row, with how many servers
     */
    public record Clusters(
            String column, Map<String, ExperimentSource> each, List<String> without, List<String> idle) {}

    private static boolean isOfRejections(String target) {
        try {
            return SizeTarget.parse(target).requirements().stream().allMatch(SizeRequirement::waitsForEver);
        } catch (IllegalArgumentException e) {
            // Refused where the experiment is read, by the name of its option.
            return false;
        }
    }

    /**
     * The requests of the log in the directory that {@code --from} names, and its servers if no other servers are
     * given.
     */
    private void takeLog(boolean alone) {
        if (from == null || !isFromDirectory()) {
            if (from != null && alone && traces.isEmpty()) {
                throw new BadInputException("--from " + from
                        + ": there is no directory of that name; a time is allowed only with --trace or an experiment");
            }
            return;
        }
        if (!traces.isEmpty()) {
            throw new BadInputException("--from " + from + " is a directory with requests; leave out --trace");
        }
        LoggedLoad logged = LoggedLoad.read(Path.of(from));
        if (logged == null) {
            throw new BadInputException("--from " + from + ": neither a time nor the data directory of a service");
        }
        take(logged, Path.of(from));
        from = null;
    }

    private void take(LoggedLoad logged, Path named) {
        said = logged.notes();
        try {
            Path directory = Files.createTempDirectory("stowage-log");
            directory.toFile().deleteOnExit();
            // Named in what is said of its rows.
            Path file = directory.resolve(Names.stem(named) + ".csv.gz");
            file.toFile().deleteOnExit();
            TraceWriter.write(logged.requests(), file);
            traces = List.of(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a temporary file: " + e.getMessage(), e);
        }
        List<String> more = new ArrayList<>();
        more.add("name=" + JsonNodeFactory.instance.textNode(Names.stem(named)));
        if (servers == null) {
            more.add("cluster=" + logged.servers());
        }
        more.addAll(set);
        set = more;
    }
}
