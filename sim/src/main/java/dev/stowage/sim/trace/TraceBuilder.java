package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.workload.RequestTraits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects requests in any order and makes a {@link Trace} of them. */
public final class TraceBuilder {
    private static final int NO_NAME = -1;

    private final List<String> resources;
    private final ShapeTable shapes;
    /** Distinguishes types of one shape. */
    private record Name(@Nullable String own, ConstraintWords constraints, RequestTraits traits) {}

    private final List<Name> names = new ArrayList<>();
    private final Map<Name, Integer> nameNumbers = new HashMap<>();

    private final ColumnSpace space;
    private final LongColumn arrivalNanos;
    private final LongColumn durationNanos;
    private final LongColumn shape;
    /** From the first request on that belongs to a batch. */
    private @Nullable LongColumn batch;
    /** From the first request on that has a name. */
    private @Nullable TextColumn ids;
    /** From the first request on that says how long it expects to run. */
    private @Nullable LongColumn expectedNanos;

    private boolean sorted = true;
    private boolean built;

    /** A builder for requests of these resources; names carry their unit, at least one, all different. */
    public TraceBuilder(List<String> resources) {
        this(resources, ColumnSpace.usual());
    }

    /** One whose requests go to a temporary file when the space in memory is used up. */
    TraceBuilder(List<String> resources, ColumnSpace space) {
        if (resources.isEmpty() || resources.stream().distinct().count() != resources.size()) {
            throw new IllegalArgumentException("resources " + resources + ": at least one, all different");
        }
        this.resources = List.copyOf(resources);
        this.shapes = new ShapeTable(resources.size());
        this.space = space;
        this.arrivalNanos = new LongColumn(space);
        this.durationNanos = new LongColumn(space);
        this.shape = new LongColumn(space);
    }

    public int size() {
        return arrivalNanos.size();
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
        int size = size();
        boolean plain = typeName == null && constraints.isNone() && traits.isNone();
        int name = plain ? NO_NAME : nameNumber(new Name(typeName, constraints, traits));
        sorted &= size == 0 || arrivalNanos.get(size - 1) <= arrival;
        arrivalNanos.add(arrival);
        durationNanos.add(duration);
        shape.add(shapes.number(demand, name));
        if (batchId != Trace.NO_BATCH && batch == null) {
            batch = LongColumn.filled(space, size, Trace.NO_BATCH);
        }
        if (batch != null) {
            batch.add(batchId);
        }
        if (id != null && ids == null) {
            ids = new TextColumn(space);
            for (int i = 0; i < size; i++) {
                ids.add(null);
            }
        }
        if (ids != null) {
            ids.add(id);
        }
        if (expectedNanos != null) {
            expectedNanos.add(0);
        }
        return this;
    }

