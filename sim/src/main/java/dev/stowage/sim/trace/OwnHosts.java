package dev.stowage.sim.trace;

import dev.stowage.sim.measure.PriceWords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which columns of a list of servers of any shape are cores, memory, devices and how many there are. */
final class OwnHosts {
    private static final int MOST_NAMED = 3;
    private static final int MOST_IN_A_ROW = 1_000_000;

    /** The meaning of a column that says in which cluster a server is. */
    static final String GROUP = "group";

    private static final Map<String, List<String>> NAMES = new LinkedHashMap<>();

    static {
        put(
                "cpu",
                "cpuefctv cores cpu_cores num_cores ncores core_count total_cores cores_total physical_cores cpu_cores_total"
                        + " kerne anzahl_kerne cpu_kerne kerne_gesamt coeurs nombre_de_coeurs nb_coeurs nb_de_coeurs nucleos num_nucleos num_de_nucleos"
                        + " kernen aantal_kernen jadra pocet_jader rdzenie liczba_rdzeni karnor antal_karnor numero_de_nucleos"
                        + " cputot cpu_tot"
                        + " num_cpu_cores logical_processor_count logical_processors cpu_count vcpus total_vcpus cpus cpu v_cpus ncpus num_cpu"
                        + " max_cpu maxcpu guest_cpus number_of_cores default_vcpus v_cpu vcpu cpu_total num_cpus"
                        + " anzahl_cpus anzahl_cpu logical_cpus hardware_threads threads");
        put(
                "sockets",
                "sockets socket num_sockets socket_count cpu_sockets num_cpu_sockets processors prozessoren processeurs"
                        + " procesadores processoren processori processadores procesory processorer sockel anzahl_sockel cpu_sockel cpu_packages num_cpu_packages physical_cpus");
        put(
                "mem",
                "memory ram mem real_memory realmemory memory_total total_memory memory_capacity memory_size max_mem maxmem"
                        + " mem_total total_mem physical_memory ram_size memory_capacity_in memory_in memory_info_size_in"
                        + " arbeitsspeicher hauptspeicher speicher memoire memoire_vive memoria memoria_ram"
                        + " geheugen werkgeheugen pamet operacni_pamet pamiec pamiec_ram minne arbetsminne");
        put("gpu", "gpus gpu num_gpus gpu_count gres");
        put("disk", "disk local_disk disk_size");
        put(
                "count",
                "count number quantity qty anzahl hosts servers nodes how_many quantite cantidad aantal pocet liczba ilosc"
                        + " quantita quantidade antal");
        put(
                "name",
                "host hostname host_name server server_name name node node_name nodename nodelist node_list hypervisor_hostname"
                        + " esxi vmhost vm_host computer_name instance_type vm_size machine_type flavor size model id"
                        + " esxi_host servername rechner rechnername serveur hote nom servidor anfitrion nombre nome naam servernaam nazev nazwa namn server_type typ kind modell hardware"
                        + " servermodell servertyp server_modell server_typ bezeichnung modele modelo modello tipo tipo_de_servidor"
                        + " type_de_serveur produkt product product_name produktname produit producto prodotto artikel"
                        + " artikelbezeichnung article articulo reference referencia configuration konfiguration configuracion"
                        + " designation libelle denominacion descriptif descripcion beschreibung description sku");
        put(
                "model",
                "model server_model hardware instance_type machine_type vm_size flavor size sku server_type kind modell typ"
                        + " servermodell servertyp server_modell server_typ modele modelo modello tipo");
        put(
                "price",
                "net_price nettopreis price unit_price list_price price_each cost unit_cost hourly price_per_hour hourly_price on_demand on_demand_price"
                        + " monthly price_per_month monthly_cost preis einzelpreis stuckpreis listenpreis kosten prix prix_unitaire precio prezzo preco prijs cena pris"
                        + " price_usd price_eur cost_usd cost_eur price_per_unit retail_price usd eur on_demand_hourly"
                        + " linux_on_demand linux_on_demand_cost usd_per_hour price_hour");
        put(
                "currency",
                "currency currency_code price_currency ccy wahrung waehrung preiswahrung wahrungscode devise devises monnaie"
                        + " moneda divisa valuta waluta mena moeda");
        put(GROUP, "cluster datacenter site zone rack partition standort");
        put(
                "down",
                "in_maintenance_mode maintenance_mode maintenance in_maintenance under_maintenance wartungsmodus im_wartungsmodus"
                        + " wartung in_wartung mode_maintenance en_mode_maintenance en_maintenance mode_de_maintenance"
                        + " mantenimiento en_mantenimiento modo_mantenimiento modo_de_mantenimiento en_modo_mantenimiento"
                        + " manutenzione in_manutenzione modalita_manutenzione modalita_di_manutenzione manutencao em_manutencao"
                        + " modo_de_manutencao onderhoud onderhoudsmodus in_onderhoud");
        put(
                "state",
                "state status connection_state power_state availability zustand verbindungszustand etat estado stato stav stan toestand tillstand");
        put("kind", "type");
    }

