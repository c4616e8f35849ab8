package dev.stowage.service.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What goes wrong, drawn from the seed. */
final class Faults {
    private final Simulation all;
    private final Random random;
    private final List<Node> nodes;
    private final int endpoints;

    Faults(Simulation all, List<Node> nodes, int endpoints, Random random) {
        this.all = all;
        this.nodes = nodes;
        this.endpoints = endpoints;
        this.random = random;
    }

    void begin() {
        later(20 + random.nextInt(500), this::next);
    }

    private void next() {
        if (!all.closing()) {
            one();
            later(5 + random.nextInt(random.nextBoolean() ? 60 : 500), this::next);
        }
    }

    private void one() {
        Node node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(12)) {
            case 0, 1 -> crash(node);
            case 2 -> nodes.stream().filter(Node::leads).findFirst().ifPresent(this::crash);
            case 3 -> nodes.forEach(this::crash);
            case 4, 5 -> partition();
            case 6 -> weather();
            case 7 -> slowDisk(node);
            case 8 -> fullDisk(node);
            case 9 -> damageDisk(node);
            case 10 -> {
                node.jumpClock(Agenda.millis(random.nextInt(200_000) - 100_000));
                all.count("clock jumps");
            }
            default -> damageMemory(node);
        }
    }

    private void crash(Node node) {
        if (node.up()) {
            node.crash();
            restartLater(node);
        }
    }

    private void restartLater(Node node) {
        later(1 + random.nextInt(random.nextBoolean() ? 20 : 800), () -> {
            if (!node.up()) {
                node.start();
            }
        });
    }

    /** The disk had no room: the process ends, and comes back when there is some. */
    void stopped(Node node) {
        node.crash();
        later(50 + random.nextInt(300), () -> {
            node.disk().full(false);
            if (!node.up()) {
                node.start();
            }
        });
    }

    /** A node has voted: the moment to forget it. */
    void voted(Node node) {
        if (!all.closing() && random.nextInt(8) == 0) {
            all.agenda().after(1000, () -> {
                if (node.up()) {
                    node.crash();
                    node.start();
                }
            });
        }
    }

    private void partition() {
        boolean[] side = new boolean[endpoints];
        boolean leaderAlone = random.nextBoolean();
        for (int i = 0; i < side.length; i++) {
            // A leader that nobody but clients hears is the one that may answer from the past.
            side[i] = (leaderAlone && i < nodes.size()) ? nodes.get(i).leads() : random.nextBoolean();
        }
        all.network().partition(side, random.nextInt(3) == 0);
        all.count("partitions");
        later(50 + random.nextInt(800), all.network()::heal);
    }

    private void weather() {
        all.network().weather(random.nextDouble() * 0.2, random.nextDouble() * 0.3);
        all.count("bad weather");
        later(100 + random.nextInt(600), () -> all.network().weather(0, 0));
    }

    private void slowDisk(Node node) {
        node.disk().slowness(5 + random.nextInt(100));
        all.count("slow disks");
        later(100 + random.nextInt(600), () -> node.disk().slowness(1));
    }

    private void fullDisk(Node node) {
        node.disk().full(true);
        later(20 + random.nextInt(300), () -> node.disk().full(false));
    }

    /** At most one node at a time has lost something: what no majority keeps is gone, whatever the nodes do. */
    private void damageDisk(Node node) {
        if (nodes.size() == 1 || !node.up() || nodes.stream().anyMatch(one -> !one.whole() || one.suspect())) {
            return;
        }
        node.crash();
        boolean log = random.nextBoolean();
        if (log ? node.disk().flipBitOfLog() : node.disk().flipBitOfSnapshot()) {
            all.count(log ? "bits of logs" : "bits of snapshots");
        }
        if (random.nextInt(3) == 0) {
            // The leader too: who comes next must have what the damaged log had.
            nodes.stream().filter(Node::leads).findFirst().ifPresent(this::crash);
        }
        node.suspect(true);
        restartLater(node);
    }

    /** Nor while another has: of three, one that may not lead and one that may not vote leave nobody to be elected. */
    private void damageMemory(Node node) {
        if (nodes.size() > 1 && nodes.stream().allMatch(one -> one.whole() && !one.suspect()) && node.damage()) {
            all.count("damaged memories");
        }
    }

    /** From here on everything works. */
    void end() {
        all.network().heal();
        all.network().weather(0, 0);
        for (Node node : nodes) {
            node.disk().full(false);
            node.disk().slowness(1);
            if (!node.up()) {
                node.start();
            }
        }
    }

    private void later(int millis, Runnable what) {
        all.agenda().after(Agenda.millis(millis), what);
    }

    @Override
    public String toString() {
        return Arrays.toString(nodes.stream().map(Node::up).toArray());
    }
}
