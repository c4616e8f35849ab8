package dev.stowage.kube.schedule;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.View;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Collects the effects of a command, which are processed when the command is done. */
final class EngineEvents extends EngineListener {
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
     * @param devices those that the request got there, bit i for device i
     */
    record Event(Kind kind, long id, int server, long devices, String reason) {}

    /** A command that was refused. */
    record Refused(Refusal why, String detail) {
        @Override
        public String toString() {
            return why + ": " + detail;
        }
    }

    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private @Nullable Refused refused;

    private long id(int job) {
        return view().id(job);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        events.add(new Event(Kind.PLACED, id(job), server, view().devicesHeld(job), reason));
    }

    @Override
    public void adopted(long now, int job, int server) {
        // This follows from our own command.
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        events.add(new Event(Kind.QUEUED, id(job), View.NONE, 0, reason));
    }

    @Override
    public void rejected(long now, int job, String reason) {
        events.add(new Event(Kind.REJECTED, id(job), View.NONE, 0, reason));
    }

    @Override
    public void refused(long now, long subject, Refusal why, String detail) {
        refused = new Refused(why, detail);
    }

    @Nullable
    Event next() {
        return events.poll();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Why the last command was refused, or null; forgets it. */
    @Nullable
    Refused takeRefusal() {
        Refused last = refused;
        refused = null;
        return last;
    }
}
