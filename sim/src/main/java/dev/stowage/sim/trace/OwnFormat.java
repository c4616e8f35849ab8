package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Any table whose columns are named by the user, or guessed from their names. */
final class OwnFormat extends TraceFormat {
    static final String KEY = "own";
    static final String COLUMNS = "columns";
    static final String SEPARATOR = "separator";
    static final String NODE_DEMAND = "node-demand";
    static final String SHEET = "sheet";
    static final String SIZES = "sizes";

    OwnFormat() {
        super(
                KEY,
                "any table, its columns named by --columns or guessed",
                "your own",
                List.of(
                        optional(
                                "arrival",
                                "when it arrived: a number in ns, us, ms, s, min, h or d, or a date; this or start is"
                                        + " needed where rows have ends"),
                        optional(
                                "start",
                                "when it began to run; without such a column, its arrival; blank (as for end) = has"
                                        + " not run: not counted"),
                        optional("end", "when it ended; blank, null, nan, unknown, - or -1 = still running"),
                        optional(
                                "duration",
                                "how long it ran, in place of an end: a number, [days-]hours:minutes:seconds, PT1H30M or"
                                        + " 1 h 30 min; blank as above"),
                        optional(
                                "cpu",
                                "in cores or milli (thousandths); a unit after the value takes precedence: 500m"),
                        optional(
                                "mem",
                                "in B, KiB, MiB, GiB or TiB (kB, MB, GB and TB are read as these); a unit after the"
                                        + " value takes precedence: 4Gi, 2500M, Slurm's 4Gc (of each core) and 64Gn"
                                        + " (of each server)"),
                        optional("gpu", "number of GPUs, or milli; blank = 0"),
                        optional("disk", "as mem; blank = 0"),
                        optional("type", "name of the request's type"),
                        optional("batch", "number of the batch it came with, whole"),
                        optional("job", "name of the job whose task it is"),
                        optional(
                                "nodes",
                                "servers that it needs at once: a row with more than 1 is a gang, placed at once or not"
                                        + " at all, each member on a server of its own"),
                        optional("gang", "as nodes, but members may share a server; only if --columns names it"),
                        optional(
                                "priority",
                                "a whole number; higher ones may take the place of lower ones; only if --columns names"
                                        + " it"),
                        optional(
                                "max_wait",
                                "longest wait, as a duration: a request (a gang) that is not placed by then leaves;"
                                        + " blank = any time"),
                        optional("expected", "expected run time, as a duration; blank = not given"),
                        optional(
                                ConstraintColumns.WHERE,
                                "labels that its server must have, as in Stowage's own format"),
                        optional(ConstraintColumns.AVOID, "names of servers that must not run it, likewise"),
                        optional(
                                ConstraintColumns.SPREAD,
                                "groups that it keeps away from (anti-affinity): db:1 = at most 1 of group db on a"
                                        + " server, likewise; a column of such rules that cannot be read is a warning,"
                                        + " unless spread= says that there are none"),
                        optional(
                                RowChoice.ONLY,
                                "only the rows with this value are read: only=Cluster:prod; only if --columns names it")),
                new FormatSetting(
                        COLUMNS,
                        "",
                        "which column is which, such as arrival=submitted_at,mem=ram_gb:GiB; other columns are guessed"
                                + " from names, units from their ends or the first rows; start= means that there is no"
                                + " such column"),
                RowChoice.IN,
                RowChoice.WITH,
                PowerStates.COUNTED,
                new FormatSetting(
                        SEPARATOR,
                        "auto",
                        "comma, semicolon, tab, pipe, space, or auto: the one that the first lines share; if it is"
                                + " not the comma, decimals may have a comma"),
                new FormatSetting(
                        SHEET,
                        "",
                        "name of the sheet of a workbook, or of the list in JSON; otherwise the one whose name and columns"
                                + " fit"),
                new FormatSetting(
                        SIZES,
                        "",
                        "file that says what the sizes in column type hold: a table of name, cores and memory, such as"
                                + " the clouds' lists of flavors and instance types"),
                new FormatSetting(
                        NODE_DEMAND,
                        "auto",
                        "what the amounts of a row with several servers are: each (of each server), total (of all"
                                + " together: divided equally, rounded up), or auto: total in a table of Slurm's"
                                + " accounting, otherwise each"));
    }

