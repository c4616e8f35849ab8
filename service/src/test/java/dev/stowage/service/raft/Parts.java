package dev.stowage.service.raft;

import dev.stowage.service.directory.DataDirectory;
import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.VoteFile;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a real node that decide something, put together for a simulated one: how entries are made of operations,
 * what a leader does by itself, when snapshots are taken and how much of the log goes for them, who asks for votes, how
 * a node comes to be a member.
 */
public final class Parts {
    private static final UUID GROUP = new UUID(1, 1);

    /** What a simulated node is and can do; times in virtual nanoseconds. */
    public interface Node {
        /** Its place, from 0. */
        int place();

        /** How many nodes there are. */
        int nodes();

        /** Whether it leads, and has applied what was before its term. */
        boolean leads();

        /** The node that leads, or -1 if this one does, or none is known. */
        int leader();

        /** Index of the last entry applied. */
        long applied();

        /** Index of the last entry of its log. */
        long lastIndex();

        /** Term of the last entry of its log. */
        long lastTerm();

        /** Appends under way, as Raft counts them. */
        int appends();

        /** Since the leader was heard. */
        long silentNanos();

        /** The state. */
        ServiceState state();

        /** Appends an entry; complete when it is applied, failed if nobody knows. */
        CompletableFuture<?> append(byte[] entry);

        /** Its term. */
        long term();

        /** Has the others hear what is committed. */
        void tellFollowers();

        /** Begins a snapshot. */
        void snapshot();

        /** Asks for votes at once. */
        void startElection();
    }

    private final Node node;
    private final LeaderClock clock;
    private final Answers answers = new Answers();
    private final LogWriter writer;
    private final LeaderDuties duties;
    private final SnapshotDuty snapshots;
    private final KeptSnapshots kept = new KeptSnapshots();
    private final Following following;
    private Map<String, TermIndex> said = new TreeMap<>();

    /**
     * The parts of a node that has just started.
     *
     * @param origin names the node's life in the log
     * @param electionNanos shortest election timeout
     */
    public Parts(
            Node node,
            LeaderClock clock,
            long origin,
            Setting first,
            long checkNanos,
            int snapshotEntries,
            long electionNanos,
            LongSupplier nanoTime) {
        this.node = node;
        this.clock = clock;
        writer = new LogWriter(new Appending(), origin, answers, clock, 1 << 14);
        duties = new LeaderDuties(new Acting(), clock, first, checkNanos, nanoTime);
        snapshots = new SnapshotDuty(node::applied, node::snapshot, snapshotEntries, node.place(), node.nodes());
        following = new Following(new Group(), electionNanos / 1_000_000);
    }

    /** Puts an operation into the log; {@link #send} makes the entry. */
    public CompletableFuture<Outcome> write(Operation operation) {
        return writer.write(operation);
    }

    /** Makes an entry of what waits, if not too many are under way. Returns whether operations wait still. */
    public boolean send() {
        if (writer.queued() > 0 && writer.tryTurn()) {
            writer.send();
        }
        return writer.queued() > 0;
    }

    /** An entry of this life was applied. */
    public void applied(long sequence, List<Outcome> outcomes) {
        answers.applied(sequence, outcomes);
    }

    /** The process ends: nobody waits for an answer any more. */
    public void end() {
        writer.close();
        answers.failAll(new NotServedException(NotServedException.Kind.UNAVAILABLE, null, "the process has ended"));
    }

    /** What happens every few milliseconds. */
    public void step() {
        duties.step();
        snapshots.step();
    }

    public LeaderClock clock() {
        return clock;
    }

    /** The state is that of a snapshot, or of none, -1. */
    public void loaded(long snapshot) {
        kept.loaded(snapshot);
    }

    /** A snapshot was written. */
    public void taken(long snapshot) {
        kept.taken(snapshot);
    }

    public long newestSnapshot() {
        return kept.newest();
    }

    /** Up to where the log may go, or -1. */
    public long purgeTo() {
        return kept.purgeTo();
    }

    /** What the others said of the ends of their logs: by place, term and index. */
    public void heard(Map<Integer, long[]> lastEntries) {
        said = new TreeMap<>();
        lastEntries.forEach((place, last) -> said.put(name(place), TermIndex.valueOf(last[0], last[1])));
    }

