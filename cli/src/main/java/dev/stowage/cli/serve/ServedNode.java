package dev.stowage.cli.serve;

import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.log.StopSignal;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A node in this process, from its start until a signal ends it, or it cannot go on. */
record ServedNode(ServiceConfiguration service, ServiceConfiguration.Node self, ServeCommand options, Console console) {
    private static final long POLL_MILLIS = 5;

    int run() throws InterruptedException {
        ServiceLog.start(options.logCalls);
        try (StopSignal signal = new StopSignal()) {
            if (options.endWith != null) {
                endWith(options.endWith, signal);
            }
            return serve(signal);
        } catch (BindException e) {
            String choose = options.config == null ? "with --port" : "for node " + self.id() + " in " + options.config;
            throw new UncheckedIOException(e.getMessage() + "; choose another " + choose, e);
        } catch (IOException e) {
            throw new UncheckedIOException("node " + self.id() + " cannot serve: " + e.getMessage(), e);
        }
    }

    private int serve(StopSignal signal) throws IOException, InterruptedException {
        UsedDirectory.mustBeFree(service.data(), service, self);
        PrivateFiles.keep(service.data().resolve(self.id()));
        TokenFile tokens = TokenFile.watch(options.config, service.access());
        try (tokens;
                RaftNode node = RaftNode.start(
                        service.raft(self).withBootstrap(options.bootstrap), new Policies(), service.setting());
                ApiServer api = ApiServer.start(
                        node, service.api(self).withReplay(replay()).withPlan(small("consolidate", "--pages")))) {
            if (service.waiting() > 0) {
                node.limitWaiting(service.waiting());
            }
            CompletableFuture<?> unused = node.failed().thenRun(signal::stop);
            announce(node, api, signal);
            signal.await();
            if (node.failed().isDone()) {
                console.warn("stowage: node " + self.id() + " is shutting down: "
                        + node.failed().join() + ". Start it again; this shutdown loses nothing that was acknowledged");
                return Failures.FAILED;
            }
            ServiceLog.ending();
        }
        return 0;
    }

    private List<String> replay() {
        List<String> command = small(
                "replay", service.data().resolve(self.id()).toAbsolutePath().toString());
        command.addAll(options.plugins().arguments());
        return command;
    }

    /** This program on one processor and with little memory, so that the service is not disturbed. */
    private List<String> small(String... arguments) {
        List<String> command = new ArrayList<>(OwnCommand.with(
                List.of("-Xmx512m", "-XX:ActiveProcessorCount=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"),
                options.program()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Ends with the parent process, so that no node is left behind when that is killed. */
    private static void endWith(long parent, StopSignal signal) {
        ProcessHandle handle = ProcessHandle.of(parent).orElse(null);
        if (handle == null) {
            signal.stop();
            return;
        }
        CompletableFuture<?> unused = handle.onExit().thenRun(signal::stop);
    }

    private void announce(RaftNode node, ApiServer api, StopSignal signal) throws InterruptedException {
        NodeStatus status = node.status();
        while (!status.ready() && status.halted() == null && !signal.stopped()) {
            Thread.sleep(POLL_MILLIS);
            status = node.status();
        }
        if (signal.stopped()) {
            return;
        }
        if (status.halted() != null) {
            console.warn("stowage: node " + self.id() + " does not serve: " + status.halted());
            return;
        }
        node.look(state -> state.world() == null || (options.config != null && UsedDirectory.wrote(options.config))
                        ? List.<String>of()
                        : ignored(state.world().engine()))
                .forEach(console::warn);
        String what = node.look(state -> {
            var world = state.world();
            return world == null
                    ? "starting"
                    : world.engine().policy() + ", " + servers(world.engine().view()) + ", " + world.live()
                            + (world.live() == 1 ? " request" : " requests");
        });
        String leader = service.nodes().size() == 1 || status.leader() == null
                ? ""
                : self.id().equals(status.leader()) ? "leader; " : "follows " + status.leader() + "; ";
        console.out()
                .print(console.wrapped(
                        "stowage: ",
                        "node " + self.id() + " serves at " + (service.tls() == null ? "http://" : "https://")
                                + self.api().getHostString() + ":" + api.port() + " (" + leader + what + "; "
                                + service.data().resolve(self.id()) + "; process "
                                + ProcessHandle.current().pid() + ")"));
        console.out().flush();
    }

    /** How many servers there are, and how many of them take requests if not all do. */
    private static String servers(View view) {
        long up = IntStream.range(0, view.servers())
                .filter(server -> view.status(server) == ServerStatus.UP)
                .count();
        return view.servers()
                + (view.servers() == 1 ? " server" : " servers")
                + (up == view.servers() ? "" : ", " + up + " up");
    }

    /** What was asked for, and is not so because the data directory goes on with what it has. */
    private List<String> ignored(Engine engine) {
        List<String> ignored = new ArrayList<>();
        String goesOn = "stowage: " + service.data().resolve(self.id()) + " has been in use and goes on with its own ";
        Setting asked = service.setting();
        Map<String, Long> servers = new TreeMap<>();
        View view = engine.view();
        for (int server = 0; server < view.servers(); server++) {
            if (view.status(server) != ServerStatus.GONE) {
                long[] capacity = new long[view.resources()];
                for (int r = 0; r < capacity.length; r++) {
                    capacity[r] = view.capacity(server, r);
                }
                servers.merge(inWords(capacity), 1L, Long::sum);
            }
        }
        Map<String, Long> named = new TreeMap<>();
        asked.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .forEach(block -> named.merge(inWords(block.capacity().toArray()), (long) block.count(), Long::sum));
        if ((options.config != null || options.servers != null) && !servers.equals(named)) {
            ignored.add(goesOn + "servers (" + inWords(servers) + ") instead of those of "
                    + (options.config == null ? "--servers" : options.config) + " (" + inWords(named)
                    + "); 'stowage servers' changes them, and a new data directory begins with others");
        }
        if ((options.config != null || options.policy != null)
                && !engine.policy().equals(asked.policy())) {
            ignored.add(goesOn + "policy (" + engine.policy() + ") instead of that of "
                    + (options.config == null ? "--policy" : options.config) + " (" + asked.policy()
                    + "); 'stowage policy' changes it");
        }
        return ignored;
    }

    private String inWords(long[] capacity) {
        List<String> resources = service.setting().cluster().resources().stream()
                .map(Resource::name)
                .toList();
        return capacity.length == resources.size() ? ResourceWords.of(resources, capacity) : "other resources";
    }

    private static String inWords(Map<String, Long> servers) {
        return servers.entrySet().stream()
                .map(each -> each.getValue() + " x " + each.getKey())
                .collect(Collectors.joining(" + "));
    }
}
