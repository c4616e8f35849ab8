package dev.stowage.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.cli.live.OwnService;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.PolicyArgument;
import dev.stowage.cli.text.ServerArgument;
import dev.stowage.service.api.ApiSettings;
import dev.stowage.service.api.TlsFiles;
import dev.stowage.service.raft.Tls;
import dev.stowage.sim.experiment.ExperimentException;
import dev.stowage.sim.experiment.Problem;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.MissingFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Carries out {@code stowage serve}: determines the configuration, and starts a node or a group. */
record Serve(ServeCommand options, Console console) {
    static final String SERVERS = "100 x 48 cores, 128 GiB";
    static final String POLICY = "best-fit:when-full=queue";
    private static final int RAFT_PORTS = 100;
    private static final String IGNORED = " is ignored, any request may run";
    private static final String CHANGES = "'stowage servers' changes servers, 'stowage policy' the policy";

    int run() throws IOException, InterruptedException {
        check();
        if (options.nodes > 1) {
            Path file = groupFile();
            return new ServedGroup(
                            file,
                            configured(file),
                            options.bootstrap,
                            options.plugins().arguments(),
                            options.program(),
                            console)
                    .run();
        }
        if (options.config == null) {
            ServiceConfiguration one = one();
            tell(one.notes());
            if (options.trial != null) {
                return new TrainingRun(one, options.trial, options::carryOut).run();
            }
            ServiceConfiguration.Node self = one.nodes().get(0);
            UsedDirectory.mustBeForOne(one.data(), self.id());
            String other = UsedDirectory.others(one.data(), self.id());
            if (!other.isEmpty()) {
                console.note("stowage: --data " + one.data() + " also holds other files, such as " + other
                        + "; the service's are in " + one.data().resolve(self.id()));
            }
            return new ServedNode(one, self, options, console).run();
        }
        ServiceConfiguration group = configured(options.config);
        tell(group.notes());
        ServiceConfiguration.Node self = self(group);
        checkFiles(options.config, group.tls(self), group.nodes().size() > 1);
        if (group.nodes().size() > 1) {
            UsedDirectory.mustNotBeOfOne(group.data(), self.id());
        }
        return new ServedNode(group, self, options, console).run();
    }

