package dev.stowage.sim.trace;

import dev.stowage.sim.result.Remark;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a user's own table are: a job, a step of one (Slurm), several tasks of an array, a machine that is
 * off or a template (inventories). And which guesses of columns their values contradict.
 */
final class OwnRows {
    private static final Pattern STEP = Pattern.compile("(\\d+(?:_\\d+|\\+\\d+)?)\\.(batch|extern|interactive|\\d+)");
    private static final Pattern ARRAY = Pattern.compile("\\d+_\\[([^%\\]]*)(?:%\\d+)?\\]");
    private static final Set<String> MACHINES = Set.of("qemu", "lxc");
    /** Beside sockets (Nutanix), processors (Nutanix, version 2) and cores (AWS). */
    private static final String[] FACTORS = {"num_vcpus_per_socket", "num_cores_per_vcpu", "threads_per_core"};

    private static final String[] PER_SOCKET = {
        "cores_per_socket",
        "num_cores_per_socket",
        "cores_per_cpu",
        "cores_per_processor",
        "num_vcpus_per_socket",
        "kerne_pro_sockel",
        "coeurs_par_socket",
        "nucleos_por_socket"
    };

    /** Of a column with what people call a machine. */
    private static final Pattern NAME = Pattern.compile(
            "(vm|virtual_machine|instance|guest|server|machine|computer)?_?name"
                    + "|vm|virtual_machine|hostname|servername|rechnername|maschinenname|virtuelle_maschine|nom|nombre|nome|naam");
    /** Machines that vSphere runs for itself, on whichever host is up, and that go with it. */
    private static final Pattern AGENT = Pattern.compile("vCLS([- ].*)?");

    private static final String GPUS_OF_SLURM = "gres/gpu";
    private static final int MOST_TASKS = 100_000;
    private static final double MILLISECONDS = 1e5;

    private final OwnColumns columns;
    private final boolean inventory;
    private final OwnValues values;
    private final List<String> header;
    private final ReportBuilder report;
    private final Reading reading;
    private final int id;
    /** The column that calls agents of vSphere so; their names repeat from one site to the next. */
    private final int agents;

    private final PowerStates power;
    private final int template;
    private final int placeholder;
    private final int count;
    private final List<Integer> amounts;
    private final int kind;
    private final List<Integer> factors;
    private final boolean numberedSteps;
    private long arrays;
    private long gpus;
    private long arrayTasks;

    OwnRows(OwnColumns found, OwnValues values, Reading reading) {
        this.values = values;
        this.reading = reading;
        header = reading.layout().columns();
        report = reading.report();
        OwnColumns left = found;
        OwnColumns.Column type = left.columns().get("type");
        if (type != null && type.guessed() && areNumbers(type.name())) {
            left = without(left, "type", "it has numbers");
        }
        kind = kind();
        if (type != null && type.guessed() && kind >= 0 && place(type) == kind) {
            Map<String, OwnColumns.Column> others = new LinkedHashMap<>(left.columns());
            others.remove("type");
            left = new OwnColumns(others, left.absent());
        }
        OwnColumns.Column disk = left.columns().get("disk");
        if (disk != null
                && disk.guessed()
                && left.isInventory()
                && left.resources().containsAll(List.of("cpu", "mem"))) {
            left = without(left, "disk", "disks of VMs are seldom in their hosts");
        }
        left = withGpus(left);
        inventory = left.isInventory();
        columns = inventory ? withNames(left) : left;
        id = place(columns.columns().get("id") == null ? "job" : "id");
        agents = header.stream()
                .filter(column -> inventory && isName(column))
                .filter(column -> calls(header.indexOf(column)).stream().anyMatch(OwnRows::isAgent))
                .findFirst()
                .map(reading::column)
                .orElse(id);
        power = new PowerStates(values, reading, this::named);
        template = named("template", "is_template", "vorlage", "modele", "plantilla");
        placeholder = named("srm_placeholder");
        count = found.isInventory()
                ? ColumnNames.counted(header).map(reading::column).orElse(-1)
                : -1;
        OwnColumns.Column cpu = columns.columns().get("cpu");
        String processors = cpu == null ? "" : ColumnNames.words(cpu.name(), "_");
        Stream<Integer> times = processors.endsWith("topology_cores")
                ? Stream.of(named("sockets"), named("threads"))
                : Stream.of(named(
                        processors.matches("(cpu_)?sockets|socket_count|sockel|anzahl_sockel") ? PER_SOCKET : FACTORS));
        factors = times.filter(column -> column >= 0).toList();
        amounts = columns.resources().stream()
                .map(meaning -> place(meaning))
                .filter(place -> place >= 0)
                .distinct()
                .toList();
        // 12.0 is also how a table of numbers writes 12: then all are like that.
        numberedSteps = values.texts(id).stream().anyMatch(text -> text.matches("\\d+(_.*)?"));
    }

