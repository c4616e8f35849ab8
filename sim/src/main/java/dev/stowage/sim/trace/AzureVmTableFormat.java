package dev.stowage.sim.trace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The {@code vmtable} of the public Azure traces, as published: CSV without header. The trace of 2017 gives cores and
 * memory as sold, that of 2019 gives buckets, the topmost open-ended.
 */
final class AzureVmTableFormat extends TraceFormat {
    private static final long MILLI = 1000;
    private static final long MIB_PER_GIB = 1024;
    private static final Set<String> CATEGORIES = Set.of("Interactive", "Delay-insensitive", "Unknown");
    private static final Set<String> MEMORY_BUCKETS = Set.of("2", "4", "8", "32", "64", ">64");
    private static final FormatSetting END = new FormatSetting(
            "end-s",
            "2591400",
            "end of the trace, s: the duration of a VM whose vmdeleted is at or after it is unknown");
    private static final FormatSetting OVER_24_CORES = new FormatSetting(
            "cores-over-24", "30", "cores of bucket '>24'; 30 is what the publishers' own analysis takes");
    private static final FormatSetting OVER_64_GIB = new FormatSetting(
            "gib-over-64", "70", "GiB of bucket '>64'; 70 is what the publishers' own analysis takes");

    private final boolean buckets;

    private AzureVmTableFormat(String key, String title, String source, boolean buckets, FormatSetting... settings) {
        super(key, title, source, columnsOf(buckets), settings);
        this.buckets = buckets;
    }

    static AzureVmTableFormat of2017() {
        return new AzureVmTableFormat(
                "azure2017-vmtable",
                "Azure VM trace 2017, vmtable as published",
                "AzurePublicDataset V1, vmtable.csv.gz; CC-BY-4.0; cite Cortez et al., Resource Central, SOSP 2017",
                false,
                END);
    }

    static AzureVmTableFormat of2019() {
        return new AzureVmTableFormat(
                "azure2019-vmtable",
                "Azure VM trace 2019, vmtable as published",
                "AzurePublicDataset V2, vmtable.csv.gz; CC-BY-4.0; cite Cortez et al., Resource Central, SOSP 2017",
                true,
                END,
                OVER_24_CORES,
                OVER_64_GIB);
    }

    private static List<Column> columnsOf(boolean buckets) {
        String bucket = buckets ? "bucket" : "";
        String kind = buckets ? ", upper end of its bucket" : "";
        return List.of(
                required("vmid", "encrypted id of the VM; not used"),
                required("subscriptionid", "encrypted id of the subscription; not used"),
                required("deploymentid", "encrypted id of the deployment; batches are numbered by first appearance"),
                required("vmcreated", "arrival, s; 0 = at or before the start of the trace"),
                required("vmdeleted", "end, s"),
                required("maxcpu", "utilization; not used"),
                required("avgcpu", "utilization; not used"),
                required("p95maxcpu", "utilization; not used"),
                required("vmcategory", "Interactive, Delay-insensitive or Unknown; not used"),
                required("vmcorecount" + bucket, "virtual cores" + kind + "; cpu_milli = 1000 x"),
                required("vmmemory" + bucket, "memory, GiB" + kind + "; mem_mib = 1024 x"));
    }

    @Override
    public String recognisedBy() {
        String rows = "no header, 11 fields, of which 4 and 5 are whole numbers and 9 is a VM category; field 11 ";
        return rows + (buckets ? "is one of the buckets of 2019 (2, 4, 8, 32, 64, >64)" : "is not a bucket of 2019");
    }

    @Override
    boolean recognises(FileHead head) {
        return head.rowsLook(
                names(),
                f -> FileHead.isWhole(f[3])
                        && FileHead.isWhole(f[4])
                        && CATEGORIES.contains(f[8])
                        && (!buckets || MEMORY_BUCKETS.contains(f[10])));
    }

    @Override
    boolean hasHeader() {
        return false;
    }

    @Override
    Mapper mapper(Reading reading) {
        int deployment = reading.column("deploymentid");
        int created = reading.column("vmcreated");
        int deleted = reading.column("vmdeleted");
        int cores = reading.column(names().get(9));
        int memory = reading.column(names().get(10));
        long end = reading.settings().number("end-s", 1_000_000_000L);
        long topCores = buckets ? reading.settings().number("cores-over-24", MILLI) : 0;
        long topMemory = buckets ? reading.settings().number("gib-over-64", MIB_PER_GIB) : 0;
        Map<String, Integer> deployments = new HashMap<>();
        long[] demand = new long[2];
        return new SimpleMapper(List.of("cpu_milli", "mem_mib")) {
            @Override
            public void map(Fields row) {
                long at = row.seconds(created);
                long until = row.seconds(deleted);
                long lasting = row.span(at, until, deleted);
                demand[0] = buckets && row.text(cores).equals(">24") ? topCores : row.demand(cores, MILLI);
                demand[1] = buckets && row.text(memory).equals(">64") ? topMemory : row.demand(memory, MIB_PER_GIB);
                long batch = deployments.computeIfAbsent(row.text(deployment), text -> deployments.size());
                requests().add(at, until >= end ? Trace.UNKNOWN : lasting, demand, batch, null, null);
            }
        };
    }
}
