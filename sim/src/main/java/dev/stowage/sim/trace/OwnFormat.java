package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Any table whose columns are named by the user, or guessed from their names. */
final class OwnFormat extends TraceFormat {
    static final String KEY = "own";
    static final String COLUMNS = "columns";
    static final String SEPARATOR = "separator";
    static final String NODE_DEMAND = "node-demand";

    OwnFormat() {
        super(
                KEY,
                "any table, its columns named by --columns or guessed",
                "your own",
                List.of(
                        optional(
                                "arrival",
                                "when it came: a number in ns, us, ms, s, min, h or d, or a date; needed, or start"),
                        optional("start", "when it began to run; its arrival where there is no such column"),
                        optional("end", "when it ended; blank, null, nan, - or -1 = still running"),
                        optional("duration", "how long it ran, in place of an end; blank as above"),
                        optional("cpu", "in cores or milli (thousandths)"),
                        optional("mem", "in B, KiB, MiB, GiB, TiB, or kB, MB, GB, TB (powers of 1000)"),
                        optional("gpu", "as cpu"),
                        optional("disk", "as mem"),
                        optional("type", "name of the request's type"),
                        optional("batch", "number of the batch it came with, whole"),
                        optional("job", "name of the job whose task it is"),
                        optional(
                                "nodes",
                                "servers that it needs at once: a row with more than 1 is a gang, placed at once or not"
                                        + " at all, each member on a server of its own"),
                        optional("gang", "as nodes, but members may share a server; only where said"),
                        optional("priority", "whole, higher ones may take the place of lower ones; only where said"),
                        optional(
                                "max_wait",
                                "longest wait, as a duration: a request (a gang) that is not placed by then leaves; blank ="
                                        + " any time")),
                new FormatSetting(
                        COLUMNS,
                        "",
                        "which column is which, arrival=submitted_at,mem=ram_gb:GiB; what is not said is guessed from"
                                + " names, units from their ends or the first value; start= says that there is none"),
                new FormatSetting(
                        SEPARATOR,
                        "auto",
                        "comma, semicolon, tab, pipe, space, or auto: the one that the first lines share; decimals may"
                                + " have a comma where it is another one"),
                new FormatSetting(
                        NODE_DEMAND,
                        "each",
                        "of a row that needs several servers, what its amounts are: each (of each server) or total"
                                + " (of all together: parted equally, rounded up)"));
    }

    @Override
    public String recognisedBy() {
        return "names of columns for arrival, duration or end, and a resource, and no other format recognises the file";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.kind() != FileKind.SQLITE && OwnColumns.suffice(header(head));
    }

    static List<String> header(FileHead head) {
        return head.kind() == FileKind.TEXT && !head.lines().isEmpty()
                ? Separator.guess(head.lines()).split(head.lines().get(0))
                : head.columns();
    }

    @Override
    Rows open(Source source, Settings chosen) {
        if (source.kind() != FileKind.TEXT) {
            return super.open(source, chosen);
        }
        String given = chosen.get(SEPARATOR);
        Separator separator = given.equals("auto")
                ? Separator.guess(source.head().lines())
                : Separator.named(given).orElseThrow(() -> chosen.wrong(SEPARATOR, given, "auto, " + Separator.NAMES));
        return new CsvRows(source.files(), List.of(), separator.character());
    }

    @Override
    Mapper mapper(Reading reading) {
        return new OwnMapper(reading);
    }

    private static final class OwnMapper implements Mapper {
        private static final Set<String> NONE = Set.of("", "null", "none", "nan", "na", "n/a", "nat", "-", "-1", "\\n");
        private static final String TOTAL = "total";
        /** If the first time is later, the clock does not count from the start of the trace. */
        private static final long LATEST_START = 10L * 365 * 86_400 * 1_000_000_000L;

