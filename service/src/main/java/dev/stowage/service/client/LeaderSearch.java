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
 * Asks all nodes, again and again, until one says that it leads: once for all calls that failed, which wait for it. If
 * each looked for the leader itself, thousands would go round among nodes that have none and keep them from electing
 * one.
 *
 * <p>Complete when the leader is known or there was none for as long as the client's patience.
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

    /** Asks all and comes back a little later. */
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