    /** The request that was added last expects to run so long, nanoseconds, at least 0; 0: it does not say. */
    public TraceBuilder expecting(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("an expected lifetime of " + nanos + " ns; it must be at least 0");
        }
        if (nanos > 0 && expectedNanos == null) {
            expectedNanos = LongColumn.filled(space, size(), 0);
        }
        if (expectedNanos != null) {
            expectedNanos.set(size() - 1, nanos);
        }
        return this;
    }

    private void check(long arrival, long duration, long[] demand, long batchId) {
        if (built) {
            throw new IllegalStateException("the trace is already built");
        }
        boolean ok = arrival >= 0 && duration >= Trace.UNKNOWN && batchId >= Trace.NO_BATCH;
        for (long amount : demand) {
            ok &= amount >= 0;
        }
        if (!ok || demand.length != resources.size()) {
            throw new IllegalArgumentException("arrival " + arrival + ", duration " + duration + ", demand "
                    + Arrays.toString(demand) + " of " + resources + ", batch " + batchId
                    + ": arrival and demand must be at least 0, duration and batch at least -1, with one"
                    + " demand for each resource");
        }
    }

    /**
     * Says how many requests have no duration, and how much of the load they make where they are fewer than half.
     *
     * @param column that says when a request ends
     */
    void sayUnended(String column, ReportBuilder report) {
        long unended = 0;
        for (int i = 0; i < size(); i++) {
            unended += durationNanos.get(i) == Trace.UNKNOWN ? 1 : 0;
        }
        if (unended > 0 && 2 * unended >= size()) {
            report.note(String.format(Locale.ROOT, "without an end, so still running: %,d", unended));
        } else if (unended > 0) {
            double part = unendedShare();
            String share = part < 0.005
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            ", which makes about %.0f %% of the load%s (%s until the last arrival)",
                            100 * part,
                            report.hasMore() ? " of these first rows" : "",
                            ResourceWords.resource(resources.get(0)));
            report.warn(String.format(
                    Locale.ROOT,
                    "%,d %s no %s (%s %%) and %s taken to run to the end of the run%s. Where one has ended, fill in its"
                            + " %3$s or remove its row",
                    unended,
                    unended == 1 ? "request has" : "requests have",
                    column,
                    unended < size() / 1000
                            ? "under 0.1"
                            : String.format(Locale.ROOT, "%.1f", 100.0 * unended / size()),
                    unended == 1 ? "is" : "are",
                    share));
        }
    }

    /** Which part of the demand over time of the first resource, until the last arrival, is of unknown durations. */
    private double unendedShare() {
        long last = 0;
        for (int i = 0; i < size(); i++) {
            last = Math.max(last, arrivalNanos.get(i));
        }
        double all = 0;
        double unended = 0;
        for (int i = 0; i < size(); i++) {
            long left = last - arrivalNanos.get(i);
            long lasting = durationNanos.get(i);
            double area = (double) shapes.demand((int) shape.get(i))[0]
                    * (lasting == Trace.UNKNOWN ? left : Math.min(left, lasting));
            all += area;
            unended += lasting == Trace.UNKNOWN ? area : 0;
        }
        return all > 0 ? unended / all : 0;
    }

    private int nameNumber(Name name) {
        Integer known = nameNumbers.putIfAbsent(name, names.size());
        if (known != null) {
            return known;
        }
        names.add(name);
        return names.size() - 1;
    }

    /** The trace of all requests, at least one; the builder is used up. */
    public Trace build() {
        if (size() == 0) {
            throw new IllegalStateException("a trace needs at least one request");
        }
        if (built) {
            throw new IllegalStateException("the trace is already built");
        }
        built = true;
        LongColumn order = sorted ? null : IndexSort.byKey(arrivalNanos, space);
        LongColumn type = order == null ? shape : shape.ordered(order);
        int[] typeOfShape = new int[shapes.size()];
        Arrays.fill(typeOfShape, -1);
        int[] shapeOfType = new int[shapes.size()];
        int types = 0;
        for (int i = 0; i < type.size(); i++) {
            int s = (int) type.get(i);
            if (typeOfShape[s] < 0) {
                shapeOfType[types] = s;
                typeOfShape[s] = types++;
            }
            type.set(i, typeOfShape[s]);
        }
        return withTypes(order, type, Arrays.copyOf(shapeOfType, types));
    }

    private Trace withTypes(@Nullable LongColumn order, LongColumn type, int[] shapeOfType) {
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
                order == null ? arrivalNanos : arrivalNanos.ordered(order),
                order == null ? durationNanos : durationNanos.ordered(order),
                type,
                order == null || batch == null ? batch : batch.ordered(order),
                order == null || ids == null ? ids : ids.ordered(order),
                order == null || expectedNanos == null ? expectedNanos : expectedNanos.ordered(order),
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
            String shapeName =
                    ResourceWords.of(resources, typeDemand[t]) + text(constraints.get(t)) + text(traits.get(t));
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
                + (traits.priority() == 0 ? "" : " priority " + traits.priority())
                + (traits.maxWait() == null
                        ? ""
                        : " waits " + Seconds.text(traits.maxWait().meanNanos()) + " s");
    }
}
