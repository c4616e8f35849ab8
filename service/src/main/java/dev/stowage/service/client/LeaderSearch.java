package dev.stowage.service.client;

import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Asks all nodes repeatedly until one says that it leads. All failed calls share one search and wait for it. If each
 * searched for itself, thousands of calls would go round among nodes without a leader and disturb the election.
 *
 * <p>Completes when the leader is known, or when the client's patience has ended without one.
 */
final class LeaderSearch extends CompletableFuture<Void> {
    private static final long PAUSE_MILLIS = 100;
    private static final Executor LATER = delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);

    private final Targets targets;
    private final long until;
    /** Nodes that have not answered yet. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    LeaderSearch(Targets targets, Duration patience) {
        this.targets = targets;
        until = System.nanoTime() + patience.toNanos();
    }

    /** Asks all nodes, and again a little later. */
    void round() {
        if (isDone()) {
            return;
        }
        if (targets.isClosed() || System.nanoTime() - until > 0) {
            complete(null);
            return;
        }
        for (String address : targets.known()) {
            if (asked.add(address)) {
                ask(address);
            }
        }
        LATER.execute(this::round);
    }

    private void ask(String address) {
        Answer<Status> answer = new Answer<>();
        CompletableFuture<?> unused = answer.whenComplete((status, thrown) -> {
            asked.remove(address);
            targets.told(address, status, thrown);
            if (status != null) {
                heard(address, status);
            }
        });
        try {
            targets.target(address).asking().getStatus(Empty.getDefaultInstance(), answer);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private void heard(String address, Status status) {
        boolean leads = status.getReady() && status.getLeader().equals(status.getNode());
        if (leads && !isDone()) {
            targets.found(address);
            complete(null);
        } else if (!leads && !status.getLeaderAddress().isEmpty()) {
            targets.add(status.getLeaderAddress());
        }
    }
}
