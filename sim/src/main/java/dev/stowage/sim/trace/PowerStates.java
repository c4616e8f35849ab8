package dev.stowage.sim.trace;

import dev.stowage.sim.result.Remark;
import java.util.Arrays;
import java.util.LinkedHashMap;
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
            "(?i)(vm )?(power(ed|ing)?[ _-]?(off|down)|off|stopp(ed|ing)|shut[ _-]?off|(in )?shut(ting)?[ _-]?down|terminated|terminating|deallocat(ed|ing)"
                    + "|(pm ?)?suspend(ed|ing)?|sav(ed|ing)|paus(ed|ing)|hibernat(ed|ing)|inactive|halted|(soft_)?delet(ed|ing)|shelved(_offloaded)?|error"
                    + "|down|not ?running|crashed|staged|stored( ?vm)?|missing|destroyed|expung(ed|ing)|creation ?failed"
                    + "|retired|decommissioned|ausgemustert|stillgelegt"
                    + "|ausgeschaltet|aus|heruntergefahren|angehalten|gestoppt|beendet|gespeichert|inaktiv|suspendiert|hors tension"
                    + "|arretee?|eteinte?|suspendue?|desactivee?|enregistree?|inacti[fv]e?|inactiv[oa]"
                    + "|apagad[oa]|detenid[oa]|suspendid[oa]|spent[oa]|arrestat[oa]|sospes[oa]|desligad[oa]|suspens[oa]"
                    + "|uit|uitgeschakeld|gestopt|vypnut[oay]|vypnuto|wylaczon[ay]|zatrzyman[ay]|av|avstangd|stoppad)");

    /** AWS deletes what it terminates; of Google Cloud, TERMINATED is what is stopped. */
    private static final Pattern DELETED =
            Pattern.compile("(?i:(soft_)?delet(ed|ing)|destroyed|expung(ed|ing))|terminated|terminating|shutting-down");

    private static final Pattern ON = Pattern.compile(
            "(?i)(vm )?(powered[ _-]?on|on|running|started|active|up|an|ein|eingeschaltet|sous tension|encendid[oa]|acces[oa]|ligad[oa]"
                    + "|aan|ingeschakeld|actief|zapnut[oay]|zapnuto|wlaczon[ay]|pa|aktiv|igang|ok)");

    /** What a machine that takes its resources is also said to be, in columns that need not be of power. */
    private static final Pattern ALSO_ON = Pattern.compile(
            "(?i)(vm )?((re)?start(ing)?|resuming|pending|provisioning|creating|updating|build|rebuild|(hard_)?reboot(ing|_in_progress)?"
                    + "|migrating|(verify_|revert_)?resize|rescue|password|repairing|powering[ _-]?(on|up)|power[ _-]?on|wait_for_launch|idle|blocked"
                    + "|in betrieb|lauft|wird ausgefuhrt|gestartet|en marche|en cours d'execution|demarree?|actif|active"
                    + "|en ejecucion|en marcha|activ[oa]|iniciad[oa]|in esecuzione|attiv[oa]|em execucao|ativ[oa])");

    /** How Slurm, LSF, PBS and HTCondor say that a job runs, waits or is over; sacct cuts words: CANCELLED+. */
    private static final Pattern JOB_RUNS = Pattern.compile(
            "(?i)(running|run|lauft|r|completing|cg|configuring|cf|suspended|s|[us]susp|resizing|rs|stage_out|so|e)");

    private static final Pattern JOB_WAITS = Pattern.compile(
            "(?i)(pending|pd|pend|psusp|queued|q|held|h|idle|i|waiting|w|requeue\\w*|rq|rh|rf|resv_del_hold|rd|special_exit|se)");
    private static final Pattern JOB_IS_OVER = Pattern.compile(
            "(?i)(completed?|cd|failed|f|cancelled.*|canceled|ca|timeout|to|node_fail|nf|out_of_me.*|oom|preempted|pr|boot_fail|bf|deadline|dl"
                    + "|revoked|rv|launch_failed|reconfig_fail|done|exit(ed)?|finished|succeeded|removed|c|x)\\+?");

    /** So many values are named of those that are not known. */
    private static final int FIRST = 20;

    /** Columns that may be about other states, too. */
    private static final List<String> ANY_STATE =
            List.of("status", "state", "zustand", "toestand", "stav", "stan", "tillstand", "etat", "estado", "stato");

    private final OwnValues values;
    private final List<String> header;
    private final int column;
    private final boolean counted;
    private final Map<String, Long> off = new TreeMap<>();
    private final Map<String, Long> unknown = new TreeMap<>();
    /** Whether the rows are jobs. */
    private final boolean jobs;

    private boolean over;
    private boolean ofJobs;

    /** With the place of the column of a name, -1 if there is none. */
    PowerStates(OwnValues values, Reading reading, ToIntFunction<String> named) {
        this.values = values;
        header = reading.layout().columns();
        counted = reading.settings().flag(COUNTED.name());
        List<Integer> others = ANY_STATE.stream().map(named::applyAsInt).toList();
        jobs = header.stream().anyMatch(name -> ColumnNames.words(name, "_").matches("job_?id(raw)?"));
        column = jobs
                ? Stream.of("state", "st", "stat", "status", "job_state")
                        .map(named::applyAsInt)
                        .filter(place -> place >= 0)
                        .findFirst()
                        .orElse(-1)
                : Stream.of(
                                Stream.of(
                                                "power_state",
                                                "powerstate",
                                                "power_status",
                                                "state_name",
                                                "virtual_machine_state",
                                                "power",
                                                "betriebszustand",
                                                "energiezustand")
                                        .map(named::applyAsInt),
                                others.stream().filter(this::saysNothingElse),
                                others.stream())
                        .flatMap(places -> places)
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

    private boolean saysNothingElse(int place) {
        return values.texts(place).stream().allMatch(PowerStates::isKnown);
    }

    private static boolean isKnown(String written) {
        String text = bare(written);
        return OFF.matcher(text).matches()
                || ON.matcher(text).matches()
                || ALSO_ON.matcher(text).matches()
                || YesNo.isEither(text);
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
        if (jobs) {
            return leavesOutJob(text, row.text(column).strip());
        }
        if (!OFF.matcher(text).matches() && !YesNo.isNo(text)) {
            if (!text.isEmpty() && !isKnown(text)) {
                unknown.merge(row.text(column).strip(), 1L, Long::sum);
            }
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

    private String leavesOutJob(String state, String written) {
        if (JOB_IS_OVER.matcher(state).matches()) {
            over = true;
            return "the job is over (" + header.get(column) + ")";
        }
        if (JOB_WAITS.matcher(state).matches()) {
            return "has not run: it waits (" + header.get(column) + ")";
        }
        if (!state.isEmpty() && !JOB_RUNS.matcher(state).matches()) {
            unknown.merge(written, 1L, Long::sum);
        }
        return "";
    }

    /** Says which were counted. */
    void finish(ReportBuilder report) {
        if (!unknown.isEmpty()) {
            String name = header.get(column);
            report.warn(name + " has values that are not known as running or as off; these rows count as running: "
                    + counts(unknown) + "; to read only the rows with one value: --columns \"only=" + name
                    + ":VALUE\"");
        }
        if (over) {
            report.note("only jobs that run now are read, because no column says when jobs began and ended; to read all"
                    + " jobs, list their times: sacct -P --format=JobID,Submit,Start,End,ReqCPUS,ReqMem,NNodes,State");
        }
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
                                        + (off.isEmpty() ? "none" : counts(off)));
    }

    /** {@code 2 Missing, 1 StoredVM}. */
    private static String counts(Map<String, Long> values) {
        return values.entrySet().stream()
                        .limit(FIRST)
                        .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                        .collect(Collectors.joining(", "))
                + (values.size() > FIRST ? ", ..." : "");
    }

    /** Which servers of a list are up, by the columns that say so. */
    static final class OfHosts {
        private static final Pattern UP = Pattern.compile(
                "(?i)\\s*(connected|up|yes|true|ja|oui|si|sim|enabled|online|available|ok|running"
                        + "|power(ed)?[ _-]?on|idle|mix(ed)?|"
                        + "alloc(ated)?|comp(leting)?|res(v|erved)|pl(nd|anned)|ready|active|normal|green|verbunden|eingeschaltet|ein|an|aktiv|bereit|connectee?|sous tension"
                        + "|conectado|encendido|acces[oa]|on|in service|in use|responding|healthy|good|optimal|operational|deployed|in betrieb|betriebsbereit"
                        + "|lauft|in nutzung|en service|en marche|actif|operationnel|en servicio|activ[oa]|operativ[oa]?|in servizio|attiv[oa]|em servico|ativ[oa]"
                        + "|((in|en|em) )?produ[ck]tion|produ[ck]tiv[oa]?|(in )?produzione|(en )?produccion|(em )?producao|)[~#@^+-]?\\s*");
        /** What Slurm adds to the state of a node that takes jobs, or will once it is switched on. */
        private static final Pattern UP_TOO = Pattern.compile(
                "(?i)cloud|reserved|planned|completing|dynamic_(norm|future)|power(ed|ing)?_(down|up)|reboot_requested");

        private static final Pattern DOWN = Pattern.compile(
                "(?i)maint|wartung|manten|manuten|onderhoud|drain|drng|down|fail|off.?line|disabled|not.?respond|disconnect|getrennt"
                        + "|nicht verbunden|deconnecte|desconectad|out of service|ausser betrieb|hors service|fuera de servicio"
                        + "|fuori servizio|defe[ck]t|broken|non.?operational|unavailable|^err");
        private static final Pattern MAINTENANCE = Pattern.compile(
                "(?i)((in|im|en) )?(maintenance|wartung(smodus)?|mantenimiento|manutenzione|onderhoud)( mode)?");
        private static final Pattern NOT_DOWN =
                Pattern.compile("(?i)-|none|null|n/?a|nan|keine?|aucune?|ninguno|not in maintenance");
        /** So many are named of those whose column of maintenance is not understood. */
        private static final int FIRST_UNCLEAR = 3;

        private final String downColumn;
        private final String stateColumn;
        private final Map<String, Long> down = new TreeMap<>();
        private final Map<String, Long> other = new TreeMap<>();
        /** What stands where only yes or no is understood, in the order of the rows, and how often. */
        private final Map<String, Long> unclear = new LinkedHashMap<>();

        /** With the names of the columns of maintenance and of states; empty where there is none. */
        OfHosts(String downColumn, String stateColumn) {
            this.downColumn = downColumn;
            this.stateColumn = stateColumn;
        }

        /** Why a server with these values does not count; empty if it does. */
        String leavesOut(String maintenance, String writtenState, String name) {
            String its = YesNo.plain(maintenance);
            String state = YesNo.plain(writtenState).replace("ß", "ss");
            boolean isDown = YesNo.isYes(its) || MAINTENANCE.matcher(its).matches();
            if (isDown) {
                return "down, drained or in maintenance (" + downColumn
                        + "); to count them: --server-columns \"down=\"";
            }
            if (!isUp(state)) {
                boolean known =
                        DOWN.matcher(state).find() || OFF.matcher(bare(state)).matches();
                (known ? down : other).merge(writtenState, 1L, Long::sum);
                return (known ? "down, drained or in maintenance (" : "not known as up (") + stateColumn
                        + "); to count them: --server-columns \"state=\"";
            }
            if (!its.isEmpty()
                    && !YesNo.isNo(its)
                    && !UP.matcher(its).matches()
                    && !NOT_DOWN.matcher(its).matches()) {
                unclear.merge("'" + maintenance + "'" + (name.isEmpty() ? "" : " (" + name + ")"), 1L, Long::sum);
            }
            return "";
        }

        /** {@code MIXED+RESERVED} takes jobs, {@code IDLE+DRAIN} does not, nor does {@code idle*}, which is silent. */
        private static boolean isUp(String state) {
            String[] parts = state.split("\\+|, *", -1);
            return UP.matcher(state).matches()
                    || (UP.matcher(parts[0]).matches()
                            && Arrays.stream(parts)
                                    .skip(1)
                                    .allMatch(part -> !part.isEmpty()
                                            && (UP_TOO.matcher(part).matches()
                                                    || (!state.contains("+")
                                                            && UP.matcher(part).matches()))));
        }

        /** Says which values decided. */
        void finish(ReportBuilder report) {
            if (!down.isEmpty()) {
                report.note(new Remark(
                        Remark.Kind.NAMED, stateColumn + " of the servers that are not up: " + counts(down)));
            }
            if (!other.isEmpty()) {
                report.warn(stateColumn + " has values that are not known as up; these servers are not counted: "
                        + counts(other) + "; --server-columns \"state=\" counts all");
            }
            if (!unclear.isEmpty()) {
                long rows = unclear.values().stream().mapToLong(Long::longValue).sum();
                report.warn(String.format(
                        Locale.ROOT,
                        "%,d %s neither yes nor no in column %s, and %s as up: %s%s",
                        rows,
                        rows == 1 ? "row has" : "rows have",
                        downColumn,
                        rows == 1 ? "counts" : "count",
                        unclear.keySet().stream().limit(FIRST_UNCLEAR).collect(Collectors.joining(", ")),
                        unclear.size() > FIRST_UNCLEAR ? ", ..." : ""));
            }
        }
    }
}
