package dev.stowage.service.state;

import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest arrivals, and how long they held a server: the load that a node has seen. Each node has its own, which
 * starts again with each state that it loads, since this is not replicated. O(1) for each change. Adopted requests do
 * not count as load.
 */
public final class RecentRequests {
    /** The number that is kept. */
    static final int MOST = 10_000;

    private static final long NOT_YET = Long.MIN_VALUE;

    /** One request. */
    private static final class Seen {
        final Request request;
        /** The operation; null for a member of a gang other than the first. */
        final @Nullable Operation operation;

        final LoggedRun run = new LoggedRun();

        Seen(Request request, @Nullable Operation operation) {
            this.request = request;
            this.operation = operation;
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

    /** By number, in order of arrival. */
    private final Map<Long, Seen> all = new LinkedHashMap<>();

    private long since = NOT_YET;
    private boolean forgot;

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
            Seen seen = all.get(request.number());
            if (seen != null) {
                seen.run.changed(request);
            }
        }
    }

    private void add(Request request, @Nullable Operation operation) {
        all.put(request.number(), new Seen(request, operation));
        if (all.size() > MOST) {
            all.remove(all.keySet().iterator().next());
            forgot = true;
        }
    }

    /** The request of that number as it arrived; null if it is not among these. */
    @Nullable
    Request find(long number) {
        Seen seen = all.get(number);
        return seen == null ? null : seen.request;
    }

    /** The present content. O({@value #MOST}). */
    Past past(long now) {
        List<Known> known = new ArrayList<>(all.size());
        for (Seen seen : all.values()) {
            known.add(new Known(seen.request, seen.operation, seen.run.nanos(now), seen.run.isOver()));
        }
        long from = forgot ? known.get(0).request().arrivedAt() : since;
        return new Past(List.copyOf(known), since == NOT_YET ? now : from, now);
    }
}
