package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which columns of a table are arrival, duration and demands, and in which units: as the user names them, the rest
 * guessed from the columns' names.
 *
 * @param columns by what is meant ({@link #MEANINGS}, or a resource {@code <name>_<unit>}), in that order
 * @param absent what no column means, as the user says; never guessed
 */
record OwnColumns(Map<String, Column> columns, Set<String> absent) {
    /** What a column may mean; all else is a resource. */
    static final List<String> MEANINGS = List.of(
            "arrival",
            "start",
            "end",
            "duration",
            "cpu",
            "mem",
            "gpu",
            "disk",
            "type",
            "id",
            "batch",
            "job",
            "nodes",
            "gang",
            "priority",
            "max_wait",
            "expected",
            ConstraintColumns.WHERE,
            ConstraintColumns.AVOID,
            ConstraintColumns.SPREAD,
            RowChoice.ONLY);

    static final List<String> TIMES = List.of("arrival", "start", "end", "duration", "max_wait", "expected");
    static final List<String> AMOUNTS = List.of("cpu", "mem", "gpu", "disk");

    private static final Pattern FORM_OF_TIME = Pattern.compile("(_(d+|days?))?_(h+_m+(_s+)?|hms)$");
    /** What befalls a request, as traces of events say it. */
    private static final Pattern EVENT = Pattern.compile(
            "(?i)submit|queue|enable|schedule|evict|fail|finish|kill|lost|update_(pending|running)|start|stop|end|create|delete|add|remove");

    private static final Pattern INSTANCES = Pattern.compile(
            "inst(ance)?_(num|count)|(num|number_of)_inst(ance)?s|instances|replicas|task_(num|count)|num_tasks");
    private static final String NAME = "name";
    private static final String RESOURCE = "resource";

    private static final String NEEDED =
            "Needed: arrival or start, duration or end (without any of these: what runs now, each row with a name),"
                    + " and a resource (cpu, mem, gpu, disk, or <name>_<unit>)";

    /**
     * A column of the table.
     *
     * @param name as in the table
     * @param unit as given or as its name says; empty if it must be guessed from the values
     * @param guessed whether the user did not say it
     */
    record Column(String name, String unit, boolean guessed) {}

    /**
     * The mapping of a table.
     *
     * @param said {@code arrival=submitted_at,mem=ram:GiB}, or empty; {@code start=} without a column: there is none,
     *     and none is guessed
     * @param header names of the table's columns
     * @throws TraceException if a named column does not exist, or a needed one is neither named nor guessed
     */
    static OwnColumns of(String said, List<String> header) {
        return of(said, header, List.of());
    }

    /** The same where the type of a row says some amounts, which are then no columns. */
    static OwnColumns of(String said, List<String> header, List<String> sized) {
        Map<String, Column> found = SaidColumns.of(
                "--columns",
                said,
                header,
                MEANINGS,
                ", or a resource <name>_<unit> with a unit of " + String.join(", ", ResourceColumns.UNITS),
                OwnColumns::readAs);
        Set<String> absent = new TreeSet<>();
        found.forEach((meaning, column) -> {
            if (column.name().isEmpty()) {
                absent.add(meaning);
            }
        });
        found.keySet().removeAll(absent);
        Map<String, Column> all = guessed(found, absent, header);
        if (!sized.isEmpty() && all.containsKey("type")) {
            sized.forEach(meaning -> all.put(meaning, new Column("", "", false)));
        }
        OwnColumns columns = new OwnColumns(all, absent);
        List<String> missing = columns.missing();
        if (!missing.isEmpty()) {
            throw new TraceException((header.equals(List.of("Id", "Name", "State"))
                            ? "virsh list has no amounts: give what virsh dominfo prints for each VM. "
                            : "")
                    + beginning(columns) + "no column is recognized as the " + String.join(", the ", missing) + ". "
                    + NEEDED + ". Found: " + OwnHosts.there(header, ColumnNames.NAMES)
                    + (columns.columns.containsKey("type")
                                    && sized.isEmpty()
                                    && columns.resources().isEmpty()
                            ? ". If column " + columns.column("type").name()
                                    + " names sizes, give what they hold with --sizes FILE, a table of name, cores and"
                                    + " memory"
                            : "")
                    + "; " + columns.toName(missing));
        }
        return columns;
    }

    /** How the beginning of a message says which columns need not be named. */
    private static String beginning(OwnColumns columns) {
        return columns.columns.isEmpty() ? "" : "the columns are read as " + columns.text() + "; ";
    }

    /** The same where nothing is said; empty where nothing is guessed. */
    static String readAs(List<String> header) {
        return beginning(new OwnColumns(guessed(Map.of(), Set.of(), header), Set.of()));
    }

    /** Names of the columns of a file, parted as its first lines are. */
    static List<String> header(FileHead head) {
        List<String> lines = head.lines();
        int first = !lines.isEmpty() && Separator.said(lines.get(0)) != null ? 1 : 0;
        return head.kind() == FileHead.Kind.TEXT && lines.size() > first
                ? Separator.guess(lines).split(lines.get(first))
                : head.columns();
    }

    /** The resource that a column of this meaning has amounts of. */
    static String resource(String meaning) {
        return switch (meaning) {
            case "cpu", "gpu" -> meaning + "_milli";
            case "mem", "disk" -> meaning + "_mib";
            default -> meaning;
        };
    }

    /** Whether names alone are enough. */
    static boolean suffice(List<String> header) {
        return new OwnColumns(guessed(Map.of(), Set.of(), header), Set.of())
                .missing()
                .isEmpty();
    }

    /** Whether names alone are enough for machines or jobs: their disks may be listed too. */
    static boolean sufficeForMachines(List<String> header, List<String> sized) {
        Map<String, Column> all = guessed(Map.of(), Set.of(), header);
        boolean sizes = !sized.isEmpty() && all.containsKey("type") && all.containsKey("id");
        return sizes
                || (suffice(header)
                        && List.of("cpu", "mem", "duration", "end").stream().anyMatch(all::containsKey));
    }

    /**
     * Whether each column that looks like an amount is {@code <name>_<unit>}, if maybe misspelt, or something that is
     * needed is missing.
     */
    static boolean onlyWithUnits(List<String> header) {
        OwnColumns guess = new OwnColumns(guessed(Map.of(), Set.of(), header), Set.of());
        return !guess.missing().isEmpty()
                || AMOUNTS.stream().filter(guess.columns::containsKey).allMatch(meaning -> {
                    String name = guess.column(meaning).name();
                    return ResourceColumns.isResource(name)
                            || OwnUnits.misspelt(meaning, name.substring(name.lastIndexOf('_') + 1));
                });
    }

    private Column column(String meaning) {
        return Objects.requireNonNull(columns.get(meaning), meaning);
    }

    static Map<String, Column> guessed(Map<String, Column> said, Set<String> absent, List<String> header) {
        Map<String, Column> all = new LinkedHashMap<>(said);
        Set<String> taken = said.values().stream().map(Column::name).collect(Collectors.toSet());
        ColumnNames.NAMES.forEach((meaning, names) -> {
            boolean pointless = absent.contains(meaning)
                    || (meaning.equals("duration") && all.containsKey("end"))
                    || (meaning.equals("batch") && all.containsKey("job"));
            if (!all.containsKey(meaning) && !pointless) {
                find(
                                meaning,
                                names,
                                ColumnNames.candidates(header).stream()
                                        // What Slurm lists of a job has GPUs only if it says so, and is a letter off
                                        // ReqGRES.
                                        .filter(name -> !taken.contains(name)
                                                && !(meaning.equals("gpu") && name.endsWith("TRES")))
                                        .toList())
                        .ifPresent(name -> {
                            taken.add(name);
                            all.put(meaning, new Column(name, OwnUnits.ofName(header, meaning, name), true));
                        });
            }
        });
        Column kind = all.get("type");
        if (!all.containsKey("id")
                && !absent.contains("id")
                && kind != null
                && ColumnNames.counted(header).isPresent()) {
            // So many of each kind.
            all.put("id", kind);
        }
        if (said.isEmpty() && all.containsKey("duration")) {
            // Only one of both is used: a duration does not depend on a clock.
            all.remove("end");
        }
        tres(header).ifPresent(name -> {
            if (!all.containsKey("cpu") && !absent.contains("cpu")) {
                all.put("cpu", new Column(name, "cores", true));
            }
            if (!all.containsKey("mem") && !absent.contains("mem")) {
                all.put("mem", new Column(name, "MiB", true));
            }
            if (!all.containsKey("nodes") && !absent.contains("nodes")) {
                all.put("nodes", new Column(name, "", true));
            }
        });
        for (String name : header) {
            // A path in JSON is not a name that somebody gave a resource.
            if (!taken.contains(name)
                    && !absent.contains(name)
                    && !name.contains(".")
                    && ResourceColumns.isResource(name)) {
                all.put(name, new Column(name, "", true));
            }
        }
        return all;
    }

    /** The column in which Slurm lists all that a job asked for, {@code billing=8,cpu=8,mem=64G,node=1}. */
    static Optional<String> tres(List<String> header) {
        return header.contains("JobID") || header.contains("JobIDRaw")
                ? List.of("ReqTRES", "AllocTRES").stream()
                        .filter(header::contains)
                        .findFirst()
                : Optional.empty();
    }

    /** The first of the names that a column has, with or without a unit at the end; then one that is a letter off. */
    static Optional<String> find(String meaning, List<String> names, List<String> header) {
        List<String> bases =
                header.stream().map(column -> base(meaning, column)).toList();
        // The end of a path in JSON.
        List<String> ends = header.stream()
                .map(column -> column.contains(".") ? base(meaning, column.substring(column.lastIndexOf('.') + 1)) : "")
                .toList();
        for (List<String> written : List.of(bases, ends)) {
            for (String name : names) {
                int column = written.indexOf(name);
                if (column >= 0) {
                    return Optional.of(header.get(column));
                }
            }
        }
        for (int column = 0; column < header.size(); column++) {
            String base = bases.get(column);
            if (names.stream().anyMatch(name -> name.length() > 5 && Spelling.isNear(base, name))) {
                return Optional.of(header.get(column));
            }
        }
        return only(meaning, header);
    }

    /** The only column with a word for processors or memory, and with none for something else about them. */
    private static Optional<String> only(String meaning, List<String> header) {
        Pattern word = ColumnNames.WORDS.get(meaning);
        List<String> all = meaning.equals("mem") ? OwnUnits.notOfDisks(header) : header;
        List<String> some = word == null ? List.of() : ColumnNames.with(word, all);
        if (some.isEmpty() && meaning.equals("mem")) {
            some = OwnUnits.maybeMemory(all);
        }
        return some.size() == 1 ? Optional.of(some.get(0)) : Optional.empty();
    }

    /** {@code Submit Time (ms)} and {@code submitTimeMs} are {@code submit_time}. */
    private static String base(String meaning, String column) {
        String name = ColumnNames.words(column, "_");
        if (TIMES.contains(meaning) && FORM_OF_TIME.matcher(name).find()) {
            return FORM_OF_TIME.matcher(name).replaceFirst("");
        }
        String base = OwnUnits.ofName(meaning, column).isEmpty() ? name : name.replaceFirst("_[^_]*$", "");
        return TIMES.contains(meaning) ? base.replaceFirst("_in$", "") : base;
    }

    /** Whether the rows are what there is now: no column says when a row ends or how long it lasts. */
    boolean isInventory() {
        return !columns.containsKey("duration") && !columns.containsKey("end");
    }

    /** What is needed but neither named nor guessed. */
    private List<String> missing() {
        List<String> missing = new ArrayList<>();
        boolean arrives = columns.containsKey("arrival") || columns.containsKey("start");
        if (!isInventory() && !arrives) {
            missing.add("arrival");
        }
        boolean named = columns.containsKey("id") || absent.containsAll(List.of("arrival", "duration"));
        if (isInventory() && !arrives && !named) {
            missing.addAll(List.of("arrival", "duration", NAME));
        }
        if (resources().isEmpty()) {
            missing.add(RESOURCE);
        }
        return missing;
    }

    /** How to name what is missing, and nothing else. */
    private String toName(List<String> missing) {
        String amounts = missing.contains(RESOURCE) ? "cpu=COLUMN,mem=COLUMN:GiB" : "";
        String then = amounts.isEmpty() ? "" : "," + amounts;
        if (missing.contains(NAME) && columns.containsKey("type") && amounts.isEmpty()) {
            String type = column("type").name();
            return type + " is the type, and no column is the name; for both write --columns \"type=" + type + ",id="
                    + type + "\"";
        }
        return "name the columns: --columns "
                // What was typed has to be typed again.
                + typed()
                + (missing.contains(NAME)
                        ? "id=COLUMN" + then + " (what runs now), or arrival=COLUMN,duration=COLUMN" + then
                        : missing.contains("arrival") ? "arrival=COLUMN" + then : amounts);
    }

    /** What the user said, to be typed again: in the form of {@code --columns}, with a comma after each. */
    String typed() {
        return items(column -> !column.guessed());
    }

    /** The meanings that are resources. */
    List<String> resources() {
        return columns.keySet().stream()
                .filter(meaning -> AMOUNTS.contains(meaning) || !MEANINGS.contains(meaning))
                .toList();
    }

    /** In the form that {@code --columns} takes. */
    String text() {
        String all =
                items(column -> true) + absent.stream().map(each -> each + "=,").collect(Collectors.joining());
        return all.isEmpty() ? "" : all.substring(0, all.length() - 1);
    }

    /** The same of some columns, with a comma after each. */
    private String items(Predicate<Column> which) {
        return columns.entrySet().stream()
                .filter(each -> which.test(each.getValue()))
                .map(each -> {
                    Column column = each.getValue();
                    return each.getKey() + "=" + column.name() + (column.unit().isEmpty() ? "" : ":" + column.unit())
                            + ",";
                })
                .collect(Collectors.joining());
    }

    /**
     * What lets doubt whether a row is a request with amounts in cores and GiB.
     *
     * @param texts what stands in a column of the first rows
     */
    List<String> doubts(List<String> header, IntFunction<List<String>> texts) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < header.size(); i++) {
            String name = header.get(i);
            List<String> values = texts.apply(i).stream().distinct().toList();
            if (isInventory()
                    && values.size() > 1
                    && values.stream().allMatch(value -> EVENT.matcher(value).matches())) {
                all.add("rows look like events, not requests (" + name + ": "
                        + values.stream().limit(3).collect(Collectors.joining(", "))
                        + "), and each counts as a request: a table with a row for each request is needed");
            }
            if (!isInventory()
                    && INSTANCES.matcher(ColumnNames.words(name, "_")).matches()
                    && columns.values().stream().noneMatch(used -> used.name().equals(name))
                    && values.stream().anyMatch(value -> value.matches("[1-9]\\d+|[2-9]"))) {
                all.add("column " + name
                        + " is not used, each row counts once; if the amounts of a row are of each of so"
                        + " many that run at once: --columns \"gang=" + name + "\"");
            }
        }
        Column cpu = columns.get("cpu");
        Column mem = columns.get("mem");
        if (cpu != null
                && mem != null
                && (cpu.unit() + mem.unit()).isEmpty()
                && areBelow(1, texts.apply(header.indexOf(cpu.name())))
                && areBelow(0.5, texts.apply(header.indexOf(mem.name())))) {
            all.add("all values of " + cpu.name() + " and " + mem.name()
                    + " are fractions, read as cores and GiB: if they"
                    + " are shares of a machine, multiply them by what it has");
        }
        return all;
    }

    private static boolean areBelow(double most, List<String> texts) {
        return !texts.isEmpty()
                && texts.stream()
                        .allMatch(text ->
                                text.matches("0?[.,]\\d+") && Double.parseDouble(text.replace(',', '.')) < most);
    }
}
