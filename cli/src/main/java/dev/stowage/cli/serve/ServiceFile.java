package dev.stowage.cli.serve;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.Access;
import dev.stowage.service.api.ApiLimits;
import dev.stowage.service.api.LeaseTimes;
import dev.stowage.service.api.Rates;
import dev.stowage.service.api.Token;
import dev.stowage.service.directory.HistoryFiles;
import dev.stowage.service.raft.LogSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.state.Batch;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Quota;
import dev.stowage.service.state.Retention;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.sim.experiment.ClusterReader;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.PolicyReader;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.experiment.ResourceKeys;
import dev.stowage.sim.experiment.ResourceNames;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.experiment.YamlFields;
import dev.stowage.sim.experiment.YamlFile;
import dev.stowage.sim.result.Remark;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of a service; docs/service.md describes every key. All mistakes are found in one go. */
public final class ServiceFile {
    private static final String NODE = "{id: n1, api: 127.0.0.1:7411, raft: 127.0.0.1:7511}";
    private static final String TYPE = "{name: small, demand: {cpu: 1, memory: 2 GiB}}";
    private static final long SECOND = 1_000_000_000L;
    private static final long KEEP = 86_400 * SECOND;
    /** Of the heap, for finished requests; and at least so many bytes. */
    private static final int FINISHED_PART = 16;

    private static final long LEAST_FINISHED = 8 << 20;
    private static final long MOST_HISTORY = 100L << 20;
    private static final int MOST_NODES = 7;
    /** Keys of a tenant that are not resources. */
    private static final List<String> NO_RESOURCES = List.of("requests", "rate", "release-rate", "read-rate");

    private final String source;
    private final Path base;
    private final List<Problem> problems = new ArrayList<>();
    private final List<Remark> notes = new ArrayList<>();

    private ServiceFile(String source, Path base) {
        this.source = source;
        this.base = base;
    }

    /**
     * Reads a configuration.
     *
     * @param source name of the file, for messages
     * @param text YAML
     * @param base directory against which file names in it are resolved
     * @throws ExperimentException with all mistakes
     */
    public static ServiceConfiguration read(String source, String text, Path base) {
        ObjectNode tree = YamlFile.parse(
                source, text, "a service: expected keys such as nodes, cluster, policy (docs/service.md)");
        return new ServiceFile(source, base).read(text, tree);
    }

    /**
     * Reads the tokens of a configuration alone.
     *
     * @throws ExperimentException with all mistakes in them
     */
    static List<Token> tokens(String source, String text) {
        List<Problem> problems = new ArrayList<>();
        List<Token> tokens = SecurityReader.tokens(
                new YamlFields(YamlFile.parse(source, text, "a service"), "", problems).at("tokens"));
        if (!problems.isEmpty()) {
            throw new ExperimentException(source, text, problems);
        }
        return tokens;
    }