    @Override
    public String recognisedBy() {
        return "names of columns for arrival, duration or end, and a resource, and no other format recognizes the file";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.kind() != FileHead.Kind.SQLITE && OwnColumns.suffice(OwnColumns.header(head));
    }

    @Override
    List<String> guessed() {
        return List.of(
                "start",
                "end",
                "disk",
                "type",
                "nodes",
                ConstraintColumns.WHERE,
                ConstraintColumns.AVOID,
                ConstraintColumns.SPREAD);
    }

    @Override
    Rows open(Source source, Settings chosen) {
        if (source.kind() != FileHead.Kind.TEXT) {
            return super.open(source, chosen);
        }
        String given = chosen.get(SEPARATOR);
        return source.table(
                given.equals("auto")
                        ? null
                        : Separator.named(given)
                                .orElseThrow(() -> chosen.wrong(SEPARATOR, given, "auto, " + Separator.NAMES)));
    }

    @Override
    Mapper mapper(Reading reading) {
        return new OwnMapper(reading);
    }

    /** Names of columns that say for how long something has run that still does. */
    private static final Pattern STILL_UP = Pattern.compile("(?i)up.?time|\\bage\\b|\\bsince\\b|\\blast\\b|backup");

    /** Names of columns that say when something was asked for, which need not run for ever; a machine is created. */
    private static final Pattern ASKED =
            Pattern.compile("(?i)arriv|submi|queue|request|ankunft|eingang|eingereicht|soumis|llegada|envio");

    /** Names of columns that say when something that runs now will end. */
    private static final Pattern EXPIRES =
            Pattern.compile("(?i)expir|retire|decommission|end_?of_?li[fv]|ablauf|ausserbetrieb");

    private static final class OwnMapper implements Mapper {
        private static final Set<String> NONE =
                Set.of("", "null", "(null)", "none", "nan", "na", "n/a", "nat", "-", "-1", "\\n", "unknown");
        private static final String TOTAL = "total";
        private static final long MILLI = 1000;
        private static final long LONG_NANOS = 30L * 86_400 * 1_000_000_000L;
        /** If the first time is later, the clock does not count from the start of the trace. */
        private static final long LATEST_START = 10L * 365 * 86_400 * 1_000_000_000L;

        private final ReportBuilder report;
        private final OwnColumns columns;
        private final OwnValues values;
        private final OwnRows rules;
        private final OwnDates dates;
        private final @Nullable OwnSizes sizes;
        private final @Nullable OwnClock arrival;
        private final @Nullable OwnClock start;
        private final @Nullable OwnClock end;
        private final @Nullable OwnClock duration;
        private final @Nullable OwnClock maxWait;
        private final @Nullable OwnClock expected;
        private final int expectedColumn;
        private final @Nullable OwnClock limit;
        private final int limitColumn;
        private final int startColumn;
        private final int endColumn;
        private final int durationColumn;
        private final int type;
        private final int id;
        private final int batch;
        private final int job;
        private final TraitColumns traits;
        private final ConstraintColumns constraints;
        private final boolean total;
        private final boolean slurmJobs;
        private final List<String> header;
        private final Map<String, Long> jobs = new HashMap<>();
        private final List<String> demanded;
        private final int[] places;
        private final String[] units;
        /** Of each resource that has a column, the unit that its name says. */
        private final OwnUnits.@Nullable Unit[] named;
        /** Of each resource that most rows have as a plain number in the unit of its column, that; else null. */
        private final OwnUnits.@Nullable Unit[] plain;

