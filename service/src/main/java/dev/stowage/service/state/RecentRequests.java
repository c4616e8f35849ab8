package dev.stowage.service.state;

import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The latest arrivals, and how long they held a server: the load that a node has seen. Each node has its own, which
 * starts again with each state that it loads, because this is not replicated. O(1) for each change. Adopted requests do
 * not count as load.
 */
public final class RecentRequests {
    /** The number that is kept. */
    static final int MOST = 10_000;

    private static final long NOT_YET = Long.MIN_VALUE;

    /** One request; the next that takes its place overwrites it, so nothing is left for the collector. */
    private static final class Seen {
        private Request request;
        /** The operation; null for a member of a gang other than the first. */
        private @Nullable Operation operation;

        private final LoggedRun run = new LoggedRun();

        Seen(Request request, @Nullable Operation operation) {
            this.request = request;
            this.operation = operation;
        }

        void become(Request other, @Nullable Operation its) {
            request = other;
            operation = its;
            run.begin();
        }
    }

    /**
     * A request that arrived.
     *
     * @param request as it was then
     * @param operation a {@link Submit} or {@link Gang}; null for a member of a gang but the first
     * @param ranNanos how long it has held its server, or did; -1 if it never had one
     * @param ended whether that was its end
     */
    record Known(Request request, @Nullable Operation operation, long ranNanos, boolean ended) {}

    /**
     * What is known at one moment.
     *
     * @param requests in order of arrival
     * @param since from when on they are all that arrived, nanoseconds since 1970
     * @param until that moment
     */
    record Past(List<Known> requests, long since, long until) {}

    /** Arrival number n is at n modulo the length; those from {@code head} to before {@code tail} are kept. */
    private @Nullable Seen[] ring = new Seen[16];
    /** The requests' numbers, which increase. */
    private long[] numbers = new long[ring.length];

    private long head;
    private long tail;
    private long since = NOT_YET;

    /** Records the arrivals of an entry. */
    void arrived(long at, Batch batch, List<Outcome> outcomes) {
        since = since == NOT_YET ? at : since;
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            Operation operation = batch.operations().get(i);
            Request request = outcome.request();
            if (outcome.kind() != Outcome.Kind.DONE || request == null) {
                continue;
            }
            if (operation instanceof Submit) {
                add(request, operation);
            } else if (operation instanceof Gang) {
                for (Request member : outcome.requests()) {
                    add(member, member.number() == request.number() ? operation : null);
                }
            }
        }
    }

    /** Records changes of requests, in order. */
    void changed(List<Request> changes) {
        for (Request request : changes) {
            Seen seen = seen(request.number());
            if (seen != null) {
                seen.run.changed(request);
            }
        }
    }

    private void add(Request request, @Nullable Operation operation) {
        if (tail == ring.length && tail < MOST) {
            int room = Math.min(MOST, 2 * ring.length);
            ring = Arrays.copyOf(ring, room);
            numbers = Arrays.copyOf(numbers, room);
        }
        int slot = slot(tail++);
        head = Math.max(0, tail - MOST);
        numbers[slot] = request.number();
        Seen before = ring[slot];
        if (before == null) {
            ring[slot] = new Seen(request, operation);
        } else {
            before.become(request, operation);
        }
    }

    private int slot(long arrival) {
        return (int) (arrival % ring.length);
    }

    private @Nullable Seen seen(long number) {
        if (head == tail || number < numbers[slot(head)] || number > numbers[slot(tail - 1)]) {
            return null;
        }
        // Numbers increase, mostly by one: then both bounds are the place.
        long low = Math.max(head, tail - 1 - (numbers[slot(tail - 1)] - number));
        long high = Math.min(tail - 1, head + (number - numbers[slot(head)]));
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (numbers[slot(middle)] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return numbers[slot(low)] == number ? ring[slot(low)] : null;
    }

    /** The request of that number as it arrived; null if it is not among these. */
    @Nullable
    Request find(long number) {
        Seen seen = seen(number);
        return seen == null ? null : seen.request;
    }

    /** The present content. O({@value #MOST}). */
    Past past(long now) {
        List<Known> known = new ArrayList<>();
        for (long arrival = head; arrival < tail; arrival++) {
            Seen seen = Objects.requireNonNull(ring[slot(arrival)]);
            known.add(new Known(seen.request, seen.operation, seen.run.nanos(now), seen.run.isOver()));
        }
        long from = head > 0 ? known.get(0).request().arrivedAt() : since;
        return new Past(List.copyOf(known), since == NOT_YET ? now : from, now);
    }
}
