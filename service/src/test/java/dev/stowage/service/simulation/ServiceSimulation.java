package dev.stowage.service.simulation;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Snapshot;
import dev.stowage.service.state.SnapshotBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A run: some seconds with faults, then time to recover, in which every node must come to the same state and every
 * client be answered. All that is random follows from the seed.
 */
final class ServiceSimulation {
    /** When virtual time begins, nanoseconds since 1970. */
    static final long EPOCH = TimeUnit.DAYS.toNanos(20_000);

    private static final int CLIENTS = 4;
    private static final long FAULTY = Agenda.millis(4000);
    private static final long RECOVERY = Agenda.millis(20_000);
    private static final long RECOVERY_STEP = Agenda.millis(100);
    private static final List<PolicySpec> QUEUEING = List.of(
            PolicySpec.of("fifo-ff"), PolicySpec.of("first-fit", Map.of("when-full", "queue")), PolicySpec.of("bf-js"));
    private static final List<PolicySpec> LOSING =
            List.of(PolicySpec.of("best-fit"), PolicySpec.of("first-fit"), PolicySpec.of("restless-move"));

    private final long seed;
    private final Mutation mutation;
    private final Agenda agenda = new Agenda();
    private final Network network;
    private final Witness witness = new Witness(this);
    private final Faults faults;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<PolicySpec> policies;
    private final Setting setting;
    private final TreeMap<Long, Integer> leaders = new TreeMap<>();
    private final Map<String, Integer> counts;
    private int requests;
    private int agentRequests;
    private int changes;
    private boolean closing;
    private final double electionSpread;

    /**
     * A run before it begins.
     *
     * @param counts how often what happened; is added to
     */
    ServiceSimulation(long seed, Mutation mutation, Map<String, Integer> counts) {
        this.seed = seed;
        this.mutation = mutation;
        this.counts = counts;
        Random random = new Random(seed);
        int size = List.of(3, 3, 3, 5, 1).get((int) Math.floorMod(seed, 5L));
        policies = random.nextInt(3) == 0 ? LOSING : QUEUEING;
        setting = setting(random);
        electionSpread = random.nextBoolean() ? 1 : 0.05;
        network = new Network(agenda, new Random(random.nextLong()), size, size + CLIENTS);
        for (int id = 0; id < size; id++) {
            nodes.add(new Node(this, id, size, new Random(random.nextLong())));
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(this, size + i, size, new Random(random.nextLong())));
        }
        faults = new Faults(this, nodes, size + CLIENTS, new Random(random.nextLong()));
    }

    private Setting setting(Random random) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("here", new ServerBlock(4, Amounts.of(10))),
                        Site.of("there", new ServerBlock(2, Amounts.of(10)))),
                List.of(RequestType.of("small", 3), RequestType.of("large", 8)));
        // Longer than the run and all clock jumps: who asks again is always answered.
        long keep = mutation == Mutation.NO_RETRY_TABLE ? Agenda.millis(50) : TimeUnit.DAYS.toNanos(1);
        return new Setting(cluster, somePolicy(random), random.nextLong(), keep);
    }

    /** Runs to the end; an error tells the seed. */
    void run() {
        try {
            nodes.forEach(Node::start);
            clients.forEach(Client::next);
            faults.begin();
            agenda.runUntil(FAULTY);
            closing = true;
            faults.end();
            for (long rest = 0; rest < RECOVERY && !isQuiet(); rest += RECOVERY_STEP) {
                agenda.runUntil(agenda.now() + RECOVERY_STEP);
            }
            checkEnd();
        } catch (BrokenLawError e) {
            throw e;
        } catch (RuntimeException e) {
            throw (BrokenLawError) broken("stopped with " + e).initCause(e);
        }
        count("events", (int) agenda.happened());
        count("answers", witness.acknowledgements());
        count("terms", leaders.size());
    }

    private boolean isQuiet() {
        return nodes.stream().anyMatch(Node::isLeader)
                && nodes.stream()
                        .allMatch(node -> node.up()
                                && node.whole()
                                && node.applied() == nodes.get(0).applied())
                && nodes.get(0).state().world() != null
                && clients.stream().allMatch(Client::idle);
    }

    private void checkEnd() {
        if (!isQuiet()) {
            throw broken("the nodes do not recover: " + nodes + ", up " + faults + ", applied "
                    + nodes.stream().map(Node::applied).toList() + ", whole "
                    + nodes.stream().map(Node::whole).toList() + ", clients idle "
                    + clients.stream().map(Client::idle).toList());
        }
        if (mutation == Mutation.NO_RETRY_TABLE) {
            return;
        }
        for (Node node : nodes) {
            witness.checkAnswers(copy(node.state()));
        }
    }

    static ServiceState copy(ServiceState state) {
        byte[] bytes = Node.bytes(state);
        try {
            return Snapshot.read("copy", new SnapshotBytes(bytes), Restless.factory());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    BrokenLawError broken(String what) {
        return new BrokenLawError("seed " + seed + ", at " + agenda.now() / 1000 + " us, event " + agenda.happened()
                + (mutation == Mutation.NONE ? "" : ", with " + mutation) + ": " + what);
    }

    /** A node leads. */
    void leads(int node, long term) {
        Integer other = leaders.putIfAbsent(term, node);
        if (other != null && other != node) {
            throw broken("nodes " + other + " and " + node + " both lead in term " + term);
        }
    }

    Reply seen(ServiceState state, Ask ask, int node, long position) {
        return new Reply(
                true, node, null, state.world() == null ? null : state.world().find(ask.tenant(), ask.id()), position);
    }

    void voted(Node node) {
        faults.voted(node);
    }

    /** The process of a node has ended: the others notice a little later. */
    void ended(int node) {
        for (Node other : nodes) {
            if (other.id() != node) {
                network.send(node, other.id(), () -> {
                    if (other.up() && !nodes.get(node).up()) {
                        other.ended(node);
                    }
                });
            }
        }
    }

    void fail(Node node) {
        faults.stopped(node);
    }

    void count(String what) {
        count(what, 1);
    }

    private void count(String what, int more) {
        counts.merge(what, more, Integer::sum);
    }

    int newRequest() {
        return ++requests;
    }

    /** Whether clients also drive a cluster: in every other seed, and where nothing is planted. */
    boolean drivesAgents() {
        return mutation == Mutation.NONE && Math.floorMod(seed, 2L) == 1;
    }

    int newAgentRequest() {
        return ++agentRequests;
    }

    int newChange() {
        return ++changes;
    }

    /** One of the last requests. */
    int someRequest(Random random) {
        return Math.max(1, requests - random.nextInt(25));
    }

    PolicySpec somePolicy(Random random) {
        return policies.get(random.nextInt(policies.size()));
    }

    /** Whether a policy may turn requests away. */
    boolean mayReject() {
        return policies == LOSING;
    }

    /** How much election timeouts differ: little makes rivals. */
    double electionSpread() {
        return electionSpread;
    }

    boolean closing() {
        return closing;
    }

    Setting setting() {
        return setting;
    }

    Mutation mutation() {
        return mutation;
    }

    Agenda agenda() {
        return agenda;
    }

    Network network() {
        return network;
    }

    Witness witness() {
        return witness;
    }

    Node node(int id) {
        return nodes.get(id);
    }
}