        private final int cpu;
        private final int mem;
        private final int gpu;
        private final long[] demand;
        private final RowSums sums;
        private final TraceBuilder requests;
        private long earliest = Long.MAX_VALUE;
        private long stillRunning;
        private long ended;
        private long longOnes;
        private long waiting;
        private long gangs;
        /** Jobs of Slurm that ask for all memory of a node, which it writes as 0. */
        private long wholeNodes;
        /** Jobs that wait, of which only what they are given is listed. */
        private long withoutCpu;
        /** By column, how many rows have nothing there, which is 0. */
        private final Map<String, Long> lacking = new TreeMap<>();

        private final UnitsOfNames unitsOfNames = new UnitsOfNames();
        private final OwnUnits.MemoryPerCpu memoryPerCpu = new OwnUnits.MemoryPerCpu();

        OwnMapper(Reading reading) {
            report = reading.report();
            header = reading.layout().columns();
            String catalogue = reading.setting(SIZES);
            sizes = catalogue.isEmpty() ? null : new OwnSizes(Path.of(catalogue));
            OwnColumns found =
                    OwnColumns.of(reading.setting(COLUMNS), header, sizes == null ? List.of() : sizes.meanings());
            values = sample(found, reading);
            rules = new OwnRows(ConstraintColumns.checked(found, header, values, report), values, reading);
            columns = rules.columns();
            dates = new OwnDates(
                    values,
                    Stream.of("arrival", "start", "end")
                            .map(meaning -> place(meaning, reading))
                            .filter(place -> place >= 0)
                            .toList(),
                    columns.columns().values().stream()
                            .map(OwnColumns.Column::unit)
                            .filter(OwnUnits::isPattern)
                            .toList());
            boolean inventory = columns.isInventory();
            arrival = inventory ? null : clock("arrival", reading);
            start = inventory ? null : clock("start", reading);
            end = clock("end", reading);
            duration = clock("duration", reading);
            OwnClock longestWait = clock("max_wait", reading);
            maxWait = longestWait;
            expected = clock("expected", reading);
            expectedColumn = place("expected", reading);
            limitColumn = start == null ? -1 : rules.named("timelimit", "time_limit");
            limit = limitColumn < 0 ? null : new OwnClock("duration", limitColumn, "min", values, dates);
            startColumn = place("start", reading);
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
                    // Slurm has given no node to a job that waits.
                    (row, column) -> none(row, column)
                            || (waits(row) && row.text(column).strip().equals("0")));
            constraints = new ConstraintColumns(
                    place(ConstraintColumns.WHERE, reading),
                    place(ConstraintColumns.AVOID, reading),
                    place(ConstraintColumns.SPREAD, reading),
                    ConstraintColumns::saysNone);
            String share = reading.settings().oneOf(NODE_DEMAND, List.of("auto", "each", TOTAL));
            slurmJobs = OwnRows.isSlurm(header);
            total = share.equals(TOTAL) || (share.equals("auto") && slurmJobs);
            demanded = columns.resources();
            places = demanded.stream()
                    .mapToInt(meaning -> place(meaning, reading))
                    .toArray();
            units = demanded.stream().map(meaning -> unit(meaning, reading)).toArray(String[]::new);
            named = new OwnUnits.Unit[places.length];
            plain = new OwnUnits.Unit[places.length];
            for (int r = 0; r < places.length; r++) {
                named[r] = places[r] >= 0 && OwnColumns.AMOUNTS.contains(demanded.get(r))
                        ? UnitsOfNames.named(demanded.get(r), header.get(places[r]))
                        : null;
                plain[r] = plainUnit(r);
            }
            cpu = demanded.indexOf("cpu");
            mem = demanded.indexOf("mem");
            gpu = demanded.indexOf("gpu");
            demand = new long[places.length];
            sums = new RowSums(places.length, 2);
            requests =
                    new TraceBuilder(demanded.stream().map(OwnColumns::resource).toList());
        }