    /** The meaning of a column that says how long after its order a server is delivered. */
    static final String LEAD = "lead";

    /** Units of that, a group each: working days, days, weeks, months. */
    static final String LEAD_UNITS = "((?:working|business|work)_days?|arbeitstage?n?|werktage?n?)"
            + "|(d|days?|tage?n?|jours?|dias?|giorn[oi]|dag(?:en)?)"
            + "|(w|wks?|weeks?|wo|wochen?|semaines?|semanas?|settiman[ae]|week|weken)"
            + "|(months?|monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?)";

    private static final Pattern LEAD_TIME = Pattern.compile(
            "(lead_?times?|delivery(_lead)?_?time|lieferzeit(en)?|lieferfrist|delai(_de)?_livraison|delai|plazo_de_entrega"
                    + "|tempo_di_consegna|prazo_de_entrega|levertijd|delivery(?=_))(_in)?(_(" + LEAD_UNITS + "))?");
    /** What is said of each socket is not all. */
    private static final Pattern PER = Pattern.compile(
            "(num_)?(cpu_)?(cores?|kerne|coeurs|nucleos|kernen|jadra|rdzenie|karnor|core)(_(per|pro|je|par|por|na|p))?"
                    + "_(cpu|sockets?|processor|proc|sockel|prozessor|processeur|procesador|processore|processador)");

    /** What a system sees of cores whose threads it counts. */
    private static final Pattern LOGICAL = Pattern.compile("(.*_)?(threads|logical_(cpus|processors|processor_count))");

    private static final Pattern PRICE = Pattern.compile(
            "\\b(\\w*preis\\w*|prices?|prix|precio|prezzo|preco|prijs|cena|pris|costs?|coste|costo|cout|tarif|\\w*kosten)\\b");

    private static final Pattern PURCHASE = Pattern.compile(
            "(?i)\\b(discounts?|\\w*rabatt|remise|sconto|descuento|in stock|stock|\\w*bestand|auf lager|verfugbar"
                    + "|max (quantity|qty|number|anzahl|stuck)|licen[cs]es?|lizenz(en)?)\\b");
    private static final Pattern END = Pattern.compile(
            "(?i)\\b(end of (life|support|service|lease|warranty)|eol|eos|retires?|retirement|decommission(ed)?|lease end"
                    + "|supportende|ende (support|wartung|leasing)|ausserbetriebnahme)\\b");

    private static final Pattern CURRENCY =
            Pattern.compile("(?<![\\p{L}\\p{N}])(" + String.join("|", PriceWords.codes()) + ")(?![\\p{L}\\p{N}])");
    /** Codes of currencies that are words, too, of seconds or of drawings: only in capitals are they meant. */
    private static final Pattern ALSO_WORDS =
            Pattern.compile("(?<![\\p{L}\\p{N}])([Ss]ek|[Cc]ad|[Nn]ok)(?![\\p{L}\\p{N}])");

    private static final Pattern TIME =
            Pattern.compile("\\b(time|uptime|boot|booted|\\w*zeit|duration|dauer|seconds|sekunden)\\b");