    private ServiceConfiguration read(String text, ObjectNode tree) {
        YamlFields root = new YamlFields(tree, "", problems);
        Tls tls = new SecurityReader(base).tls(root.at("tls"));
        Access access = new Access(SecurityReader.tokens(root.at("tokens")));
        List<ServiceConfiguration.Node> nodes = nodes(root.at("nodes"), tls != null && access.guarded());
        String kept = root.at("data").text("stowage-data");
        Path data = kept.equals(".") ? base : base.resolve(kept);
        int before = problems.size();
        Cluster bare = new ClusterReader(base, notes).read(root.at("cluster"));
        // What a plan does about them is no option of a service.
        notes.removeIf(note -> note.kind() == Remark.Kind.OPTION);
        notes.replaceAll(note ->
                note.saying(note.text().replaceAll(", and the loss of all in one is not covered \\([^)]*\\)", "")));
        ResourceNames.check(root.at("cluster"), List.of());
        // Beside a mistake in the cluster, what needs its resources is not read: it may be right.
        YamlFields types = root.at("types");
        YamlFields tenants = root.at("tenants");
        Cluster cluster = bare == null || problems.size() > before ? null : typed(bare, types);
        PolicySpec policy = policy(root.at("policy"));
        long seed = root.at("seed").whole(1, Long.MIN_VALUE, Long.MAX_VALUE);
        Retention keep = keeping(root);
        HistoryFiles.Extent history = history(root.at("history"));
        LogSettings log = log(root.at("log"));
        long waiting = root.at("limits").at("waiting").whole(0, 1, 1_000_000_000);
        ApiLimits limits = limits(root.at("limits"));
        LeaseTimes leases = leases(root.at("leases"));
        Map<String, Rates> rates = new TreeMap<>();
        SortedMap<String, Quota> quotas = cluster == null
                ? new TreeMap<>()
                : quotas(
                        tenants,
                        cluster.resources().stream().map(Resource::name).toList(),
                        rates);
        root.rejectUnknown();
        Setting setting = cluster == null ? null : new Setting(cluster, policy, seed, keep, quotas);
        if (setting != null && problems.isEmpty()) {
            checkStart(setting, root.at("policy"));
        }
        if (!problems.isEmpty() || setting == null) {
            throw new ExperimentException(source, text, problems);
        }
        return new ServiceConfiguration(
                setting, nodes, data, log, limits, waiting, access, tls, rates, leases, history, notes);
    }

    /** Whether the policy can start on the cluster: some need types, or rewards. */
    private static void checkStart(Setting setting, YamlFields at) {
        ServiceState state = new ServiceState(new Policies());
        state.apply(0, new Batch(ServiceState.VERSION, 0, 0, 0, List.of(new Operation.Begin(setting))));
        String why = state.halted();
        if (why != null) {
            at.problem(setting.policy() + " cannot start on this cluster: " + why.substring(why.indexOf(": ") + 2));
        }
    }

    private List<ServiceConfiguration.Node> nodes(YamlFields at, boolean secure) {
        List<ServiceConfiguration.Node> nodes = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (YamlFields node : at.elements()) {
            if (node.isObject(NODE)) {
                String id = node.at("id").requiredText("every node needs an id");
                if (!id.matches("[A-Za-z0-9_-]{1,32}")) {
                    node.at("id").problem("'" + id + "' must be 1 to 32 letters, digits, _ and -");
                }
                InetSocketAddress api = address(node.at("api"));
                InetSocketAddress raft = address(node.at("raft"));
                if (!secure) {
                    checkLoopback(node.at("api"), api);
                    checkLoopback(node.at("raft"), raft);
                }
                node.rejectUnknown();
                for (String name : List.of("id " + id, "address " + api, "address " + raft)) {
                    if (!seen.add(name)) {
                        node.problem("has " + name + ", which another node also has");
                    }
                }
                nodes.add(new ServiceConfiguration.Node(id, api, raft));
            }
        }
        if (nodes.isEmpty() && !at.present()) {
            at.problem("is missing: 1, 3, 5 or 7 nodes, each as in " + NODE);
        } else if (nodes.size() % 2 == 0 || nodes.size() > MOST_NODES) {
            at.problem(nodes.size() + " nodes; must be 1, 3, 5 or 7: an even number tolerates no more lost nodes than"
                    + " the odd number below it, because more than half must agree");
        }
        return nodes;
    }

    private static void checkLoopback(YamlFields at, InetSocketAddress address) {
        try {
            for (InetAddress ip : InetAddress.getAllByName(address.getHostString())) {
                if (!ip.isLoopbackAddress()) {
                    at.problem("'" + at.node().asText() + "' can be reached from elsewhere; without TLS and tokens only"
                            + " loopback (127.0.0.1) is allowed");
                    return;
                }
            }
        } catch (UnknownHostException e) {
            at.problem("unknown host '" + address.getHostString() + "'");
        }
    }