        /** The unit of numbers without one; null where more than their own text says what they are. */
        private OwnUnits.@Nullable Unit plainUnit(int r) {
            String meaning = demanded.get(r);
            if (places[r] < 0 || columns.isInventory() || isListed(r)) {
                return null;
            }
            if (!OwnColumns.AMOUNTS.contains(meaning)) {
                return new OwnUnits.Unit(1, 1);
            }
            OwnUnits.Unit unit = units[r].isEmpty() ? null : OwnUnits.unit(meaning, units[r]);
            return named[r] == null || named[r].equals(unit) ? unit : null;
        }

        private boolean isListed(int r) {
            return header.get(places[r]).endsWith("TRES");
        }

        private static OwnValues sample(OwnColumns found, Reading reading) {
            List<String> header = reading.layout().columns();
            List<Integer> numeric = found.columns().entrySet().stream()
                    .filter(each -> OwnColumns.TIMES.contains(each.getKey())
                            || found.resources().contains(each.getKey()))
                    .map(each -> header.indexOf(each.getValue().name()))
                    .toList();
            try (Rows again = reading.again().get()) {
                OwnValues values = new OwnValues(again, CsvRows.separatorOf(again), numeric);
                OwnColumns.Column cpu = found.columns().get("cpu");
                OwnColumns.Column mem = found.columns().get("mem");
                if (cpu != null && mem != null) {
                    int at = header.indexOf(mem.name());
                    values.decideByMemory(at, mem.unit(), values.usual(header.indexOf(cpu.name())))
                            .ifPresent(reading.report()::note);
                }
                return values;
            }
        }

        private String unit(String meaning, Reading reading) {
            OwnColumns.Column column = columns.columns().get(meaning);
            String said = column == null ? "" : column.unit();
            return said.isEmpty() && OwnColumns.AMOUNTS.contains(meaning)
                    ? usual(meaning, place(meaning, reading), reading)
                    : said;
        }

        private String usual(String meaning, int place, Reading reading) {
            double value = values.usual(place);
            String unit = OwnUnits.usual(meaning, value);
            int cpu = place("cpu", reading);
            return meaning.equals("mem") && place >= 0 && cpu >= 0
                    ? OwnUnits.memoryBeside(values.usual(cpu), value, unit)
                    : unit;
        }

        private int place(String meaning, Reading reading) {
            OwnColumns.Column column = columns.columns().get(meaning);
            return column == null || column.name().isEmpty() ? -1 : reading.column(column.name());
        }

        private @Nullable OwnClock clock(String meaning, Reading reading) {
            OwnColumns.Column column = columns.columns().get(meaning);
            if (column == null) {
                return null;
            }
            int place = reading.column(column.name());
            return new OwnClock(meaning, place, rules.unit(meaning, column, place), values, dates);
        }

        @Override
        public void map(Fields row) {
            int tasks = rules.tasks(row);
            if (tasks == 0) {
                return;
            }
            boolean waits = waits(row);
            if (waits && endColumn >= 0 && !none(row, endColumn)) {
                row.setAside("ended before it began to run");
                return;
            }
            if (waits && (arrival == null || limit == null || !hasLimit(row))) {
                row.setAside("has not run: it waits (no start)");
                return;
            }
            RequestTraits its = traits.of(row);
            long began = start == null || waits ? 0 : start.nanos(row);
            long at = arrival == null ? began : arrival.nanos(row);
            long lasting = waits && limit != null ? limit.nanos(row) : lasting(row, start == null ? at : began);
            waiting += waits ? tasks : 0;
            demand(row, its.members());
            withoutCpu += waits && slurmJobs && cpu >= 0 && demand[cpu] == 0 ? 1 : 0;
            if (columns.isInventory()
                    && id >= 0
                    && sums.are(demand, RowSums.called(row, row.text(id).strip(), header.size()), tasks, 0)) {
                row.setAside("a sum of the rows above (" + (row.blank(id) ? "no " : "") + header.get(id) + ")");
                return;
            }
            memory(row);
            gangs += its.isGang() ? 1 : 0;
            ConstraintWords where = constraints.of(row);
            String name = row.textIfAny(job);
            long batchId = name != null
                    ? jobs.computeIfAbsent(name, unused -> (long) jobs.size())
                    : row.textIfAny(batch) == null ? Trace.NO_BATCH : row.whole(batch);
            for (int task = 0; task < tasks; task++) {
                String of = row.textIfAny(id);
                String named = tasks == 1 || of == null ? of : of + "#" + (task + 1);
                requests.add(at, lasting, demand, batchId, typeOf(row), named, where, its)
                        .expecting(expected == null || none(row, expectedColumn) ? 0 : expected.nanos(row));
            }
            if (sizes != null) {
                sizes.count(row, type, tasks);
            }
            earliest = Math.min(earliest, at);
            stillRunning += lasting == Trace.UNKNOWN ? tasks : 0;
            ended += lasting == Trace.UNKNOWN ? 0 : tasks;
            longOnes += lasting >= LONG_NANOS ? tasks : 0;
        }

