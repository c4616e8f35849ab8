package dev.stowage.service.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What goes wrong, drawn from the seed. */
final class Faults {
    /** Milliseconds; shorter than any election timeout. */
    private static final int AT_ONCE = 60;
    /** Milliseconds until one that is stuck asks for votes, and for each place among the nodes. */
    private static final int STUCK = 600;

    private static final int STUCK_PLACE = 500;
    /** Elections after a split vote until somebody leads. */
    private static final int TRIES = 10;

    private final ServiceSimulation all;
    private final Random random;
    private final List<Node> nodes;
    private final int endpoints;
    /** While nothing else may happen. */
    private boolean quiet;
    /** Partitions so far: each is healed by whoever made it. */
    private int cuts;

    Faults(ServiceSimulation all, List<Node> nodes, int endpoints, Random random) {
        this.all = all;
        this.nodes = nodes;
        this.endpoints = endpoints;
        this.random = random;
    }

    void begin() {
        later(20 + random.nextInt(500), this::next);
    }

    private void next() {
        if (!all.closing() && quiet) {
            later(5, this::next);
        } else if (!all.closing()) {
            one();
            later(5 + random.nextInt(random.nextBoolean() ? 60 : 500), this::next);
        }
    }

    private void one() {
        Node node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(15)) {
            case 0, 1 -> crash(node);
            case 14 -> absence(node);
            case 2 -> nodes.stream().filter(Node::isLeader).findFirst().ifPresent(this::crash);
            case 12 -> failedAppend(node);
            case 13 -> endedLeader();
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

    /** A node is away for so long that the others may no longer have the log that it lacks. */
    private void absence(Node node) {
        if (nodes.size() > 1 && node.up()) {
            node.crash();
            later(800 + random.nextInt(1200), () -> {
                if (!node.up()) {
                    node.start();
                }
            });
        }
    }

    /**
     * Links come back: an append fails on a node that is then the only one to hear the leader, which is cut off for
     * longer than anybody waits. So the others must do without it.
     */
    private void failedAppend(Node node) {
        Node leader = nodes.stream().filter(Node::isLeader).findFirst().orElse(null);
        if (leader == null || leader == node || !others(leader).stream().allMatch(one -> isCalm(one, leader))) {
            return;
        }
        quiet = true;
        node.failNextAppend();
        boolean[] side = new boolean[endpoints];
        for (int i = 0; i < nodes.size(); i++) {
            side[i] = nodes.get(i) != node && !nodes.get(i).isLeader();
        }
        cut(side, false);
        later(5 + random.nextInt(30), () -> {
            // Its process does not end, which the others would notice: it is cut off.
            boolean[] alone = new boolean[endpoints];
            alone[leader.id()] = true;
            cut(alone, false);
            int millis = STUCK + STUCK_PLACE * (nodes.size() - 1);
            later(millis, () -> {
                all.network().heal();
                mustLead(
                        leader,
                        "leader " + leader.id() + " was cut off after an append had failed on node " + node.id(),
                        millis);
                all.count("led after a failed append");
            });
        });
    }

    /**
     * The leader's process ends, and nothing else happens: somebody must take its place at once, also where one has
     * less of the log.
     */
    private void endedLeader() {
        Node leader = nodes.stream().filter(Node::isLeader).findFirst().orElse(null);
        if (leader == null || nodes.size() == 1 || !others(leader).stream().allMatch(node -> isCalm(node, leader))) {
            return;
        }
        quiet = true;
        boolean[] side = new boolean[endpoints];
        side[others(leader).get(random.nextInt(nodes.size() - 1)).id()] = true;
        cut(side, false);
        later(random.nextInt(2 * AT_ONCE / 3), () -> {
            all.network().heal();
            if (leader.isLeader() && others(leader).stream().allMatch(node -> isCalm(node, leader))) {
                leader.crash();
                later(AT_ONCE, () -> mustLeadAtOnce(leader, "the process of leader " + leader.id() + " has ended"));
            } else {
                quiet = false;
            }
        });
    }

    private void cut(boolean[] side, boolean oneWay) {
        cuts++;
        all.network().partition(side, oneWay);
    }

    private List<Node> others(Node leader) {
        return nodes.stream().filter(node -> node != leader).toList();
    }

    /** Whether nothing is wrong with a node that follows. */
    private boolean isCalm(Node node, Node leader) {
        return all.network().isCalm()
                && node.follows(leader.id())
                && node.disk().isWell();
    }

    /** A leader is gone since some time: the others do without it. */
    private void mustLead(Node leader, String what, int millis) {
        quiet = false;
        if (!leader.up()) {
            restartLater(leader);
        }
        if (!all.closing() && others(leader).stream().noneMatch(Node::isLeader)) {
            throw all.broken(what + ", and " + millis + " ms later nobody else leads: " + nodes);
        }
    }

    /**
     * Somebody must lead now, unless the vote was split, which Raft allows: what the leader sent last may arrive
     * just when the others compare their logs, so that two of them find that it is their turn. Everybody who is
     * up has voted then, and nobody has a majority; a node that asks with too short a log does not get that far,
     * since the others keep their votes. Those that voted, or stood, wait for another random election timeout
     * (Ongaro and Ousterhout, In Search of an Understandable Consensus Algorithm, 2014, section 5.2).
     *
     * <p>So there must be a leader after {@link #TRIES} elections, each of at most the longest timeout and the
     * time to ask twice. Of two nodes whose timeouts are uniform over at least 5 ms the second stands too if its
     * timeout ends before the first one's question has come, some 1.5 ms later, so half of the elections are
     * split at most: one in a thousand split votes is still one after ten of them.
     */
    private void mustLeadAtOnce(Node leader, String what) {
        if (!all.closing() && isVoteSplit(leader)) {
            all.count("split votes");
            mustLeadAfterSplit(leader, what + " and the vote was split", 0);
        } else {
            mustLead(leader, what, AT_ONCE);
            all.count("leaders replaced at once");
        }
    }

    private void mustLeadAfterSplit(Node leader, String what, int millis) {
        if (millis > TRIES * Node.electionMillis(all.electionSpread())
                || others(leader).stream().anyMatch(Node::isLeader)) {
            mustLead(leader, what, AT_ONCE + millis);
        } else {
            later(AT_ONCE, () -> mustLeadAfterSplit(leader, what, millis + AT_ONCE));
        }
    }

    /** Whether all others voted in the same term, and for whom they voted has no majority of the group. */
    private boolean isVoteSplit(Node leader) {
        List<Node> others = others(leader);
        long term = others.stream().mapToLong(Node::term).max().orElse(0);
        return others.stream().noneMatch(Node::isLeader)
                && others.stream().allMatch(node -> node.up() && node.term() == term && node.vote() >= 0)
                && others.stream()
                        .allMatch(node -> 2
                                        * others.stream()
                                                .filter(one -> one.vote() == node.id())
                                                .count()
                                < nodes.size());
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
        if (random.nextBoolean()) {
            node.disk().loseVote();
        }
        later(50 + random.nextInt(300), () -> {
            node.disk().full(false);
            if (!node.up()) {
                node.start();
            }
        });
    }

    /** A node has voted: the moment to forget it. */
    void voted(Node node) {
        if (!all.closing() && !quiet && random.nextInt(4) == 0) {
            boolean lost = random.nextBoolean();
            all.agenda().after(1000, () -> {
                if (node.up()) {
                    node.crash();
                    if (lost) {
                        node.disk().loseVote();
                    }
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
            side[i] = (leaderAlone && i < nodes.size()) ? nodes.get(i).isLeader() : random.nextBoolean();
        }
        cut(side, random.nextInt(3) == 0);
        all.count("partitions");
        int same = cuts;
        later(50 + random.nextInt(800), () -> {
            if (same == cuts) {
                all.network().heal();
            }
        });
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
        if (random.nextInt(3) == 0) {
            node.disk().wipe();
            all.count("wiped disks");
        } else if (log ? node.disk().flipBitOfLog() : node.disk().flipBitOfSnapshot()) {
            all.count(log ? "bits of logs" : "bits of snapshots");
        }
        if (random.nextInt(3) == 0) {
            // The leader too: who comes next must have what the damaged log had.
            nodes.stream().filter(Node::isLeader).findFirst().ifPresent(this::crash);
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
