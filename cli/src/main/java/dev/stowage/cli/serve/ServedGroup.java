package dev.stowage.cli.serve;

import dev.stowage.cli.text.Console;
import dev.stowage.service.directory.Identity;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Nodes on this machine, each a process that is started again when it dies; all end with this one. */
final class ServedGroup {
    private static final String FIRST_START = "first-start";
    private static final long PAUSE_MILLIS = 100;
    /**
     * By then the others have elected a leader: an earlier start would take processor time that they need for the
     * election.
     */
    private static final long REST_MILLIS = 4000;

    private final Path file;
    private final ServiceConfiguration group;
    private final boolean bootstrap;
    private final List<String> more;
    private final Class<?> program;
    private final Console console;
    private final List<Process> processes = new ArrayList<>();
    /** Instant at which a node that died is started again, by node. */
    private final Map<Integer, Long> due = new TreeMap<>();

    private boolean ending;

    /**
     * The nodes of a configuration.
     *
     * @param bootstrap whether the first of them may make the group, although this is not the first start here
     * @param more arguments of each
     */
    ServedGroup(
            Path file,
            ServiceConfiguration group,
            boolean bootstrap,
            List<String> more,
            Class<?> program,
            Console console) {
        this.file = file;
        this.group = group;
        this.bootstrap = bootstrap;
        this.more = more;
        this.program = program;
        this.console = console;
    }

    int run() throws InterruptedException, IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stowage-stop"));
        for (int i = 0; i < group.nodes().size(); i++) {
            processes.add(start(i));
        }
        console.note("stowage: starting the " + group.nodes().size() + " nodes of " + file + "; process "
                + ProcessHandle.current().pid()
                + " starts each again that ends, and ends all with itself. For commands in another terminal:");
        console.noteToCopy("  export STOWAGE_AT=" + at(group));
        while (!ended()) {
            Thread.sleep(PAUSE_MILLIS);
            restart();
        }
        return 0;
    }

    /** Where the API of each node is, as commands take it. */
    static String at(ServiceConfiguration group) {
        return group.addresses().values().stream()
                .map(address -> group.tls() == null ? address : "https://" + address)
                .collect(Collectors.joining(","));
    }

    private synchronized boolean ended() {
        return ending;
    }

    private synchronized void restart() throws IOException {
        for (int i = 0; i < processes.size() && !ending; i++) {
            Process process = processes.get(i);
            Long at = due.get(i);
            if (at == null && !process.isAlive()) {
                console.warn("stowage: node " + id(i) + " ended with code " + process.exitValue()
                        + "; it is started again in " + REST_MILLIS / 1000 + " s");
                due.put(i, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS));
            } else if (at != null && System.nanoTime() - at >= 0) {
                due.remove(i);
                processes.set(i, start(i));
            }
        }
    }

    private String id(int node) {
        return group.nodes().get(node).id();
    }

    /** Marks the directory as being at its first start, until the nodes have a group. */
    static void markFirstStart(Path directory) throws IOException {
        Files.writeString(
                directory.resolve(FIRST_START), "The nodes here have no group yet; the first node creates it.\n");
    }

    /** Whether the first node may make the group: at the first start, or if the option says so. */
    private boolean makesGroup() throws IOException {
        Path mark = file.resolveSibling(FIRST_START);
        for (ServiceConfiguration.Node node : group.nodes()) {
            if (Files.exists(Identity.file(group.data().resolve(node.id())))) {
                Files.deleteIfExists(mark);
                return false;
            }
        }
        return bootstrap || Files.exists(mark);
    }

    /** Starts a node with the same Java runtime and options. */
    private Process start(int node) throws IOException {
        List<String> command = new ArrayList<>(
                OwnCommand.with(ManagementFactory.getRuntimeMXBean().getInputArguments(), program));
        command.addAll(List.of("serve", "--config", file.toString(), "--node", id(node)));
        command.addAll(more);
        if (node == 0 && makesGroup()) {
            command.add("--bootstrap");
        }
        command.addAll(
                List.of("--end-with", Long.toString(ProcessHandle.current().pid())));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private void stop() {
        List<Process> all;
        synchronized (this) {
            ending = true;
            all = List.copyOf(processes);
        }
        all.forEach(Process::destroy);
        for (Process process : all) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