        private boolean waits(Fields row) {
            return start != null && none(row, startColumn);
        }

        /** Of an address, as Google Cloud writes it, what is behind the last stroke. */
        private @Nullable String typeOf(Fields row) {
            String text = row.textIfAny(type);
            return text != null && text.contains("://") ? text.substring(text.lastIndexOf('/') + 1) : text;
        }

        private boolean hasLimit(Fields row) {
            return limitColumn >= 0
                    && !none(row, limitColumn)
                    && row.text(limitColumn).strip().matches("[0-9].*");
        }

        private long lasting(Fields row, long began) {
            if (duration != null) {
                return none(row, durationColumn) ? Trace.UNKNOWN : duration.nanos(row);
            }
            return end == null || none(row, endColumn) ? Trace.UNKNOWN : row.span(began, end.nanos(row), endColumn);
        }

        private static boolean none(Fields row, int column) {
            if (row.isNumber(column)) {
                return false;
            }
            String text = row.text(column).strip();
            return text.length() <= 7 && NONE.contains(text.toLowerCase(Locale.ROOT));
        }

        /** Demands of each member of a row. */
        private void demand(Fields row, int members) {
            String slurm = "";
            for (int r = 0; r < demand.length; r++) {
                if (places[r] < 0 && sizes != null) {
                    demand[r] = sizes.amount(row, type, demanded.get(r));
                    continue;
                }
                if (lacks(row, r)) {
                    demand[r] = 0;
                    lacking.merge(header.get(places[r]), 1L, Long::sum);
                    continue;
                }
                OwnUnits.Unit unit = plain[r];
                String per = "";
                long amount;
                if (unit != null && values.isPlain(row, places[r])) {
                    amount = row.demand(places[r], unit.factor(), unit.divisor());
                } else {
                    String text = row.text(places[r]);
                    if (r == gpu && text.contains("gpu") && !isListed(r)) {
                        per = "n";
                        amount = OwnValues.gres(text);
                    } else if (r == mem && slurmJobs && text.matches("0+[cn]")) {
                        amount = 0;
                    } else {
                        OwnValues.Value value =
                                isListed(r) ? OwnValues.listed(text, demanded.get(r)) : value(row, r, demanded.get(r));
                        rules.listed(isListed(r) && r == cpu && gpu < 0 ? text : "");
                        per = r == mem ? OwnUnits.slurm(value.unit()) : "";
                        amount = amount(row, r, value, per);
                    }
                }
                amount = r == cpu ? row.times(amount, rules.factor(row), places[r]) : amount;
                demand[r] = total && per.isEmpty() ? amount / members + (amount % members > 0 ? 1 : 0) : amount;
                slurm = per.isEmpty() ? slurm : per;
            }
            if (slurm.equals("c") && cpu >= 0) {
                long times = row.times(demand[mem], demand[cpu], places[mem]);
                demand[mem] = times / MILLI + (times % MILLI > 0 ? 1 : 0);
            }
            if (slurmJobs && mem >= 0 && places[mem] >= 0 && demand[mem] == 0) {
                if (isListed(mem)) {
                    lacking.merge(header.get(places[mem]) + " (mem)", 1L, Long::sum);
                } else if (header.get(places[mem]).equalsIgnoreCase("ReqMem")) {
                    wholeNodes++;
                }
            }
        }