    /** What is of the VMs of a server, or given to them, in the words of a column's name. */
    private static final Pattern OF_VMS = Pattern.compile(
            "\\b(vms?|virtual machines?|virtuelle maschinen?|machines? virtuelles?|maquinas? virtual(es)?"
                    + "|allocated|assigned|provisioned|committed|granted|consumed|used|in use|zugewiesen\\w*|vergeben\\w*"
                    + "|belegt\\w*|genutzt\\w*|allouee?s?|asignad[ao]s?)\\b");
    /** How many VMs it has. */
    private static final Pattern VMS =
            Pattern.compile("\\b(vms|virtual machines|virtuelle maschinen|vm count|(num|number of|anzahl) vm)\\b");
    /** Of a VM; or of a server that is one itself, as in lists of sizes to rent. */
    private static final Pattern VIRTUAL =
            Pattern.compile("\\b(v ?(cpus?|ram|mem|memory)|virtual (cpus?|memory|ram))\\b");
    /** As OpenStack shows what a server has beside how much of it is in use. */
    private static final Pattern VIRTUAL_IN_USE = Pattern.compile("\\bv ?cpus? used\\b|\\bused v ?cpus?\\b");

    private static final Pattern RANGES = Pattern.compile("\\[([^\\]]*)\\]");

    /** The meaning of a column that says how many cores each socket has. */
    static final String PER_SOCKET = "per";

    /** The meaning of a column that says at which site a server is. */
    static final String SITE = "site";

    private OwnHosts() {}

    private static void put(String meaning, String names) {
        NAMES.put(meaning, List.of(names.split(" ", -1)));
    }

    /** What a column may be said to be. */
    static List<String> meanings() {
        return Stream.concat(Stream.of(PER_SOCKET, SITE, RowChoice.ONLY, LEAD), NAMES.keySet().stream())
                .toList();
    }

    /** Columns by what they mean: the first of its names that the table has. */
    static Map<String, String> in(List<String> header) {
        return in(header, Map.of());
    }

    /** The same where some are said ({@link SaidColumns#of}). */
    static Map<String, String> in(List<String> header, Map<String, OwnColumns.Column> said) {
        Map<String, String> found = new LinkedHashMap<>();
        said.forEach((meaning, column) -> found.put(meaning, column.name()));
        // Before cores.
        header.stream()
                .filter(column -> isPerSocket(column, header) && !found.containsValue(column))
                .findFirst()
                .ifPresent(column -> found.putIfAbsent(PER_SOCKET, column));
        if (said.containsKey(PER_SOCKET)) {
            found.putIfAbsent("cpu", "");
        }
        NAMES.forEach((meaning, names) -> {
            if (found.containsKey(meaning)) {
                return;
            }
            boolean amount = OwnColumns.AMOUNTS.contains(meaning);
            Optional<String> column = OwnColumns.find(
                    amount ? meaning : "",
                    names,
                    ColumnNames.candidates(header).stream()
                            .filter(each -> !amount || !isOfVms(each, meaning, found.getOrDefault("cpu", ""), header))
                            .filter(each -> found.entrySet().stream()
                                    .noneMatch(taken -> taken.getValue().equals(each)
                                            && !taken.getKey().equals(SITE)))
                            .toList());
            column.ifPresent(name -> found.put(meaning, name));
        });
        if (!found.containsKey("price")) {
            header.stream()
                    .filter(column -> isPrice(column) && !column.equals(found.get("currency")))
                    .findFirst()
                    .ifPresent(column -> found.put("price", column));
        }
        if (!found.containsKey(LEAD)) {
            header.stream()
                    .filter(column ->
                            LEAD_TIME.matcher(ColumnNames.words(column, "_")).matches() && !found.containsValue(column))
                    .findFirst()
                    .ifPresent(column -> found.put(LEAD, column));
        }
        if (!found.containsKey("price")) {
            found.remove("currency");
        }
        found.values().removeIf(String::isEmpty);
        // Beside cores of each socket, a number of CPUs or of processors is one of sockets.
        String cpu = said.containsKey("cpu") ? null : found.get("cpu");
        List<String> sockets = NAMES.getOrDefault("sockets", List.of());
        if (found.containsKey(PER_SOCKET)
                && !found.containsKey("sockets")
                && cpu != null
                && (ColumnNames.words(cpu, "_").matches("((num|anzahl)_)?cpus?|cpu_count")
                        || sockets.contains(ColumnNames.words(cpu, "_")))) {
            found.remove("cpu");
            found.put("sockets", cpu);
        }
        if (found.containsKey(PER_SOCKET)
                && found.containsKey("sockets")
                && cpu != null
                && LOGICAL.matcher(ColumnNames.words(cpu, "_")).matches()) {
            found.remove("cpu");
        }
        if (found.containsKey("sockets") && !found.containsKey(PER_SOCKET) && !found.containsKey("cpu")) {
            // Processors alone may be those that a system sees.
            found.put("cpu", String.valueOf(found.get("sockets")));
        }
        if (!found.containsKey(PER_SOCKET) || found.containsKey("cpu") || !found.containsKey("sockets")) {
            found.remove(PER_SOCKET);
            found.remove("sockets");
        }
        return found;
    }

