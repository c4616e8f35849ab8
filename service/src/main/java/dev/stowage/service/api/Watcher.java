package dev.stowage.service.api;

import dev.stowage.service.raft.Feed;
import dev.stowage.service.v1.WatchReply;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that watches: sends as fast as its client takes, on a thread of its own, never on the one that applies the
 * log.
 */
final class Watcher {
    private static final int MOST_ENTRIES = 64;

    private final Calls calls;
    private final Feed feed;
    private final WatchOutlet outlet;
    private final @Nullable String tenant;
    private final Executor executor;
    private final Caller caller;
    private final Consumer<@Nullable Failure> ended;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Runnable listener = this::schedule;
    /** Up to there all was sent. */
    private volatile long position;

    private long told;
    private boolean over;

    /**
     * A watcher.
     *
     * @param start whose requests it sends to whom, and from where
     * @param ended called when it ends, with why unless the caller ended it
     */
    Watcher(
            Calls calls,
            WatchOutlet outlet,
            Watchers.Start start,
            Executor executor,
            Consumer<@Nullable Failure> ended) {
        this.calls = calls;
        this.feed = calls.node().feed();
        this.outlet = outlet;
        this.caller = start.caller();
        this.tenant = start.tenant();
        this.position = start.position();
        this.executor = executor;
        this.ended = ended;
        told = position - 1;
    }

    void start() {
        outlet.begin(this::schedule, () -> end(null));
        feed.listen(listener);
        schedule();
    }

    /** Sends its position, even if nothing changed: keeps the connection alive. */
    synchronized void beat() {
        if (!over && !calls.stillKnows(caller)) {
            fail(Failure.of(Status.Code.UNAUTHENTICATED, "NOT_KNOWN", "the token of this call is not valid any more"));
        }
        if (!over && outlet.ready() && position == told) {
            position = Math.max(position, idlePosition());
            send(WatchReply.newBuilder().setPosition(position).build());
        }
    }

    /** Where the feed is, if nothing is left to send before it. */
    private long idlePosition() {
        long last = feed.last();
        List<Feed.ChangedRequests> left = feed.after(position, 1);
        return left != null && left.isEmpty() ? last : position;
    }

    /** How many log positions it is behind what could be sent. */
    long behind() {
        long last = feed.last();
        return Math.max(0, last - Math.max(position, idlePosition()));
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            executor.execute(this::pump);
        }
    }

    private synchronized void pump() {
        scheduled.set(false);
        while (!over && outlet.ready()) {
            List<Feed.ChangedRequests> entries = feed.after(position, MOST_ENTRIES);
            if (entries == null) {
                fail(forgotten(position, feed.floor()));
                return;
            }
            if (entries.isEmpty()) {
                if (told < position) {
                    send(WatchReply.newBuilder().setPosition(position).build());
                }
                return;
            }
            // An entry may have a thousand changes: what the client does not take is not to pile up.
            for (int i = 0; i < entries.size() && outlet.ready(); i++) {
                tell(entries.get(i));
            }
        }
    }

    private void tell(Feed.ChangedRequests entry) {
        WatchReply.Builder reply = WatchReply.newBuilder().setPosition(entry.position());
        entry.requests().stream()
                .filter(request -> tenant == null || request.tenant().equals(tenant))
                .forEach(request -> reply.addChanges(calls.message(request)));
        position = entry.position();
        if (reply.getChangesCount() > 0) {
            send(reply.build());
        }
    }

    private void send(WatchReply reply) {
        outlet.send(reply);
        told = reply.getPosition();
    }

    private void fail(Failure why) {
        end(why);
        outlet.fail(why);
    }

    static Failure forgotten(long position, long floor) {
        return Failure.of(
                Status.Code.OUT_OF_RANGE,
                "POSITION_FORGOTTEN",
                "what happened after position " + position + " is forgotten, which begins at " + floor
                        + "; list the requests, then watch after the position that the list tells");
    }

    private synchronized void end(@Nullable Failure why) {
        if (!over) {
            over = true;
            feed.forget(listener);
            ended.accept(why);
        }
    }

    /** Ends it from this side. */
    synchronized void close() {
        if (!over) {
            fail(Failure.of(Status.Code.UNAVAILABLE, "CLOSING", "this node is closing; watch another"));
        }
    }
}