        /** Whether nothing is there of what not every request has, such as GPUs. */
        private boolean lacks(Fields row, int resource) {
            return demand.length > 1
                    && resource != cpu
                    && resource != mem
                    && none(row, places[resource])
                    && !row.text(places[resource]).strip().equals("-1");
        }

        private void memory(Fields row) {
            if (cpu >= 0 && mem >= 0 && places[mem] >= 0) {
                String name = row.textIfAny(id);
                memoryPerCpu.add(name == null ? "" : name, 1, demand[cpu], demand[mem]);
            }
        }

        private OwnValues.Value value(Fields row, int resource, String meaning) {
            String after = OwnValues.unitOf(row.text(places[resource]));
            boolean whole = columns.isInventory()
                    && OwnUnits.isWhole(meaning, after.isEmpty() ? units[resource] : OwnUnits.after(meaning, after));
            return whole
                    ? values.ofWhole(row, places[resource])
                    : meaning.equals("mem") && columns.isInventory()
                            ? values.ofMemory(row, places[resource], "--columns", header.get(places[resource]))
                            : values.of(row, places[resource]);
        }

        private long amount(Fields row, int resource, OwnValues.Value value, String per) {
            String meaning = demanded.get(resource);
            String after = value.unit().substring(0, value.unit().length() - per.length());
            if (!OwnColumns.AMOUNTS.contains(meaning)) {
                if (!after.isEmpty()) {
                    throw values.unknownUnit(row, places[resource]);
                }
                return row.demand(places[resource], value.number(), 1, 1);
            }
            String its = after.isEmpty() ? units[resource] : OwnUnits.after(meaning, after);
            if (its.isEmpty()) {
                throw values.unknownUnit(row, places[resource]);
            }
            OwnUnits.Unit unit = OwnUnits.unit(meaning, its);
            OwnUnits.Unit name = named[resource];
            if (name != null && !name.equals(unit)) {
                unitsOfNames.readAgainst(header.get(places[resource]), its, row.text(places[resource]));
            }
            return row.demand(places[resource], value.number(), unit.factor(), unit.divisor());
        }

        @Override
        public TraceBuilder requests() {
            return requests;
        }

