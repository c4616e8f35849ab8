package dev.stowage.kube.schedule;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.View;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Notes what the engine tells during a command, to be worked through when the command is done. */
final class EngineEars implements Effects {
    /** What happened to a request. */
    enum Kind {
        PLACED,
        QUEUED,
        REJECTED
    }

    /**
     * One thing that happened.
     *
     * @param server the server of a placement
     */
    record Heard(Kind kind, long id, int server, String reason) {}

    private final ArrayDeque<Heard> heard = new ArrayDeque<>();
    private @Nullable View view;
    private @Nullable String refusal;

    @Override
    public void attached(View attached) {
        view = attached;
    }

    private long id(int job) {
        return view == null ? View.NONE : view.id(job);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        heard.add(new Heard(Kind.PLACED, id(job), server, reason));
    }

    @Override
    public void adopted(long now, int job, int server) {
        // Asked for by us.
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        heard.add(new Heard(Kind.QUEUED, id(job), View.NONE, reason));
    }

    @Override
    public void rejected(long now, int job, String reason) {
        heard.add(new Heard(Kind.REJECTED, id(job), View.NONE, reason));
    }

    @Override
    public void refused(long now, long subject, Refusal why, String detail) {
        refusal = why + ": " + detail;
    }

    @Nullable
    Heard next() {
        return heard.poll();
    }

    boolean isEmpty() {
        return heard.isEmpty();
    }

    /** Why the last command was refused, or null; forgets it. */
    @Nullable
    String takeRefusal() {
        String last = refusal;
        refusal = null;
        return last;
    }
}
