package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a request would have run that the active policy never placed: drawn from the requests that it did place, by
 * Kaplan-Meier ({@link LearnedLifetimes}), as some of these still run. Never longer than the longest that was seen.
 * Learned again when a tenth more have ended; the same log gives the same results.
 */
final class SeenLifetimes {
    private static final long STREAM = Streams.of("shadow-lifetimes");
    private static final long SEED = 1;
    private static final int A_TENTH = 10;

    private final RecentRequests recent = new RecentRequests();
    private long ended;
    private long endedWhenLearned;
    private @Nullable LearnedLifetimes learned;

    /** Records an entry; parameters as for {@link ReplayedPolicy#apply}. */
    void note(long at, Batch batch, List<Outcome> outcomes, List<Request> changes) {
        recent.arrived(at, batch, outcomes);
        recent.changed(changes);
        for (Request request : changes) {
            ended += request.state() == Request.State.RELEASED ? 1 : 0;
        }
        if (ended - endedWhenLearned > endedWhenLearned / A_TENTH) {
            learn(at);
        }
    }

    private void learn(long at) {
        List<RecentRequests.Known> ran = recent.past(at).requests().stream()
                .filter(known -> known.ranNanos() >= 0)
                .toList();
        if (ran.stream().anyMatch(RecentRequests.Known::ended)) {
            learned = new LearnedLifetimes(ran);
        }
        endedWhenLearned = ended;
    }

    /** Whether any request was seen to its end. */
    boolean known() {
        return learned != null;
    }

    /**
     * How long a request runs.
     *
     * @param number its number
     * @param age how long it has run already, nanoseconds
     * @return nanoseconds, at least the age
     * @throws IllegalStateException if nothing is known yet
     */
    long estimate(long number, long age) {
        LearnedLifetimes known = learned;
        if (known == null) {
            throw new IllegalStateException("no request has ended yet");
        }
        Request request = recent.find(number);
        LearnedLifetimes.OfKind kind = request == null ? known.ofAll() : known.of(request.type(), request.demand());
        return kind.known()
                .quantile(age, new KeyedRandom().key(SEED, STREAM, number).nextDouble());
    }
}
