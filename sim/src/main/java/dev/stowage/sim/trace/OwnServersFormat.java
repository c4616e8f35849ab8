package dev.stowage.sim.trace;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.result.Remark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A list of servers of any shape: its columns are guessed from their names. */
final class OwnServersFormat extends ServerFormat {
    private static final String SOCKETS = "sockets";
    private static final String MEM_SPEC_LIMIT = "MemSpecLimit";
    private static final long MOST = 1_000_000_000L;
    private static final Pattern VM = Pattern.compile("vm|vm_?name|virtual_machine|virtuelle_maschine|guest(_name)?");

    private static final Pattern CLUSTER = Pattern.compile("(?i)cluster");
    private static final Pattern SITE = Pattern.compile("(?i)data.?cent|site|zone|rack|standort");

    /** Whether the rows are sizes, of which one may be listed for each zone. */
    private final boolean sizes;

    OwnServersFormat() {
        this(false);
    }

    OwnServersFormat(boolean sizes) {
        super(
                OwnFormat.KEY,
                "any list of servers, its columns guessed from their names",
                "your own",
                List.of(
                        optional(
                                "name",
                                "name of the server: host, hostname, node, ...; kept if all names differ and have only"
                                        + " letters, digits and . _ / + -"),
                        optional("count", "number of such servers, whole; no column = 1"),
                        optional(
                                "cpu",
                                "cores, or logical processors if there is no such column; or sockets times cores of"
                                        + " each"),
                        optional(
                                "mem",
                                "memory; its unit is after the value, at the end of the name, or guessed from the values"),
                        optional("gpu", "number of GPUs; Slurm's gpu:4"),
                        optional(
                                "model",
                                "model of the server, or name of the size: what its kind is called, where each kind has one"),
                        optional(
                                "price",
                                "price of one server, with or without a currency: for servers to be bought, or of one in use"
                                        + " (metric cost_mean)"),
                        optional("currency", "currency of the price of the same row"),
                        optional("lead", "time from the order of such a server until it is delivered, with its unit"),
                        optional(
                                "cluster",
                                "cluster, datacenter, partition, ...: counted and reported, not kept unless named as"
                                        + " the site"),
                        optional(
                                RowChoice.ONLY,
                                "only the rows with this value are read: only=Cluster:prod; only if --server-columns names"
                                        + " it"),
                        optional(
                                "state",
                                "servers that are down, drained or in maintenance are not counted, nor, with a warning,"
                                        + " those whose state is not known; a column of maintenance says yes or no:"
                                        + " anything else is a warning, and the server counts")),
                new FormatSetting(
                        OwnFormat.COLUMNS,
                        "",
                        "which column is which, such as cpu=Kerne,mem=RAM:GiB,name=Host,site=Datacenter; others are"
                                + " guessed from names, except site (where a server is); count= means that there is no"
                                + " such column"),
                RowChoice.IN,
                RowChoice.WITH);
        this.sizes = sizes;
    }

    @Override
    public String recognisedBy() {
        return "names of columns for cores and memory, or for one of them and a name or a count, and no other format"
                + " recognizes the file";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.kind() != FileHead.Kind.SQLITE && OwnHosts.hold(OwnColumns.header(head));
    }

    @Override
    List<String> guessed() {
        return names();
    }

    @Override
    Rows open(Source source, Settings chosen) {
        return source.kind() == FileHead.Kind.TEXT ? source.table(null) : super.open(source, chosen);
    }

    @Override
    Mapper mapper(Reading reading) {
        return new HostMapper(reading, sizes);
    }

    private static final class HostMapper implements Mapper {
        private final ReportBuilder report;
        private final Map<String, OwnColumns.Column> said;
        private final Map<String, String> found;
        private final OwnValues values;
        private final List<String> header;
        private final Map<String, Integer> places = new LinkedHashMap<>();
        private final Map<String, String> units = new LinkedHashMap<>();
        private final List<String> amounts;
        private final RowSums sums;
        private final boolean mixed;
        private final HostPrices prices;
        /** -1 where all are at one site. */
        private final int site;
        /** Whether the cores are sockets times cores of each. */
        private final boolean sockets;

