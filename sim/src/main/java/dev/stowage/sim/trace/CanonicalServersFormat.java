package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Stowage's own server list: one row is a block of equal servers. */
final class CanonicalServersFormat extends ServerFormat {
    private static final String LABEL = "label:";
    private static final long MAX_SERVERS = 1_000_000_000L;

    CanonicalServersFormat() {
        super(
                "canonical",
                "Stowage's own server list",
                "docs/traces.md of this project",
                List.of(
                        optional("site", "name of the site; blank or no column = " + ServerList.DEFAULT_SITE),
                        optional("count", "number of equal servers, whole, at least 1; no column = 1"),
                        optional("name", "name of the server, where count is 1; blank = none"),
                        optional(LABEL + "<key>", "value of a label, as in label:zone; blank = no such label"),
                        optional("cpu_milli", "CPU of each server, thousandths of a core"),
                        optional("mem_mib", "memory of each server, MiB"),
                        optional("gpu_milli", "GPUs of each server, thousandths"),
                        optional(
                                "<name>_<unit>",
                                "any other resource; units: " + String.join(", ", ResourceColumns.UNITS))));
    }

    @Override
    public String recognisedBy() {
        return "a resource column such as cpu_milli, no arrival_s, and no other format recognizes the file";
    }

    @Override
    boolean recognises(FileHead head) {
        Map<String, String> own = OwnHosts.in(head.columns());
        boolean plain = Stream.of("cpu", "mem")
                .map(own::get)
                .anyMatch(column -> column != null && !ResourceColumns.isResource(column));
        return !head.names("arrival_s")
                && head.columns().stream().anyMatch(ResourceColumns::isResource)
                && !(plain && OwnHosts.suffice(head.columns()));
    }

    @Override
    Mapper mapper(Reading reading) {
        List<String> names = ResourceColumns.in(reading.layout().columns());
        if (names.isEmpty()) {
            throw ResourceColumns.none(reading.layout().columns());
        }
        int site = reading.column("site");
        int count = reading.column("count");
        int name = reading.column("name");
        List<String> labelled = reading.layout().columns().stream()
                .filter(column -> column.startsWith(LABEL))
                .toList();
        int[] labels = labelled.stream().mapToInt(reading::column).toArray();
        int[] resources = names.stream().mapToInt(reading::column).toArray();
        return new SimpleServerMapper(names) {
            @Override
            public void map(Fields row) {
                long block = count < 0 ? 1 : row.whole(count);
                if (block < 1 || block > MAX_SERVERS) {
                    throw row.bad(count, "is out of range", "1 to " + MAX_SERVERS);
                }
                List<Long> capacity = new ArrayList<>(resources.length);
                for (int column : resources) {
                    capacity.add(row.capacity(column, 1));
                }
                boolean sited = site >= 0 && !row.blank(site);
                boolean named = name >= 0 && !row.blank(name);
                if (named && block != 1) {
                    throw row.bad(name, "means " + block + " servers", "a name only where count is 1");
                }
                servers()
                        .add(
                                sited ? row.text(site) : ServerList.DEFAULT_SITE,
                                block,
                                capacity,
                                named ? word(row, name) : "",
                                labels(row));
            }

            private String word(Fields row, int column) {
                try {
                    Labels.checkWord("it", row.text(column), false);
                    return row.text(column);
                } catch (IllegalArgumentException e) {
                    throw row.bad(column, "is not a word", "1 to 253 letters, digits and . _ / - +");
                }
            }

            private Labels labels(Fields row) {
                Map<String, String> values = new TreeMap<>();
                for (int k = 0; k < labels.length; k++) {
                    if (!row.blank(labels[k])) {
                        values.put(labelled.get(k).substring(LABEL.length()), word(row, labels[k]));
                    }
                }
                return Labels.of(values);
            }
        };
    }
}
