package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

    private static final Pattern PLAIN = Pattern.compile("[a-z0-9]+(_[a-z0-9]+)*");
    private static final Pattern MARKS = Pattern.compile("\\p{M}");
    private static final Pattern BINARY = Pattern.compile("([KMGT])iB");
    private static final Pattern HUMP = Pattern.compile("([a-z])([A-Z])");
    private static final Pattern FORM_OF_TIME = Pattern.compile("(_(d+|days?))?_(h+_m+(_s+)?|hms)$");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^a-z0-9]+");
    /** A list with a number of machines in each row says so of its amounts. */
    private static final Pattern OF_EACH =
            Pattern.compile("[_ ](per|pro|je|par|por)[_ ](vm|virtual[_ ]machine|machine|maschine|instance)(?=[_ ]|$)");

    private static final Pattern AROUND = Pattern.compile("^_+|_+$");
    static final String TO_NAME =
            "name the columns: --columns arrival=COLUMN,duration=COLUMN,cpu=COLUMN,mem=COLUMN:GiB";

    private static final String NEEDED =
            "Needed: arrival or start, duration or end (without any of these: what runs now, each row with a name),"
                    + " and a resource (cpu, mem, gpu, disk, or <name>_<unit>)";

    private static final Map<String, Pattern> WORDS = Map.of(
            "cpu",
                    Pattern.compile(
                            "\\b(v ?cpus?|cpus?|v?cores?|processor units|procs|kerne|prozessoren|processeurs|coeurs|procesadores|nucleos|kernen|processoren"
                                    + "|processori|processadores|jadra|jader|procesory|rdzenie|rdzeni|processorer|karnor)\\b"),
            "id",
                    Pattern.compile(
                            "\\b(names?|nom|hostname|vm|machine|maschine|server|rechner|naam|nazev|nazwa|namn|nome|nombre)\\b"),
            "mem",
                    Pattern.compile(
                            "\\b(memory|v?ram|mem|arbeitsspeicher|memoire|memoria|geheugen|pamet|pamiec|minne)\\b"));
    /** Of processors and memory: what they are, or what is done with them, in place of how much there is. */
    private static final Pattern OTHERWISE =
            Pattern.compile("\\b(used?|usage|utili[sz]ation|util|free|avail(able)?|active"
                    + "|consumed|ready|m?hz|mhz|ghz|speed|limit|reserv\\w*|shares?|hot|model\\w*|modell\\w*|type?|generation|description|bezeichnung|takt\\w*|version|family|vendor|price|cost|per"
                    + "|sockets?|overhead|ballooned|swapped|shared|private|avg|average|max|peak|min|percent|host|add|time|ratio|pro|par|por|je|sockel|genutzt|frei"
                    + "|benutzt|utilisee?|libre|usada?)\\b");

    /** Names, without their units, that say what a column means; the first that a table has is taken. */
    private static final Map<String, List<String>> NAMES = names();

    /**
     * A column of the table.
     *
     * @param name as in the table
     * @param unit as given or as its name says; empty if it must be guessed from the values
     * @param guessed whether the user did not say it
     */
    record Column(String name, String unit, boolean guessed) {}

    private static Map<String, List<String>> names() {
        Map<String, List<String>> names = new LinkedHashMap<>();
        names.put(
                "arrival",
                words(
                        "arrival arrived arrived_at arrival_time arrivaltime submit submitted submitted_at submit_time"
                                + " submittime submit_ts submitted_ts submit_timestamp arrival_ts submission submission_time created created_at create_time creation_time vmcreated queued_at"
                                + " requested_at request_time timestamp time ts ankunft eingang eingereicht arrivee soumission llegada envio"));
        names.put(
                "start",
                words(
                        "start started started_at start_time start_ts started_ts start_timestamp starttime begin began begin_time launched_at startzeit beginn begonnen debut inicio"));
        names.put(
                "end",
                words(
                        "end ended ended_at end_time endtime finish finished finished_at finish_time stop stopped stopped_at"
                                + " stop_time deleted deleted_at vmdeleted completed completed_at completed_time terminated_at released_at released_time finished_time ended_time end_ts ended_ts finish_ts finished_ts stop_ts stopped_ts completed_ts released_ts end_timestamp finish_timestamp stop_timestamp"
                                + " ende endzeit beendet fin termine termino"));
        names.put(
                "duration",
                words("duration runtime run_time lifetime life_time elapsed walltime wall_time service_time"
                        + " service length took time_taken time_elapsed elapsed_time running_time execution_time exec_time run_duration"
                        + " job_duration dauer laufzeit duree duracion"));
        names.put(
                "cpu",
                words("vcpu vcpus cpu cpus v_cpu v_cpus core cores millicores milli_cores ncpus ncores num_cpus"
                        + " cpu_count vcpu_count core_count cpu_cores cpu_request requested_cpus req_cpus cpu_req num_cpu"
                        + " max_cpu maxcpu cpu_number cpunumber number_of_cpus number_of_vcpus no_of_cpus no_of_vcpus processor_count num_sockets num_vcpus num_cores number_of_cores guest_cpus"
                        + " cpu_total cpu_s virtual_cpus configured_cpus cpucount numcpu prozessoren anzahl_prozessoren"
                        + " anzahl_cpus anzahl_cpu anzahl_vcpus anzahl_vcpu cpu_anzahl vcpu_anzahl kerne cpu_kerne anzahl_kerne"
                        + " virtuelle_prozessoren processeurs nombre_de_processeurs nombre_de_cpu nb_cpu nb_vcpu coeurs"
                        + " procesadores num_procesadores nucleos processori processadores"
                        + " processoren aantal_processoren aantal_cpu_s aantal_cpus aantal_vcpus kernen aantal_kernen numero_cpu numero_vcpu numero_processori"
                        + " numero_de_cpus numero_de_vcpus numero_de_nucleos procesory pocet_procesoru pocet_cpu pocet_vcpu jadra pocet_jader"
                        + " liczba_procesorow liczba_cpu liczba_vcpu rdzenie liczba_rdzeni processorer antal_processorer antal_cpu antal_vcpu"
                        + " karnor antal_karnor sockets cpu_sockets socket_count"));
        names.put(
                "mem",
                words("mem memory ram mem_request memory_request requested_mem req_mem mem_req memory_size ram_size"
                        + " max_mem maxmem memory_capacity memory_assigned memory_startup max_memory total_memory"
                        + " memory_allocated allocated_memory configured_memory memory_total vmemory v_memory vram"
                        + " provisioned_memory arbeitsspeicher hauptspeicher speicher arbeitsspeichergrosse"
                        + " zugewiesener_arbeitsspeicher memoire memoire_vive memoire_ram memoria memoria_ram"
                        + " geheugen werkgeheugen toegewezen_geheugen pamet operacni_pamet pamet_ram pridelena_pamet pamiec pamiec_ram"
                        + " pamiec_operacyjna minne arbetsminne tilldelat_minne"));
        names.put("gpu", words("gpu gpus ngpus num_gpus gpu_count gpu_request"));
        names.put("disk", words("disk storage disk_size storage_size ssd festplatte disque disco"));
        names.put(
                "type",
                words(
                        "type vm_type instance_type machine_type flavor flavour flavor_name vm_size machine_size shape class category sku size queue"
                                + " vm_class vm_group group role tier typ vm_typ gruppe kategorie klasse rolle groupe categorie"
                                + " classe grupo categoria clase tipo"));
        names.put(
                "id",
                words(
                        "id vm_id vmid request_id req_id job_id jobid job uuid instance_id vm vm_name instance_name name guest guest_name virtual_machine server_name server hostname machine machine_name computer_name dns_name workload application"
                                + " virtuelle_maschine maschine rechner rechnername maschinenname servername bezeichnung nom"
                                + " machine_virtuelle nombre maquina_virtual nome"
                                + " naam servernaam machinenaam virtuele_machine nazev nazev_vm jmeno virtualni_stroj nazwa nazwa_vm maszyna_wirtualna"
                                + " macchina_virtuale nome_vm nome_da_vm maquina namn virtuell_maskin"));
        names.put("batch", words("batch batch_id"));
        names.put("gang", List.of());
        names.put("priority", List.of());
        names.put("expected", words("expected expected_lifetime expected_runtime expected_run_time expected_duration"));
        names.put("max_wait", words("max_wait maxwait longest_wait patience"));
        names.put(ConstraintColumns.WHERE, words("where"));
        names.put(ConstraintColumns.AVOID, words("avoid"));
        names.put(
                ConstraintColumns.SPREAD,
                words("spread anti_affinity antiaffinity anti_affinity_group antiaffinitat anti_affinitat"
                        + " anti_affinite antiafinidad anti_afinidad"));
        names.put("nodes", words("nodes node_count num_nodes nnodes n_nodes nodes_requested req_nodes alloc_nodes"));
        return names;
    }

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }

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
                ", or a resource <name>_<unit> with a unit of " + String.join(", ", ResourceColumns.UNITS));
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
        String missing = columns.missing();
        if (!missing.isEmpty()) {
            throw new TraceException((header.equals(List.of("Id", "Name", "State"))
                            ? "virsh list has no amounts: give what virsh dominfo prints for each VM. "
                            : "")
                    + missing + " " + NEEDED + ". Found: " + OwnHosts.there(header, NAMES) + ". "
                    + (columns.columns.isEmpty() ? "Guessed: nothing" : "Guessed: " + columns.text())
                    + (columns.columns.containsKey("type")
                                    && sized.isEmpty()
                                    && columns.resources().isEmpty()
                            ? ". If column " + columns.column("type").name()
                                    + " names sizes, give what they hold with --sizes FILE, a table of name, cores and"
                                    + " memory"
                            : "")
                    + "; " + TO_NAME);
        }
        return columns;
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
        NAMES.forEach((meaning, names) -> {
            boolean pointless = absent.contains(meaning)
                    || (meaning.equals("duration") && all.containsKey("end"))
                    || (meaning.equals("batch") && all.containsKey("job"));
            if (!all.containsKey(meaning) && !pointless) {
                find(
                                meaning,
                                names,
                                candidates(header).stream()
                                        .filter(name -> !taken.contains(name))
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
                && counted(header).isPresent()) {
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
    private static Optional<String> tres(List<String> header) {
        return header.contains("JobID")
                ? List.of("ReqTRES", "AllocTRES").stream()
                        .filter(header::contains)
                        .findFirst()
                : Optional.empty();
    }

    /** The column that says how many machines a row of an inventory stands for; not how many of something each has. */
    static Optional<String> counted(List<String> header) {
        return header.stream()
                .filter(
                        name -> spelled(name, "_")
                                .matches(
                                        "count|quantity|qty|anzahl|number|how_many|(vm|instance|machine)_count|(num|number_of)_(vms|instances)"
                                                + "|instances|vms|quantite|cantidad|aantal|pocet|liczba|ilosc|quantita|quantidade|antal"))
                .findFirst();
    }

    /**
     * Without percentages; and beside limits ({@code maxmem}), as in Proxmox' lists, columns of these names are what is
     * used of them.
     */
    static List<String> candidates(List<String> header) {
        boolean limits = header.contains("maxmem");
        return header.stream()
                .filter(name -> !name.contains("%"))
                .filter(name -> !limits
                        || !List.of("cpu", "mem", "disk", "storage").contains(name)
                        || (name.equals("cpu") && !header.contains("maxcpu") && !header.contains("cpus")))
                .toList();
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
        Pattern word = WORDS.get(meaning);
        List<String> all = meaning.equals("mem") ? OwnUnits.notOfDisks(header) : header;
        List<String> some = word == null ? List.of() : with(word, all);
        if (some.isEmpty() && meaning.equals("mem")) {
            some = OwnUnits.maybeMemory(all);
        }
        return some.size() == 1 ? Optional.of(some.get(0)) : Optional.empty();
    }

    static List<String> with(Pattern word, List<String> header) {
        return header.stream()
                .filter(column -> word.matcher(words(column, " ")).find()
                        && !OTHERWISE.matcher(words(column, " ")).find())
                .toList();
    }

    /** {@code Submit Time (ms)} and {@code submitTimeMs} are {@code submit_time}. */
    private static String base(String meaning, String column) {
        String name = words(column, "_");
        if (TIMES.contains(meaning) && FORM_OF_TIME.matcher(name).find()) {
            return FORM_OF_TIME.matcher(name).replaceFirst("");
        }
        String base = OwnUnits.ofName(meaning, column).isEmpty() ? name : name.replaceFirst("_[^_]*$", "");
        return TIMES.contains(meaning) ? base.replaceFirst("_in$", "") : base;
    }

    /** The words of a column's name in lower case, without accents, and without that it is of each machine. */
    static String words(String column, String between) {
        return OF_EACH.matcher(spelled(column, between)).replaceAll("");
    }

    private static String spelled(String column, String between) {
        if (PLAIN.matcher(column).matches()) {
            return column.replace("_", between);
        }
        // MiB is one word.
        return Normalizer.normalize(column, Normalizer.Form.NFD)
                .transform(text -> MARKS.matcher(text).replaceAll(""))
                .replace("ß", "ss")
                .replace("œ", "oe")
                .replace("Œ", "oe")
                .replace("(s)", "s")
                .replace('ł', 'l')
                .replace('Ł', 'L')
                .transform(text -> BINARY.matcher(text).replaceAll("$1ib"))
                .transform(text -> HUMP.matcher(text).replaceAll("$1_$2"))
                .toLowerCase(Locale.ROOT)
                .transform(text -> BETWEEN_WORDS.matcher(text).replaceAll(between))
                .transform(text -> AROUND.matcher(text).replaceAll(""));
    }

    /** A question after a name that nothing has, if it is one letter off one that there is; otherwise empty. */
    static String near(String name, List<String> known) {
        return known.stream()
                .filter(each -> Spelling.isNear(name, each))
                .findFirst()
                .map(each -> " (did you mean '" + each + "'?)")
                .orElse("");
    }

    /** Whether the rows are what there is now: no column says when a row ends or how long it lasts. */
    boolean isInventory() {
        return !columns.containsKey("duration") && !columns.containsKey("end");
    }

    /** What is needed but neither named nor guessed; empty if nothing is missing. */
    private String missing() {
        List<String> missing = new ArrayList<>();
        boolean arrives = columns.containsKey("arrival") || columns.containsKey("start");
        if (!isInventory() && !arrives) {
            missing.add("arrival");
        }
        boolean named = columns.containsKey("id") || absent.containsAll(List.of("arrival", "duration"));
        if (isInventory() && !arrives && !named) {
            missing.addAll(List.of("arrival", "duration", "name"));
        }
        if (missing.contains("name")
                && columns.containsKey("type")
                && !resources().isEmpty()) {
            String type = column("type").name();
            return type + " is the type, and no column is the name; for both write type=" + type + ",id=" + type + ".";
        }
        if (resources().isEmpty()) {
            missing.add("resource");
        }
        return missing.isEmpty() ? "" : "no column is recognized as the " + String.join(", the ", missing) + ".";
    }

    /** The meanings that are resources. */
    List<String> resources() {
        return columns.keySet().stream()
                .filter(meaning -> AMOUNTS.contains(meaning) || !MEANINGS.contains(meaning))
                .toList();
    }

    /** In the form that {@code --columns} takes. */
    String text() {
        List<String> items = new ArrayList<>();
        columns.forEach((meaning, column) ->
                items.add(meaning + "=" + column.name() + (column.unit().isEmpty() ? "" : ":" + column.unit())));
        absent.forEach(meaning -> items.add(meaning + "="));
        return String.join(",", items);
    }
}
