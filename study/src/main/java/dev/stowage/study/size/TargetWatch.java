package dev.stowage.study.size;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.sim.experiment.SizeRequirement.Kind;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts a run's results for a target. A request misses it if it is turned away, fits no server, or begins too late;
 * one whose server was lost must begin again in time. O(requirements) per effect.
 */
final class TargetWatch extends EngineListener {
    private static final byte GONE = 0;
    private static final byte WAITS = 1;
    private static final byte RUNS = 2;
    /** All requirements: the job is not counted. */
    private static final long NOT_COUNTED = -1;

    private final RequirementCount[] counts;
    private final long from;
    private final IntSupplier typeOfRefused;
    private final @Nullable Trajectory queue;
    private final boolean rewards;
    private int handles = 64;
    private byte[] state = new byte[handles];
    /** By handle: since when it waits or runs. */
    private long[] since = new long[handles];
    /** By handle: a bit for each requirement that the job has missed. */
    private long[] missed = new long[handles];

    private long arrivals;
    private long waiting;
    private long end;

    /**
     * Watches one run.
     *
     * @param counts of its requirements, fewer than 64
     * @param from requests that arrive before are not counted
     * @param typeOfRefused type of the request that is refused, while it is
     */
    TargetWatch(List<RequirementCount> counts, long from, IntSupplier typeOfRefused) {
        this.counts = counts.toArray(RequirementCount[]::new);
        this.from = from;
        this.typeOfRefused = typeOfRefused;
        queue = asks(counts, Kind.STABLE) ? new Trajectory(TimeGrid.forUnknownHorizon(0), 0) : null;
        rewards = asks(counts, Kind.REWARD);
    }

    private static boolean asks(List<RequirementCount> counts, Kind kind) {
        return counts.stream().anyMatch(count -> count.its().kind() == kind);
    }

    /** Whether the run has missed some requirement already, whatever follows. */
    boolean hopeless() {
        for (RequirementCount count : counts) {
            if (count.hopeless()) {
                return true;
            }
        }
        return false;
    }

    /** The run is over: waiting requests have waited until now, running ones have run until now. */
    void finish(long at) {
        end = at;
        for (int job = 0; job < handles; job++) {
            if (state[job] == WAITS) {
                waited(at, job);
            } else if (state[job] == RUNS) {
                earn(at, job);
            }
        }
        for (RequirementCount count : counts) {
            count.finish(at);
        }
        if (queue != null) {
            queue.advance(at);
        }
    }

    /** The counts of a finished run, in the order of the requirements. */
    List<RequirementCount> counts() {
        return List.of(counts);
    }

    /** When it was over. */
    long end() {
        return end;
    }

    /** Length of the time that counts. */
    double measuredNanos() {
        return Math.max(0, end - from);
    }

    /** Number of requests that arrived, including those that do not count. */
    long arrivals() {
        return arrivals;
    }

    /** Number of waiting requests over time; only if some requirement needs it. */
    Trajectory queue() {
        return Objects.requireNonNull(queue);
    }

    @Override
    public void arrived(long now, int job) {
        if (job >= handles) {
            handles = Math.max(2 * handles, job + 1);
            state = Arrays.copyOf(state, handles);
            since = Arrays.copyOf(since, handles);
            missed = Arrays.copyOf(missed, handles);
        }
        arrivals++;
        missed[job] = now < from ? NOT_COUNTED : 0;
        if (now >= from) {
            int type = view().type(job);
            for (RequirementCount count : counts) {
                if (count.counts(type)) {
                    count.request();
                }
            }
        }
        waits(now, job);
    }

    private void waits(long now, int job) {
        state[job] = WAITS;
        since[job] = now;
        setWaiting(now, 1);
    }

    private void setWaiting(long now, int change) {
        waiting += change;
        if (queue != null) {
            queue.set(now, waiting);
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (state[job] == WAITS) {
            waited(now, job);
            setWaiting(now, -1);
        }
        state[job] = RUNS;
        since[job] = now;
    }

    private void waited(long now, int job) {
        long wait = now - since[job];
        if (wait == 0) {
            return;
        }
        int type = view().type(job);
        for (int i = 0; i < counts.length; i++) {
            RequirementCount count = counts[i];
            if (!count.counts(type)) {
                continue;
            }
            switch (count.its().kind()) {
                case WAITING -> count.waited(Math.max(0, now - Math.max(since[job], from)));
                case MEAN_WAIT -> count.waited(missed[job] == NOT_COUNTED ? 0 : wait);
                case MISSED -> {
                    if (wait > count.its().withinNanos() && isFirstMiss(job, i)) {
                        count.missed();
                    }
                }
                case REWARD, STABLE -> {
                    // These do not depend on waits.
                }
            }
        }
    }

    private boolean isFirstMiss(int job, int requirement) {
        boolean first = (missed[job] & 1L << requirement) == 0;
        missed[job] |= 1L << requirement;
        return first;
    }

    @Override
    public void rejected(long now, int job, String reason) {
        // For a stable queue it waits for ever: a queue does not become stable by sending requests away.
        setWaiting(now, state[job] == WAITS ? 0 : 1);
        int type = view().type(job);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i].counts(type) && isFirstMiss(job, i)) {
                counts[i].turnedAway(since[job]);
            }
        }
        state[job] = GONE;
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        arrivals++;
        setWaiting(now, 1);
        if (now < from) {
            return;
        }
        int type = typeOfRefused.getAsInt();
        for (RequirementCount count : counts) {
            if (count.counts(type)) {
                count.request();
                count.turnedAway(now);
            }
        }
    }

    @Override
    public void left(long now, int job, int server) {
        if (state[job] == WAITS) {
            waited(now, job);
            setWaiting(now, -1);
        } else {
            earn(now, job);
        }
        state[job] = GONE;
    }

    @Override
    public void displaced(long now, int job, int server) {
        earn(now, job);
        waits(now, job);
    }

    private void earn(long now, int job) {
        long nanos = now - Math.max(since[job], from);
        if (!rewards || nanos <= 0) {
            return;
        }
        int type = view().type(job);
        for (RequirementCount count : counts) {
            if (count.its().kind() == Kind.REWARD && count.counts(type)) {
                count.earned(view().reward(job), nanos);
            }
        }
    }
}