        @Override
        public void finish() {
            List<String> read = new ArrayList<>();
            columns.columns().forEach((meaning, column) -> {
                if (column.name().isEmpty()) {
                    read.add(meaning + " as the catalog of sizes says");
                    return;
                }
                if (meaning.equals(RowChoice.ONLY)) {
                    read.add(RowChoice.words(column));
                    return;
                }
                String unit = OwnColumns.TIMES.contains(meaning)
                        ? clockOf(meaning)
                        : OwnColumns.AMOUNTS.contains(meaning) ? units[demanded.indexOf(meaning)] : "";
                String guess = !column.guessed()
                        ? ""
                        : unit.equals(OwnClock.UNREAD)
                                ? " (guessed; " + meaning + "= means that there is none)"
                                : " (guessed)";
                read.add(meaning + " = " + column.name()
                        + (unit.isEmpty() ? "" : unit.equals(OwnClock.UNREAD) ? ", " + unit : " in " + unit) + guess);
            });
            report.columns(String.join(", ", read), "--columns", said());
            if (isInventory()) {
                report.first(String.format(
                        Locale.ROOT,
                        "an inventory, because %s: %,d %s from the start, without an end",
                        rules.columns().isInventory()
                                ? "no column is recognized as the end of a row"
                                : "no row has ended (" + header.get(endColumn < 0 ? durationColumn : endColumn) + ")",
                        stillRunning,
                        stillRunning == 1 ? "request runs" : "requests run"));
                if (rules.columns().isInventory()) {
                    sayWhatIsMissing();
                }
            } else if (stillRunning > 0) {
                requests.sayUnended(header.get(endColumn < 0 ? durationColumn : endColumn), report);
            }
            // Dates have no unit.
            if (ended > 0 && longOnes == ended && (end == null || !end.readsDates())) {
                report.warn("every request with an end runs for 30 days or longer: if that is not so, give the unit, as"
                        + " in --columns " + (end == null ? "duration" : "end") + "=COLUMN:ms");
            }
            if (waiting > 0) {
                report.note(String.format(
                        Locale.ROOT,
                        "waiting, so they arrive and run for their limit (%s): %,d",
                        header.get(limitColumn),
                        waiting));
            }
            if (gangs > 0) {
                report.note(String.format(
                        Locale.ROOT,
                        "needing several servers at once: %,d; their amounts are %s (setting %s)",
                        gangs,
                        total ? "of all of them together" : "of each server",
                        NODE_DEMAND));
            }
            if (wholeNodes > 0) {
                report.warn(String.format(
                        Locale.ROOT,
                        "%,d %s 0 in %s, which in Slurm is all memory of a node: counted with no memory",
                        wholeNodes,
                        wholeNodes == 1 ? "job has" : "jobs have",
                        header.get(places[mem])));
            }
            if (withoutCpu > 0) {
                report.warn(String.format(
                        Locale.ROOT,
                        "%,d %s no CPU in %s: counted with none; sacct's ReqCPUS says what a job asks for",
                        withoutCpu,
                        withoutCpu == 1 ? "job waits and has" : "jobs wait and have",
                        header.get(places[cpu])));
            }
            lacking.forEach((column, rows) -> report.note(String.format(
                    Locale.ROOT, "nothing in %s is read as 0: %,d %s", column, rows, rows == 1 ? "row" : "rows")));
            columns.columns().forEach((meaning, column) -> {
                if (OwnColumns.TIMES.contains(meaning) && OwnUnits.known(meaning, column.unit())) {
                    unitsOfNames.read(meaning, column.name(), column.unit(), "");
                }
            });
            unitsOfNames.warnings().forEach(report::warn);
            if (sizes != null) {
                sizes.warning().ifPresent(report::warn);
            }
            OwnColumns.Column mem = columns.columns().get("mem");
            if (mem != null && !mem.name().isEmpty()) {
                memoryPerCpu
                        .warnings("rows", isInventory(), "--columns", mem.name(), units[demanded.indexOf("mem")])
                        .forEach(report::warn);
            }
            if (id >= 0) {
                sums.warning(header.get(id)).ifPresent(report::warn);
            }
            rules.finish();
            if (header.contains("priority") && !columns.columns().containsKey("priority")) {
                report.note("column priority is ignored; to use it: --columns priority=priority");
            }
            if (rebased() && !isInventory()) {
                report.note("rebased: the first arrival, " + earliestText() + ", is time 0");
            }
        }

