package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * What most requests do not have: priority, agent, phase, failed starts, expected lifetime. Arrays by handle, empty
 * as long as no request had any of it.
 */
final class Traits {
    private static final int AGENT = 1;
    private static final int PHASE_SHIFT = 1;
    private static final int PHASE_MASK = 3 << PHASE_SHIFT;
    /** It is to be placed again once it has stopped, and then avoids the server. */
    private static final int AGAIN = 8;

    private static final int AVOIDING = 16;
    private static final int FAILURES_SHIFT = 5;
    private static final int MOST_FAILURES = (1 << 26) - 1;

    private int[] priorities = new int[0];
    private int[] lives = new int[0];
    /** Of each request: how long it expects to run, and since when it runs. */
    private long[] lifetimes = new long[0];
    /** The constraints of requests that avoid servers which they did not name themselves. */
    private final TreeMap<Integer, Constraints> own = new TreeMap<>();

    private long prioritized;
    private long agents;
    private long expecting;

    /** Requests with a priority other than 0. */
    long prioritized() {
        return prioritized;
    }

    /** Requests with an agent. */
    long agents() {
        return agents;
    }

    boolean any() {
        return prioritized > 0 || agents > 0 || expecting > 0 || own.size() > 0;
    }

    /** How long a request expects to run; 0 if it did not say. */
    long expectedNanos(int job) {
        return 2 * job < lifetimes.length ? lifetimes[2 * job] : 0;
    }

    /** Since when a running request with an expected lifetime runs; 0 of any other. */
    long runsSince(int job) {
        return 2 * job < lifetimes.length ? lifetimes[2 * job + 1] : 0;
    }

    /** A request begins to run at a time. */
    void runs(int job, long now) {
        if (expectedNanos(job) > 0) {
            lifetimes[2 * job + 1] = now;
        }
    }

    int priority(int job) {
        return job < priorities.length ? priorities[job] : 0;
    }

    private int life(int job) {
        return job < lives.length ? lives[job] : 0;
    }

    boolean hasAgent(int job) {
        return (life(job) & AGENT) != 0;
    }

    Phase phase(int job) {
        return hasAgent(job) ? SavedCodes.phase((life(job) & PHASE_MASK) >> PHASE_SHIFT) : Phase.STARTED;
    }

    /** Whether it is pending again once it has stopped. */
    boolean isAgain(int job) {
        return (life(job) & AGAIN) != 0;
    }

    boolean isAvoiding(int job) {
        return (life(job) & AVOIDING) != 0;
    }

    int failures(int job) {
        return life(job) >>> FAILURES_SHIFT;
    }

    /** A request is new. */
    void begin(int job, int priority, boolean agent, long expectedNanos) {
        if (priority != 0) {
            if (job >= priorities.length) {
                priorities = Arrays.copyOf(priorities, job + (job >> 1) + 16);
            }
            priorities[job] = priority;
            prioritized++;
        }
        if (agent) {
            setLife(job, AGENT);
            agents++;
        }
        if (expectedNanos != 0) {
            if (2 * job >= lifetimes.length) {
                lifetimes = Arrays.copyOf(lifetimes, 2 * (job + (job >> 1) + 16));
            }
            lifetimes[2 * job] = expectedNanos;
            expecting++;
        }
    }

    /** The handle is free. */
    void end(int job) {
        if (!any()) {
            return;
        }
        if (priority(job) != 0) {
            priorities[job] = 0;
            prioritized--;
        }
        if (life(job) != 0) {
            agents -= hasAgent(job) ? 1 : 0;
            lives[job] = 0;
        }
        if (expectedNanos(job) != 0) {
            lifetimes[2 * job] = 0;
            lifetimes[2 * job + 1] = 0;
            expecting--;
        }
        own.remove(job);
    }

    /** Of no concern to a request without an agent. */
    void setPhase(int job, Phase phase) {
        if (hasAgent(job)) {
            int rest = life(job) & ~(PHASE_MASK | AGAIN | AVOIDING);
            lives[job] = rest | SavedCodes.of(phase) << PHASE_SHIFT;
        }
    }

    /** It is stopping, and is pending again when it has stopped. */
    void stopForNow(int job, boolean avoiding) {
        setPhase(job, Phase.STOPPING);
        lives[job] |= AGAIN | (avoiding ? AVOIDING : 0);
    }

    void countFailure(int job) {
        if (failures(job) < MOST_FAILURES) {
            lives[job] += 1 << FAILURES_SHIFT;
        }
    }

    /** The constraints that the request came with, {@code present} where it has them still. */
    Constraints own(int job, Constraints present) {
        Constraints known = own.get(job);
        return known == null ? present : known;
    }

    void keepOwn(int job, Constraints constraints) {
        own.put(job, constraints);
    }

    private void setLife(int job, int life) {
        if (job >= lives.length) {
            lives = Arrays.copyOf(lives, job + (job >> 1) + 16);
        }
        lives[job] = life;
    }

    /** Without zeros at the end: what no request has any more takes no room. */
    void save(StateWriter out, int used) {
        int most = Math.min(used, priorities.length);
        while (most > 0 && priorities[most - 1] == 0) {
            most--;
        }
        out.putInts(priorities, most);
        most = Math.min(used, lives.length);
        while (most > 0 && lives[most - 1] == 0) {
            most--;
        }
        out.putInts(lives, most);
        most = Math.min(2 * used, lifetimes.length);
        while (most > 0 && lifetimes[most - 2] == 0) {
            most -= 2;
        }
        out.putLongs(lifetimes, most);
        out.putInt(own.size());
        own.forEach((job, constraints) -> {
            out.putInt(job);
            ConstraintTable.write(out, constraints);
        });
    }

    void restore(StateReader in) {
        priorities = in.getInts();
        lives = in.getInts();
        lifetimes = in.getLongs();
        for (int n = in.getInt(); n > 0; n--) {
            int job = in.getInt();
            own.put(job, ConstraintTable.read(in));
        }
        for (int job = 0; job < lives.length; job++) {
            agents += hasAgent(job) ? 1 : 0;
        }
        for (int job = 0; job < priorities.length; job++) {
            prioritized += priority(job) != 0 ? 1 : 0;
        }
        for (int job = 0; 2 * job < lifetimes.length; job++) {
            expecting += expectedNanos(job) != 0 ? 1 : 0;
        }
    }
}