    /** What Slurm lists of a job may have GPUs among the rest. */
    private OwnColumns withGpus(OwnColumns found) {
        Map<String, OwnColumns.Column> all = new LinkedHashMap<>(found.columns());
        OwnColumns.tres(header)
                .filter(name -> !all.containsKey("gpu") && !found.absent().contains("gpu"))
                .filter(name ->
                        values.texts(header.indexOf(name)).stream().anyMatch(text -> text.contains(GPUS_OF_SLURM)))
                .ifPresent(name -> all.put("gpu", new OwnColumns.Column(name, OwnUnits.GPUS, true)));
        return new OwnColumns(all, found.absent());
    }

    /** Machines are called by their names, where each has one of its own, in place of their numbers. */
    private OwnColumns withNames(OwnColumns found) {
        OwnColumns.Column its = found.columns().get("id");
        if (its == null || !its.guessed() || isName(its.name())) {
            return found;
        }
        long numbers = calls(place(its)).size();
        Map<String, OwnColumns.Column> all = new LinkedHashMap<>(found.columns());
        header.stream()
                .filter(OwnRows::isName)
                .filter(column -> found.columns().values().stream()
                        .noneMatch(other -> other.name().equals(column)))
                .filter(column -> {
                    Set<String> known = new HashSet<>();
                    List<String> names = calls(header.indexOf(column));
                    return names.size() == numbers && names.stream().allMatch(name -> isAgent(name) || known.add(name));
                })
                .findFirst()
                .ifPresent(column -> all.put("id", new OwnColumns.Column(column, "", true)));
        return new OwnColumns(all, found.absent());
    }

    /** What a column calls the rows that are no sum of the others. */
    private List<String> calls(int column) {
        return values.texts(column).stream()
                .filter(text -> !RowSums.isSum(text.strip()))
                .toList();
    }

    private static boolean isAgent(String name) {
        return AGENT.matcher(name.strip()).matches();
    }

    private static boolean isName(String column) {
        return NAME.matcher(ColumnNames.words(column, "_")).matches();
    }

    private OwnColumns without(OwnColumns found, String meaning, String why) {
        Map<String, OwnColumns.Column> left = new LinkedHashMap<>(found.columns());
        String column = Objects.requireNonNull(left.remove(meaning)).name();
        report.note("column " + column + " is not used as the " + meaning + ", because " + why
                + "; to use it: --columns "
                + (column.matches("[\\w.-]+") ? meaning + "=" + column : "\"" + meaning + "=" + column + "\""));
        return new OwnColumns(left, found.absent());
    }

    /** A queue, a size or a class of numbers is an amount or a time; a number of a type is called one. */
    private boolean areNumbers(String column) {
        List<String> texts = values.texts(header.indexOf(column));
        return column.toLowerCase(Locale.ROOT).matches(".*(queue|size|length|[ck]las|gr[ou]|[ck]ateg|r[oô]l|tier).*")
                && !texts.isEmpty()
                && texts.stream().allMatch(text -> text.matches("[0-9]+([.,][0-9]+)?"));
    }

    OwnColumns columns() {
        return columns;
    }

    private int place(String meaning) {
        OwnColumns.Column column = columns.columns().get(meaning);
        return column == null ? -1 : place(column);
    }

