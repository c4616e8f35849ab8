package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.List;

/** Stowage's own server list: one row is a block of equal servers. */
final class CanonicalServersFormat extends ServerFormat {
    private static final long MAX_SERVERS = 1_000_000_000L;

    CanonicalServersFormat() {
        super(
                "canonical",
                "Stowage's own server list",
                "docs/traces.md of this project",
                List.of(
                        optional("site", "name of the site; blank or no column = " + ServerList.DEFAULT_SITE),
                        optional("count", "number of equal servers, whole, at least 1; no column = 1"),
                        optional("cpu_milli", "CPU of each server, thousandths of a core"),
                        optional("mem_mib", "memory of each server, MiB"),
                        optional("gpu_milli", "GPUs of each server, thousandths"),
                        optional(
                                "<name>_<unit>",
                                "any other resource; units: " + String.join(", ", ResourceColumns.UNITS))));
    }

    @Override
    public String recognisedBy() {
        return "a resource column such as cpu_milli, no arrival_s, and no other format recognises the file";
    }

    @Override
    boolean recognises(FileHead head) {
        return !head.names("arrival_s") && head.columns().stream().anyMatch(ResourceColumns::isResource);
    }

    @Override
    Mapper mapper(Reading reading) {
        List<String> names = ResourceColumns.in(reading.layout().columns());
        if (names.isEmpty()) {
            throw ResourceColumns.none(reading.layout().columns());
        }
        int site = reading.column("site");
        int count = reading.column("count");
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
                boolean named = site >= 0 && !row.blank(site);
                servers().add(named ? row.text(site) : ServerList.DEFAULT_SITE, block, capacity);
            }
        };
    }
}
