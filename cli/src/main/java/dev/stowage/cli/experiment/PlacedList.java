package dev.stowage.cli.experiment;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ReadExperiment;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.RowGroups;
import dev.stowage.sim.trace.SaidColumns;
import dev.stowage.sim.trace.ServerListReader;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ServerAdmission;
import dev.stowage.study.load.RequestPass;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Two lists as another system writes them, of VMs with the host of each and of these hosts, as a cluster. */
public final class PlacedList {
    private static final int NAMED = 3;
    private static final double TENTHS = 10;
    private static final String TYPE = "type=";
    private static final String HOST = "host=";
    private static final Pattern OF_HOSTS = Pattern.compile("(vm)?host|esxi?(host)?|hypervisor(host)?");
    /** What a list of hosts says of its clusters, which are regarded here. */
    private static final String IGNORED = " is ignored, any request may run";

    @Option(
            names = "--servers",
            paramLabel = "HOSTS",
            description =
                    "The list of hosts that belongs to a list of VMs, as RVTools_tabvHost.csv; an .xlsx has both.")
    private @Nullable String servers;

    @Option(
            names = "--overcommit",
            paramLabel = "RATIOS",
            description = "With a list of VMs: overcommit each host to this multiple of its capacity: \"cpu 4:1\".")
    private @Nullable String overcommit;

    @Rare
    @Option(
            names = "--reserve",
            paramLabel = "AMOUNTS",
            description = "With a list of VMs: keep this much free on each host: \"cpu 10 %%, memory 8 GiB\".")
    private @Nullable String reserve;

    @Rare
    @Option(
            names = "--columns",
            paramLabel = "MEANING=COLUMN,...",
            description =
                    "Meaning of the columns of the list of VMs, as in 'size', and host=COLUMN for the host of each;"
                            + " only=Cluster:Prod reads these rows.")
    private String columns = "";

    @Rare
    @Option(
            names = "--server-columns",
            paramLabel = "MAP",
            description = "Meaning of the columns of the list of hosts, as in 'size'.")
    private String serverColumns = "";

    @Rare
    @Option(names = "--powered-off", description = "Count VMs that are powered off, too (default: they are left out).")
    private boolean poweredOff;

    /** Whether this file is such a list, or options say so. */
    public boolean isMeant(Path file) {
        return servers != null || ServerListReader.hasServersBeside(file);
    }

    /** Whether an option names a list of hosts. */
    public boolean namesHosts() {
        return servers != null;
    }

    /** Refuses options where there is no list of VMs. */
    public void refuse() {
        if (namesHosts()
                || overcommit != null
                || reserve != null
                || !columns.isEmpty()
                || !serverColumns.isEmpty()
                || poweredOff) {
            throw new BadInputException(
                    "--servers, --overcommit, --reserve, --columns, --server-columns and --powered-off go with a list"
                            + " of VMs alone, as in: stowage advise RVTools_tabvInfo.csv --servers RVTools_tabvHost.csv");
        }
    }

    /**
     * Reads both.
     *
     * @param notes receives how they were read, and what is not regarded
     */
    public ClusterState read(Path vms, Consumer<String> notes) {
        Path hosts = servers == null ? vms : Path.of(servers);
        List<String> said = SaidColumns.items(columns).stream()
                .map(item -> item.strip().replaceFirst("^host\\s*=", TYPE).replaceFirst("^type\\s*=\\s*", TYPE))
                .filter(item -> !item.equals(TYPE))
                .collect(Collectors.toCollection(ArrayList::new));
        Experiment point = read(vms, said, null).points().get(0);
        if (!point.workload().isInventory()) {
            throw new BadInputException(vms + " is a log of what came and went, not a list of what runs now");
        }
        if (point.workload().isConstrained()) {
            throw new BadInputException(
                    vms + " says who may run where, which is not regarded here: give SERVERS and JOBS"
                            + " with such rules (docs/advise.md)");
        }
        Map<String, long[]> capacities = capacities(point, hosts);
        if (said.stream().noneMatch(item -> item.startsWith(TYPE))) {
            said.add(TYPE + hostColumn(vms, hosts, capacities.keySet(), notes));
        }
        ReadExperiment read = read(vms, said, reserve);
        ClusterState state = state(read.points().get(0), hosts, notes);
        for (int r = 0; r < state.resources().size(); r++) {
            checkRoom(state, capacities, r);
        }
        Stream.concat(read.notes().stream(), read.warnings().stream())
                .filter(note -> note.kind() != Remark.Kind.OPTION && note.kind() != Remark.Kind.DETAIL)
                .map(note -> note.toString().replace("read as: type = ", "read as: host = "))
                .filter(note -> !note.contains(IGNORED))
                .distinct()
                .forEach(notes);
        return state;
    }