    /** The first column of these names, as a path in JSON also its end; -1 if there is none. */
    int named(String... names) {
        for (String name : names) {
            for (int i = 0; i < header.size(); i++) {
                String column = header.get(i);
                if (ColumnNames.words(column, "_").equals(name)
                        || ColumnNames.words(column.substring(column.lastIndexOf('.') + 1), "_")
                                .equals(name)) {
                    return reading.column(column);
                }
            }
        }
        return -1;
    }

    /** Whether a table has both virtual machines and the nodes that they run on. */
    static boolean isMixed(DocumentTable table) {
        int column = table.columns().indexOf("type");
        return column >= 0
                && table.rows().stream().anyMatch(row -> row.get(column).equals("node"))
                && table.rows().stream().anyMatch(row -> MACHINES.contains(row.get(column)));
    }

    /** A list of all there is (Proxmox) says of each row what it is. */
    private int kind() {
        int column = named("type");
        return values.texts(column).stream().anyMatch(MACHINES::contains) ? column : -1;
    }

    /** Whether this is accounting of Slurm, whose amounts are of a whole job. */
    static boolean isSlurm(List<String> header) {
        return (header.contains("JobID") || header.contains("JobIDRaw"))
                && header.stream().anyMatch(name -> name.matches("(Req|Alloc)(CPUS|Mem|TRES|Nodes).*|NCPUS|NNodes"));
    }

    /**
     * The unit of a time: of a duration without one, that of a clock that counts thousandths since 1970, or days where
     * a spreadsheet's clock does and the durations are below 1.
     */
    String unit(String meaning, OwnColumns.Column column, int place) {
        if (!meaning.equals("duration") || !column.unit().isEmpty()) {
            return column.unit();
        }
        double usual = values.usual(place);
        if (usual > 0 && usual < 1 && clocks().anyMatch(each -> OwnClock.isSerial(each.unit(), place(each), values))) {
            return "d";
        }
        if (usual < MILLISECONDS) {
            return "";
        }
        String clock = clock("arrival");
        String its = clock.isEmpty() ? clock("start") : clock;
        return its.equals("ms") || its.equals("us") || its.equals("ns") ? its : "";
    }

    private Stream<OwnColumns.Column> clocks() {
        return Stream.of("arrival", "start", "end").map(columns.columns()::get).filter(Objects::nonNull);
    }

    private int place(OwnColumns.Column column) {
        return header.indexOf(column.name());
    }

    private String clock(String meaning) {
        OwnColumns.Column column = columns.columns().get(meaning);
        return column == null
                ? ""
                : column.unit().isEmpty() ? OwnUnits.usual(meaning, values.usual(place(meaning))) : column.unit();
    }

    /** What the processors of a row are times: cores of each socket, threads of each core. */
    long factor(Fields row) {
        if (factors.isEmpty()) {
            return 1;
        }
        return factors.stream()
                .filter(column -> !row.blank(column))
                .mapToLong(column -> Math.max(1, row.whole(column)))
                .reduce(1, Math::multiplyExact);
    }

    /** Requests that the row stands for; 0 if it was not counted. */
    int tasks(Fields row) {
        if (id >= 0 && row.text(id).equals(header.get(id))) {
            row.setAside("the names of the columns again");
            return 0;
        }
        int sum = sum(row);
        if (sum >= 0) {
            row.setAside("a sum of other rows (" + header.get(sum) + ")");
            return 0;
        }
        if (inventory && agents >= 0 && isAgent(row.text(agents))) {
            row.setAside("an agent of the cluster, vCLS (" + header.get(agents) + ")");
            return 0;
        }
        if (isYes(row, template)) {
            row.setAside("a template (" + header.get(template) + ")");
            return 0;
        }
        if (isYes(row, placeholder)) {
            row.setAside("a placeholder (" + header.get(placeholder) + ")");
            return 0;
        }
        if (kind >= 0 && !MACHINES.contains(row.text(kind).strip())) {
            row.setAside("not a virtual machine (" + header.get(kind) + ")");
            return 0;
        }
        if (row.areBlank(amounts)) {
            row.setAside(amounts.stream().map(header::get).collect(Collectors.joining(", ")) + ": nothing there");
            return 0;
        }
        String off = power.leavesOut(row, inventory);
        if (!off.isEmpty()) {
            row.setAside(off);
            return 0;
        }
        if (id < 0) {
            return counted(row);
        }
        String name = row.text(id).strip();
        Matcher step = STEP.matcher(name);
        if (step.matches() && (numberedSteps || !String.valueOf(step.group(2)).matches("\\d+"))) {
            row.setAside("a step of a job in another row (" + header.get(id) + " such as 101.batch, 101.0)");
            return 0;
        }
        Matcher array = ARRAY.matcher(name);
        return array.matches() ? arrayOf(row, array.group(1)) : counted(row);
    }

