package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests in order of arrival, column by column; immutable and never empty.
 *
 * <p>Times are nanoseconds on the trace's own clock, demands whole units of the named resources ({@code cpu_milli},
 * {@code mem_mib}). A request may be a gang: several of its demand that are placed at once. A request's number is its
 * place in this order; requests that arrive at one instant keep the order
 * of their source. A type is a distinct joint shape (together with the source's own type name,
 * constraints, priority and number of servers, where it has them), so all requests of a type have the same demand;
 * types are numbered by first arrival.
 * Built by {@link TraceBuilder}.
 */
public final class Trace {
    /** Duration of a request whose end the source does not know. */
    public static final long UNKNOWN = -1;

    /** Batch of a request that came alone. */
    public static final long NO_BATCH = -1;

    private final List<String> resources;
    private final List<String> typeNames;
    private final @Nullable String[] ownTypeNames;
    private final long[][] typeDemand;
    private final LongColumn arrivalNanos;
    private final LongColumn durationNanos;
    private final LongColumn type;
    /** Null where no request belongs to a batch. */
    private final @Nullable LongColumn batch;
    /** Null where no request has a name. */
    private final @Nullable TextColumn ids;
    /** Null where no request says how long it expects to run. */
    private final @Nullable LongColumn expectedNanos;

    private final List<ConstraintWords> typeConstraints;
    private final List<RequestTraits> typeTraits;
    /** Nanoseconds since 1970 of time 0. */
    private long startNanos = Workload.NO_DATE;
    /** Computed when first asked for. */
    private volatile @Nullable String contents;

    Trace(
            List<String> resources,
            List<String> typeNames,
            @Nullable String[] ownTypeNames,
            long[][] typeDemand,
            LongColumn arrivalNanos,
            LongColumn durationNanos,
            LongColumn type,
            @Nullable LongColumn batch,
            @Nullable TextColumn ids,
            @Nullable LongColumn expectedNanos,
            List<ConstraintWords> typeConstraints,
            List<RequestTraits> typeTraits) {
        this.resources = resources;
        this.typeNames = typeNames;
        this.ownTypeNames = ownTypeNames;
        this.typeDemand = typeDemand;
        this.arrivalNanos = arrivalNanos;
        this.durationNanos = durationNanos;
        this.type = type;
        this.batch = batch;
        this.ids = ids;
        this.expectedNanos = expectedNanos;
        this.typeConstraints = typeConstraints;
        this.typeTraits = typeTraits;
    }

    /** The same, where time 0 is known to be so many nanoseconds after 1970. */
    Trace startingAt(long nanos) {
        startNanos = nanos;
        return this;
    }

    /** The same, so much earlier on a clock of its own; the columns that do not change are shared. */
    Trace earlier(long nanos) {
        return new Trace(
                        resources,
                        typeNames,
                        ownTypeNames,
                        typeDemand,
                        arrivalNanos.less(nanos),
                        durationNanos,
                        type,
                        batch,
                        ids,
                        expectedNanos,
                        typeConstraints,
                        typeTraits)
                .startingAt(startNanos == Workload.NO_DATE ? startNanos : startNanos + nanos);
    }

    /** Nanoseconds since 1970 of time 0; {@link Workload#NO_DATE} where that is not known. */
    public long startNanos() {
        return startNanos;
    }

    /** SHA-256, as hex digits, of everything in it that a run can see: requests, shapes, constraints. */
    String contents() {
        String known = contents;
        if (known == null) {
            known = new TraceDigest(this).hex();
            contents = known;
        }
        return known;
    }

    /** Whether it has left the memory for temporary files, because it is long. */
    boolean isInFiles() {
        return arrivalNanos.isInFile();
    }

    /** Number of requests, at least 1. */
    public int size() {
        return arrivalNanos.size();
    }

    /** Names of the resources, unit at the end. */
    public List<String> resources() {
        return resources;
    }

    /** Names of the types, by type number. */
    public List<String> types() {
        return typeNames;
    }

    /** Demand of every request of a type, in whole units of a resource. */
    public long typeDemand(int typeNumber, int resource) {
        return typeDemand[typeNumber][resource];
    }

    /** Which servers may run the requests of a type. */
    public ConstraintWords typeConstraints(int typeNumber) {
        return typeConstraints.get(typeNumber);
    }

    /** Whether some server may not run some request. */
    public boolean hasConstraints() {
        return typeConstraints.stream().anyMatch(words -> !words.isNone());
    }

    /** Priority of the requests of a type, and whether each is a gang of several with its demand. */
    public RequestTraits typeTraits(int typeNumber) {
        return typeTraits.get(typeNumber);
    }

    /** Whether any request has a priority. */
    public boolean hasPriorities() {
        return typeTraits.stream().anyMatch(traits -> traits.priority() != 0);
    }

    /** Whether any request needs several servers at once. */
    public boolean hasGangs() {
        return typeTraits.stream().anyMatch(RequestTraits::isGang);
    }

    /** Whether any request has a longest wait. */
    public boolean hasMaxWaits() {
        return typeTraits.stream().anyMatch(traits -> traits.maxWait() != null);
    }

    /** The demand of a type by resource; shared, not to be changed. */
    long[] typeDemandOf(int typeNumber) {
        return typeDemand[typeNumber];
    }

    /** Arrival of a request, at least 0; never decreases with the request's number. */
    public long arrivalNanos(int request) {
        return arrivalNanos.get(request);
    }

    /** Duration of a request, at least 0, or {@link #UNKNOWN}. */
    public long durationNanos(int request) {
        return durationNanos.get(request);
    }

    /** Type number of a request. */
    public int type(int request) {
        return (int) type.get(request);
    }

    /** Demand of a request in whole units of a resource, at least 0. */
    public long demand(int request, int resource) {
        return typeDemand[type(request)][resource];
    }

    /** Batch of a request, at least 0, or {@link #NO_BATCH}; requests of one batch were made together. */
    public long batch(int request) {
        return batch == null ? NO_BATCH : batch.get(request);
    }

    /** The source's own name of a request; null where it has none. */
    public @Nullable String id(int request) {
        return ids == null ? null : ids.get(request);
    }

    /** How long a request expects to run, above 0; 0 where it does not say. */
    public long expectedNanos(int request) {
        return expectedNanos == null ? 0 : expectedNanos.get(request);
    }

    /** Whether any request says how long it expects to run. */
    public boolean hasExpected() {
        return expectedNanos != null;
    }

    /** Whether any request has a name of its own. */
    public boolean hasIds() {
        return ids != null;
    }

    /** Whether any request belongs to a batch. */
    public boolean hasBatches() {
        return batch != null;
    }

    /** Whether the source names its types. */
    public boolean hasOwnTypeNames() {
        for (String name : ownTypeNames) {
            if (name != null) {
                return true;
            }
        }
        return false;
    }

    /** The source's own name of a type; null where the name is made from the shape. */
    public @Nullable String ownTypeName(int typeNumber) {
        return ownTypeNames[typeNumber];
    }

    /** Arrival of the first request. */
    public long firstArrivalNanos() {
        return arrivalNanos.get(0);
    }

    /** Arrival of the last request. */
    public long lastArrivalNanos() {
        return arrivalNanos.get(size() - 1);
    }
}
