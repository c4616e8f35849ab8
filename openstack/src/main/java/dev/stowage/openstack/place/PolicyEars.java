package dev.stowage.openstack.place;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.View;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Hears what the policy does with requests. */
final class PolicyEars extends EngineListener {
    /** What was done; without a server if the request waits, or was rejected or refused. */
    record Heard(long id, int server, String reason) {}

    private final Deque<Heard> heard = new ArrayDeque<>();
    private boolean moved;

    private long id(int job) {
        return view().id(job);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        heard.add(new Heard(id(job), server, reason));
    }

    @Override
    public void adopted(long now, int job, int server) {
        // This follows from our own command.
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        heard.add(new Heard(id(job), View.NONE, reason));
    }

    @Override
    public void rejected(long now, int job, String reason) {
        heard.add(new Heard(id(job), View.NONE, reason));
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        moved = true;
    }

    @Override
    public void refused(long now, long subject, Refusal why, String detail) {
        heard.add(new Heard(subject, View.NONE, detail));
    }

    /** The oldest that was not taken yet; null if there is none. */
    @Nullable
    Heard next() {
        return heard.poll();
    }

    /** Whether the policy has moved a request that ran. */
    boolean moved() {
        return moved;
    }

    /** The newest. */
    @Nullable
    Heard last() {
        return heard.peekLast();
    }
}