    /** The column that says so of a row: that of the names, or any if the row has no name; -1 if none does. */
    private int sum(Fields row) {
        if (id < 0 || RowSums.isSum(row.text(id).strip())) {
            return id;
        }
        if (row.blank(id)) {
            for (int column = 0; column < header.size(); column++) {
                if (RowSums.isSum(row.text(column).strip())) {
                    return column;
                }
            }
        }
        return -1;
    }

    private int counted(Fields row) {
        if (row.blank(count)) {
            return 1;
        }
        long many = row.whole(count);
        if (many > MOST_TASKS) {
            throw row.bad(count, "is out of range", "0 to " + MOST_TASKS);
        }
        if (many == 0) {
            row.setAside("a count of 0 (" + header.get(count) + ")");
        }
        return (int) many;
    }

    private static boolean isYes(Fields row, int column) {
        return column >= 0 && YesNo.isYes(row.text(column).strip());
    }

    private int arrayOf(Fields row, @Nullable String ranges) {
        long tasks = 0;
        for (String range : String.valueOf(ranges).split(",", -1)) {
            String[] stepped = range.split(":", 2);
            String[] ends = stepped[0].split("-", -1);
            try {
                long step = stepped.length == 1 ? 1 : Math.max(1, Long.parseLong(stepped[1]));
                tasks += (Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0])) / step + 1;
            } catch (NumberFormatException e) {
                throw row.bad(
                        id,
                        "is not an array of tasks",
                        "such as 105_[1-4,7] or 105_[0-20:2]; a shortened list does not say how many");
            }
        }
        if (tasks < 1 || tasks > MOST_TASKS) {
            throw row.bad(id, "is not an array of tasks", "1 to " + MOST_TASKS + " tasks");
        }
        arrays++;
        arrayTasks += tasks;
        return (int) tasks;
    }

    /** Hears what Slurm lists of a job whose GPUs are not read: no row of the first ones has any. */
    void listed(String text) {
        gpus += text.contains(GPUS_OF_SLURM) ? 1 : 0;
    }

    /** Says what was done. */
    void finish() {
        power.finish(report);
        if (gpus > 0) {
            report.note(new Remark(
                    Remark.Kind.NAMED,
                    String.format(
                            Locale.ROOT,
                            "gres/gpu is not counted; rows that have it: %,d; to count it: --columns gpu=%s",
                            gpus,
                            OwnColumns.tres(header).orElse("COLUMN"))));
        }
        if (!factors.isEmpty() && place("cpu") >= 0) {
            report.note("cpu is " + header.get(place("cpu")) + " times "
                    + factors.stream().map(header::get).collect(Collectors.joining(" times ")));
        }
        if (arrays > 0) {
            report.note(String.format(Locale.ROOT, "arrays of tasks: %,d read as %,d requests", arrays, arrayTasks));
        }
        clocks().filter(each -> OwnClock.mayBeSerial(each.unit(), place(each), values)
                        && !OwnClock.isSerial(each.unit(), place(each), values))
                .forEach(each -> report.warn("column " + each.name()
                        + " is read as seconds and may be days, as spreadsheets count dates: if so, give"
                        + " --columns MEANING=" + each.name() + ":d, where MEANING is what it holds, such as arrival"));
        columns.doubts(header, values::texts).forEach(report::warn);
        for (String meaning : List.of("cpu", "mem")) {
            if (!columns.columns().containsKey(meaning) && !columns.absent().contains(meaning)) {
                report.unseen(
                        meaning.equals("mem") ? "memory" : meaning,
                        ": only "
                                + String.join(", ", columns.resources()) + " counts; to name it: --columns " + meaning
                                + "=COLUMN, or " + meaning + "= if there is none");
            }
        }
    }
}