        private final ReportBuilder report;
        private final OwnColumns columns;
        private final @Nullable OwnClock arrival;
        private final @Nullable OwnClock start;
        private final @Nullable OwnClock end;
        private final @Nullable OwnClock duration;
        private final @Nullable OwnClock maxWait;
        private final int endColumn;
        private final int durationColumn;
        private final int type;
        private final int id;
        private final int batch;
        private final int job;
        private final TraitColumns traits;
        private final boolean total;
        private final List<String> header;
        private final Map<String, Long> jobs = new HashMap<>();
        private final List<String> demanded;
        private final int[] places;
        private final String[] units;
        private final long[] demand;
        private final TraceBuilder requests;
        private long earliest = Long.MAX_VALUE;
        private long stillRunning;
        private long gangs;

        OwnMapper(Reading reading) {
            report = reading.report();
            columns = OwnColumns.of(reading.setting(COLUMNS), reading.layout().columns());
            arrival = clock("arrival", reading);
            start = clock("start", reading);
            end = clock("end", reading);
            duration = clock("duration", reading);
            OwnClock longestWait = clock("max_wait", reading);
            maxWait = longestWait;
            endColumn = place("end", reading);
            durationColumn = place("duration", reading);
            type = place("type", reading);
            id = place("id", reading);
            batch = place("batch", reading);
            job = place("job", reading);
            traits = new TraitColumns(
                    place("nodes", reading),
                    place("gang", reading),
                    place("priority", reading),
                    place("max_wait", reading),
                    row -> longestWait == null ? 0 : longestWait.nanos(row),
                    OwnMapper::none);
            total = reading.settings()
                    .oneOf(NODE_DEMAND, List.of("each", TOTAL))
                    .equals(TOTAL);
            header = reading.layout().columns();
            demanded = columns.resources();
            places = demanded.stream()
                    .mapToInt(meaning -> place(meaning, reading))
                    .toArray();
            units = demanded.stream()
                    .map(meaning -> columns.columns().get(meaning))
                    .map(column -> column == null ? "" : column.unit())
                    .toArray(String[]::new);
            demand = new long[places.length];
            requests =
                    new TraceBuilder(demanded.stream().map(OwnMapper::resource).toList());
        }

        private static String resource(String meaning) {
            return switch (meaning) {
                case "cpu", "gpu" -> meaning + "_milli";
                case "mem", "disk" -> meaning + "_mib";
                default -> meaning;
            };
        }

        private int place(String meaning, Reading reading) {
            OwnColumns.Column column = columns.columns().get(meaning);
            return column == null ? -1 : reading.column(column.name());
        }

        private @Nullable OwnClock clock(String meaning, Reading reading) {
            OwnColumns.Column column = columns.columns().get(meaning);
            return column == null ? null : new OwnClock(meaning, reading.column(column.name()), column.unit());
        }

        @Override
        public void map(Fields row) {
            RequestTraits its = traits.of(row);
            long began = start == null ? -1 : start.nanos(row);
            long at = arrival == null ? began : arrival.nanos(row);
            long lasting = lasting(row, start == null ? at : began);
            for (int r = 0; r < demand.length; r++) {
                long amount = amount(row, r);
                demand[r] = total ? amount / its.members() + (amount % its.members() > 0 ? 1 : 0) : amount;
            }
            gangs += its.isGang() ? 1 : 0;
            String name = text(row, job);
            long batchId = name != null
                    ? jobs.computeIfAbsent(name, unused -> (long) jobs.size())
                    : text(row, batch) == null ? Trace.NO_BATCH : row.whole(batch);
            requests.add(at, lasting, demand, batchId, text(row, type), text(row, id), ConstraintWords.NONE, its);
            earliest = Math.min(earliest, at);
            stillRunning += lasting == Trace.UNKNOWN ? 1 : 0;
        }

        private long lasting(Fields row, long began) {
            if (duration != null) {
                return none(row, durationColumn) ? Trace.UNKNOWN : duration.nanos(row);
            }
            return end == null || none(row, endColumn) ? Trace.UNKNOWN : row.span(began, end.nanos(row), endColumn);
        }

        private static boolean none(Fields row, int column) {
            String text = row.text(column).strip();
            return text.length() <= 4 && NONE.contains(text.toLowerCase(Locale.ROOT));
        }