        private long ranges;
        private final List<String> withoutSite = new ArrayList<>();
        private final PowerStates.OfHosts states;
        private final OwnHosts.Seen seen = new OwnHosts.Seen();
        /** Slurm's memory of a node that jobs do not get, in MiB; -1 if there is none. */
        private final int kept;
        /** Whether the names are those of servers, and a row is no VM and no offer. */
        private final boolean hosts;
        /** Whether a server may be in several groups. */
        private final boolean partitions;

        private final UnitsOfNames unitsOfNames = new UnitsOfNames();
        private final List<ListedHost> rows = new ArrayList<>();
        private final Map<String, Long> groups = new TreeMap<>();
        private final ServerListBuilder servers;

        HostMapper(Reading reading, boolean sizes) {
            report = reading.report();
            header = reading.layout().columns();
            said = OwnHosts.said(reading.setting(OwnFormat.COLUMNS), header);
            found = OwnHosts.in(header, said);
            found.forEach((meaning, column) -> places.put(meaning, reading.column(column)));
            if (said.containsKey(RowChoice.ONLY)) {
                units.put(RowChoice.ONLY, said.get(RowChoice.ONLY).unit());
            }
            site = place(OwnHosts.SITE);
            amounts = OwnColumns.AMOUNTS.stream()
                    .filter(meaning -> found.containsKey(meaning)
                            || (meaning.equals("cpu") && found.containsKey(OwnHosts.PER_SOCKET)))
                    .toList();
            sums = new RowSums(amounts.size() + 1, 3);
            sockets = found.containsKey(OwnHosts.PER_SOCKET) && !found.containsKey("cpu");
            List<Integer> numeric = Stream.concat(amounts.stream(), Stream.of("price"))
                    .filter(places::containsKey)
                    .map(places::get)
                    .toList();
            try (Rows again = reading.again().get()) {
                values = new OwnValues(again, CsvRows.separatorOf(again), numeric);
            }
            prices = new HostPrices(found, this::place, values);
            states = new PowerStates.OfHosts(found.getOrDefault("down", ""), found.getOrDefault("state", ""));
            int perSocket = place(OwnHosts.PER_SOCKET);
            double cores =
                    values.usual(place(sockets ? SOCKETS : "cpu")) * (perSocket < 0 ? 1 : values.usual(perSocket));
            for (String meaning : amounts) {
                String column = found.get(meaning);
                OwnColumns.Column its = said.get(meaning);
                String named = its != null ? its.unit() : column == null ? "" : OwnUnits.ofName(meaning, column);
                units.put(meaning, named.isEmpty() ? usual(meaning) : named);
                if (meaning.equals("mem")) {
                    values.decideByMemory(place(meaning), named, cores).ifPresent(report::note);
                }
                if (meaning.equals("mem") && named.isEmpty()) {
                    units.put(meaning, OwnUnits.memoryBeside(cores, values.usual(place(meaning)), usual(meaning)));
                }
            }
            mixed = places.containsKey("kind") && values.texts(place("kind")).contains("node");
            hosts = sizes
                    || (ListedHost.areHosts(found.getOrDefault("name", ""))
                            && !found.containsKey("price")
                            && (mixed || columnOfVms().isEmpty()));
            partitions = sizes
                    || ColumnNames.words(found.getOrDefault(OwnHosts.GROUP, ""), "_")
                            .matches("partitions?");
            kept = header.contains(MEM_SPEC_LIMIT) && "RealMemory".equals(found.get("mem"))
                    ? reading.column(MEM_SPEC_LIMIT)
                    : -1;
            servers = new ServerListBuilder(
                    amounts.stream().map(OwnColumns::resource).toList());
        }

        private int place(String meaning) {
            return places.getOrDefault(meaning, -1);
        }