    private ReadExperiment read(Path vms, List<String> said, @Nullable String reserve) {
        LoadOptions options = new LoadOptions();
        options.traces = List.of(vms);
        options.servers = servers;
        options.overcommit = overcommit;
        options.reserve = reserve;
        List<String> set = new ArrayList<>();
        if (!said.isEmpty()) {
            set.add(Overrides.OWN_FORMAT);
            set.add(Overrides.COLUMNS + "=" + Overrides.text(String.join(",", said)));
        }
        if (!serverColumns.isEmpty()) {
            set.add(Overrides.SERVER_COLUMNS + "=" + Overrides.text(serverColumns));
        }
        if (poweredOff) {
            set.add(Overrides.OWN_FORMAT);
            set.add(Overrides.POWERED_OFF + "=true");
        }
        options.set = set;
        return options.source(null).experiment();
    }

    /** Of each host, by name: its capacity, before what is kept free. */
    private static Map<String, long[]> capacities(Experiment point, Path hosts) {
        Map<String, long[]> capacities = new LinkedHashMap<>();
        for (Site site : point.cluster().sites()) {
            for (ServerBlock block : site.servers()) {
                if (block.names().isEmpty()) {
                    throw new BadInputException(hosts + ": each host must have a name of its own, without spaces");
                }
                long[] capacity = block.capacity().toArray();
                block.names().forEach(name -> capacities.put(name, capacity));
            }
        }
        return capacities;
    }

