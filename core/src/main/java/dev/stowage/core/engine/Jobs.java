package dev.stowage.core.engine;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;

/**
 * The table of requests and dummies in the system, one row per handle, in flat arrays. Handles of those gone are used again,
 * the last freed first, so memory follows the most that were in the system at once.
 */
final class Jobs {
    private static final int NONE = -1;
    private static final JobState[] STATES = JobState.values();

    final int resources;
    final int pooledResources;
    private final IdMap handles = new IdMap();

    private byte[] states = new byte[0];
    private long[] ids = new long[0];
    private int[] types = new int[0];
    private int[] places = new int[0];
    private int[] nexts = new int[0];
    private int[] previous = new int[0];
    private long[] arrivals = new long[0];
    private long[] orders = new long[0];
    private long[] rewards = new long[0];
    private long[] demands = new long[0];
    private long[] pooledDemands = new long[0];
    private long[] shares = new long[0];
    private int used;
    private int freeHead = NONE;

    Jobs(int resources, int pooledResources) {
        this.resources = resources;
        this.pooledResources = pooledResources;
    }

    /** A handle in state PENDING or DUMMY; id -1 for a dummy. The demands are to be set. */
    int create(JobState state, long id, int type, long arrivedAt, long order, long reward) {
        int job = freeHead;
        if (job == NONE) {
            if (used == ids.length) {
                grow(used + (used >> 1) + 64);
            }
            job = used++;
        } else {
            freeHead = nexts[job];
        }
        states[job] = (byte) state.ordinal();
        ids[job] = id;
        types[job] = type;
        places[job] = NONE;
        nexts[job] = NONE;
        previous[job] = NONE;
        arrivals[job] = arrivedAt;
        orders[job] = order;
        rewards[job] = reward;
        shares[job] = 0;
        if (id >= 0) {
            handles.put(id, job);
        }
        return job;
    }

    void free(int job) {
        if (ids[job] >= 0) {
            handles.remove(ids[job]);
        }
        states[job] = (byte) JobState.FREE.ordinal();
        ids[job] = NONE;
        nexts[job] = freeHead;
        freeHead = job;
    }

    /** Handles ever used are below this. */
    int used() {
        return used;
    }

    int find(long id) {
        return handles.get(id);
    }

    JobState state(int job) {
        return job >= 0 && job < used ? STATES[states[job]] : JobState.FREE;
    }

    /** The state and where that is: a queue when waiting, a server when running, else -1. */
    void move(int job, JobState state, int place) {
        states[job] = (byte) state.ordinal();
        places[job] = place;
    }

    int place(int job) {
        return places[job];
    }

    long id(int job) {
        return ids[job];
    }

    int type(int job) {
        return types[job];
    }

    long arrivedAt(int job) {
        return arrivals[job];
    }

    long order(int job) {
        return orders[job];
    }

    long reward(int job) {
        return rewards[job];
    }

    long share(int job) {
        return shares[job];
    }

    void setShare(int job, long amount) {
        shares[job] = amount;
    }

    long demand(int job, int resource) {
        return demands[job * resources + resource];
    }

    void setDemand(int job, int resource, long amount) {
        demands[job * resources + resource] = amount;
    }

    long pooledDemand(int job, int pooled) {
        return pooledDemands[job * pooledResources + pooled];
    }

    void setPooledDemand(int job, int pooled, long amount) {
        pooledDemands[job * pooledResources + pooled] = amount;
    }

    int next(int job) {
        return nexts[job];
    }

    int previous(int job) {
        return previous[job];
    }

    /** Makes {@code after} follow {@code before}; either may be -1. */
    void link(int before, int after) {
        if (before != NONE) {
            nexts[before] = after;
        }
        if (after != NONE) {
            previous[after] = before;
        }
    }

    void unlink(int job) {
        nexts[job] = NONE;
        previous[job] = NONE;
    }

    void save(StateWriter out) {
        out.putInt(used);
        out.putInt(freeHead);
        out.putBytes(states, used);
        out.putLongs(ids, used);
        out.putInts(types, used);
        out.putInts(places, used);
        out.putInts(nexts, used);
        out.putInts(previous, used);
        out.putLongs(arrivals, used);
        out.putLongs(orders, used);
        out.putLongs(rewards, used);
        out.putLongs(shares, used);
        out.putLongs(demands, used * resources);
        out.putLongs(pooledDemands, used * pooledResources);
    }

    void restore(StateReader in) {
        used = in.getInt();
        freeHead = in.getInt();
        states = in.getBytes();
        ids = in.getLongs();
        types = in.getInts();
        places = in.getInts();
        nexts = in.getInts();
        previous = in.getInts();
        arrivals = in.getLongs();
        orders = in.getLongs();
        rewards = in.getLongs();
        shares = in.getLongs();
        demands = in.getLongs();
        pooledDemands = in.getLongs();
        for (int job = 0; job < used; job++) {
            if (ids[job] >= 0) {
                handles.put(ids[job], job);
            }
        }
    }

    private void grow(int capacity) {
        states = Arrays.copyOf(states, capacity);
        ids = Arrays.copyOf(ids, capacity);
        types = Arrays.copyOf(types, capacity);
        places = Arrays.copyOf(places, capacity);
        nexts = Arrays.copyOf(nexts, capacity);
        previous = Arrays.copyOf(previous, capacity);
        arrivals = Arrays.copyOf(arrivals, capacity);
        orders = Arrays.copyOf(orders, capacity);
        rewards = Arrays.copyOf(rewards, capacity);
        shares = Arrays.copyOf(shares, capacity);
        demands = Arrays.copyOf(demands, Math.multiplyExact(capacity, resources));
        pooledDemands = Arrays.copyOf(pooledDemands, Math.multiplyExact(capacity, pooledResources));
    }
}
