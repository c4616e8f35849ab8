package dev.stowage.sim.trace;

import java.util.List;

/**
 * VM requests re-formatted from the public Azure trace of 2017: one row per VM, sizes as sold, batches of one tenant.
 */
final class Azure2017Format extends TraceFormat {
    private static final long MILLI = 1000;
    private static final long MIB_PER_GIB = 1024;

    Azure2017Format() {
        super(
                "azure2017",
                "Azure VM requests of 2017, re-formatted",
                "derived from AzurePublicDataset V1 by way of huaweicloud/trace_generation_rnn; CC-BY-4.0;"
                        + " cite Cortez et al., Resource Central, SOSP 2017, and Bergsma et al., SOSP 2021",
                List.of(
                        required("arrival_s", "arrival, s"),
                        required("duration_s", "duration, s; blank = running when the trace ended (unknown)"),
                        required("vcpus", "virtual cores; cpu_milli = 1000 x"),
                        required("mem_gib", "memory, GiB; mem_mib = 1024 x"),
                        optional("batch_id", "VMs of one tenant that arrive together"),
                        optional("dur_min_s", "lower end of the duration's bin; not used"),
                        optional("dur_max_s", "upper end of the duration's bin; not used")));
    }

    @Override
    Mapper mapper(Reading reading) {
        int arrival = reading.column("arrival_s");
        int duration = reading.column("duration_s");
        int vcpus = reading.column("vcpus");
        int memory = reading.column("mem_gib");
        int batch = reading.column("batch_id");
        long[] demand = new long[2];
        return new SimpleMapper(List.of("cpu_milli", "mem_mib")) {
            @Override
            public void map(Fields row) {
                long at = row.seconds(arrival);
                long lasting = row.blank(duration) ? Trace.UNKNOWN : row.seconds(duration);
                demand[0] = row.demand(vcpus, MILLI);
                demand[1] = row.demand(memory, MIB_PER_GIB);
                long batchId = row.blank(batch) ? Trace.NO_BATCH : row.whole(batch);
                requests().add(at, lasting, demand, batchId, null, null);
            }
        };
    }
}
