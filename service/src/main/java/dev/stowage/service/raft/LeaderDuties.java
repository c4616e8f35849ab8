package dev.stowage.service.raft;

import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.Setting;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The periodic duties of a leader: it begins the log, logs ticks when something is due, logs its digest, and tells the
 * others what is committed when no entry follows. It has no thread: {@link Periodic} or a simulation calls
 * {@link #step}.
 */
final class LeaderDuties {
    /** What the duties need of a node. */
    interface Node {
        /** Whether it leads, and has applied all entries before its term. */
        boolean leads();

        /** Index of the last entry applied. */
        long applied();

        /** When something is due next, nanoseconds since 1970. */
        long nextDeadline();

        /** Reads the state between two entries. */
        <T> T look(Function<ServiceState, T> reader);

        /** Whether callers can reach it: until then nothing is due, as no agent could keep its lease. */
        boolean open();

        /** Puts an operation into the log. */
        CompletableFuture<Outcome> write(Operation operation);

        /** Tells the others what is committed. */
        void tellFollowers();
    }

    private final Node node;
    private final LeaderClock clock;
    private final Setting first;
    private final long checkNanos;
    private final LongSupplier nanoTime;
    private boolean led;
    private boolean opened;
    private long seen = -1;
    private long told = -1;
    private CompletableFuture<?> under = CompletableFuture.completedFuture(null);
    private long lastCheck;

    /**
     * Duties of a node that has just started.
     *
     * @param first what the service starts with
     * @param checkNanos how often the digest is logged
     * @param nanoTime monotonic time
     */
    LeaderDuties(Node node, LeaderClock clock, Setting first, long checkNanos, LongSupplier nanoTime) {
        this.node = node;
        this.clock = clock;
        this.first = first;
        this.checkNanos = checkNanos;
        this.nanoTime = nanoTime;
        lastCheck = nanoTime.getAsLong();
    }

    /** Must be called every few milliseconds. */
    void step() {
        boolean leads = node.leads();
        boolean open = node.open();
        if (leads && (!led || open != opened)) {
            clock.set(node.look(ServiceState::now));
        }
        led = leads;
        opened = open;
        if (leads) {
            tellFollowers();
        }
        if (!leads || !open || !under.isDone()) {
            return;
        }
        if (node.look(ServiceState::world) == null) {
            write(new Operation.Begin(first));
        } else if (node.nextDeadline() <= clock.now()) {
            write(new Operation.Tick());
        } else if (nanoTime.getAsLong() - lastCheck >= checkNanos) {
            lastCheck = nanoTime.getAsLong();
            write(node.look(state -> new Operation.Check(state.position(), state.digest())));
        }
    }

    private void write(Operation operation) {
        under = node.write(operation).handle((outcome, thrown) -> thrown);
    }

    /**
     * Followers learn with the next entry that one is committed. If no entry came for a step they are told once; this
     * reaches the majority that has the entry. A follower that gets the entry later learns it with the leader's next
     * heartbeat.
     */
    private void tellFollowers() {
        long applied = node.applied();
        if (applied == seen && applied != told) {
            told = applied;
            node.tellFollowers();
        }
        seen = applied;
    }
}
