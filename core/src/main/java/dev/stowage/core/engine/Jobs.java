package dev.stowage.core.engine;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The table of requests and dummies in the system, one row of longs per handle: with two resources a row is about one
 * cache line, and in a large system cache misses are most of the cost of a request. The links of the chains are in an
 * array of their own, because a request that comes or goes changes the links of its neighbours too. Freed handles are
 * reused, the last freed first, so memory follows the largest number of requests in the system at once.
 */
final class Jobs {
    private static final int NONE = -1;
    private static final int STATE_BITS = 3;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;

    private static final int ID = 0;
    private static final int ARRIVED_AT = 1;
    private static final int ORDER = 2;
    private static final int REWARD = 3;
    /** Queue or server in the high half; in the low half the type shifted by {@link #STATE_BITS}, and the state. */
    private static final int WHERE = 4;

    private static final int DEMANDS = 5;

    final int resources;
    final int pooledResources;
    private final int stride;
    private final boolean divisible;
    /** Made when a handle is first looked for: whoever names handles with the ids needs none. */
    private @Nullable IdMap handles;

    /** The largest id that ever came: ids given in sequence are new without a look. */
    private long largest = NONE;

    final ConstraintTable constraints;
    final Traits traits = new Traits();

    private long[] rows = new long[0];
    /** Previous job of the chain in the high half, next in the low half. */
    private long[] links = new long[0];
    /** Share of the divisible resource; empty if there is none. */
    private long[] shares = new long[0];
    /** Numbers of constraints; empty as long as no request had one. */
    private int[] constraintOf = new int[0];

    private int used;
    private int capacity;
    private int freeHead = NONE;

    Jobs(int resources, int pooledResources, boolean divisible, ConstraintTable constraints) {
        this.constraints = constraints;
        this.resources = resources;
        this.pooledResources = pooledResources;
        this.divisible = divisible;
        stride = DEMANDS + resources + pooledResources;
    }

    /** A handle in state PENDING or DUMMY; id -1 for a dummy. The caller must set the demands. */
    int create(JobState state, long id, int type, long arrivedAt, long order, long reward) {
        int job = freeHead;
        if (job == NONE) {
            if (used == capacity) {
                grow(used + (used >> 1) + 64);
            }
            job = used++;
        } else {
            freeHead = next(job);
        }
        int row = job * stride;
        rows[row + ID] = id;
        rows[row + ARRIVED_AT] = arrivedAt;
        rows[row + ORDER] = order;
        rows[row + REWARD] = reward;
        links[job] = pair(NONE, NONE);
        rows[row + WHERE] = pair(NONE, (type << STATE_BITS) | SavedCodes.of(state));
        setShare(job, 0);
        largest = Math.max(largest, id);
        if (handles != null && id >= 0) {
            handles.put(id, job);
        }
        return job;
    }

    void free(int job) {
        int row = job * stride;
        if (handles != null && rows[row + ID] >= 0) {
            handles.remove(rows[row + ID], job);
        }
        if (constraint(job) != ConstraintTable.NONE) {
            constraints.release(constraintOf[job]);
            constraintOf[job] = ConstraintTable.NONE;
        }
        traits.end(job);
        rows[row + ID] = NONE;
        rows[row + WHERE] = pair(NONE, (type(job) << STATE_BITS) | SavedCodes.of(JobState.FREE));
        links[job] = pair(NONE, freeHead);
        freeHead = job;
    }

    /** Handles ever used are below this. */
    int used() {
        return used;
    }

    /** The job of an id, or -1. */
    int find(long id) {
        if (id > largest) {
            return NONE;
        }
        if (handles == null) {
            handles = mapped();
        }
        return handles.get(id);
    }

    private IdMap mapped() {
        IdMap all = new IdMap(this::id);
        for (int job = 0; job < used; job++) {
            if (id(job) >= 0) {
                all.put(id(job), job);
            }
        }
        return all;
    }

    /** Whether a number is the handle of the request with this id. */
    boolean isOf(int number, long id) {
        return number >= 0 && number < used && id >= 0 && id(number) == id;
    }

    JobState state(int job) {
        return job >= 0 && job < used
                ? SavedCodes.jobState((int) rows[job * stride + WHERE] & STATE_MASK)
                : JobState.FREE;
    }