        /** Of a server: 512 is GiB, 16384 is MiB. */
        private String usual(String meaning) {
            double value = values.usual(place(meaning));
            return switch (meaning) {
                case "mem", "disk" -> value >= 1L << 28 ? "B" : value >= 8192 ? "MiB" : "GiB";
                default -> value >= 1000 ? "milli" : meaning.equals("gpu") ? OwnUnits.GPUS : "cores";
            };
        }

        @Override
        public void map(Fields row) {
            if (mixed && !row.text(place("kind")).equals("node")) {
                row.setAside("no server (" + found.get("kind") + " is not node)");
                return;
            }
            String name = text(row, "name");
            if (RowSums.isSum(name)) {
                row.setAside("a sum of other rows (" + found.get("name") + ")");
                return;
            }
            if (name.equals(found.get("name"))) {
                row.setAside("the names of the columns again");
                return;
            }
            if (amounts.stream().map(this::column).allMatch(row::blank)) {
                row.setAside("neither cores nor memory there");
                return;
            }
            String out = states.leavesOut(text(row, "down"), text(row, "state"), name);
            if (!out.isEmpty()) {
                row.setAside(out);
                return;
            }
            int at = place("count");
            List<String> named = OwnHosts.named(name, hosts);
            long many = at < 0 ? named.size() : row.whole(at);
            ranges += at < 0 && many > 1 ? 1 : 0;
            if (many < 1 || many > MOST) {
                throw row.bad(at < 0 ? place("name") : at, "is out of range", "1 to " + MOST);
            }
            String group = text(row, "group");
            List<Long> capacity = new ArrayList<>();
            for (String meaning : amounts) {
                capacity.add(amount(row, meaning));
            }
            double price = prices.of(row);
            String where =
                    row.blank(site) ? ServerList.DEFAULT_SITE : row.text(site).strip();
            long listed = many;
            if (hosts && !name.isEmpty() && many == named.size()) {
                many = seen.add(named, capacity, where, partitions ? "" : group);
            }
            RowSums.Called called =
                    places.get("name") == null ? RowSums.Called.NAME : RowSums.called(row, name, header.size());
            if (sums.are(capacity, price, called, many, listed - many)) {
                row.setAside("a sum of the rows above (" + (name.isEmpty() ? "no " : "") + found.get("name") + ")");
                return;
            }
            groups.merge(group, partitions ? listed : many, Long::sum);
            if (many == 0) {
                row.setAside("its servers are in a row above, with the same amounts (" + found.get("name") + ")");
                return;
            }
            String model = text(row, "model");
            // A list of other things, too, says by the type what is a server.
            String kind = model.isEmpty() && !mixed ? text(row, "kind") : model;
            if (site >= 0 && row.blank(site)) {
                withoutSite.add(name);
            }
            rows.add(new ListedHost(
                    where,
                    many,
                    capacity,
                    many == 1 ? name : "",
                    kind.isEmpty() ? name : kind,
                    price,
                    prices.days(row)));
        }

        private Optional<String> columnOfVms() {
            return header.stream()
                    .filter(column -> VM.matcher(ColumnNames.words(column, "_")).matches())
                    .findFirst();
        }

        private String text(Fields row, String meaning) {
            int column = place(meaning);
            return column < 0 ? "" : row.text(column).strip();
        }

        private int column(String meaning) {
            return meaning.equals("cpu") && sockets ? place(SOCKETS) : place(meaning);
        }

