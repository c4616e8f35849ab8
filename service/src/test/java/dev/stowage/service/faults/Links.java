package dev.stowage.service.faults;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The links between nodes and agents on loopback, in a network namespace that has nothing else ({@code unshare -n}).
 * Each node has an address and a user of its own, so that what it sends can be told apart, and dropped without a word:
 * connections stay open and nothing arrives, as where a cable is cut. Clients reach all nodes always.
 */
final class Links implements AutoCloseable {
    private static final int FIRST_USER = 20_001;
    private static final int FIRST_AGENT = 20_101;
    private static final String MAY = "+dac_override,+dac_read_search";
    private static final String CUTS = "5";
    private static final String SOURCES = "6";
    private static final String LOCAL = "10";

    private final List<List<String>> cuts = new ArrayList<>();

    /** Whether this process has a network of its own, and may change it. */
    static boolean may() throws IOException {
        boolean alone = Boolean.getBoolean("stowage.own-network");
        for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            alone &= one.isLoopback();
        }
        return alone;
    }

    /** Gives the nodes n1, n2 and so on their addresses, and their users the directories of their data. */
    Links(int nodes, Path directory) throws IOException, InterruptedException {
        run(List.of("chmod", "755", directory.toString()));
        for (int node = 0; node < nodes; node++) {
            ip(List.of("addr", "add", host(node) + "/32", "dev", "lo"));
            Path data = Files.createDirectory(directory.resolve("n" + (node + 1)));
            run(List.of("chown", user(node), data.toString()));
        }
        // The rule for local addresses is the very first of all: what drops packets has to come before it.
        ip(List.of("rule", "add", "pref", LOCAL, "lookup", "local"));
        ip(List.of("rule", "del", "pref", "0"));
    }

    /** Where a node runs: at its address, as its user, who may read the program wherever it lies. */
    Group.Place place(int node, String command) {
        String user = user(node);
        List<String> start = new ArrayList<>(as(user));
        start.add(command);
        return new Group.Place(host(node), List.copyOf(start));
    }

    private static String user(int node) {
        return Integer.toString(FIRST_USER + node);
    }

    private static String host(int node) {
        return "127.0.1." + (node + 1);
    }

    /**
     * Gives an agent an address and a user of its own, and that user a directory.
     *
     * @return what starts its process, before the command
     */
    List<String> agent(int agent, Path directory) throws IOException, InterruptedException {
        String user = Integer.toString(FIRST_AGENT + agent);
        ip(List.of("addr", "add", agentHost(agent) + "/32", "dev", "lo"));
        // What it sends to nodes comes from its address, so that what they answer can be told apart, too.
        ip(List.of("route", "add", "local", "127.0.1.0/24", "dev", "lo", "src", agentHost(agent), "table", user));
        ip(List.of("rule", "add", "pref", SOURCES, "uidrange", user + "-" + user, "lookup", user));
        run(List.of("chown", user, directory.toString()));
        return as(user);
    }

    /** What starts a command as a user. */
    private static List<String> as(String user) {
        return List.of(
                "setpriv",
                "--reuid",
                user,
                "--regid",
                user,
                "--clear-groups",
                "--inh-caps",
                MAY,
                "--ambient-caps",
                MAY);
    }

    /** Drops what an agent sends to nodes. */
    void cutAgent(int agent) throws IOException, InterruptedException {
        String user = Integer.toString(FIRST_AGENT + agent);
        drop(List.of("pref", CUTS, "uidrange", user + "-" + user, "to", "127.0.1.0/24", "blackhole"));
    }

    /** Drops what nodes send to an agent: what it asks is done, and it never learns. */
    void muteNodes(int agent) throws IOException, InterruptedException {
        drop(List.of(
                "pref",
                CUTS,
                "uidrange",
                FIRST_USER + "-" + (FIRST_AGENT - 1),
                "to",
                agentHost(agent) + "/32",
                "blackhole"));
    }

    private static String agentHost(int agent) {
        return "127.0.2." + (agent + 1);
    }

    private void drop(List<String> rule) throws IOException, InterruptedException {
        change("add", rule);
        cuts.add(rule);
    }

    /** Drops nothing any more. */
    void heal() throws IOException, InterruptedException {
        for (List<String> rule : cuts) {
            change("del", rule);
        }
        cuts.clear();
    }

    private static void change(String verb, List<String> rule) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("rule", verb));
        words.addAll(rule);
        ip(words);
    }

    private static void ip(List<String> arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("ip"));
        words.addAll(arguments);
        run(words);
    }

    /** Runs a command that must succeed. */
    static void run(List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException(words + " ended with " + process.exitValue());
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        heal();
    }
}
