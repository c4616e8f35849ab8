package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names that columns of requests have in the lists of people and systems, and the words that names are made of. */
final class ColumnNames {
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9]+(_[a-z0-9]+)*");
    private static final Pattern MARKS = Pattern.compile("\\p{M}");
    private static final Pattern BINARY = Pattern.compile("([KMGT])iB");
    private static final Pattern HUMP = Pattern.compile("([a-z])([A-Z])");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^a-z0-9]+");
    /** A list with a number of machines in each row says so of its amounts. */
    private static final Pattern OF_EACH =
            Pattern.compile("[_ ](per|pro|je|par|por)[_ ](vm|virtual[_ ]machine|machine|maschine|instance)(?=[_ ]|$)");

    private static final Pattern AROUND = Pattern.compile("^_+|_+$");
    /** Of some resources, words of which one is in the name of their column. */
    static final Map<String, Pattern> WORDS = Map.of(
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
    static final Map<String, List<String>> NAMES = names();

    private ColumnNames() {}

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
        names.put("gpu", words("gpu gpus ngpus num_gpus gpu_count gpu_request req_gres alloc_gres gres tres_per_node"));
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
                        "id vm_id vmid request_id req_id job_id jobid job_idraw job uuid instance_id vm vm_name vmname instance_name name guest guest_name virtual_machine server_name server hostname machine machine_name computer_name dns_name workload application"
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

    static List<String> with(Pattern word, List<String> header) {
        return header.stream()
                .filter(column -> word.matcher(words(column, " ")).find()
                        && !OTHERWISE.matcher(words(column, " ")).find())
                .toList();
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
}
