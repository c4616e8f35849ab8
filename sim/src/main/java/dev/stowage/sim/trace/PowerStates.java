package dev.stowage.sim.trace;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which rows of a user's own table are machines that are powered off, by the column that says so, if there is one. */
final class PowerStates {
    /** Whether they count as well. */
    static final TableFormat.FormatSetting COUNTED = new TableFormat.FormatSetting(
            "powered-off",
            "false",
            "true: machines that are powered off count as well, but not those that are deleted");

    /** As vSphere, SCVMM, Hyper-V, libvirt, Proxmox, OpenStack, Nutanix and the big clouds say it. */
    private static final Pattern OFF = Pattern.compile(
            "(?i)(vm )?(powered[ _-]?off|off|stopp(ed|ing)|shut[ _-]?off|shut(ting)?[ _-]?down|terminated|terminating|deallocat(ed|ing)"
                    + "|suspend(ed|ing)?|saved|paused|inactive|halted|(soft_)?delet(ed|ing)|shelved(_offloaded)?|error"
                    + "|down|not ?running|crashed|staged|stored|ausgeschaltet|aus|heruntergefahren|angehalten|gestoppt|hors tension"
                    + "|arretee?|eteinte?|apagad[oa]|detenid[oa]|spent[oa]|arrestat[oa]|desligad[oa]"
                    + "|uit|uitgeschakeld|gestopt|vypnut[oay]|vypnuto|wylaczon[ay]|zatrzyman[ay]|av|avstangd|stoppad)");

    /** AWS deletes what it terminates; of Google Cloud, TERMINATED is what is stopped. */
    private static final Pattern DELETED =
            Pattern.compile("(?i:(soft_)?delet(ed|ing))|terminated|terminating|shutting-down");

    private static final Pattern ON = Pattern.compile(
            "(?i)(vm )?(powered[ _-]?on|on|running|started|active|up|an|ein|eingeschaltet|sous tension|encendid[oa]|acces[oa]|ligad[oa]"
                    + "|aan|ingeschakeld|actief|zapnut[oay]|zapnuto|wlaczon[ay]|pa|aktiv|igang|ok)");

    /** Columns that may be about other states, too. */
    private static final List<String> ANY_STATE =
            List.of("status", "state", "zustand", "toestand", "stav", "stan", "tillstand", "etat", "estado", "stato");

    private final OwnValues values;
    private final List<String> header;
    private final int column;
    private final boolean counted;
    private final Map<String, Long> off = new TreeMap<>();
    private boolean ofJobs;

    /** With the place of the column of a name, -1 if there is none. */
    PowerStates(OwnValues values, Reading reading, ToIntFunction<String> named) {
        this.values = values;
        header = reading.layout().columns();
        counted = reading.settings().flag(COUNTED.name());
        column = Stream.concat(
                        Stream.of(
                                "power_state",
                                "powerstate",
                                "power_status",
                                "state_name",
                                "virtual_machine_state",
                                "power",
                                "betriebszustand",
                                "energiezustand"),
                        ANY_STATE.stream())
                .map(named::applyAsInt)
                .filter(this::saysPower)
                .findFirst()
                .orElseGet(() -> byValues(reading));
    }

    /** Whether some value of a column is one of power: a status may be one of health, a power state a number. */
    private boolean saysPower(int place) {
        List<String> texts = values.texts(place).stream().map(PowerStates::bare).toList();
        return texts.stream()
                        .anyMatch(text ->
                                OFF.matcher(text).matches() || ON.matcher(text).matches())
                || (!texts.isEmpty() && texts.stream().allMatch(YesNo::isEither));
    }

    /** A column that is about power by its name, with nothing but words of that in it; -1 if there is none. */
    private int byValues(Reading reading) {
        for (int place = 0; place < header.size(); place++) {
            String name = YesNo.plain(ColumnNames.words(header.get(place), " "));
            List<String> texts = values.texts(place);
            if (name.matches(".*(state|status|power|zustand|toestand|stav|stan|tillstand|etat|estado|stato|running).*")
                    && !texts.isEmpty()
                    && texts.stream().map(PowerStates::bare).allMatch(text -> saysPower(name, text))) {
                return reading.column(header.get(place));
            }
        }
        return -1;
    }

    private static boolean saysPower(String name, String text) {
        boolean asked = name.matches(".*(powered on|is on|running)");
        return OFF.matcher(text).matches() || ON.matcher(text).matches() || (asked && YesNo.isEither(text));
    }

    /** Without accents and what is in brackets behind: {@code Stopped (deallocated)}. */
    private static String bare(String text) {
        return YesNo.plain(text).replaceFirst("\\s*\\([^)]*\\)$", "");
    }

    /**
     * Why a row is left out; empty if it is not.
     *
     * @param inventory whether rows are what there is now; of others, a state may be one of jobs
     */
    String leavesOut(Fields row, boolean inventory) {
        if (column < 0) {
            return "";
        }
        if (!inventory && ANY_STATE.contains(ColumnNames.words(header.get(column), "_"))) {
            ofJobs = true;
            return "";
        }
        String text = bare(row.text(column));
        if (!OFF.matcher(text).matches() && !YesNo.isNo(text)) {
            return "";
        }
        if (DELETED.matcher(text).matches()) {
            return "deleted (" + header.get(column) + ")";
        }
        if (!counted) {
            return "not powered on (" + header.get(column) + "); to count them: --" + COUNTED.name();
        }
        off.merge(row.text(column).strip(), 1L, Long::sum);
        return "";
    }

    /** Says which were counted. */
    void finish(ReportBuilder report) {
        if (!counted) {
            return;
        }
        report.note(
                column < 0
                        ? "--" + COUNTED.name() + ": no column is recognized as one of power states"
                        : ofJobs
                                ? "--" + COUNTED.name() + ": " + header.get(column)
                                        + " is not read as a power state, because the rows are not all what runs now"
                                : "rows not powered on (" + header.get(column) + "), read as asked: "
                                        + (off.isEmpty()
                                                ? "none"
                                                : off.entrySet().stream()
                                                        .map(each -> String.format(
                                                                Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                                                        .collect(Collectors.joining(", "))));
    }
}