    /** Whether a column has the cores of each socket: by its name, in oVirt's topology, or in Slurm's list of nodes. */
    private static boolean isPerSocket(String column, List<String> header) {
        String words = ColumnNames.words(column, "_");
        return PER.matcher(words).matches()
                || words.endsWith("topology_cores")
                || (column.equals("cores") && header.containsAll(List.of("sockets", "threads", "cpus", "real_memory")));
    }

    /** Whether a column says what the VMs of a server have, not the server. */
    private static boolean isOfVms(String column, String meaning, String cpu, List<String> header) {
        String words = ColumnNames.words(column, " ");
        if (OF_VMS.matcher(words).find()) {
            return true;
        }
        boolean hasVms = has(VMS, header) && !has(VIRTUAL_IN_USE, header);
        return VIRTUAL.matcher(words).find()
                && (hasVms
                        || (meaning.equals("mem")
                                && !VIRTUAL.matcher(ColumnNames.words(cpu, " ")).find()));
    }

    private static boolean has(Pattern pattern, List<String> header) {
        return header.stream()
                .anyMatch(column ->
                        pattern.matcher(ColumnNames.words(column, " ")).find());
    }

    /** Whether a column that is not used may decide all the same what is bought, or which servers stay. */
    static boolean mayDecide(String column, boolean priced) {
        String words = ColumnNames.words(column, " ");
        return priced
                ? (isPrice(column) && !words.contains("cost cent"))
                        || PURCHASE.matcher(words).find()
                : END.matcher(words).find();
    }

    private static boolean isPrice(String column) {
        String words = ColumnNames.words(column, " ");
        return PRICE.matcher(words).find()
                || (CURRENCY.matcher(ALSO_WORDS.matcher(column).replaceAll("").toUpperCase(Locale.ROOT))
                                .find()
                        && !TIME.matcher(words).find());
    }

    /**
     * The servers that a name stands for, as Slurm writes it: 129 for {@code n[001-128],m1}; any other is one name.
     *
     * @param ofHosts whether these are surely names of servers, so that commas alone part them
     */
    static List<String> named(String name, boolean ofHosts) {
        if (ofHosts && name.matches("[A-Za-z][\\w.-]*(,[A-Za-z][\\w.-]*)+")) {
            return List.of(name.split(",", -1));
        }
        if (!name.matches("[^\\[\\]]*(\\[\\d+(-\\d+)?(,\\d+(-\\d+)?)*\\][^\\[\\]]*)+")) {
            return List.of(name);
        }
        List<String> all = new ArrayList<>();
        for (String each : name.split(",(?![^\\[]*\\])", -1)) {
            expand(each, all);
        }
        return all;
    }

    private static void expand(String name, List<String> all) {
        Matcher ranges = RANGES.matcher(name);
        if (!ranges.find()) {
            all.add(name);
            return;
        }
        for (String range : String.valueOf(ranges.group(1)).split(",", -1)) {
            String[] ends = range.split("-", -1);
            long last = Long.parseLong(ends[ends.length - 1]);
            for (long i = Long.parseLong(ends[0]); i <= last; i++) {
                String number = String.format(Locale.ROOT, "%0" + ends[0].length() + "d", i);
                expand(name.substring(0, ranges.start()) + number + name.substring(ranges.end()), all);
                if (all.size() > MOST_IN_A_ROW) {
                    throw new TraceException("'" + name + "' stands for more than "
                            + String.format(Locale.ROOT, "%,d", MOST_IN_A_ROW) + " servers");
                }
            }
        }
    }

    /** Servers of which there were rows: one in several rows that have the same, as of partitions, is one server. */
    static final class Seen {
        /** What stands in place of a name. */
        private static final Pattern NO_NAME =
                Pattern.compile("(?i)[^\\p{L}\\p{N}]*|tb[acd]|n/?a|none|null|nil|unknown|unnamed|unbekannt|inconnu"
                        + "|localhost([.]localdomain)?");

