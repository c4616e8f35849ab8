package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpData;
import dev.stowage.service.v1.Occupancy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The occupancy, made once for all who ask for it at the same state, or who take one that is a little older. Its view
 * is that of every caller who sees all tenants. Thread-safe; keeps the newest answer only.
 */
final class SharedOccupancy {
    private final Calls calls;
    private final AtomicReference<@Nullable Making> newest = new AtomicReference<>();

    /** An answer, and its JSON if somebody needs that. */
    static final class Shown {
        private final OccupancyColumns.Seen seen;
        private volatile @Nullable HttpData json;

        Shown(OccupancyColumns.Seen seen) {
            this.seen = seen;
        }

        Occupancy columns() {
            return seen.columns();
        }

        /** A strong validator of the free amounts, the same at every node (RFC 9110, section 8.8.3). */
        String tag() {
            return SharedOccupancy.tag(seen.digest());
        }

        HttpData json() {
            HttpData made = json;
            if (made == null) {
                made = HttpData.ofUtf8(Json.compact(seen.columns()));
                json = made;
            }
            return made;
        }
    }

    /**
     * An answer that is made, or was.
     *
     * @param nanos when that began, by the clock of this process
     */
    private record Making(long nanos, CompletableFuture<Shown> answer) {
        boolean of(long digest) {
            return answer.isDone()
                    && !answer.isCompletedExceptionally()
                    && answer.join().seen.digest() == digest;
        }
    }

    SharedOccupancy(Calls calls) {
        this.calls = calls;
    }

    /** The tag of what holds at this node now. */
    String present() {
        return tag(digest());
    }

    private long digest() {
        return calls.node().look(state -> Calls.begun(state).engine().digest());
    }

    private static String tag(long digest) {
        return '"' + Long.toHexString(digest) + '"';
    }

    /**
     * An answer that holds now, or held at most so long ago.
     *
     * @param mostNanos greatest age; 0 for the present
     */
    CompletableFuture<Shown> get(long mostNanos) {
        long asked = System.nanoTime();
        while (true) {
            Making known = newest.get();
            // One that was begun after this call is as good as one of its own.
            if (known != null
                    && !known.answer().isCompletedExceptionally()
                    && (asked - known.nanos() <= mostNanos || known.of(digest()))) {
                return known.answer();
            }
            Making made = new Making(System.nanoTime(), new CompletableFuture<>());
            if (newest.compareAndSet(known, made)) {
                make(made.answer());
                return made.answer();
            }
        }
    }

    private void make(CompletableFuture<Shown> into) {
        CompletableFuture<OccupancyColumns.Seen> seen;
        try {
            seen = OccupancyColumns.of(calls);
        } catch (RuntimeException e) {
            seen = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<?> unused = seen.whenComplete((columns, thrown) -> {
            if (thrown == null) {
                into.complete(new Shown(columns));
            } else {
                into.completeExceptionally(thrown);
            }
        });
    }
}
