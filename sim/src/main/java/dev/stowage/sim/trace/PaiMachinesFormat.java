package dev.stowage.sim.trace;

import java.util.List;

/** The machines of Alibaba's GPU cluster of 2020. */
final class PaiMachinesFormat extends ServerFormat {
    private static final long MILLI = 1000;
    private static final long MIB_PER_GIB = 1024;

    PaiMachinesFormat() {
        super(
                "pai2020-machines",
                "Alibaba GPU cluster 2020 (PAI), machines",
                "alibaba/clusterdata cluster-trace-gpu-v2020, pai_machine_spec without its id column; CC-BY-4.0;"
                        + " cite Weng et al., NSDI 2022",
                List.of(
                        optional("gpu_type", "GPU model; not used"),
                        required("cpu_cores", "cores; cpu_milli = 1000 x"),
                        required("mem_gib", "memory, GiB; mem_mib = 1024 x"),
                        required("gpus", "number of GPUs; gpu_milli = 1000 x")));
    }

    @Override
    Mapper mapper(Reading reading) {
        int cores = reading.column("cpu_cores");
        int memory = reading.column("mem_gib");
        int gpus = reading.column("gpus");
        return new SimpleServerMapper(List.of("cpu_milli", "mem_mib", "gpu_milli")) {
            @Override
            public void map(Fields row) {
                List<Long> capacity = List.of(
                        row.capacity(cores, MILLI), row.capacity(memory, MIB_PER_GIB), row.capacity(gpus, MILLI));
                servers().add(ServerList.DEFAULT_SITE, 1, capacity);
            }
        };
    }
}
