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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Two lists as another system writes them, of VMs with the host of each and of these hosts, as a cluster. */
public final class PlacedList {
    private static final int NAMED = 3;
    private static final String TYPE = "type=";

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
                    "Meaning of the columns of the list of VMs, as in 'size'; only=Cluster:Prod reads these rows.")
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

    /** Refuses options where there is no list of VMs. */
    public void refuse() {
        if (overcommit != null || reserve != null || !columns.isEmpty() || !serverColumns.isEmpty() || poweredOff) {
            throw new BadInputException(
                    "--overcommit, --reserve, --columns, --server-columns and --powered-off go with a list"
                            + " of VMs and --servers, its list of hosts");
        }
    }

    /**
     * Reads both.
     *
     * @param notes receives how they were read, and what is not regarded
     */
    public ClusterState read(Path vms, Consumer<String> notes) {
        Path hosts = servers == null ? vms : Path.of(servers);
        Experiment point = read(vms, columns, serverColumns).points().get(0);
        if (!point.workload().isInventory()) {
            throw new BadInputException(vms + " is a log of what came and went, not a list of what runs now");
        }
        if (point.workload().isConstrained()) {
            throw new BadInputException(
                    vms + " says who may run where, which is not regarded here: give SERVERS and JOBS"
                            + " with such rules (docs/advise.md)");
        }
        List<String> said = new ArrayList<>(SaidColumns.items(columns));
        said.removeIf(item -> item.strip().startsWith(TYPE));
        said.add(TYPE + hostColumn(vms, hosts, names(point, hosts)));
        String clusters = clusters(hosts);
        ReadExperiment read = read(vms, String.join(",", said), clusters);
        ClusterState state = state(read.points().get(0), !clusters.equals(serverColumns), hosts, notes);
        checkRoom(state);
        Stream.concat(read.notes().stream(), read.warnings().stream())
                .filter(note -> note.kind() != Remark.Kind.OPTION && note.kind() != Remark.Kind.DETAIL)
                .map(note -> note.toString().replace("read as: type = ", "read as: host = "))
                .distinct()
                .forEach(notes);
        return state;
    }

    private ReadExperiment read(Path vms, String columns, String serverColumns) {
        LoadOptions options = new LoadOptions();
        options.traces = List.of(vms);
        options.servers = servers;
        options.overcommit = overcommit;
        options.reserve = reserve;
        List<String> set = new ArrayList<>();
        if (!columns.isEmpty()) {
            set.add(Overrides.OWN_FORMAT);
            set.add(Overrides.COLUMNS + "=" + Overrides.text(columns));
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

    private static List<String> names(Experiment point, Path hosts) {
        List<ServerBlock> blocks = point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .toList();
        if (blocks.stream().anyMatch(block -> block.names().isEmpty())) {
            throw new BadInputException(hosts + ": each host must have a name of its own, without spaces");
        }
        return blocks.stream().flatMap(block -> block.names().stream()).toList();
    }

    /** The first column in which some VM has the name of a host. */
    private static String hostColumn(Path vms, Path hosts, List<String> names) {
        return names.stream()
                .flatMap(name -> RowGroups.columnsWith(List.of(vms), ReadOptions.defaults(), name).stream())
                .findFirst()
                .orElseThrow(() -> new BadInputException("no column of " + vms + " has the name of a host of " + hosts
                        + ", such as " + names.get(0) + ": advise must know on which host each VM runs"));
    }

    /** With the cluster of each host as its site, if each has one. */
    private String clusters(Path hosts) {
        if (SaidColumns.items(serverColumns).stream()
                .anyMatch(item -> item.strip().startsWith("site="))) {
            return serverColumns;
        }
        try {
            RowGroups groups = RowGroups.ofServers(hosts, serverColumns, null);
            return groups.rows().size() > 1 && !groups.rows().containsKey("")
                    ? serverColumns + (serverColumns.isEmpty() ? "" : ",") + "site=" + groups.column()
                    : serverColumns;
        } catch (TraceException e) {
            // There is no such column.
            return serverColumns;
        }
    }

    private static ClusterState state(Experiment point, boolean clusters, Path hosts, Consumer<String> notes) {
        List<String> resources =
                point.cluster().resources().stream().map(Resource::name).toList();
        List<ClusterServer> servers = new ArrayList<>();
        List<Site> siteOf = new ArrayList<>();
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
                    siteOf.add(site);
                }
            }
        }
        ServerAdmission all = ServerAdmission.everywhere(servers.size());
        Map<Site, ServerAdmission> own = new HashMap<>();
        point.cluster()
                .sites()
                .forEach(site -> own.put(
                        site,
                        new ServerAdmission(siteOf.stream()
                                .map(each -> each.equals(site)
                                        ? List.<String>of()
                                        : List.of("is in another cluster, " + each.name()))
                                .toList())));
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
                        pass.id(), pass.demand(), at, clusters ? own.getOrDefault(siteOf.get(at), all) : all));
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

    /** Without an overcommit, hosts that hold more vCPU than cores say that there is one. */
    private void checkRoom(ClusterState state) {
        int cpu = state.resources().indexOf("cpu_milli");
        double[] used = new double[state.servers().size()];
        state.jobs().forEach(job -> used[job.server()] += cpu < 0 ? 0 : job.demand()[cpu]);
        double[] most = IntStream.range(0, used.length)
                .mapToDouble(s -> cpu < 0 ? 0 : used[s] / state.servers().get(s).capacity()[cpu])
                .filter(part -> part > 1)
                .sorted()
                .toArray();
        if (overcommit == null && most.length > 0) {
            throw new BadInputException(String.format(
                    Locale.ROOT,
                    "%d of %d hosts hold more vCPU than they have cores, up to %.1f per core. Say how many may share a core:"
                            + " --overcommit \"cpu %.0f:1\"",
                    most.length,
                    used.length,
                    most[most.length - 1],
                    Math.ceil(most[most.length - 1])));
        }
    }

    private static String few(List<String> some) {
        return some.stream().limit(NAMED).collect(Collectors.joining(", ")) + (some.size() > NAMED ? ", ..." : "");
    }
}