    /** Refuses files of TLS with which the node could not serve, and warns of those with which others may refuse it. */
    private void checkFiles(Path source, @Nullable Tls tls, boolean group) throws IOException {
        if (tls == null) {
            return;
        }
        List<Problem> problems = new ArrayList<>();
        new TreeMap<>(Map.of("certificate", tls.certificate(), "key", tls.key(), "authority", tls.authority()))
                .forEach((part, file) -> {
                    if (!Files.isRegularFile(file)) {
                        String why = Files.isDirectory(file) ? "it is a directory" : MissingFile.why(file);
                        problems.add(new Problem("tls." + part, file + ": " + why));
                    }
                });
        if (problems.isEmpty()) {
            for (TlsFiles.Mistake mistake : TlsFiles.mistakes(tls, group, Instant.now())) {
                if (mistake.fatal()) {
                    problems.add(new Problem("tls." + mistake.part(), mistake.what()));
                } else {
                    console.note(Remark.warning("tls." + mistake.part() + ": " + mistake.what()));
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ExperimentException(source.toString(), problems);
        }
    }

    private void tell(List<Remark> notes) {
        notes.forEach(
                note -> console.note(note.warns() ? "" : "stowage: ", note.saying(note.text() + remedy(note.text()))));
    }

    /** How to keep what a list of servers says and the service does not use. */
    private static String remedy(String said) {
        int ignored = said.indexOf(IGNORED);
        return ignored >= 0
                ? ". To keep it as the servers' site, start with --config and a file that has cluster: {server-list:"
                        + " FILE, server-columns: \"site=" + said.substring(0, ignored) + "\"} (docs/service.md,"
                        + " Configuration)"
                : said.startsWith("columns not used: ")
                        ? ". Labels of servers are set with 'stowage servers label', or read from columns such as"
                                + " label:zone of Stowage's own list (docs/traces.md, canonical)"
                        : "";
    }

    private void check() {
        if (options.nodes < 1 || options.nodes > 7 || options.nodes % 2 == 0) {
            throw new BadInputException("--nodes " + options.nodes + " must be 1, 3, 5 or 7");
        }
        boolean alone = options.nodes == 1
                && options.servers == null
                && options.policy == null
                && options.port == null
                && options.data == null;
        if (options.config != null && !alone) {
            throw new BadInputException("the --config file sets nodes, data, servers and policy;"
                    + " leave out --nodes, --data, --port, --servers and --policy");
        }
        if (options.node != null && options.config == null) {
            throw new BadInputException("--node says which node of a configuration this is; give --config too");
        }
        if (options.port != null && (options.port < 0 || options.port > 65_535 - 2 * RAFT_PORTS)) {
            throw new BadInputException("--port " + options.port + " must be 0 to " + (65_535 - 2 * RAFT_PORTS)
                    + ": nodes talk to each other on ports from " + RAFT_PORTS + " above it on");
        }
        if (options.nodes > 1 && options.port != null && options.port == 0) {
            throw new BadInputException("--port 0 is for one node; the nodes of a group must know each other's ports");
        }
    }

    private ServiceConfiguration.Node self(ServiceConfiguration group) {
        if (options.node != null) {
            return group.node(options.node);
        }
        if (group.nodes().size() > 1) {
            throw new BadInputException("this configuration has the nodes "
                    + group.nodes().stream().map(ServiceConfiguration.Node::id).toList()
                    + "; say with --node which one is to be started here");
        }
        return group.nodes().get(0);
    }

    static ServiceConfiguration configured(Path file) {
        try {
            Path directory = file.getParent();
            return ServiceFile.read(
                    file.toString(), Files.readString(file), directory == null ? Path.of("") : directory);
        } catch (IOException e) {
            throw new BadInputException("--config " + file + ": " + Failures.why(e), e);
        }
    }

    /** One node, as the options say. It gets free ports, or the given one for the API. */
    private ServiceConfiguration one() {
        int port = options.port == null ? ApiSettings.PORT : options.port;
        // Port 0 is allowed here only: a file must name ports that others can know.
        ObjectNode tree = tree(1, Math.max(1, port));
        ServiceConfiguration read = read(tree);
        ServiceConfiguration.Node node = read.nodes().get(0);
        ServiceConfiguration.Node free = new ServiceConfiguration.Node(
                node.id(),
                InetSocketAddress.createUnresolved(node.api().getHostString(), port),
                InetSocketAddress.createUnresolved(node.raft().getHostString(), 0));
        return read.on(List.of(free));
    }

    /** The file of a group on this machine, written at the first start. */
    private Path groupFile() throws IOException {
        Path directory = directory();
        Path file = directory.resolve(UsedDirectory.GROUP);
        if (Files.exists(file)) {
            ServiceConfiguration group = configured(file);
            if (group.nodes().size() != options.nodes) {
                throw new BadInputException("--nodes " + options.nodes + ": " + file + " has "
                        + group.nodes().size() + " nodes");
            }
            UsedDirectory.mustBeForGroup(group.data(), group, "change them in " + file);
            if (options.servers != null || options.policy != null || options.port != null) {
                console.note("stowage: " + file + " exists and is used: --servers, --policy and --port are ignored. "
                        + CHANGES);
            }
            return file;
        }
        ObjectNode tree = tree(options.nodes, options.port == null ? ApiSettings.PORT : options.port);
        tree.put("data", ".");
        ServiceConfiguration group = read(tree);
        boolean used = UsedDirectory.mustHoldAllOrNone(directory, group);
        UsedDirectory.mustBeForGroup(directory, group, "choose others with --port");
        if (used && (options.servers != null || options.policy != null)) {
            console.note("stowage: " + directory + " holds a group, which goes on with its own servers and policy:"
                    + " --servers and --policy are ignored. " + CHANGES);
        }
        PrivateFiles.create(directory);
        ServedGroup.markFirstStart(directory);
        return Files.writeString(file, UsedDirectory.written(tree.toPrettyString() + "\n"));
    }

    private Path directory() {
        return options.data == null ? OwnService.DATA : options.data;
    }

    /** The options as a configuration. JSON is YAML too. */
    private ObjectNode tree(int nodes, int port) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < nodes; i++) {
            tree.withArray("nodes")
                    .addObject()
                    .put("id", "n" + (i + 1))
                    .put("api", "127.0.0.1:" + (port + i))
                    .put("raft", "127.0.0.1:" + (port + RAFT_PORTS + i));
        }
        tree.put("data", directory().toString());
        String servers = options.servers == null ? SERVERS : options.servers;
        ObjectNode cluster = tree.putObject("cluster");
        if (!Files.exists(Path.of(servers)) && ServerArgument.describes(servers)) {
            JsonNode blocks = ServerArgument.parse(servers);
            cluster.set("servers", blocks);
            if (!blocks.findValues("gpu").isEmpty()) {
                cluster.put("devices", "gpu");
            }
        } else if (!Files.exists(Path.of(servers))) {
            throw new BadInputException("--servers '" + servers + "' must be servers such as \"" + SERVERS
                    + "\", or a file: " + MissingFile.why(Path.of(servers)));
        } else {
            cluster.put("server-list", Path.of(servers).toAbsolutePath().toString());
        }
        String named = options.policy == null ? POLICY : options.policy;
        PolicyArgument policy = PolicyArgument.parse(named);
        ObjectNode spec = tree.putObject("policy").put("policy", policy.key());
        policy.parameters().forEach(spec::put);
        return tree;
    }

    private static ServiceConfiguration read(ObjectNode tree) {
        try {
            return ServiceFile.read("options", tree.toString(), Path.of(""));
        } catch (ExperimentException e) {
            List<Problem> typed = e.problems().stream()
                    .map(problem -> new Problem(
                            problem.path().startsWith("cluster")
                                    ? "--servers"
                                    : problem.path().startsWith("policy") ? "--policy" : problem.path(),
                            problem.message()))
                    .toList();
            throw new ExperimentException("options", typed);
        }
    }
}
