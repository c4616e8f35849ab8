package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * When a waiting request will probably start: copies of the engine go on from this moment, each with other lifetimes of
 * what runs and other arrivals, until the request has its server. Lifetimes are drawn from those learned, which are
 * drawn anew for each copy ({@link LearnedLifetimes}); what arrives is what arrived of late, in its order and with its
 * gaps, from a moment drawn at random. Servers stay as they are, agents do at once what they are to do, and nobody
 * takes back what waits.
 *
 * <p>If the future is one more draw of that kind, then it is as likely to come out at each place among the rollouts,
 * so that between the i-th and the j-th of n lies the truth with probability (j - i) / (n + 1), whatever the
 * distribution (S. S. Wilks, Determination of Sample Sizes for Setting Tolerance Limits, 1941).
 *
 * <p>Nothing is changed. Begun in the state's lock, which is held as long as for a snapshot; {@link #result} takes
 * O(requests in the system + servers) for each rollout and what happens in it, without the lock.
 */
public final class Rollouts {
    private static final long STREAM = Streams.of("rollout-learned");

    private final Supplier<byte[]> engine;
    private final Supplier<Request[]> inSystem;
    private final OperationDriver.NameLists names;
    private final PolicyFactory policies;
    private final RecentRequests.Past past;
    private final Request request;
    private final long now;
    private final long nextNumber;
    private final int count;

    /**
     * Begins; in the state's lock.
     *
     * @param request waits
     * @param count how many rollouts, at least 1
     */
    public Rollouts(ServiceState state, World world, Request request, int count) {
        this.request = request;
        this.count = count;
        engine = world.engine().copy();
        inSystem = world.table().copyInSystem();
        OperationDriver.NameLists present = world.names();
        names = new OperationDriver.NameLists(present.resources(), present.pooled(), present.sites(), present.types());
        policies = world.policies();
        now = Math.max(state.now(), world.engine().view().now());
        past = state.recent().past(now);
        nextNumber = world.admission().nextNumber();
    }

    /**
     * What came of it.
     *
     * @param waits how much longer it waits until it starts, nanoseconds, increasing; {@link Long#MAX_VALUE} where it
     *     does not: it gave up, was turned away, or had still no server after {@code horizon}
     * @param horizonNanos for how long each rollout in which it did not start went on, at least; the longest wait if it
     *     started in all
     * @param learned requests that arrivals and lifetimes are learned from
     * @param ended those of them that have ended
     * @param sinceNanos from when on these came, nanoseconds since 1970
     * @param problem why there is no rollout, or empty
     */
    public record Result(long[] waits, long horizonNanos, int learned, int ended, long sinceNanos, String problem) {
        /**
         * Bounds between which the wait lies with a probability, each in nanoseconds; {@link Long#MAX_VALUE} for longer
         * than the horizon, or never.
         *
         * @param probability above 0 and below 1; as near to it as so many rollouts come, rather above
         */
        public long[] interval(double probability) {
            int n = waits.length;
            int outside = (int) ((1 - probability) * (n + 1) / 2 + 1e-9);
            return new long[] {outside == 0 ? 0 : waits[outside - 1], outside == 0 ? Long.MAX_VALUE : waits[n - outside]
            };
        }

        /** The middle of the waits, or {@link Long#MAX_VALUE}. */
        public long median() {
            return waits[(waits.length - 1) / 2];
        }

        /** None, and why. */
        public static Result without(String problem) {
            return new Result(new long[0], 0, 0, 0, 0, problem);
        }

        /** How many of the rollouts started the request. */
        public int started() {
            return (int)
                    Arrays.stream(waits).filter(wait -> wait < Long.MAX_VALUE).count();
        }
    }

    /**
     * What comes of it.
     *
     * @param least requests that must have ended, at least 1; with fewer there is no rollout
     * @param goOn asked now and then; where it says no, the rollouts that are done count, and the one under way as one
     *     in which the request has not started until then
     */
    public Result result(int least, BooleanSupplier goOn) {
        List<RecentRequests.Known> ran =
                past.requests().stream().filter(known -> known.ranNanos() >= 0).toList();
        int ended = (int) ran.stream().filter(RecentRequests.Known::ended).count();
        if (ended < least) {
            return nothing(
                    ended,
                    (ended == 0 ? "no request has ended" : "fewer than " + least + " requests have ended")
                            + " since this node saw the first one arrive");
        }
        byte[] saved = engine.get();
        List<Request> present = Arrays.asList(inSystem.get());
        Map<Long, Long> ages = new HashMap<>();
        ran.stream()
                .filter(known -> !known.ended())
                .forEach(known -> ages.put(known.request().number(), known.ranNanos()));
        FutureArrivals arrivals = new FutureArrivals(past, nextNumber);
        long[] waits = new long[count];
        long horizon = Long.MAX_VALUE;
        KeyedRandom random = new KeyedRandom();
        int done = 0;
        while (done < count && goOn.getAsBoolean()) {
            Rollout rollout = new Rollout(
                    request.number(), done, now, LearnedLifetimes.resampled(ran, random.key(done, STREAM, 0)));
            Engine copy = Engine.restore(saved, policies, rollout.effects());
            waits[done] = rollout.run(copy, new OperationDriver(copy, names, false), present, ages, arrivals, goOn);
            horizon = waits[done] == Long.MAX_VALUE ? Math.min(horizon, rollout.endedAt() - now) : horizon;
            done++;
        }
        if (done == 0) {
            return nothing(ended, "there was not enough time");
        }
        long[] sorted = Arrays.copyOf(waits, done);
        Arrays.sort(sorted);
        return new Result(
                sorted, Math.min(horizon, sorted[done - 1]), past.requests().size(), ended, past.since(), "");
    }

    private Result nothing(int ended, String why) {
        return new Result(new long[0], 0, past.requests().size(), ended, past.since(), why);
    }
}