        /**
         * Of rows that say when they came: which column may say how long each ran, or that none does.
         *
         * @throws TraceException if something was asked for, which need not run for ever, and nobody said that it does
         */
        private void sayWhatIsMissing() {
            OwnColumns.Column began = Stream.of("arrival", "start")
                    .map(columns.columns()::get)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (!columns.absent().contains("duration")) {
                header.stream()
                        .filter(name -> EXPIRES.matcher(name.replace(' ', '_')).find()
                                && values.texts(header.indexOf(name)).stream().anyMatch(OwnDates::isClear))
                        .forEach(name ->
                                report.warn("column " + name + " says when rows will end and is not used: what ends"
                                        + " later counts as if it never ended, in all years of a growth, too; to leave this"
                                        + " warning out: --columns \"" + columns.typed() + "duration=\""));
            }
            if (began == null || columns.absent().contains("duration")) {
                return;
            }
            boolean asked = columns.columns().containsKey("arrival")
                    && (!began.guessed() || ASKED.matcher(began.name()).find());
            List<String> beginnings = values.texts(header.indexOf(began.name()));
            List<String> found = new ArrayList<>();
            for (int place = 0; place < header.size(); place++) {
                String name = header.get(place);
                List<String> texts = values.texts(place);
                if (!texts.isEmpty()
                        && columns.columns().values().stream()
                                .noneMatch(column -> column.name().equals(name))
                        && !STILL_UP.matcher(name).find()) {
                    boolean lengths = texts.stream().allMatch(OwnClock::isLength);
                    if (lengths || (asked && OwnDates.areLater(texts, beginnings))) {
                        found.add("column " + name + " may say "
                                + (lengths ? "how long each row ran" : "when each row ended") + ", such as "
                                + texts.get(0) + "; then each ends: --columns \""
                                + columns.typed() + (lengths ? "duration=" : "end=") + name + "\"");
                    }
                }
            }
            if (asked) {
                throw new TraceException("column " + began.name() + " says when each row came, but no column is"
                        + " recognized that says how long it runs or when it ends. "
                        + (found.isEmpty()
                                ? "Name one: --columns \"" + columns.typed() + "duration=COLUMN\", or end=COLUMN"
                                : found.stream()
                                        .map(each -> "C" + each.substring(1))
                                        .collect(Collectors.joining(". ")))
                        + ". If all of them run now and none ends (an inventory): --columns \"" + columns.typed()
                        + "duration=\"");
            }
            found.forEach(report::warn);
            if (found.isEmpty()) {
                report.note("column " + began.name()
                        + " is not used, because no column is recognized as saying how long a row"
                        + " runs; if one does, name it: --columns \"duration=COLUMN\", or end=COLUMN");
            }
        }

        private String clockOf(String meaning) {
            OwnClock clock = switch (meaning) {
                case "arrival" -> arrival;
                case "start" -> start;
                case "end" -> end;
                case "max_wait" -> maxWait;
                case "expected" -> expected;
                default -> duration;
            };
            return clock == null ? "" : clock.how();
        }

        private String said() {
            Map<String, OwnColumns.Column> all = new LinkedHashMap<>();
            columns.columns().forEach((meaning, column) -> {
                String unit = column.unit();
                if (column.name().isEmpty()) {
                    return;
                }
                if (OwnColumns.AMOUNTS.contains(meaning)) {
                    unit = units[demanded.indexOf(meaning)];
                } else if (OwnColumns.TIMES.contains(meaning)) {
                    String how = clockOf(meaning);
                    unit = OwnUnits.known(meaning, how) ? how : OwnUnits.isPattern(unit) ? unit : "";
                }
                all.put(meaning, new OwnColumns.Column(column.name(), unit, false));
            });
            return new OwnColumns(all, columns.absent()).text();
        }

        private String earliestText() {
            return isClock()
                    ? Instant.ofEpochSecond(earliest / 1_000_000_000L, earliest % 1_000_000_000L)
                            .toString()
                    : Seconds.text(earliest) + " s";
        }

        /** Whether nothing has an end: then what there is now is asked about, and not how it came. */
        private boolean isInventory() {
            return requests.size() > 0 && stillRunning == requests.size();
        }

        private boolean dates() {
            OwnClock first = arrival == null ? start : arrival;
            return first != null && first.readsDates();
        }

        /** Whether times count from 1970. */
        private boolean isClock() {
            return earliest > LATEST_START || dates();
        }

        private boolean rebased() {
            return earliest != Long.MAX_VALUE && isClock();
        }

        @Override
        public Trace trace() {
            Trace trace = requests.build();
            if (isClock()) {
                trace.startingAt(0);
            }
            return isInventory()
                    ? TraceTransforms.window(trace, trace.lastArrivalNanos(), Long.MAX_VALUE, true)
                    : rebased() ? TraceTransforms.rebase(trace) : trace;
        }
    }
}