        private final Set<List<Object>> all = new HashSet<>();
        private final Set<String> again = new LinkedHashSet<>();

        /** How many of these are new, of whom all is the same. */
        long add(List<String> names, Object... same) {
            long added = 0;
            for (String name : names) {
                if (NO_NAME.matcher(name.strip()).matches() || all.add(List.of(name, List.of(same)))) {
                    added++;
                } else {
                    again.add(name);
                }
            }
            return added;
        }

        /** What is said of them; empty if there are none. */
        Optional<String> note(String column) {
            return again.isEmpty()
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "servers in more than one row with the same amounts count once (%s): %,d, the first %s",
                            column,
                            again.size(),
                            again.iterator().next()));
        }
    }

    /** Names of columns, and what may be meant where a letter is wrong. */
    static String there(List<String> header, Map<String, List<String>> names) {
        List<String> known = names.values().stream().flatMap(List::stream).toList();
        List<String> longer = known.stream().filter(name -> name.length() > 3).toList();
        return header.stream()
                .map(column -> {
                    String name = ColumnNames.words(column, "_");
                    boolean exact = known.contains(name) || known.contains(name.replaceFirst("_[^_]*$", ""));
                    return column + (exact ? "" : ColumnNames.near(name, longer));
                })
                .collect(Collectors.joining(", "));
    }

    /** What the option says. */
    static Map<String, OwnColumns.Column> said(String said, List<String> header) {
        return SaidColumns.of("--server-columns", said, header, meanings(), "", OwnHosts::readAs);
    }

    /** How the beginning of a message says which columns need not be named; empty where nothing is guessed. */
    static String readAs(List<String> header) {
        return in(header).entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .reduce((some, more) -> some + "," + more)
                .map(all -> "the columns are read as " + all + "; ")
                .orElse("");
    }

    /** Why a table is not taken for a list of servers. */
    static String whyNot(List<String> header) {
        return readAs(header) + "it needs columns for cores and memory, or for one of them and the name. Found: "
                + there(header, NAMES)
                + ". Names that are known, in other languages too: Cores, or Sockets and Cores per socket; Memory or RAM,"
                + " with its unit; Host; Count";
    }

    /** Whether a table that is said to be a list of servers has what is needed; its rows may be without names. */
    static boolean hold(List<String> header) {
        Map<String, String> found = in(header);
        return suffice(header)
                || ((found.containsKey("cpu") || found.containsKey(PER_SOCKET)) && found.containsKey("mem"));
    }

    /** Whether a table that is none of requests is a list of servers, because nothing in it is a time of a request. */
    static boolean only(List<String> header) {
        return suffice(header)
                && !OwnColumns.suffice(header)
                && Collections.disjoint(
                        OwnColumns.guessed(Map.of(), Set.of(), header).keySet(), OwnColumns.TIMES);
    }

    /** Whether a table has names or counts of servers and what each has. */
    static boolean suffice(List<String> header) {
        Map<String, String> found = in(header);
        return (found.containsKey("cpu") || found.containsKey(PER_SOCKET) || found.containsKey("mem"))
                && (found.containsKey("name") || found.containsKey("count"));
    }

    /**
     * Servers must be at a site where a column says which.
     *
     * @param column empty where none does
     * @param without names of those that have none
     * @param all how many there are
     */
    static void checkSites(String column, List<String> without, int all) {
        if (without.isEmpty()) {
            return;
        }
        if (without.size() == all) {
            throw new TraceException(
                    ServerList.NO_SITES + " " + column + ", which says at which site a server is. Fill it in");
        }
        boolean one = without.size() == 1;
        String names = without.stream()
                .limit(MOST_NAMED)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
        throw new TraceException(String.format(
                Locale.ROOT,
                "%,d %s nothing in column %s, which says at which site a server is%s%s. Fill it in, or take %s off the list",
                without.size(),
                one ? "server has" : "servers have",
                column,
                names.isEmpty() ? "" : ": " + names,
                !names.isEmpty() && without.size() > MOST_NAMED
                        ? " and " + (without.size() - MOST_NAMED) + " more"
                        : "",
                one ? "that server" : "these servers"));
    }
}