    /** The column in which VMs have names of hosts; of several, the one that is called so. */
    private static String hostColumn(Path vms, Path hosts, Set<String> names, Consumer<String> notes) {
        List<String> found = RowGroups.columnsWith(List.of(vms), ReadOptions.defaults(), names);
        if (found.isEmpty()) {
            throw new BadInputException("no column of " + vms + " has the name of a host of " + hosts + ", such as "
                    + names.iterator().next() + ": advise must know on which host each VM runs");
        }
        List<String> called = found.size() == 1
                ? found
                : found.stream()
                        .filter(column -> OF_HOSTS.matcher(
                                        column.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", ""))
                                .matches())
                        .toList();
        String several = "several columns of " + vms + " have names of hosts: " + String.join(", ", found);
        if (called.size() != 1) {
            throw new BadInputException(several + ". Say which has the host on which each VM runs now: --columns \""
                    + HOST + found.get(0) + "\"");
        }
        if (found.size() > 1) {
            notes.accept(several + "; " + called.get(0) + " is taken as where each VM runs (another: --columns " + HOST
                    + "COLUMN)");
        }
        return called.get(0);
    }

    /** Of each server its cluster: empty without one. */
    private List<String> clusters(List<ClusterServer> servers, Path hosts, Consumer<String> notes) {
        Map<String, String> groups = new HashMap<>();
        try {
            groups.putAll(RowGroups.ofEachServer(hosts, serverColumns));
        } catch (TraceException e) {
            // It is no table.
        }
        List<String> clusters = servers.stream()
                .map(server -> groups.getOrDefault(server.name().toLowerCase(Locale.ROOT), ""))
                .toList();
        List<String> without = IntStream.range(0, clusters.size())
                .filter(s -> clusters.get(s).isEmpty())
                .mapToObj(s -> servers.get(s).name())
                .toList();
        if (!without.isEmpty() && without.size() < clusters.size()) {
            notes.accept(
                    without.size() == 1
                            ? without.get(0) + " is in no cluster: VMs on it stay there"
                            : without.size() + " hosts are in no cluster (" + few(without)
                                    + "): VMs on them stay on hosts without a cluster");
        }
        return clusters;
    }

    /** Of each cluster its servers alone. */
    private static ServerAdmission within(String cluster, List<String> clusters) {
        return new ServerAdmission(clusters.stream()
                .map(each -> each.equals(cluster)
                        ? List.<String>of()
                        : List.of(
                                each.isEmpty()
                                        ? "is in no cluster"
                                        : (cluster.isEmpty() ? "is in a cluster, " : "is in another cluster, ") + each))
                .toList());
    }

    private ClusterState state(Experiment point, Path hosts, Consumer<String> notes) {
        List<String> resources =
                point.cluster().resources().stream().map(Resource::name).toList();
        List<ClusterServer> servers = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (Site site : point.cluster().sites()) {
            for (ServerBlock block : site.servers()) {
                long[] capacity = new long[resources.size()];
                for (int r = 0; r < capacity.length; r++) {
                    capacity[r] = block.capacity().get(r);
                }
                for (String name : block.names()) {
                    numbers.put(name.toLowerCase(Locale.ROOT), servers.size());
                    servers.add(new ClusterServer(name, capacity, new TreeMap<>(), ""));
                }
            }
        }
        List<String> clusters = clusters(servers, hosts, notes);
        Map<String, ServerAdmission> own = new HashMap<>();
        List<ClusterJob> jobs = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        RequestPass pass = new RequestPass(point, point.seed(), point.end().atNanos());
        while (pass.next()) {
            String host = point.workload().types().get(pass.type()).replaceFirst(" \\(.*", "");
            Integer at = numbers.get(host.toLowerCase(Locale.ROOT));
            if (at == null) {
                boolean none = ResourceWords.of(resources, pass.demand()).startsWith(host);
                unknown.add(pass.id() + " on " + (none ? "no host" : host));
            } else {
                jobs.add(ClusterJob.movable(
                        pass.id(),
                        pass.demand(),
                        at,
                        own.computeIfAbsent(clusters.get(at), cluster -> within(cluster, clusters))));
            }
        }
        if (jobs.isEmpty()) {
            throw new BadInputException("no VM is on a host of " + hosts + " that counts: " + few(unknown));
        }
        if (!unknown.isEmpty()) {
            notes.accept("warning: " + unknown.size() + (unknown.size() == 1 ? " VM is" : " VMs are")
                    + " left out, on a host that is not in " + hosts + " or not counted: " + few(unknown));
        }
        return new ClusterState(resources, servers, jobs, List.of(), List.of());
    }

    private record Held(String host, long amount, long capacity) {
        double part() {
            return (double) amount / capacity;
        }
    }

    /** What hosts hold beyond what they have, as configured, makes every other figure wrong: it must be said. */
    private void checkRoom(ClusterState state, Map<String, long[]> capacities, int r) {
        long[] used = new long[state.servers().size()];
        state.jobs().forEach(job -> used[job.server()] += job.demand()[r]);
        List<Held> over = IntStream.range(0, used.length)
                .mapToObj(s -> {
                    String host = state.servers().get(s).name();
                    return new Held(host, used[s], Objects.requireNonNull(capacities.get(host))[r]);
                })
                .filter(held -> held.amount() > held.capacity())
                .sorted(Comparator.comparingDouble(Held::part).reversed())
                .toList();
        if (over.isEmpty()) {
            return;
        }
        String resource = state.resources().get(r);
        Held worst = over.get(0);
        boolean cpu = resource.equals("cpu_milli");
        String words = ResourceWords.resource(resource);
        double parts = cpu ? 1 : TENTHS;
        String capacity = ResourceWords.amount(resource, worst.capacity());
        throw new BadInputException(over.size() + " of " + capacities.size()
                + (over.size() == 1 ? " hosts holds" : " hosts hold") + " more " + words + " than "
                + (over.size() == 1 ? "it has" : "they have")
                + (overcommit == null ? "" : " with --overcommit \"" + overcommit + "\"")
                + (over.size() == 1 ? ": " : ", most of all ") + worst.host() + ", "
                + ResourceWords.amount(resource, worst.amount()) + " on "
                + (cpu && overcommit == null ? capacity.replace("vCPU", "cores") : capacity) + "."
                + (worst.capacity() == 0
                        ? ""
                        : overcommit == null
                                ? " Say how often " + words + " may be promised: --overcommit \""
                                        + (cpu ? "cpu" : words)
                                        + " "
                                        + BigDecimal.valueOf(Math.ceil(worst.part() * parts) / parts)
                                                .stripTrailingZeros()
                                                .toPlainString()
                                        + ":1\""
                                : " Say there how often " + words + " may be promised, or more of it"));
    }

    private static String few(List<String> some) {
        return some.stream().limit(NAMED).collect(Collectors.joining(", ")) + (some.size() > NAMED ? ", ..." : "");
    }
}
