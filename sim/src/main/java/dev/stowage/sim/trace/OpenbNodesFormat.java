package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import java.util.List;
import java.util.Map;

/** The node list of Alibaba's GPU cluster of 2023, as published. */
final class OpenbNodesFormat extends ServerFormat {
    /** Label with the GPU model. */
    static final String GPU = "gpu";

    private static final long MILLI = 1000;

    OpenbNodesFormat() {
        super(
                "openb-nodes",
                "Alibaba GPU cluster 2023 (openb), nodes",
                "alibaba/clusterdata cluster-trace-gpu-v2023, openb_node_list_all_node.csv;"
                        + " cite Weng et al., USENIX ATC 2023",
                List.of(
                        required("sn", "name of the server"),
                        required("cpu_milli", "CPU, thousandths of a core"),
                        required("memory_mib", "memory, MiB"),
                        required("gpu", "number of GPUs; gpu_milli = 1000 x"),
                        optional("model", "GPU model: label gpu of the server; blank = none")));
    }

    @Override
    Mapper mapper(Reading reading) {
        int name = reading.column("sn");
        int model = reading.column("model");
        int cpu = reading.column("cpu_milli");
        int memory = reading.column("memory_mib");
        int gpus = reading.column("gpu");
        return new SimpleServerMapper(List.of("cpu_milli", "mem_mib", "gpu_milli")) {
            @Override
            public void map(Fields row) {
                List<Long> capacity = List.of(row.capacity(cpu, 1), row.capacity(memory, 1), row.capacity(gpus, MILLI));
                boolean plain = row.blank(model);
                Labels labels = plain ? Labels.NONE : Labels.of(Map.of(GPU, row.text(model)));
                servers().add(ServerList.DEFAULT_SITE, 1, capacity, row.text(name), labels);
            }
        };
    }
}
