package dev.stowage.cli.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.answer.ReportOption;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Names;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.trace.TraceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options of the command line as {@code path=value}, which the experiment's reader understands. JSON is YAML too. */
final class Overrides {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> USUAL_POLICIES =
            List.of("fifo-ff", "first-fit:when-full=queue", "best-fit:when-full=queue", "bf-js");
    /** Where rejections alone count: under one that lets requests wait, any number of servers would do. */
    private static final List<String> DECIDING_AT_ONCE = List.of("first-fit", "best-fit");

    static final String COLUMNS = "workload.trace.settings.columns";
    static final String SERVER_COLUMNS = "cluster.server-columns";
    static final String POWERED_OFF = "workload.trace.settings." + TraceReader.POWERED_OFF;
    static final String FORMAT = "workload.trace.format=";
    static final String OWN_FORMAT = FORMAT + TraceReader.OWN;
    static final String ROWS = "workload.trace.settings.rows-";
    private static final String VHOST = "RVTools_tabvHost.csv";
    private static final long ROWS_LOOKED_AT = 1000;

    static final String SERVER_ROWS = "cluster.server-rows-";

    /** The option that sets a path of the experiment. */
    static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("policies", "--policy"),
            Map.entry("workload", "--trace"),
            Map.entry("cluster", "--servers"),
            Map.entry(SERVER_COLUMNS, "--server-columns"),
            Map.entry("horizon", "--horizon"),
            Map.entry("seed", "--seed"),
            Map.entry("warm-up", "--warm-up"),
            Map.entry("replications", "--replications"),
            Map.entry("precision", "--precision"),
            Map.entry("precision.of", "--precision-of"),
            Map.entry("max-replications", "--max-replications"),
            Map.entry("confidence", "--confidence"),
            Map.entry("size.target", "--target"),
            Map.entry("size.spare", "--spare"),
            Map.entry("size.spare-site", "--spare-site"),
            Map.entry("cluster.spare", "--spare"),
            Map.entry("cluster.spare-site", "--spare-site"),
            Map.entry("cluster.overcommit", "--overcommit"),
            Map.entry("cluster.reserve", "--reserve"),
            Map.entry("workload.trace.format", "--trace-format"),
            Map.entry(COLUMNS, "--columns"),
            Map.entry("workload.trace.settings.separator", "--separator"),
            Map.entry("workload.trace.settings.sizes", "--sizes"),
            Map.entry(POWERED_OFF, "--powered-off"),
            Map.entry("workload.trace.from", "--from"),
            Map.entry("workload.trace.to", "--to"),
            Map.entry("workload.trace.predict", "--predict"),
            Map.entry("workload.trace.max-bad", "--max-bad"),
            Map.entry("workload.trace.traffic-scaling", "--traffic-scaling"));

    private final LoadOptions options;
    private final Path base;
    private final boolean alone;
    private final List<String> all = new ArrayList<>();

    /**
     * With the directory against which the experiment resolves files, and whether the options alone make the
     * experiment.
     */
    Overrides(LoadOptions options, Path base, boolean alone) {
        this.options = options;
        this.base = base;
        this.alone = alone;
    }

    List<String> all() {
        if (alone) {
            set("name", text(Names.stem(options.traces.get(0))));
        }
        addCluster();
        setText(SERVER_COLUMNS, options.serverColumns());
        addUsable("overcommit", options.overcommit, "cpu 4:1, memory 1.2:1");
        addUsable("reserve", options.reserve, "cpu 10 %, memory 8 GiB");
        if (!options.countsServers) {
            all.addAll(options.spareOf("cluster"));
        }
        addTrace();
        List<String> asked = options instanceof ExperimentOptions run ? run.policies : List.of();
        List<String> policies = asked.isEmpty() ? usualPolicies() : asked;
        if (!policies.isEmpty()) {
            all.add(policies(policies));
        }
        setText("horizon", options.horizon);
        if (options.seed != null) {
            set("seed", JSON.numberNode(options.seed));
        }
        if (options instanceof ExperimentOptions run) {
            addRun(run);
        }
        all.addAll(options.set);
        return all;
    }

    /** The policies of options alone that name none; empty for others. */
    List<String> usualPolicies() {
        ExperimentOptions run = options instanceof ExperimentOptions its ? its : null;
        return !alone || (run != null && !run.policies.isEmpty())
                ? List.of()
                : run != null && run.countsRejectionsOnly ? DECIDING_AT_ONCE : USUAL_POLICIES;
    }

    /** Sets the policies. */
    static String policies(List<String> policies) {
        ArrayNode list = JSON.arrayNode();
        policies.forEach(policy -> addPolicy(list.addObject(), PolicyArgument.parse(policy)));
        return "policies=" + list;
    }

    private void addRun(ExperimentOptions options) {
        setText("warm-up", options.warmUp);
        if (options.replications != null) {
            set("replications", JSON.numberNode(options.replications));
        }
        String precision = options.precision;
        if (precision != null && options.precisionOf != null) {
            set("precision", JSON.objectNode().put("within", precision).put("of", options.precisionOf));
        } else {
            setText("precision", precision);
            setText("precision.of", options.precisionOf);
        }
        if (options.maxReplications != null) {
            set("max-replications", JSON.numberNode(options.maxReplications));
        }
        setText("confidence", options.confidence);
    }

    private static void addPolicy(ObjectNode node, PolicyArgument policy) {
        node.put("policy", policy.key());
        policy.parameters().forEach(node::put);
    }

    private void addCluster() {
        String servers = options.servers;
        if (servers != null && servers.isBlank()) {
            throw new BadInputException(options.serversOption + " is empty; give servers such as \""
                    + ServerArgument.EXAMPLE + "\", or a server list file");
        }
        if (servers == null) {
            Path trace = alone ? options.traces.get(0) : Path.of("");
            if (alone && options.traces.size() == 1 && ServerListReader.hasServersBeside(trace)) {
                set("cluster", JSON.objectNode().put("server-list", file(trace)));
            } else if (alone && options.listsNoServers()) {
                String named = PipedFile.named(trace.toString());
                try {
                    TraceReader.look(options.traces, options.readOptions().withMostBad(1), ROWS_LOOKED_AT);
                } catch (TraceException e) {
                    throw new BadInputException(PipedFile.named(String.valueOf(e.getMessage())), e);
                }
                throw new BadInputException(named
                        + " needs --servers, because it has requests and no servers: add --servers \""
                        + ServerArgument.EXAMPLE + "\", or --servers "
                        + (ServerListReader.isVInfo(trace)
                                ? VHOST + ", the file that RVTools writes of vHost"
                                : "servers.csv"));
            }
            return;
        }
        if (alone && options.traces.size() == 1 && options.format() == null && options.columns() == null) {
            checkFiles(options.traces.get(0), Path.of(servers));
        }
        set("cluster", cluster(options.serversOption, servers, options.countsServers, base));
    }

    /** A list of servers in place of one of what runs, or the other way round, or one file for both. */
    private void checkFiles(Path trace, Path list) {
        if (!Files.isRegularFile(list) || !TraceReader.recognises(list) || ServerListReader.hasServersBeside(list)) {
            return;
        }
        String runs = PipedFile.named(trace.toString());
        String named = PipedFile.named(list.toString());
        String option = options.serversOption;
        if (!TraceReader.recognises(trace) && ServerListReader.recognises(trace)) {
            throw new BadInputException("these files seem to be swapped: " + runs + " is a list of servers, and "
                    + named
                    + " is a list of what runs. Write "
                    + (options.countsServers
                            ? ReportOption.again(List.of("size", named, option, runs))
                            : ReportOption.quoted(List.of("--trace", named, option, runs))));
        }
        String instead = "Give " + option + " the list of "
                + (option.equals("--servers")
                        ? "servers" + (ServerListReader.isVInfo(list) ? ", which RVTools writes as " + VHOST : "")
                        : "kinds of servers on offer");
        if (trace.toAbsolutePath().normalize().equals(list.toAbsolutePath().normalize())) {
            throw new BadInputException(named + " is given twice, as what runs and with " + option + ". " + instead);
        }
        if (ServerListReader.isVInfo(list)) {
            throw new BadInputException(option + " " + named + " is a list of virtual machines. " + instead);
        }
    }

    /**
     * Servers in words, or of a file, as the cluster of an experiment with this directory.
     *
     * @param option where they are given
     * @param kinds whether they may be kinds without a number
     */
    static ObjectNode cluster(String option, String servers, boolean kinds, Path base) {
        ObjectNode cluster = JSON.objectNode();
        String text = kinds ? ServerArgument.oneOfEach(servers) : servers;
        if (!Files.exists(Path.of(servers)) && ServerArgument.describes(text)) {
            cluster.set("servers", ServerArgument.parse(option, servers, text));
        } else {
            cluster.put("server-list", file(Path.of(servers), base));
        }
        return cluster;
    }

    /** {@code cpu 10 %, memory 8 GiB} as a key of the cluster. */
    private void addUsable(String key, @Nullable String text, String example) {
        if (text == null) {
            return;
        }
        ObjectNode amounts = JSON.objectNode();
        for (String each : text.split(",", -1)) {
            String[] parts = each.strip().split("[\\s=]+", 2);
            if (each.strip().matches("[\\d.].*")) {
                throw new BadInputException("--" + key + " \"" + text + "\": '" + each.strip()
                        + "' says of no resource; write --" + key + " \"cpu " + each.strip()
                        + "\", or another resource of the servers, as in \"" + example + "\"");
            }
            if (parts.length < 2 || amounts.has(parts[0])) {
                throw new BadInputException(
                        "--" + key + " \"" + text + "\": '" + each.strip() + "' must be as in \"" + example + "\"");
            }
            String resource = parts[0].toLowerCase(Locale.ROOT);
            amounts.put(
                    resource.matches("mem|ram") ? "memory" : resource.matches("v?cpus?|cores?") ? "cpu" : resource,
                    parts[1]);
        }
        set("cluster." + key, amounts);
    }

    private void addTrace() {
        if (!options.traces.isEmpty()) {
            ArrayNode files = JSON.arrayNode();
            options.traces.forEach(trace -> files.add(file(trace)));
            JsonNode file = files.size() == 1 ? files.get(0) : files;
            ObjectNode trace = JSON.objectNode();
            trace.set("file", file);
            set("workload", JSON.objectNode().set("trace", trace));
        }
        setText("workload.trace.format", options.format());
        setText(COLUMNS, options.columns());
        setText("workload.trace.settings.separator", options.separator());
        String sizes = options.sizes();
        setText("workload.trace.settings.sizes", sizes == null ? null : file(Path.of(PipedFile.of(sizes))));
        setText(POWERED_OFF, options.poweredOff() ? "true" : null);
        setText("workload.trace.from", options.from);
        setText("workload.trace.to", options.to);
        if (options.keepRunning) {
            set("workload.trace.keep-running", JSON.booleanNode(true));
        }
        setText("workload.trace.predict", options.predict);
        setText("workload.trace.max-bad", options.maxBad);
        setText("workload.trace.traffic-scaling", options.trafficScaling);
        if (options.strict()) {
            set("workload.trace.strict", JSON.booleanNode(true));
        }
    }

    /** A file named on the command line is relative to the working directory, not to the experiment's. */
    private String file(Path file) {
        return file(file, base);
    }

    private static String file(Path file, Path base) {
        return (base.toString().isEmpty() ? file : file.toAbsolutePath()).toString();
    }

    private void setText(String path, @Nullable String value) {
        if (value != null) {
            set(path, text(value));
        }
    }

    private void set(String path, JsonNode value) {
        all.add(path + "=" + value);
    }

    static JsonNode text(String value) {
        return JSON.textNode(value);
    }

    /** The list of servers of a cluster that was made so; empty if it has none. */
    static String listOf(String cluster) {
        try {
            return new ObjectMapper().readTree(cluster).path("server-list").asText();
        } catch (JsonProcessingException e) {
            // As --set has it.
            return "";
        }
    }

    /** The text of such a node as it is written. */
    static String textOf(String json) {
        try {
            return new ObjectMapper().readTree(json).asText();
        } catch (JsonProcessingException e) {
            // As --set has it.
            return json;
        }
    }
}
