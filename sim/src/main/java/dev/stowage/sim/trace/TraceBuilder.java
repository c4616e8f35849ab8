package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects requests in any order and makes a {@link Trace} of them. */
public final class TraceBuilder {
    private static final int MAX_SIZE = Integer.MAX_VALUE - 8;
    private static final int NO_NAME = -1;

    private final List<String> resources;
    private final ShapeTable shapes;
    /** Distinguishes types of one shape. */
    private record Name(@Nullable String own, ConstraintWords constraints, RequestTraits traits) {}

    private final List<Name> names = new ArrayList<>();
    private final Map<Name, Integer> nameNumbers = new HashMap<>();

    private int size;
    private long[] arrivalNanos = new long[16];
    private long[] durationNanos = new long[16];
    private int[] shape = new int[16];
    private long[] batch = new long[16];
    private @Nullable String @Nullable [] ids;

    /** A builder for requests of these resources; names carry their unit, at least one, all different. */
    public TraceBuilder(List<String> resources) {
        if (resources.isEmpty() || resources.stream().distinct().count() != resources.size()) {
            throw new IllegalArgumentException("resources " + resources + ": at least one, all different");
        }
        this.resources = List.copyOf(resources);
        this.shapes = new ShapeTable(resources.size());
    }

    public List<String> resources() {
        return resources;
    }

    public int size() {
        return size;
    }

    /** Adds a request without batch, type name and id. */
    public TraceBuilder add(long arrival, long duration, long... demand) {
        return add(arrival, duration, demand, Trace.NO_BATCH, null, null);
    }

    /**
     * Adds a request.
     *
     * @param arrival nanoseconds, at least 0
     * @param duration nanoseconds, at least 0, or {@link Trace#UNKNOWN}
     * @param demand whole units by resource, at least 0; copied
     * @param batchId at least 0, or {@link Trace#NO_BATCH}
     * @param typeName the source's own name of the type, if it has one
     * @param id the source's own name of the request, if it has one
     */
    public TraceBuilder add(
            long arrival, long duration, long[] demand, long batchId, @Nullable String typeName, @Nullable String id) {
        return add(arrival, duration, demand, batchId, typeName, id, ConstraintWords.NONE);
    }

    /** Adds a request that only some servers may run. */
    public TraceBuilder add(
            long arrival,
            long duration,
            long[] demand,
            long batchId,
            @Nullable String typeName,
            @Nullable String id,
            ConstraintWords constraints) {
        return add(arrival, duration, demand, batchId, typeName, id, constraints, RequestTraits.NONE);
    }

    /** Adds a request that has a priority, or is several at once, each with this demand. */
    public TraceBuilder add(
            long arrival,
            long duration,
            long[] demand,
            long batchId,
            @Nullable String typeName,
            @Nullable String id,
            ConstraintWords constraints,
            RequestTraits traits) {
        check(arrival, duration, demand, batchId);
        if (size == arrivalNanos.length) {
            grow();
        }
        boolean plain = typeName == null && constraints.isNone() && traits.isNone();
        int name = plain ? NO_NAME : nameNumber(new Name(typeName, constraints, traits));
        arrivalNanos[size] = arrival;
        durationNanos[size] = duration;
        shape[size] = shapes.number(demand, name);
        batch[size] = batchId;
        if (id != null && ids == null) {
            ids = new String[arrivalNanos.length];
        }
        if (ids != null) {
            ids[size] = id;
        }
        size++;
        return this;
    }

    private void check(long arrival, long duration, long[] demand, long batchId) {
        boolean ok = arrival >= 0 && duration >= Trace.UNKNOWN && batchId >= Trace.NO_BATCH;
        for (long amount : demand) {
            ok &= amount >= 0;
        }
        if (!ok || demand.length != resources.size()) {
            throw new IllegalArgumentException("arrival " + arrival + ", duration " + duration + ", demand "
                    + Arrays.toString(demand) + " of " + resources + ", batch " + batchId
                    + ": all at least 0; duration and batch may be -1");
        }
    }

    private void grow() {
        if (size == MAX_SIZE) {
            throw new TraceException("a trace holds at most " + MAX_SIZE + " requests; cut a window or sample");
        }
        int capacity = (int) Math.min(MAX_SIZE, 2L * size);
        arrivalNanos = Arrays.copyOf(arrivalNanos, capacity);
        durationNanos = Arrays.copyOf(durationNanos, capacity);
        shape = Arrays.copyOf(shape, capacity);
        batch = Arrays.copyOf(batch, capacity);
        if (ids != null) {
            ids = Arrays.copyOf(ids, capacity);
        }
    }

