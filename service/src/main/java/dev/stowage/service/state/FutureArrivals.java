package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.service.state.Operation.Gang;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arrivals of rollouts: the recent ones, repeated in a cycle from a random moment on. */
final class FutureArrivals {
    private static final long STREAM = Streams.of("rollout-arrivals");

    private final List<RecentRequests.Known> arrived;
    private final long since;
    private final long window;
    private final long firstNumber;

    FutureArrivals(RecentRequests.Past past, long firstNumber) {
        arrived =
                past.requests().stream().filter(one -> one.operation() != null).toList();
        since = past.since();
        window = past.until() - past.since();
        this.firstNumber = firstNumber;
    }

    /** Goes through them, without an end. */
    final class Walk {
        private final long offset;
        private int index;
        private long at;
        private long turns;
        private long number = firstNumber;

        private Walk(int rollout, long now) {
            long phase = (long) (new KeyedRandom().key(rollout, STREAM, 0).nextDouble() * window);
            offset = now - phase;
            while (index < arrived.size() && place(index) < phase) {
                index++;
            }
            settle();
        }

        private long place(int i) {
            return Math.max(0, arrived.get(i).request().arrivedAt() - since);
        }

        private void settle() {
            if (index == arrived.size()) {
                index = 0;
                turns++;
            }
            at = OperationDriver.saturated(offset, turns * window + place(index));
        }

        /** When the next one arrives, or {@link Long#MAX_VALUE}. */
        long at() {
            return at;
        }

        /** The request that arrives then, as it was when it really arrived. */
        RecentRequests.Known known() {
            return arrived.get(index);
        }

        /** Its number, or that of the first of a gang. */
        long number() {
            return number;
        }

        /** On to the next one. */
        void next() {
            number += known().operation() instanceof Gang gang ? gang.members().size() : 1;
            index++;
            settle();
        }
    }

    /** The arrivals of a rollout; null if nothing arrives. */
    @Nullable
    Walk walk(int rollout, long now) {
        return arrived.isEmpty() || window <= 0 ? null : new Walk(rollout, now);
    }
}
