package dev.stowage.sim.trace;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Azure's packing trace of 2020, as published: an SQLite database with the requests (table {@code vm}) and how much of
 * each machine a VM type takes (table {@code vmType}). Demands are those on one chosen machine.
 */
final class AzurePackingFormat extends TraceFormat {
    private static final long NANOS_PER_DAY = 86_400_000_000_000L;
    private static final long PPM = 1_000_000;
    private static final Map<String, String> RESOURCES = resourceNames();

    AzurePackingFormat() {
        super(
                "azure2020-packing",
                "Azure packing trace 2020 (SQLite)",
                "AzurePublicDataset, AzureTracesForPacking2020, packing_trace_zone_a_v1.sqlite; CC-BY-4.0;"
                        + " cite Hadary et al., Protean: VM Allocation Service at Scale, OSDI 2020",
                List.of(
                        required("vmId", "vm: number of the request; id"),
                        required("tenantId", "vm: owner of a group of requests; batch"),
                        required("vmTypeId", "vm: type of the request; type 'vmType <id>'"),
                        required("priority", "vm: 0 high, 1 low (may have been evicted)"),
                        required("starttime", "vm: arrival, days; negative = running when the trace began"),
                        required("endtime", "vm: end, days; null = unknown"),
                        required("core", "vmType: CPU, part of the machine; cpu_ppm = 10^6 x, rounded up"),
                        required("memory", "vmType: memory, part of the machine; mem_ppm = 10^6 x, rounded up"),
                        optional("hdd", "vmType: hard disk, part of the machine; hdd_ppm, if chosen"),
                        optional("ssd", "vmType: solid state disk, part of the machine; ssd_ppm, if chosen"),
                        optional("nic", "vmType: network, part of the machine; nic_ppm, if chosen")),
                new FormatSetting(
                        "machine",
                        "most-types",
                        "machineId whose demands are taken; most-types: the one that offers most VM types, lowest id"
                                + " on ties"),
                new FormatSetting(
                        "resources",
                        "core,memory",
                        "resources to keep, of core, memory, hdd, ssd, nic; null counts as 0"),
                new FormatSetting(
                        "running-at-start",
                        "drop",
                        "drop: leave out VMs running when the trace began;"
                                + " keep: they arrive at 0 with the time they have left"),
                new FormatSetting("priority", "all", "all, high or low"));
    }

    private static Map<String, String> resourceNames() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("core", "cpu_ppm");
        names.put("memory", "mem_ppm");
        names.put("hdd", "hdd_ppm");
        names.put("ssd", "ssd_ppm");
        names.put("nic", "nic_ppm");
        return names;
    }

    @Override
    public String recognisedBy() {
        return "an SQLite database";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.kind() == FileHead.Kind.SQLITE;
    }

    @Override
    Rows open(Source source, Settings chosen) {
        if (source.kind() != FileHead.Kind.SQLITE || source.files().size() != 1) {
            throw TraceException.of(
                    source.files().get(0),
                    "format '" + key() + "' takes one SQLite database; given: " + source.files());
        }
        String machine = chosen.get("machine");
        if (!machine.equals("most-types") && !FileHead.isWhole(machine)) {
            throw chosen.wrong("machine", machine, "most-types, or a machineId (a whole number)");
        }
        String machineId = machine.equals("most-types")
                ? "(SELECT machineId FROM vmType GROUP BY machineId"
                        + " ORDER BY COUNT(DISTINCT vmTypeId) DESC, machineId LIMIT 1)"
                : machine;
        return JdbcRows.sqlite(
                source.files().get(0),
                "SELECT vm.vmId, vm.tenantId, vm.vmTypeId, vm.priority, vm.starttime, vm.endtime,"
                        + " t.id AS offer, t.core, t.memory, t.hdd, t.ssd, t.nic FROM vm"
                        + " LEFT JOIN vmType t ON t.vmTypeId = vm.vmTypeId AND t.machineId = " + machineId
                        + " ORDER BY vm.rowid");
    }

    @Override
    Mapper mapper(Reading reading) {
        return new VmMapper(reading);
    }

    private static final class VmMapper implements Mapper {
        private final TraceBuilder requests;
        private final long[] demand;
        private final int[] resources;
        private final int id;
        private final int tenant;
        private final int type;
        private final int priority;
        private final int start;
        private final int end;
        private final int offer;
        private final boolean keepRunning;
        private final @Nullable String onlyPriority;

        VmMapper(Reading reading) {
            List<String> chosen = chosenResources(reading.settings());
            resources = chosen.stream().mapToInt(reading::column).toArray();
            demand = new long[resources.length];
            requests = new TraceBuilder(chosen.stream()
                    .map(name -> RESOURCES.getOrDefault(name, name))
                    .toList());
            id = reading.column("vmId");
            tenant = reading.column("tenantId");
            type = reading.column("vmTypeId");
            priority = reading.column("priority");
            start = reading.column("starttime");
            end = reading.column("endtime");
            offer = reading.column("offer");
            keepRunning = reading.settings()
                    .oneOf("running-at-start", List.of("drop", "keep"))
                    .equals("keep");
            String wanted = reading.settings().oneOf("priority", List.of("all", "high", "low"));
            onlyPriority = wanted.equals("all") ? null : wanted.equals("high") ? "0" : "1";
        }

        private static List<String> chosenResources(Settings settings) {
            List<String> chosen = Arrays.stream(settings.get("resources").split(",", -1))
                    .map(String::strip)
                    .toList();
            if (!RESOURCES.keySet().containsAll(chosen)
                    || chosen.stream().distinct().count() != chosen.size()) {
                String allowed = RESOURCES.keySet().stream().collect(Collectors.joining(", "));
                throw settings.wrong("resources", settings.get("resources"), "some of " + allowed + ", each once");
            }
            return chosen;
        }

        @Override
        public void map(Fields row) {
            boolean running = row.text(start).startsWith("-");
            if (running && !keepRunning) {
                row.setAside("running when the trace began");
            } else if (onlyPriority != null && !row.text(priority).equals(onlyPriority)) {
                row.setAside("of another priority");
            } else if (row.blank(offer)) {
                row.setAside("its VM type is not offered on the machine");
            } else if (row.text(end).startsWith("-")) {
                row.setAside("ended before the trace began");
            } else {
                add(row, running ? 0 : row.time(start, NANOS_PER_DAY));
            }
        }

        private void add(Fields row, long at) {
            long lasting = row.blank(end) ? Trace.UNKNOWN : row.span(at, row.time(end, NANOS_PER_DAY), end);
            for (int r = 0; r < demand.length; r++) {
                demand[r] = row.blank(resources[r]) ? 0 : row.demand(resources[r], PPM);
            }
            requests.add(at, lasting, demand, row.whole(tenant), "vmType " + row.text(type), row.text(id));
        }

        @Override
        public TraceBuilder requests() {
            return requests;
        }
    }
}
