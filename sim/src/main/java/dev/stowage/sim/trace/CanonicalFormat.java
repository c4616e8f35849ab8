package dev.stowage.sim.trace;

import dev.stowage.core.policy.Declared;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stowage's own format, CSV or Parquet; what {@link TraceWriter} writes. */
final class CanonicalFormat extends TraceFormat {
    static final String ARRIVAL = "arrival_s";
    static final String DURATION = "duration_s";
    static final String TYPE = "type";
    static final String BATCH = "batch_id";
    static final String JOB = "job_id";
    static final String ID = "id";
    static final String WHERE = ConstraintColumns.WHERE;
    static final String AVOID = ConstraintColumns.AVOID;
    static final String SPREAD = ConstraintColumns.SPREAD;
    static final String NODES = "nodes";
    static final String MEMBERS = "gang";
    static final String PRIORITY = "priority";
    static final String MAX_WAIT = "max_wait_s";
    static final String EXPECTED = "expected_s";

    /** Columns that no other table can have. */
    private static final List<String> ONLY_HERE =
            List.of(WHERE, AVOID, SPREAD, Declared.LOAD, Declared.POWER, Declared.BUDGET);

    CanonicalFormat() {
        super(
                "canonical",
                "Stowage's own format",
                "docs/traces.md of this project",
                List.of(
                        required(ARRIVAL, "arrival, s from the start of the trace"),
                        required(DURATION, "duration, s; blank = unknown (still running when the trace ended)"),
                        optional("cpu_milli", "CPU, thousandths of a core"),
                        optional("mem_mib", "memory, MiB"),
                        optional("gpu_milli", "GPU, thousandths of a GPU; blank = 0"),
                        optional("disk_mib", "disk, MiB; blank = 0"),
                        optional(
                                "<name>_<unit>",
                                "any other resource; blank = 0; units: " + String.join(", ", ResourceColumns.UNITS)),
                        optional(TYPE, "name of the request's type; blank = named after its shape"),
                        optional(
                                WHERE,
                                "labels that its server must have, such as gpu in (V100, T4), !spot; alternatives"
                                        + " after ';'; blank = any server"),
                        optional(AVOID, "names of servers that must not run it, with ';' between them"),
                        optional(
                                SPREAD,
                                "groups that it belongs to, and how many of each may run on one server (db:1) or on all"
                                        + " servers with one value of a label (db:2:zone), with ';' between them"),
                        optional(
                                NODES,
                                "servers that it needs at once, each with these demands: a gang, placed at once or not"
                                        + " at all, each member on a server of its own; blank = 1"),
                        optional(
                                MEMBERS,
                                "as nodes, but members may share a server; blank = 1; only one of nodes and gang may"
                                        + " be above 1"),
                        optional(PRIORITY, "a whole number; higher ones may take the place of lower ones; blank = 0"),
                        optional(
                                MAX_WAIT,
                                "longest wait, s: a request (a gang) that is not placed by then leaves; 0 = now or never;"
                                        + " blank = any time. Each different value makes a type"),
                        optional(EXPECTED, "expected run time, s, as known at arrival; blank or 0 = not given"),
                        optional(BATCH, "number of the batch it came with, whole; blank = came alone"),
                        optional(JOB, "name of the job whose task it is, in place of a batch; blank = no job"),
                        optional(
                                "load_ms",
                                "of a task: how long it runs with one unit of the divisible resource at efficiency 1,"
                                        + " ms; its duration where there is no such column"),
                        optional("power_mw", "of a task: milliwatts per unit of the divisible resource"),
                        optional("budget_j", "of a task: what it adds to its job's energy budget, J"),
                        optional(ID, "name of the request")));
    }

    @Override
    public String recognisedBy() {
        return "a column arrival_s, and no other format recognizes the file; a table with an amount whose name does"
                + " not end with a unit of this format, such as cpu or ram_gb, is read as your own table, unless it"
                + " has constraints or tasks";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.names(ARRIVAL)
                && (ONLY_HERE.stream().anyMatch(head::names) || OwnColumns.onlyWithUnits(head.columns()));
    }

    @Override
    Mapper mapper(Reading reading) {
        return new RequestMapper(reading);
    }

    private static final class RequestMapper implements Mapper {
        private final int arrival;
        private final int duration;
        private final int type;
        private final int batch;
        private final int job;
        private final Map<String, Long> jobs = new HashMap<>();
        private final int id;
        private final int expected;
        private final ConstraintColumns constraints;
        private final TraitColumns traits;
        private final int[] resources;
        /** Blank is 0 of these: not every request has each. */
        private final boolean[] mayLack;

        private final long[] demand;
        private final TraceBuilder requests;
        private final ReportBuilder report;
        /** Whether what they run for follows from their load. */
        private final boolean tasks;

        RequestMapper(Reading reading) {
            report = reading.report();
            arrival = reading.column(ARRIVAL);
            duration = reading.column(DURATION);
            type = reading.column(TYPE);
            batch = reading.column(BATCH);
            job = reading.column(JOB);
            if (batch >= 0 && job >= 0) {
                throw new TraceException(
                        "columns " + BATCH + " and " + JOB + ": a job is a batch; leave one of them out");
            }
            id = reading.column(ID);
            expected = reading.column(EXPECTED);
            constraints = new ConstraintColumns(
                    reading.column(WHERE), reading.column(AVOID), reading.column(SPREAD), Fields::blank);
            int maxWait = reading.column(MAX_WAIT);
            traits = new TraitColumns(
                    reading.column(NODES),
                    reading.column(MEMBERS),
                    reading.column(PRIORITY),
                    maxWait,
                    row -> row.seconds(maxWait),
                    Fields::blank);
            List<String> names = ResourceColumns.in(reading.layout().columns());
            if (names.isEmpty() && job >= 0) {
                names = List.of(Declared.LOAD);
            } else if (names.isEmpty()) {
                throw ResourceColumns.none(reading.layout().columns());
            }
            tasks = names.contains(Declared.LOAD);
            resources = names.stream().mapToInt(reading::column).toArray();
            demand = new long[resources.length];
            mayLack = new boolean[resources.length];
            for (int r = 0; r < mayLack.length; r++) {
                mayLack[r] =
                        names.size() > 1 && !List.of("cpu_milli", "mem_mib").contains(names.get(r));
            }
            requests = new TraceBuilder(names);
        }

        @Override
        public void map(Fields row) {
            long at = row.seconds(arrival);
            long lasting = row.blank(duration) ? Trace.UNKNOWN : row.seconds(duration);
            for (int r = 0; r < demand.length; r++) {
                demand[r] = resources[r] < 0
                        ? TaskWorkload.load(lasting)
                        : mayLack[r] && row.blank(resources[r]) ? 0 : row.demand(resources[r], 1);
            }
            long batchId = row.blank(batch) ? jobNumber(row.textIfAny(job)) : row.whole(batch);
            long expects = row.blank(expected) ? 0 : row.seconds(expected);
            requests.add(
                            at,
                            lasting,
                            demand,
                            batchId,
                            row.textIfAny(type),
                            row.textIfAny(id),
                            constraints.of(row),
                            traits.of(row))
                    .expecting(expects);
        }

        @Override
        public void finish() {
            if (!tasks) {
                requests.sayUnended(DURATION, report);
            }
        }

        /** Jobs are numbered as they appear. */
        private long jobNumber(@Nullable String name) {
            return name == null ? Trace.NO_BATCH : jobs.computeIfAbsent(name, unused -> (long) jobs.size());
        }

        @Override
        public TraceBuilder requests() {
            return requests;
        }
    }
}