        private long amount(Fields row, String meaning) {
            int column = column(meaning);
            if (meaning.equals("gpu") && !row.text(column).strip().matches("[0-9.,]+")) {
                return OwnValues.gpus(row, column);
            }
            // sinfo: of nodes that differ, the least.
            String text = row.text(column).strip();
            if (text.isEmpty() && meaning.equals("disk")) {
                return 0;
            }
            OwnValues.Value value = text.matches("[0-9]+\\+")
                    ? new OwnValues.Value(text.substring(0, text.length() - 1), "")
                    : OwnUnits.isWhole(meaning, unit(meaning, text))
                            ? values.ofWhole(row, column)
                            : meaning.equals("mem")
                                    ? values.ofMemory(row, column, "--server-columns", found.getOrDefault("mem", ""))
                                    : values.of(row, column);
            String its =
                    value.unit().isEmpty() ? units.getOrDefault(meaning, "") : OwnUnits.after(meaning, value.unit());
            if (its.isEmpty()) {
                throw values.unknownUnit(row, column);
            }
            unitsOfNames.read(meaning, found.getOrDefault(meaning, ""), its, text);
            OwnUnits.Unit unit = OwnUnits.unit(meaning, its);
            long each = row.capacity(column, value.number(), unit.factor(), unit.divisor());
            if (meaning.equals("mem") && !row.blank(kept)) {
                each = Math.max(0, each - row.whole(kept));
            }
            boolean perSocket = meaning.equals("cpu") && sockets;
            return perSocket ? row.times(each, row.whole(place(OwnHosts.PER_SOCKET)), column) : each;
        }

        private String unitOf(String meaning, String before) {
            String unit = found.containsKey(meaning) ? units.get(meaning) : null;
            return unit == null ? "" : before + unit;
        }

        private String unit(String meaning, String text) {
            String after = OwnValues.unitOf(text);
            return after.isEmpty() ? units.getOrDefault(meaning, "") : OwnUnits.after(meaning, after);
        }

        @Override
        public ServerListBuilder servers() {
            return servers;
        }

        @Override
        public void finish() {
            OwnHosts.checkSites(found.getOrDefault(OwnHosts.SITE, ""), withoutSite, rows.size());
            List<ListedHost> hosts =
                    new ArrayList<>(ListedHost.oneKindEach(rows, amounts.indexOf("mem"), report::note));
            Set<String> names = new HashSet<>();
            boolean named = hosts.stream().allMatch(host -> isWord(host.name()) && names.add(host.name()));
            hosts.sort(Comparator.comparing(ListedHost::capacity, HostMapper::compare)
                    .reversed());
            hosts.forEach(host -> servers.add(
                    host.site(),
                    host.count(),
                    host.capacity(),
                    named ? host.name() : "",
                    host.labels(prices.currency()),
                    prices.has() ? host.kind() : host.model(),
                    host.price()));
            unitsOfNames.warnings().forEach(report::warn);
            prices.warning().ifPresent(report::warn);
            report.columns(
                    found.entrySet().stream()
                            .map(each -> each.getKey().equals(RowChoice.ONLY)
                                    ? RowChoice.words(Objects.requireNonNull(said.get(each.getKey())))
                                    : each.getKey() + " = " + each.getValue() + unitOf(each.getKey(), " in ")
                                            + (said.containsKey(each.getKey()) ? "" : " (guessed)"))
                            .collect(Collectors.joining(", ")),
                    "--server-columns",
                    found.entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue() + unitOf(each.getKey(), ":"))
                            .collect(Collectors.joining(",")));
            if (ranges > 0) {
                report.note("names such as n[001-128] stand for several servers: " + ranges
                        + (ranges == 1 ? " row" : " rows"));
            }
            if (groups.size() > 1 && place("group") != site) {
                String column = found.get("group");
                boolean clusters = CLUSTER.matcher(column).find();
                String rest = clusters
                        ? " ('stowage size --by-cluster' answers for each): "
                        : SITE.matcher(column).find()
                                ? ", and the loss of all in one is not covered (--spare-site=\"" + column
                                        + "\" covers it): "
                                : ": ";
                report.note(new Remark(
                        clusters ? Remark.Kind.WARNING : Remark.Kind.NAMED,
                        column + " is ignored, any request may run on any server" + rest
                                + groups.entrySet().stream()
                                        .map(each -> (each.getKey().isEmpty() ? "(none)" : each.getKey()) + " "
                                                + String.format(Locale.ROOT, "%,d", each.getValue()))
                                        .collect(Collectors.joining(", "))));
            }
            states.finish(report);
            if (kept >= 0) {
                report.note(MEM_SPEC_LIMIT + " is subtracted from " + found.get("mem"));
            }
            seen.note(found.getOrDefault("name", "")).ifPresent(report::note);
            // Where they have prices, a row is an offer.
            Optional<String> again =
                    place("price") < 0 ? ListedHost.again(rows, found.getOrDefault("name", "")) : Optional.empty();
            again.ifPresent(report::warn);
            if (!mixed && (again.isPresent() || !found.containsKey("name"))) {
                columnOfVms()
                        .ifPresent(column -> report.warn("column " + column + ": these look like virtual machines, not"
                                + " servers: are two files swapped?"));
            }
            boolean priced = place("price") >= 0;
            String beside = header.stream()
                    .filter(column -> !found.containsValue(column) && OwnHosts.mayDecide(column, priced))
                    .filter(column -> !values.texts(header.indexOf(column)).isEmpty())
                    .collect(Collectors.joining(", "));
            if (!beside.isEmpty()) {
                report.warn("not used, though it may decide " + (priced ? "what is bought: " : "which servers stay: ")
                        + beside);
            }
            warn("cpu");
            warn("mem");
            sums.warning(found.getOrDefault("name", "")).ifPresent(report::warn);
            warnOfMemory();
            int cpu = amounts.indexOf("cpu");
            int mem = amounts.indexOf("mem");
            if (cpu >= 0 && mem >= 0 && !sockets) {
                ListedHost.sockets(rows, cpu, mem, found.getOrDefault("cpu", ""))
                        .ifPresent(report::warn);
            }
        }