    private static InetSocketAddress address(YamlFields at) {
        return at.parsed(InetSocketAddress.createUnresolved("127.0.0.1", 1), text -> {
            int colon = text.lastIndexOf(':');
            String port = text.substring(colon + 1);
            if (colon < 1
                    || !port.matches("\\d{1,5}")
                    || Integer.parseInt(port) < 1
                    || Integer.parseInt(port) > 65_535) {
                throw new IllegalArgumentException("must be host:port with a port of 1 to 65535, e.g. 127.0.0.1:7411");
            }
            return InetSocketAddress.createUnresolved(text.substring(0, colon), Integer.parseInt(port));
        });
    }

    private @Nullable Cluster typed(Cluster bare, YamlFields at) {
        List<String> resources = bare.resources().stream().map(Resource::name).toList();
        List<RequestType> types = new ArrayList<>();
        for (YamlFields type : at.elements()) {
            if (type.isObject(TYPE)) {
                types.add(type(type, resources, bare.pooledResources()));
            }
        }
        try {
            return bare.withTypes(types);
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static RequestType type(YamlFields type, List<String> resources, List<String> pooled) {
        String name = type.at("name").requiredText("every type needs a name");
        YamlFields demand = type.at("demand");
        long[] amounts = demand.isObject("{cpu: 1, memory: 2 GiB}")
                ? ResourceKeys.amounts(demand, resources, List.of())
                : new long[resources.size()];
        long[] pools = ResourceKeys.amounts(type.at("pooled"), pooled, List.of());
        long reward = type.has("reward") ? type.at("reward").parsed(0L, text -> Units.microsPerHour(text, 0)) : 0;
        long mean = duration(type.at("mean-service"), 0, 1, Long.MAX_VALUE);
        type.rejectUnknown();
        return new RequestType(name, Amounts.of(amounts), Amounts.of(pools), reward, mean);
    }

    private static SortedMap<String, Quota> quotas(YamlFields at, List<String> resources, Map<String, Rates> rates) {
        SortedMap<String, Quota> quotas = new TreeMap<>();
        for (String tenant : at.keys()) {
            YamlFields one = at.at(tenant);
            if (!one.isObject("{requests: 1000, cpu: 400, memory: 1 TiB, rate: 100 / s}")) {
                continue;
            }
            long[] amounts = ResourceKeys.amounts(one, resources, NO_RESOURCES);
            for (int r = 0; r < amounts.length; r++) {
                String name = resources.get(r);
                if (one.keys().stream()
                        .noneMatch(key -> ResourceKeys.resource(key).equals(name))) {
                    amounts[r] = Quota.ANY;
                }
            }
            quotas.put(tenant, new Quota(one.at("requests").whole(Quota.ANY, 0, Integer.MAX_VALUE), amounts));
            Rates rate = new Rates(rate(one, "rate"), rate(one, "release-rate"), rate(one, "read-rate"));
            if (!rate.equals(Rates.NONE)) {
                rates.put(tenant, rate);
            }
            one.rejectUnknown();
        }
        return quotas;
    }

    private static @Nullable Double rate(YamlFields tenant, String key) {
        if (!tenant.has(key)) {
            return null;
        }
        double rate = tenant.at(key).parsed(1.0, text -> Units.perSecond(text, 0));
        if (rate <= 0) {
            tenant.at(key).problem("must be above 0");
        }
        return rate;
    }

    private static PolicySpec policy(YamlFields at) {
        if (!at.present()) {
            return PolicySpec.of("best-fit", java.util.Map.of("when-full", "queue"));
        }
        return new PolicyReader(new Policies()).read(at).spec();
    }

    /** What all nodes keep is in the log; this only says what a service begins with. */
    private static Retention keeping(YamlFields root) {
        YamlFields memory = root.at("keep-finished-memory");
        long most = Math.max(LEAST_FINISHED, Runtime.getRuntime().maxMemory() / FINISHED_PART);
        if (memory.present()) {
            most = memory.parsed(1L, Units::mebibytes) << 20;
        }
        return new Retention(duration(root.at("keep-finished"), KEEP, SECOND, 365 * 86_400 * SECOND), most);
    }

    private static HistoryFiles.Extent history(YamlFields at) {
        HistoryFiles.Extent usual = NodeSettings.HISTORY;
        YamlFields size = at.at("size");
        long mebibytes = size.present() ? size.parsed(1L, Units::mebibytes) : usual.mostBytes() >> 20;
        if (mebibytes < 1 || mebibytes > MOST_HISTORY) {
            size.problem("'" + size.node().asText() + "' must be 1 MiB to " + (MOST_HISTORY >> 20) + " TiB");
        }
        HistoryFiles.Extent limits = HistoryFiles.Extent.of(
                duration(at.at("keep"), usual.keepNanos(), SECOND, 365 * 86_400 * SECOND), mebibytes << 20);
        at.rejectUnknown();
        return limits;
    }

    private static LogSettings log(YamlFields at) {
        LogSettings usual = LogSettings.USUAL;
        LogSettings log = new LogSettings(
                (int) at.at("queue").whole(usual.queue(), 1, 1_000_000),
                Duration.ofNanos(duration(at.at("window"), usual.window().toNanos(), 0, SECOND)),
                at.at("snapshot-entries").whole(usual.snapshotEntries(), 10, Integer.MAX_VALUE),
                Duration.ofNanos(
                        duration(at.at("check-every"), usual.checkEvery().toNanos(), SECOND / 10, 3600 * SECOND)),
                Duration.ofNanos(duration(
                        at.at("election-timeout"), usual.electionTimeout().toNanos(), SECOND / 2, 60 * SECOND)));
        at.rejectUnknown();
        return log;
    }

    private static LeaseTimes leases(YamlFields at) {
        LeaseTimes usual = LeaseTimes.USUAL;
        LeaseTimes leases = new LeaseTimes(
                Duration.ofNanos(duration(at.at("lease"), usual.lease().toNanos(), SECOND, 86_400 * SECOND)),
                Duration.ofNanos(duration(at.at("grace"), usual.grace().toNanos(), 0, 86_400 * SECOND)));
        at.rejectUnknown();
        return leases;
    }

    private static ApiLimits limits(YamlFields at) {
        // Marked as read: it was read before, because it is not a limit of the API.
        at.at("waiting");
        ApiLimits usual = ApiLimits.USUAL;
        YamlFields message = at.at("message");
        long mebibytes = message.present() ? message.parsed(4L, Units::mebibytes) : usual.messageBytes() >> 20;
        if (mebibytes < 1 || mebibytes > 64) {
            message.problem("'" + message.node().asText() + "' must be 1 MiB to 64 MiB");
        }
        ApiLimits limits = new ApiLimits(
                (int) mebibytes << 20,
                (int) at.at("batch").whole(usual.batch(), 1, 10_000),
                (int) at.at("connections").whole(usual.connections(), 1, 1_000_000),
                (int) at.at("connections-per-address").whole(usual.connectionsOfAddress(), 1, 1_000_000),
                (int) at.at("streams").whole(usual.streams(), 1, 1_000_000),
                (int) at.at("changes-per-caller").whole(usual.changes(), 1, 1_000_000),
                (int) at.at("reads-per-caller").whole(usual.reads(), 1, 1_000_000),
                (int) at.at("watches").whole(usual.watches(), 1, 1_000_000),
                (int) at.at("watches-per-caller").whole(usual.watchesOfCaller(), 1, 1_000_000),
                Duration.ofNanos(
                        duration(at.at("header-timeout"), usual.header().toNanos(), SECOND / 10, 3600 * SECOND)),
                Duration.ofNanos(duration(at.at("idle-timeout"), usual.idle().toNanos(), SECOND, 86_400 * SECOND)));
        at.rejectUnknown();
        return limits;
    }

    private static long duration(YamlFields at, long otherwise, long least, long most) {
        if (!at.present()) {
            return otherwise;
        }
        long nanos = at.parsed(otherwise, text -> Units.durationNanos(text, 0));
        if (nanos < least || nanos > most) {
            at.problem("'" + at.node().asText() + "' must be "
                    + (most == Long.MAX_VALUE ? "at least " + least + " ns" : least + " to " + most + " ns"));
        }
        return nanos;
    }
}
