package dev.stowage.sim.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a user's own table are: a job, a step of one (Slurm), several tasks of an array, a machine that is
 * off or a template (inventories). And which guesses of columns their values contradict.
 */
final class OwnRows {
    private static final Pattern STEP = Pattern.compile("(\\d+(?:_\\d+|\\+\\d+)?)\\.(batch|extern|interactive|\\d+)");
    private static final Pattern ARRAY = Pattern.compile("\\d+_\\[([0-9,\\-]+)(?:%\\d+)?(?::\\d+)?\\]");
    private static final Set<String> MACHINES = Set.of("qemu", "lxc");
    /** As vSphere, SCVMM, Hyper-V, libvirt, Proxmox, OpenStack, Nutanix and the big clouds say it. */
    private static final Pattern OFF = Pattern.compile(
            "(?i)(vm )?(powered[ _-]?off|off|stopp(ed|ing)|shut[ _-]?off|shut[ _-]?down|terminated|terminating|deallocat(ed|ing)"
                    + "|suspend(ed|ing)?|saved|paused|inactive|halted|deleted|(soft_)?delet(ed|ing)|shelved(_offloaded)?|error"
                    + "|not ?running|crashed|staged|stored)");

    /** Beside sockets (Nutanix), processors (Nutanix, version 2) and cores (AWS). */
    private static final String[] FACTORS = {"num_vcpus_per_socket", "num_cores_per_vcpu", "threads_per_core"};

    private static final int MOST_TASKS = 100_000;
    private static final double MILLISECONDS = 1e5;

    private final OwnColumns columns;
    private final OwnValues values;
    private final List<String> header;
    private final ReportBuilder report;
    private final Reading reading;
    private final int id;
    private final int power;
    private final int template;
    private final int kind;
    private final int factor;
    private final boolean powerSaysSo;
    private final boolean numberedSteps;
    private long arrays;
    private long arrayTasks;

    OwnRows(OwnColumns found, OwnValues values, Reading reading) {
        this.values = values;
        this.reading = reading;
        header = reading.layout().columns();
        report = reading.report();
        OwnColumns.Column type = found.columns().get("type");
        columns = type != null && type.guessed() && areNumbers(type.name()) ? withoutType(found, type) : found;
        id = place(columns.columns().get("id") == null ? "job" : "id");
        power = named(
                "power_state",
                "powerstate",
                "power_status",
                "state_name",
                "virtual_machine_state",
                "power",
                "status",
                "state");
        template = named("template", "is_template");
        kind = kind();
        factor = named(FACTORS);
        powerSaysSo = power >= 0 && !OwnColumns.words(header.get(power), "_").matches("status|state");
        // 12.0 is also how a table of numbers writes 12: then all are like that.
        numberedSteps = values.texts(id).stream().anyMatch(text -> text.matches("\\d+(_.*)?"));
    }

    private OwnColumns withoutType(OwnColumns found, OwnColumns.Column type) {
        Map<String, OwnColumns.Column> left = new LinkedHashMap<>(found.columns());
        left.remove("type");
        report.note("column " + type.name()
                + " is not taken for the type, since it has numbers; to take it: --columns type=" + type.name());
        return new OwnColumns(left, found.absent());
    }

    /** A queue, a size or a class of numbers is an amount or a time; a number of a type is called one. */
    private boolean areNumbers(String column) {
        List<String> texts = values.texts(header.indexOf(column));
        return column.toLowerCase(Locale.ROOT).matches(".*(queue|size|class|length).*")
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
                if (OwnColumns.words(column, "_").equals(name)
                        || OwnColumns.words(column.substring(column.lastIndexOf('.') + 1), "_")
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
        return header.contains("JobID")
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
        return factor < 0 || row.blank(factor) ? 1 : Math.max(1, row.whole(factor));
    }

    /** Requests that the row stands for; 0 if it was set aside. */
    int tasks(Fields row) {
        if (id >= 0 && row.text(id).equals(header.get(id))) {
            row.setAside("the names of the columns again");
            return 0;
        }
        if (id >= 0 && row.text(id).strip().matches("(?i)(grand |sub)?total|summe|gesamt|sum")) {
            row.setAside("a sum of other rows (" + header.get(id) + ")");
            return 0;
        }
        if (template >= 0 && row.text(template).strip().matches("(?i)true|yes|1")) {
            row.setAside("a template (" + header.get(template) + ")");
            return 0;
        }
        if (kind >= 0 && !MACHINES.contains(row.text(kind).strip())) {
            row.setAside("no virtual machine (" + header.get(kind) + ")");
            return 0;
        }
        if ((columns.isInventory() || powerSaysSo)
                && power >= 0
                && OFF.matcher(row.text(power).strip()).matches()) {
            row.setAside("not powered on (" + header.get(power) + ")");
            return 0;
        }
        String name = id < 0 ? "" : row.text(id).strip();
        Matcher step = STEP.matcher(name);
        if (step.matches() && (numberedSteps || !String.valueOf(step.group(2)).matches("\\d+"))) {
            row.setAside("a step of a job of another row (" + header.get(id) + " such as 101.batch, 101.0)");
            return 0;
        }
        Matcher array = ARRAY.matcher(name);
        return array.matches() ? arrayOf(row, array.group(1)) : 1;
    }

    private int arrayOf(Fields row, @Nullable String ranges) {
        long tasks = 0;
        for (String range : String.valueOf(ranges).split(",", -1)) {
            String[] ends = range.split("-", -1);
            try {
                tasks += Long.parseLong(ends[ends.length - 1]) - Long.parseLong(ends[0]) + 1;
            } catch (NumberFormatException e) {
                throw row.bad(id, "is no array of tasks", "as 105_[1-4,7]");
            }
        }
        if (tasks < 1 || tasks > MOST_TASKS) {
            throw row.bad(id, "is no array of tasks", "1 to " + MOST_TASKS + " tasks");
        }
        arrays++;
        arrayTasks += tasks;
        return (int) tasks;
    }

    /** Says what was done. */
    void finish() {
        if (arrays > 0) {
            report.note(
                    String.format(Locale.ROOT, "arrays of tasks: %,d rows, read as %,d requests", arrays, arrayTasks));
        }
        clocks().filter(each -> OwnClock.mayBeSerial(each.unit(), place(each), values)
                        && !OwnClock.isSerial(each.unit(), place(each), values))
                .forEach(each -> report.warn("column " + each.name()
                        + " is read as seconds and may be days, as spreadsheets count dates: if so, say"
                        + " --columns COLUMN=" + each.name() + ":d with what COLUMN it is, such as arrival"));
        for (String meaning : List.of("cpu", "mem")) {
            if (!columns.columns().containsKey(meaning) && !columns.absent().contains(meaning)) {
                report.warn("no column is known to be the " + meaning + ": only "
                        + String.join(", ", columns.resources()) + " counts; to name it: --columns " + meaning
                        + "=COLUMN, or " + meaning + "= if there is none");
            }
        }
    }
}
