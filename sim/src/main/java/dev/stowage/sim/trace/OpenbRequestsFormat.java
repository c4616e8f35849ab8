package dev.stowage.sim.trace;

import java.util.List;

/** Pods of Alibaba's GPU cluster of 2023 as requests: arrivals rebased, durations computed. */
final class OpenbRequestsFormat extends TraceFormat {
    OpenbRequestsFormat() {
        super(
                "openb-requests",
                "Alibaba GPU cluster 2023 (openb), pods as requests",
                "derived from openb_pod_list_default (alibaba/clusterdata cluster-trace-gpu-v2023);"
                        + " cite Weng et al., USENIX ATC 2023",
                List.of(
                        required("id", "number of the pod"),
                        required("arrival_s", "creation, s"),
                        required(
                                "duration_s",
                                "deletion - scheduling, or - creation if never scheduled, s; blank = unknown"),
                        required("cpu_milli", "CPU, thousandths of a core"),
                        required("mem_mib", "memory, MiB"),
                        required("gpu_milli", "share of each GPU, thousandths"),
                        required("num_gpu", "number of GPUs; gpu_milli of the request = num_gpu x gpu_milli"),
                        optional("qos", "service class; not used"),
                        optional("phase", "last phase of the pod; not used"),
                        optional("orig_wait_s", "wait in the original cluster, s; not used")));
    }

    @Override
    public String recognisedBy() {
        return "columns arrival_s, cpu_milli, mem_mib, gpu_milli and num_gpu";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.names("arrival_s", "cpu_milli", "mem_mib", "gpu_milli", "num_gpu");
    }

    @Override
    Mapper mapper(Reading reading) {
        int id = reading.column("id");
        int arrival = reading.column("arrival_s");
        int duration = reading.column("duration_s");
        int cpu = reading.column("cpu_milli");
        int memory = reading.column("mem_mib");
        int gpuShare = reading.column("gpu_milli");
        int gpus = reading.column("num_gpu");
        long[] demand = new long[3];
        return new SimpleMapper(List.of("cpu_milli", "mem_mib", "gpu_milli")) {
            @Override
            public void map(Fields row) {
                long at = row.seconds(arrival);
                long lasting = row.blank(duration) ? Trace.UNKNOWN : row.seconds(duration);
                demand[0] = row.demand(cpu, 1);
                demand[1] = row.demand(memory, 1);
                demand[2] = row.times(row.demand(gpuShare, 1), row.whole(gpus), gpus);
                requests().add(at, lasting, demand, Trace.NO_BATCH, null, row.text(id));
            }
        };
    }
}