        private void warnOfMemory() {
            int cpu = amounts.indexOf("cpu");
            int mem = amounts.indexOf("mem");
            if (cpu >= 0 && mem >= 0) {
                OwnUnits.MemoryPerCpu memory = new OwnUnits.MemoryPerCpu();
                rows.forEach(host -> memory.add(
                        host.name(),
                        host.count(),
                        host.capacity().get(cpu),
                        host.capacity().get(mem)));
                memory.warnings(
                                "rows",
                                true,
                                "--server-columns",
                                found.getOrDefault("mem", ""),
                                units.getOrDefault("mem", ""))
                        .forEach(report::warn);
            }
        }

        private void warn(String meaning) {
            if (!amounts.contains(meaning)) {
                if (!said.containsKey(meaning)) {
                    report.unseen(
                            meaning.equals("mem") ? "memory" : meaning,
                            ": only "
                                    + String.join(", ", amounts) + " counts; to name it: --server-columns " + meaning
                                    + "=COLUMN, or " + meaning + "= if there is none");
                }
                return;
            }
            if (meaning.equals("mem") && amounts.contains("cpu")) {
                return;
            }
            int r = amounts.indexOf(meaning);
            long most = meaning.equals("cpu") ? 2_048_000 : 64L << 20;
            long least = meaning.equals("cpu") ? 500 : 1024;
            rows.stream()
                    .filter(host ->
                            host.capacity().get(r) > most || host.capacity().get(r) < least)
                    .findFirst()
                    .ifPresent(host -> report.warn(String.format(
                            Locale.ROOT,
                            "a server has %s: is the unit of column %s right? (GB or MB at the end of its name, or after the values)",
                            ResourceWords.amount(
                                    OwnColumns.resource(meaning),
                                    host.capacity().get(r)),
                            found.get(meaning))));
        }

        private static boolean isWord(@Nullable String name) {
            return name != null && name.matches("[A-Za-z0-9]([A-Za-z0-9._/+-]{0,251}[A-Za-z0-9])?");
        }

        private static int compare(List<Long> one, List<Long> other) {
            for (int r = 0; r < one.size(); r++) {
                int order = Long.compare(one.get(r), other.get(r));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }
    }
}