    /** How many turns this node leaves to others where the leader's process has ended, or -1 for all. */
    public int turn(int leader) {
        return following.turn(name(leader));
    }

    /** Asks for votes where Raft will not. */
    public void askIfStuck() {
        following.askIfStuck();
    }

    /**
     * Term and vote with which a node goes on that has lost Raft's file of them.
     *
     * @param kept term and vote that it kept itself
     * @return term, and the place that has its vote
     */
    public static long[] voteAfter(long[] kept, long lastTerm, int self) {
        VoteFile.Vote vote = DataDirectory.after(
                new VoteFile.Vote(kept[0], String.valueOf(kept[1])), lastTerm, String.valueOf(self));
        return new long[] {vote.term(), Long.parseLong(vote.candidate())};
    }

    /**
     * What a node says of itself.
     *
     * @param hears places of the nodes that it has heard of late: a leader its followers, another one its leader
     */
    public record Said(int place, boolean reached, boolean inGroup, boolean leads, long term, List<Integer> hears) {}

    /** What a node without its log does next. */
    public enum Next {
        FOUND,
        JOIN,
        WAIT
    }

    /**
     * What a node does that has no directory, or has lost part of its log.
     *
     * @param lost whether it has a directory
     * @param bootstrap whether it may make a group
     */
    public static Next next(int place, boolean lost, boolean bootstrap, List<Said> others) {
        Identity identity = lost ? new Identity(GROUP, name(place), Identity.Stage.MEMBER) : null;
        Joining.Step step = Joining.next(
                new Joining.Own(name(place), identity, lost ? "lost" : null, false, false, -1, bootstrap),
                others.stream().map(Parts::said).toList());
        return step instanceof Joining.Step.Found
                ? Next.FOUND
                : step instanceof Joining.Step.Join ? Next.JOIN : Next.WAIT;
    }

    private static Joining.Said said(Said other) {
        return new Joining.Said(
                name(other.place()),
                other.reached(),
                other.inGroup() ? GROUP : null,
                name(other.place()),
                other.leads(),
                other.leads() ? other.term() : -1,
                -1,
                false,
                List.of(),
                other.hears().stream().map(Parts::name).toList());
    }

    private static String name(int place) {
        return "n" + (place + 1);
    }

    private final class Appending implements LogWriter.Log {
        @Override
        public CompletableFuture<?> append(byte[] entry) {
            return node.append(entry);
        }

        @Override
        public long term() {
            return node.term();
        }
    }

    private final class Acting implements LeaderDuties.Node {
        @Override
        public boolean leads() {
            return node.leads();
        }

        @Override
        public boolean open() {
            return true;
        }

        @Override
        public long applied() {
            return node.applied();
        }

        @Override
        public long nextDeadline() {
            return node.state().nextDeadline();
        }

        @Override
        public <T> T look(Function<ServiceState, T> reader) {
            return reader.apply(node.state());
        }

        @Override
        public CompletableFuture<Outcome> write(Operation operation) {
            return writer.write(operation);
        }

        @Override
        public void tellFollowers() {
            node.tellFollowers();
        }
    }

    private final class Group implements Following.Group {
        @Override
        public String self() {
            return name(node.place());
        }

        @Override
        public @Nullable String leader() {
            return node.leader() < 0 ? null : name(node.leader());
        }

        @Override
        public List<String> members() {
            return java.util.stream.IntStream.range(0, node.nodes())
                    .mapToObj(Parts::name)
                    .toList();
        }

        @Override
        public TermIndex last() {
            return TermIndex.valueOf(node.lastTerm(), node.lastIndex());
        }

        @Override
        public long toApply() {
            return node.lastIndex() - node.applied();
        }

        @Override
        public Following.Silence silence() {
            return new Following.Silence(node.appends(), node.silentNanos() / 1_000_000);
        }

        @Override
        public Map<String, TermIndex> lastEntries(List<String> of) {
            Map<String, TermIndex> answers = new TreeMap<>(said);
            answers.keySet().retainAll(of);
            return answers;
        }

        @Override
        public boolean startElection(String leader) throws IOException {
            node.startElection();
            return true;
        }
    }
}
