package dev.stowage.service.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Machines for nodes: network namespaces, each with an address of its own that is not on loopback, joined by a bridge
 * in this process' own namespace, from which clients reach all of them. What a machine sends to another is dropped
 * there, so connections stay open and nothing arrives.
 */
final class SpreadMachines implements AutoCloseable {
    private static final String NETWORK = "10.77.0.";
    private static final String DEVICE = "eth0";
    /** Its name among the tables of packet filters. */
    private static final String LOSS = "loss";

    /** A process that keeps each namespace, and ends with this one. */
    private final List<Process> keepers = new ArrayList<>();

    private final List<List<String>> cuts = new ArrayList<>();

    /** Makes machines; needs a namespace of its own, which {@link Links#may} tells. */
    SpreadMachines(int machines) throws IOException, InterruptedException {
        Links.run(List.of("ip", "link", "add", "name", "bridge", "type", "bridge"));
        Links.run(List.of("ip", "addr", "add", NETWORK + "254/24", "dev", "bridge"));
        Links.run(List.of("ip", "link", "set", "bridge", "up"));
        for (int machine = 0; machine < machines; machine++) {
            Process keeper = new ProcessBuilder("unshare", "-n", "sh", "-c", "echo ready; exec cat >/dev/null").start();
            keepers.add(keeper);
            // Once it has said that, it is in its namespace.
            if (keeper.getInputStream().read() < 0) {
                throw new IOException("no network namespace can be made");
            }
            String end = "to-" + machine;
            String pid = Long.toString(keeper.pid());
            Links.run(List.of("ip", "link", "add", "name", end, "type", "veth", "peer", "name", DEVICE, "netns", pid));
            Links.run(List.of("ip", "link", "set", end, "master", "bridge", "up"));
            on(machine, "ip", "link", "set", "lo", "up");
            on(machine, "ip", "addr", "add", host(machine) + "/24", "dev", DEVICE);
            on(machine, "ip", "link", "set", DEVICE, "up");
        }
    }

    static String host(int machine) {
        return NETWORK + (machine + 1);
    }

    /** Where the node of a machine runs. */
    Group.Place place(int machine, String command) {
        List<String> words = enter(machine);
        words.add(command);
        return new Group.Place(host(machine), List.copyOf(words));
    }

    private List<String> enter(int machine) {
        String pid = Long.toString(keepers.get(machine).pid());
        return new ArrayList<>(List.of("nsenter", "--target", pid, "--net"));
    }

    private void on(int machine, String... words) throws IOException, InterruptedException {
        List<String> all = enter(machine);
        all.addAll(List.of(words));
        Links.run(all);
    }

    /** Drops what a machine sends to another. */
    void cut(int from, int to) throws IOException, InterruptedException {
        change("add", from, to);
        cuts.add(List.of(Integer.toString(from), Integer.toString(to)));
    }

    /** Drops what two machines send to each other. */
    void cutBoth(int one, int other) throws IOException, InterruptedException {
        cut(one, other);
        cut(other, one);
    }

    /** Drops nothing any more. */
    void heal() throws IOException, InterruptedException {
        for (List<String> cut : cuts) {
            change("del", Integer.parseInt(cut.get(0)), Integer.parseInt(cut.get(1)));
        }
        cuts.clear();
    }

    private void change(String verb, int from, int to) throws IOException, InterruptedException {
        on(from, "ip", "route", verb, "blackhole", host(to) + "/32");
    }

    /**
     * Makes all links slow and lossy: of a hundred packets that a machine sends, some are lost, and what is sent faster
     * than the rate waits in a queue, up to a time. Not by {@code netem}, which many kernels are built without.
     */
    void degrade(int lostPercent, String rate, String queue) throws IOException, InterruptedException {
        for (int machine = 0; machine < keepers.size(); machine++) {
            on(
                    machine, "tc", "qdisc", "add", "dev", DEVICE, "root", "tbf", "rate", rate, "burst", "10kb",
                    "latency", queue);
            on(machine, "nft", "add table inet " + LOSS);
            on(machine, "nft", "add chain inet " + LOSS + " out { type filter hook output priority 0; }");
            String lost = "numgen random mod 100 < " + lostPercent;
            on(machine, "nft", "add rule inet " + LOSS + " out oifname " + DEVICE + " " + lost + " drop");
        }
    }

    /** The opposite of {@link #degrade}. */
    void mend() throws IOException, InterruptedException {
        for (int machine = 0; machine < keepers.size(); machine++) {
            on(machine, "tc", "qdisc", "del", "dev", DEVICE, "root");
            on(machine, "nft", "delete table inet " + LOSS);
        }
    }

    /** With the last process of a namespace its links end. */
    @Override
    public void close() throws IOException, InterruptedException {
        for (Process keeper : keepers) {
            keeper.destroyForcibly();
            keeper.waitFor();
        }
        Links.run(List.of("ip", "link", "del", "bridge"));
    }
}
