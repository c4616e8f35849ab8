package dev.stowage.cli.serve;

import dev.stowage.cli.log.ServiceLog;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.policies.Policies;
import dev.stowage.service.api.ApiServer;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A node in this process, from its start until a signal ends it, or it cannot go on. */
final class ServedNode {
    private static final long POLL_MILLIS = 5;
    /** Longest time of a first start or a restart. */
    private static final long QUIET_NANOS = 3_000_000_000L;

    private final ServiceConfiguration service;
    private final ServiceConfiguration.Node self;
    private final ServeCommand options;
    private final Console console;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    ServedNode(ServiceConfiguration service, ServiceConfiguration.Node self, ServeCommand options, Console console) {
        this.service = service;
        this.self = self;
        this.options = options;
        this.console = console;
    }

    int run() throws InterruptedException {
        ServiceLog.start(options.logCalls);
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stowage-stop"));
        if (options.endWith != null) {
            endWith(options.endWith);
        }
        try {
            return serve();
        } catch (IOException e) {
            throw new UncheckedIOException("node " + self.id() + " cannot serve: " + e.getMessage(), e);
        } finally {
            closed.countDown();
        }
    }

    private int serve() throws IOException, InterruptedException {
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
            CompletableFuture<?> unused = node.failed().thenRun(end::countDown);
            announce(node, api);
            end.await();
            if (node.failed().isDone()) {
                console.warn("stowage: node " + self.id() + " is shutting down: "
                        + node.failed().join() + ". Start it again; this shutdown loses nothing that was acknowledged");
                return Failures.FAILED;
            }
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
    private void endWith(long parent) {
        ProcessHandle handle = ProcessHandle.of(parent).orElse(null);
        if (handle == null) {
            end.countDown();
            return;
        }
        CompletableFuture<?> unused = handle.onExit().thenRun(end::countDown);
    }

    private void announce(RaftNode node, ApiServer api) throws InterruptedException {
        NodeStatus status = node.status();
        long began = System.nanoTime();
        String told = "";
        while (!status.ready() && status.halted() == null && end.getCount() > 0) {
            Thread.sleep(POLL_MILLIS);
            String waits = status.waits();
            if (waits != null && !waits.equals(told) && System.nanoTime() - began > QUIET_NANOS) {
                console.warn("stowage: node " + self.id() + " waits: " + waits);
                told = waits;
            }
            status = node.status();
        }
        if (end.getCount() == 0) {
            return;
        }
        if (status.halted() != null) {
            console.warn("stowage: node " + self.id() + " does not serve: " + status.halted());
            return;
        }
        String what = node.look(state -> {
            var world = state.world();
            return world == null
                    ? "starting"
                    : world.engine().policy() + ", " + world.engine().view().servers() + " servers, " + world.live()
                            + " requests";
        });
        console.out()
                .println("stowage: node " + self.id() + " serves at " + (service.tls() == null ? "http://" : "https://")
                        + self.api().getHostString() + ":" + api.port() + " (" + what + "; "
                        + service.data().resolve(self.id()) + ")");
        console.out().flush();
    }

    /** At a signal: no further calls are accepted, present ones are answered, the log is closed. */
    private void stop() {
        end.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
