package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Requirement;
import dev.stowage.core.model.Selector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pod list of Alibaba's GPU cluster of 2023, as published. */
final class OpenbPodsFormat extends TraceFormat {
    OpenbPodsFormat() {
        super(
                "openb-pods",
                "Alibaba GPU cluster 2023 (openb), pod list as published",
                "alibaba/clusterdata cluster-trace-gpu-v2023, openb_pod_list_*.csv; cite Weng et al., USENIX ATC 2023",
                List.of(
                        required("name", "name of the pod"),
                        required("cpu_milli", "CPU, thousandths of a core"),
                        required("memory_mib", "memory, MiB"),
                        required("num_gpu", "number of GPUs; gpu_milli of the request = num_gpu x gpu_milli"),
                        required("gpu_milli", "share of each GPU, thousandths"),
                        optional(
                                "gpu_spec",
                                "GPU models it may use: the label gpu of its server must be one of these; blank = any"),
                        optional("qos", "service class; not used"),
                        optional("pod_phase", "last phase of the pod; not used"),
                        required("creation_time", "arrival, s on the source's clock"),
                        required("deletion_time", "end, s; blank = unknown"),
                        required(
                                "scheduled_time",
                                "start, s; blank = never scheduled: then the duration counts from creation")));
    }

    @Override
    public String recognisedBy() {
        return "columns creation_time, deletion_time, scheduled_time and memory_mib";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.names("creation_time", "deletion_time", "scheduled_time", "memory_mib");
    }

    private static ConstraintWords ofModels(String spec) {
        List<String> models = List.of(spec.split("\\|", -1));
        Requirement one = new Requirement(OpenbNodesFormat.GPU, Requirement.Operator.IN, models);
        return new ConstraintWords(List.of(Selector.text(List.of(one))), List.of(), List.of());
    }

    @Override
    Mapper mapper(Reading reading) {
        int name = reading.column("name");
        int cpu = reading.column("cpu_milli");
        int memory = reading.column("memory_mib");
        int gpus = reading.column("num_gpu");
        int gpuShare = reading.column("gpu_milli");
        int models = reading.column("gpu_spec");
        int creation = reading.column("creation_time");
        int deletion = reading.column("deletion_time");
        int scheduling = reading.column("scheduled_time");
        long[] demand = new long[3];
        return new SimpleMapper(List.of("cpu_milli", "mem_mib", "gpu_milli")) {
            private final Map<String, ConstraintWords> known = new HashMap<>();

            private ConstraintWords constraints(Fields row) {
                return row.blank(models)
                        ? ConstraintWords.NONE
                        : known.computeIfAbsent(row.text(models), OpenbPodsFormat::ofModels);
            }

            @Override
            public void map(Fields row) {
                long at = row.seconds(creation);
                long start = row.blank(scheduling) ? at : row.seconds(scheduling);
                long lasting = row.blank(deletion) ? Trace.UNKNOWN : row.span(start, row.seconds(deletion), deletion);
                demand[0] = row.demand(cpu, 1);
                demand[1] = row.demand(memory, 1);
                demand[2] = row.times(row.demand(gpuShare, 1), row.whole(gpus), gpus);
                requests().add(at, lasting, demand, Trace.NO_BATCH, null, row.text(name), constraints(row));
            }
        };
    }
}