        private long amount(Fields row, int resource) {
            String meaning = demanded.get(resource);
            if (!OwnColumns.AMOUNTS.contains(meaning)) {
                return row.demand(places[resource], 1);
            }
            if (units[resource].isEmpty()) {
                units[resource] = OwnUnits.usual(meaning, row.number(places[resource]));
            }
            OwnUnits.Unit unit = OwnUnits.unit(meaning, units[resource]);
            return row.demand(places[resource], unit.factor(), unit.divisor());
        }

        private static @Nullable String text(Fields row, int column) {
            return column < 0 || row.blank(column) ? null : row.text(column);
        }

        @Override
        public TraceBuilder requests() {
            return requests;
        }

        @Override
        public void finish() {
            List<String> read = new ArrayList<>();
            columns.columns().forEach((meaning, column) -> {
                String unit = OwnColumns.TIMES.contains(meaning)
                        ? clockOf(meaning)
                        : OwnColumns.AMOUNTS.contains(meaning) ? units[demanded.indexOf(meaning)] : "";
                String guess = !column.guessed()
                        ? ""
                        : unit.equals(OwnClock.UNREAD)
                                ? " (guessed; " + meaning + "= says that there is none)"
                                : " (guessed)";
                read.add(meaning + " = " + column.name()
                        + (unit.isEmpty() ? "" : unit.equals(OwnClock.UNREAD) ? ", " + unit : " in " + unit) + guess);
            });
            report.note("read as: " + String.join(", ", read));
            report.note("to say so: --columns \"" + said() + "\"");
            if (stillRunning > 0) {
                report.note(String.format(Locale.ROOT, "without an end, so still running: %,d", stillRunning));
            }
            if (gangs > 0) {
                report.note(String.format(
                        Locale.ROOT,
                        "needing several servers at once: %,d; their amounts are %s (setting %s)",
                        gangs,
                        total ? "of all of them together" : "of each server",
                        NODE_DEMAND));
            }
            if (header.contains("priority") && !columns.columns().containsKey("priority")) {
                report.note("column priority is not kept; to keep it: --columns priority=priority");
            }
            if (rebased()) {
                report.note("rebased: the first arrival, " + earliestText() + ", is time 0");
            }
        }

        private String clockOf(String meaning) {
            OwnClock clock = clockNamed(meaning);
            return clock == null ? "" : clock.how();
        }

        private @Nullable OwnClock clockNamed(String meaning) {
            return switch (meaning) {
                case "arrival" -> arrival;
                case "start" -> start;
                case "end" -> end;
                case "max_wait" -> maxWait;
                default -> duration;
            };
        }

        private String said() {
            Map<String, OwnColumns.Column> all = new LinkedHashMap<>();
            columns.columns().forEach((meaning, column) -> {
                String unit = column.unit();
                if (OwnColumns.AMOUNTS.contains(meaning)) {
                    unit = units[demanded.indexOf(meaning)];
                } else if (OwnColumns.TIMES.contains(meaning)) {
                    String how = clockOf(meaning);
                    unit = OwnUnits.known(meaning, how) ? how : "";
                }
                all.put(meaning, new OwnColumns.Column(column.name(), unit, false));
            });
            return new OwnColumns(all, columns.absent()).text();
        }

        private String earliestText() {
            return earliest > LATEST_START || dates()
                    ? Instant.ofEpochSecond(earliest / 1_000_000_000L, earliest % 1_000_000_000L)
                            .toString()
                    : Seconds.text(earliest) + " s";
        }

        private boolean dates() {
            OwnClock first = arrival == null ? start : arrival;
            return first != null && first.readsDates();
        }

        private boolean rebased() {
            return earliest != Long.MAX_VALUE && (dates() || earliest > LATEST_START);
        }

        @Override
        public Trace trace() {
            Trace trace = requests.build();
            return rebased() ? TraceTransforms.rebase(trace) : trace;
        }
    }
}