    private int nameNumber(Name name) {
        Integer known = nameNumbers.putIfAbsent(name, names.size());
        if (known != null) {
            return known;
        }
        names.add(name);
        return names.size() - 1;
    }

    /** The trace of all requests so far; at least one. */
    public Trace build() {
        if (size == 0) {
            throw new IllegalStateException("a trace needs at least one request");
        }
        int[] order = IndexSort.byKey(arrivalNanos, size);
        int[] typeOfShape = new int[shapes.size()];
        Arrays.fill(typeOfShape, -1);
        int[] shapeOfType = new int[shapes.size()];
        int types = 0;
        int[] type = new int[size];
        for (int i = 0; i < size; i++) {
            int s = shape[order[i]];
            if (typeOfShape[s] < 0) {
                shapeOfType[types] = s;
                typeOfShape[s] = types++;
            }
            type[i] = typeOfShape[s];
        }
        return withTypes(order, type, Arrays.copyOf(shapeOfType, types));
    }

    private Trace withTypes(int[] order, int[] type, int[] shapeOfType) {
        long[][] typeDemand = new long[shapeOfType.length][];
        @Nullable String[] ownNames = new @Nullable String[shapeOfType.length];
        List<ConstraintWords> constraints = new ArrayList<>();
        List<RequestTraits> traits = new ArrayList<>();
        for (int t = 0; t < shapeOfType.length; t++) {
            typeDemand[t] = shapes.demand(shapeOfType[t]);
            int name = shapes.name(shapeOfType[t]);
            ownNames[t] = name == NO_NAME ? null : names.get(name).own();
            constraints.add(
                    name == NO_NAME ? ConstraintWords.NONE : names.get(name).constraints());
            traits.add(name == NO_NAME ? RequestTraits.NONE : names.get(name).traits());
        }
        return new Trace(
                resources,
                typeNames(ownNames, typeDemand, constraints, traits),
                ownNames,
                typeDemand,
                ordered(arrivalNanos, order),
                ordered(durationNanos, order),
                type,
                ordered(batch, order),
                ids == null ? null : ordered(ids, order),
                List.copyOf(constraints),
                List.copyOf(traits));
    }

    /**
     * The source's names where it has any, followed by shape, constraints and traits if one name stands for several
     * types.
     */
    private List<String> typeNames(
            @Nullable String[] ownNames,
            long[][] typeDemand,
            List<ConstraintWords> constraints,
            List<RequestTraits> traits) {
        Map<String, Integer> uses = new HashMap<>();
        for (String name : ownNames) {
            if (name != null) {
                uses.merge(name, 1, Integer::sum);
            }
        }
        List<String> result = new ArrayList<>(ownNames.length);
        for (int t = 0; t < ownNames.length; t++) {
            String name = ownNames[t];
            String shapeName = ShapeNames.of(resources, typeDemand[t]) + text(constraints.get(t)) + text(traits.get(t));
            boolean unique = name == null || uses.getOrDefault(name, 0) == 1;
            result.add(name == null ? shapeName : unique ? name : name + " (" + shapeName + ")");
        }
        return List.copyOf(result);
    }

    private static String text(ConstraintWords words) {
        StringBuilder text = new StringBuilder();
        text.append(words.where().isEmpty() ? "" : " where " + String.join(" or ", words.where()));
        text.append(words.avoid().isEmpty() ? "" : " not on " + String.join(", ", words.avoid()));
        return text.append(words.spread().isEmpty() ? "" : " apart " + String.join(", ", words.spread()))
                .toString();
    }

    private static String text(RequestTraits traits) {
        return (traits.isGang() ? " x " + traits.members() : "")
                + (traits.distinctServers() ? " servers" : "")
                + (traits.priority() == 0 ? "" : " priority " + traits.priority());
    }

    private static long[] ordered(long[] column, int[] order) {
        long[] result = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            result[i] = column[order[i]];
        }
        return result;
    }

    private static @Nullable String[] ordered(@Nullable String[] column, int[] order) {
        @Nullable String[] result = new @Nullable String[order.length];
        for (int i = 0; i < order.length; i++) {
            result[i] = column[order[i]];
        }
        return result;
    }
}
