package dev.stowage.service.faults;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The links between nodes on loopback, in a network namespace that has nothing else ({@code unshare -n}). Each node has
 * an address and a user of its own, so that what it sends to another can be told apart, and dropped without a word:
 * connections stay open and nothing arrives, as where a cable is cut. Clients reach all nodes always.
 */
final class Links implements AutoCloseable {
    private static final int FIRST_USER = 20_001;
    private static final String CUTS = "5";
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
        String may = "+dac_override,+dac_read_search";
        return new Group.Place(
                host(node),
                List.of(
                        "setpriv",
                        "--reuid",
                        user,
                        "--regid",
                        user,
                        "--clear-groups",
                        "--inh-caps",
                        may,
                        "--ambient-caps",
                        may,
                        command));
    }

    private static String user(int node) {
        return Integer.toString(FIRST_USER + node);
    }

    private static String host(int node) {
        return "127.0.1." + (node + 1);
    }

    /** Drops what a node sends to another. */
    void cut(int from, int to) throws IOException, InterruptedException {
        String user = user(from);
        List<String> rule = List.of("pref", CUTS, "uidrange", user + "-" + user, "to", host(to), "blackhole");
        change("add", rule);
        cuts.add(rule);
    }

    /** Drops what two nodes send to each other. */
    void cutBoth(int one, int other) throws IOException, InterruptedException {
        cut(one, other);
        cut(other, one);
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

    private static void run(List<String> words) throws IOException, InterruptedException {
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