    /** The state and where that is: a queue when waiting, a server when running, else -1. */
    void move(int job, JobState state, int place) {
        rows[job * stride + WHERE] = pair(place, (type(job) << STATE_BITS) | SavedCodes.of(state));
    }

    int place(int job) {
        return high(rows[job * stride + WHERE]);
    }

    long id(int job) {
        return rows[job * stride + ID];
    }

    int type(int job) {
        return (int) rows[job * stride + WHERE] >> STATE_BITS;
    }

    long arrivedAt(int job) {
        return rows[job * stride + ARRIVED_AT];
    }

    long order(int job) {
        return rows[job * stride + ORDER];
    }

    long reward(int job) {
        return rows[job * stride + REWARD];
    }

    long share(int job) {
        return divisible ? shares[job] : 0;
    }

    void setShare(int job, long amount) {
        if (divisible) {
            shares[job] = amount;
        }
    }

    long demand(int job, int resource) {
        return rows[job * stride + DEMANDS + resource];
    }

    void setDemand(int job, int resource, long amount) {
        rows[job * stride + DEMANDS + resource] = amount;
    }

    long pooledDemand(int job, int pooled) {
        return rows[job * stride + DEMANDS + resources + pooled];
    }

    void setPooledDemand(int job, int pooled, long amount) {
        rows[job * stride + DEMANDS + resources + pooled] = amount;
    }

    /** Number of the request's constraints. */
    int constraint(int job) {
        return job < constraintOf.length ? constraintOf[job] : ConstraintTable.NONE;
    }

    /** Replaces the constraints of a request. */
    void constrain(int job, int number) {
        if (constraint(job) != ConstraintTable.NONE) {
            constraints.release(constraintOf[job]);
        }
        if (job >= constraintOf.length) {
            constraintOf = Arrays.copyOf(constraintOf, capacity);
        }
        constraintOf[job] = number;
        if (number != ConstraintTable.NONE) {
            constraints.hold(number);
        }
    }

    /** A job and where it runs. */
    interface Running {
        void at(int job, int server);
    }

    void forEachRunning(Running running) {
        for (int job = 0; job < used; job++) {
            if (state(job) == JobState.RUNNING) {
                running.at(job, place(job));
            }
        }
    }

    int next(int job) {
        return (int) links[job];
    }

    int previous(int job) {
        return high(links[job]);
    }

    /** Makes {@code after} follow {@code before}; either may be -1. */
    void link(int before, int after) {
        if (before != NONE) {
            links[before] = pair(previous(before), after);
        }
        if (after != NONE) {
            links[after] = pair(before, next(after));
        }
    }

    void unlink(int job) {
        links[job] = pair(NONE, NONE);
    }

    long bytes() {
        return (long) Long.BYTES * used * (stride + 1 + (divisible ? 1 : 0));
    }

    void save(StateWriter out) {
        out.putInt(used);
        out.putInt(freeHead);
        out.putLongs(rows, used * stride);
        out.putLongs(links, used);
        out.putLongs(shares, divisible ? used : 0);
        boolean constrained = constraints.constrained() > 0;
        out.putInts(constrained ? Arrays.copyOf(constraintOf, used) : constraintOf, constrained ? used : 0);
        constraints.save(out);
    }

    void restore(StateReader in, boolean old) {
        used = in.getInt();
        freeHead = in.getInt();
        rows = in.getLongs();
        links = in.getLongs();
        shares = in.getLongs();
        constraintOf = in.getInts();
        constraints.restore(in, old);
        capacity = used;
        for (int job = 0; job < used; job++) {
            largest = Math.max(largest, id(job));
        }
    }

    private void grow(int newCapacity) {
        rows = Arrays.copyOf(rows, Math.multiplyExact(newCapacity, stride));
        links = Arrays.copyOf(links, newCapacity);
        if (divisible) {
            shares = Arrays.copyOf(shares, newCapacity);
        }
        capacity = newCapacity;
    }

    private static long pair(int high, int low) {
        return ((long) high << Integer.SIZE) | (low & 0xFFFF_FFFFL);
    }

    private static int high(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }
}
