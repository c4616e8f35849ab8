package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.model.Efficiency;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.workload.RequestStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The world of a simulation: it knows how much work every request has and so when it will leave; the engine and the
 * policy never do. Work is nanoseconds at speed one. Where a resource is divisible, a request runs at speed
 * efficiency x share / {@code speedOneShare}, and its remaining work is settled at every change of its share; else at
 * exactly speed one. A displaced request starts anew. If requests have agents, the plant plays these, too: they report
 * that a request has started, could not be started, or has stopped.
 */
final class Plant extends EngineListener {
    private static final long STARTS = Streams.of("starts");
    private static final int ID_BITS = 40;
    private static final double NANOS = 1e9;

    private final DeadlineHeap departures = new DeadlineHeap();
    /** Times of the agents' next reports, by job. */
    private final DeadlineHeap words = new DeadlineHeap();

    private final @Nullable Starts starts;
    private final long seed;
    private final long speedOneShare;
    private final Efficiency efficiency;
    private final KeyedRandom random = new KeyedRandom();
    private @Nullable Declared declared;
    private boolean malleable;

    private long[] work = new long[0];
    private double[] remaining = new double[0];
    private long[] settledAt = new long[0];
    private double[] speed = new double[0];
    private long nextWork;

    private int[] attempts = new int[0];
    private boolean[] fails = new boolean[0];

    /**
     * With the share of the divisible resource that gives speed one, and efficiencies, both unused if no resource is
     * divisible; and how requests start, null for at once.
     */
    Plant(long speedOneShare, Efficiency efficiency, @Nullable Starts starts, long seed) {
        this.starts = starts;
        this.seed = seed;
        this.speedOneShare = speedOneShare;
        this.efficiency = efficiency;
    }

    @Override
    public void attached(View engineView) {
        super.attached(engineView);
        malleable = engineView.divisibleResource() != View.NONE;
        declared = new Declared(engineView);
    }

    /** Work of the request that arrives next. */
    void expect(long workNanos) {
        nextWork = workNanos;
    }

    /** When the next request leaves, or {@link DeadlineHeap#NEVER}. */
    long nextDeparture() {
        return departures.firstDeadline();
    }

    /** Sends that the request that leaves next has ended. */
    void end(long at, Commands commands) {
        int job = departures.firstHandle();
        commands.leave(at, view().id(job), job);
    }

    /** When an agent reports next, or {@link DeadlineHeap#NEVER}. */
    long nextWord() {
        return words.firstDeadline();
    }

    /** Sends that report. */
    void say(long at, Commands commands) {
        int job = words.firstHandle();
        words.remove(job);
        long id = view().id(job);
        if (view().phase(job) == Phase.STOPPING) {
            commands.stopped(at, id);
        } else if (fails[job]) {
            commands.startFailed(at, id);
        } else {
            commands.started(at, id);
        }
    }

    @Override
    public void arrived(long now, int job) {
        if (job >= work.length) {
            grow(job + (job >> 1) + 64);
        }
        work[job] = nextWork;
        if (starts != null) {
            attempts[job] = 0;
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        if (malleable) {
            remaining[job] = work[job];
            settledAt[job] = now;
            speed[job] = 0;
            changeSpeed(now, job, view().share(job));
        } else if (starts != null && view().hasAgent(job)) {
            // Keyed by request and attempt: the same whatever the policy does.
            random.key(seed, STARTS, view().id(job) + ((long) attempts[job]++ << ID_BITS));
            fails[job] = random.nextDouble() < starts.failing();
            long lasts = Math.max(0, Math.round(NANOS * starts.duration().sample(random)));
            words.put(job, saturatedSum(now, lasts), view().order(job));
        } else {
            begin(now, job);
        }
    }

    @Override
    public void started(long now, int job, int server) {
        begin(now, job);
    }

    @Override
    public void stopping(long now, int job, int server, String reason) {
        forget(job);
        words.put(job, now, view().order(job));
    }

    private void begin(long now, int job) {
        if (work[job] != RequestStream.ENDLESS) {
            departures.put(job, saturatedSum(now, work[job]), view().order(job));
        }
    }

    @Override
    public void allocated(long now, int job, long amount) {
        changeSpeed(now, job, amount);
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        if (malleable && efficiency != Efficiency.EQUAL) {
            changeSpeed(now, job, view().share(job));
        }
    }

    @Override
    public void displaced(long now, int job, int server) {
        forget(job);
    }

    @Override
    public void left(long now, int job, int server) {
        forget(job);
    }

    private void forget(int job) {
        if (departures.contains(job)) {
            departures.remove(job);
        }
        if (words.contains(job)) {
            words.remove(job);
        }
    }

    private void changeSpeed(long now, int job, long share) {
        if (work[job] == RequestStream.ENDLESS) {
            return;
        }
        remaining[job] = Math.max(0, remaining[job] - (now - settledAt[job]) * speed[job]);
        settledAt[job] = now;
        speed[job] = (double) share / speedOneShare;
        if (efficiency != Efficiency.EQUAL) {
            Declared told = Objects.requireNonNull(declared);
            speed[job] *= efficiency.of(told.load(view(), job), told.kind(view(), job), view().server(job), random);
        }
        if (share == 0) {
            forget(job);
        } else {
            long needed = (long) Math.ceil(remaining[job] / speed[job]);
            departures.put(job, saturatedSum(now, Math.max(1, needed)), view().order(job));
        }
    }

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - 1 - b ? Long.MAX_VALUE - 1 : a + b;
    }

    private void grow(int capacity) {
        work = Arrays.copyOf(work, capacity);
        if (starts != null) {
            attempts = Arrays.copyOf(attempts, capacity);
            fails = Arrays.copyOf(fails, capacity);
        }
        if (malleable) {
            remaining = Arrays.copyOf(remaining, capacity);
            settledAt = Arrays.copyOf(settledAt, capacity);
            speed = Arrays.copyOf(speed, capacity);
        }
    }
}
