package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the sizes of a catalogue hold: flavours, instance types. The catalogue is any list of servers. */
final class OwnSizes {
    /** Google Cloud's sizes that are made to measure say what they hold. */
    private static final Pattern CUSTOM = Pattern.compile("(\\w+-)?custom-(?<cpu>\\d{1,4})-(?<mib>\\d{1,9})(-ext)?");

    private final String file;
    private final List<String> resources;
    private final Map<String, List<Long>> byName = new HashMap<>();
    private final Specs specs = new Specs();

    OwnSizes(Path file) {
        this.file = file.toString();
        Source source = SourceFiles.find(List.of(file), Documents.Purpose.SERVERS, null);
        if (source.document() != null) {
            specs.read(source.documentRows());
        } else if (source.kind() == FileHead.Kind.TEXT) {
            try (Rows rows = source.table(null)) {
                specs.read(rows);
            }
        }
        ServerList catalogue = new TableReader<ServerFormat, ServerFormat.Mapper>(
                        List.of(new OwnServersFormat(true)),
                        ReadOptions.defaults().withFormat(OwnFormat.KEY),
                        Documents.Purpose.SERVERS)
                .read(
                        List.of(file),
                        ServerFormat::mapper,
                        mapper -> mapper.servers().servers())
                .mapper()
                .servers()
                .build();
        resources = catalogue.resources();
        for (ServerList.Block block : catalogue.blocks()) {
            if (block.names().isEmpty()) {
                throw TraceException.of(
                        file, "is not a catalog of sizes: each row needs a name of its own, such as m5.large");
            }
            block.names().forEach(name -> byName.put(name.toLowerCase(Locale.ROOT), block.capacity()));
        }
    }

    /** Resources of which the sizes have amounts, as meanings of columns. */
    List<String> meanings() {
        return OwnColumns.AMOUNTS.stream()
                .filter(meaning ->
                        List.of("cpu", "mem").contains(meaning) && resources.contains(OwnColumns.resource(meaning)))
                .toList();
    }

    private static String name(Fields row, int column) {
        String text = row.text(column).strip();
        return text.substring(text.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }

    /** Counts requests of the size named in a field. */
    void count(Fields row, int column, long requests) {
        specs.count(name(row, column), requests);
    }

    /** What of these sizes is not looked at. */
    Optional<String> warning() {
        return specs.warning();
    }

    /** Amount of a resource that the size named in a field holds; the end of a path is its name. */
    long amount(Fields row, int column, String meaning) {
        String name = name(row, column);
        @Nullable List<Long> size = byName.get(name);
        Matcher custom = CUSTOM.matcher(name);
        if (size == null && custom.matches()) {
            return meaning.equals("cpu")
                    ? 1000 * Long.parseLong(custom.group("cpu"))
                    : Long.parseLong(custom.group("mib"));
        }
        if (size == null) {
            String near = byName.keySet().stream()
                    .filter(each -> Spelling.isNear(name, each))
                    .sorted()
                    .findFirst()
                    .map(each -> " (did you mean '" + each + "'?)")
                    .orElse("");
            throw row.bad(column, "is not a size of " + file + near, "one of its " + byName.size() + " names");
        }
        return size.get(resources.indexOf(OwnColumns.resource(meaning)));
    }

    /** Extra specs of OpenStack's flavors: what they ask of a host beside cores, memory and disk is not counted. */
    private static final class Specs {
        private static final int MOST_NAMED = 6;

        /** Where the command line shows them, and where the API does. */
        private static final Pattern COLUMN = Pattern.compile("(?:Properties|extra_specs)(?:\\.(?<key>.+))?");

        /** Where all of them are one text: {@code 'hw:cpu_policy': 'dedicated'}, {@code hw:cpu_policy='dedicated'}. */
        private static final Pattern PAIR =
                Pattern.compile("(?<key>[\\w:.-]+)['\"]?\\s*[:=]\\s*['\"](?<value>[^'\"]*)['\"]");

        /** Those that say which hosts are possible or what more is asked of one. */
        private static final Pattern ASKS = Pattern.compile("(resources|trait)\\w*:.+|aggregate_instance_extra_specs:.+"
                + "|pci_passthrough:alias|accel:device_profile|capabilities:.+"
                + "|hw:(mem_page_size|mem_encryption|numa_nodes|pmem|cpu_policy=(dedicated|mixed))");

        private static final Pattern DEDICATED = Pattern.compile("hw:cpu_policy=.+|resources\\w*:PCPU");

        private final Map<String, Set<String>> byFlavor = new HashMap<>();
        private final Map<String, Long> asked = new TreeMap<>();

        /** Reads a list of flavors. */
        void read(Rows rows) {
            List<String> header = rows.header();
            int name = header.indexOf(header.contains("Name") ? "Name" : "name");
            while (name >= 0 && rows.next()) {
                Set<String> specs = new TreeSet<>();
                for (int i = 0; i < Math.min(header.size(), rows.fieldCount()); i++) {
                    Matcher column = COLUMN.matcher(header.get(i));
                    if (column.matches()
                            && column.group("key") != null
                            && !rows.field(i).isEmpty()) {
                        add(column.group("key"), rows.field(i), specs);
                    } else if (column.matches()) {
                        PAIR.matcher(rows.field(i)).results().forEach(pair -> add(pair.group(1), pair.group(2), specs));
                    }
                }
                byFlavor.put(rows.field(name).toLowerCase(Locale.ROOT), specs);
            }
        }

        private static void add(String key, String value, Set<String> specs) {
            String spec = key.equals("hw:cpu_policy") ? key + "=" + value : key;
            if (ASKS.matcher(spec).matches() && !value.equals("0")) {
                specs.add(spec);
            }
        }

        /** Counts servers of a flavor. */
        void count(String flavor, long servers) {
            byFlavor.getOrDefault(flavor, Set.of()).forEach(spec -> asked.merge(spec, servers, Long::sum));
        }

        /** What is not counted, and of how many servers; empty where nothing is. */
        Optional<String> warning() {
            if (asked.isEmpty()) {
                return Optional.empty();
            }
            String named = asked.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                    .limit(MOST_NAMED)
                    .map(each -> String.format(
                            Locale.ROOT,
                            "%s (%,d %s)",
                            each.getKey(),
                            each.getValue(),
                            each.getValue() == 1 ? "server" : "servers"))
                    .collect(Collectors.joining(", "));
            int more = asked.size() - MOST_NAMED;
            return Optional.of("extra specs of flavors are ignored here, 'stowage openstack advise' obeys them: "
                    + named
                    + (more > 0 ? " and " + more + " more" : "")
                    + (asked.keySet().stream()
                                    .anyMatch(spec -> DEDICATED.matcher(spec).matches())
                            ? "; dedicated CPUs share no core, so with --overcommit the answer is too low for these"
                            : ""));
        }
    }
}
