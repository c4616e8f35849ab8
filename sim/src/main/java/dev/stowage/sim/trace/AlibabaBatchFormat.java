package dev.stowage.sim.trace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code batch_task} of Alibaba's trace of 2018, as published: tasks with a number of equal instances. */
final class AlibabaBatchFormat extends TraceFormat {
    private static final long MILLI_PER_HUNDREDTH = 10;
    private static final long PPM_PER_PERCENT = 10_000;

    AlibabaBatchFormat() {
        super(
                "alibaba2018-batch",
                "Alibaba cluster 2018, batch_task as published",
                "alibaba/clusterdata cluster-trace-v2018, batch_task.csv;"
                        + " cite Guo et al., Who limits the resource efficiency of my datacenter, IWQoS 2019",
                List.of(
                        required("task_name", "name of the task, which also encodes its dependencies; not used"),
                        required("instance_num", "number of instances"),
                        required("job_name", "its job; batches are numbered by first appearance"),
                        required("task_type", "not used"),
                        required("status", "only Terminated tasks are kept"),
                        required("start_time", "arrival, s"),
                        required("end_time", "end, s"),
                        required("plan_cpu", "of one instance, 100 = 1 core; cpu_milli = 10 x"),
                        required(
                                "plan_mem",
                                "of one instance, percent of the largest machine; mem_ppm = 10^4 x, rounded up")),
                new FormatSetting(
                        "instances",
                        "each",
                        "each: every instance is a request; together: one request with the demand of all instances"));
    }

    @Override
    public String recognisedBy() {
        return "no header, 9 fields, the third begins with j_, the second, sixth and seventh are whole numbers";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.rowsLook(
                names(),
                f -> f[2].startsWith("j_")
                        && FileHead.isWhole(f[1])
                        && FileHead.isWhole(f[5])
                        && FileHead.isWhole(f[6]));
    }

    @Override
    boolean hasHeader() {
        return false;
    }

    @Override
    Mapper mapper(Reading reading) {
        boolean together = reading.settings()
                .oneOf("instances", List.of("each", "together"))
                .equals("together");
        int instances = reading.column("instance_num");
        int job = reading.column("job_name");
        int status = reading.column("status");
        int start = reading.column("start_time");
        int end = reading.column("end_time");
        int cpu = reading.column("plan_cpu");
        int memory = reading.column("plan_mem");
        Map<String, Integer> jobs = new HashMap<>();
        long[] demand = new long[2];
        return new SimpleMapper(List.of("cpu_milli", "mem_ppm")) {
            @Override
            public void map(Fields row) {
                if (!row.text(status).equals("Terminated")) {
                    row.setAside("task did not complete (status is not Terminated)");
                    return;
                }
                if (row.blank(cpu) || row.blank(memory)) {
                    row.setAside("no planned CPU or memory");
                    return;
                }
                long at = row.seconds(start);
                long lasting = row.span(at, row.seconds(end), end);
                long count = row.whole(instances);
                long factor = together ? count : 1;
                demand[0] = row.times(row.demand(cpu, MILLI_PER_HUNDREDTH), factor, cpu);
                demand[1] = row.times(row.demand(memory, PPM_PER_PERCENT), factor, memory);
                long batch = jobs.computeIfAbsent(row.text(job), text -> jobs.size());
                for (long i = 0; i < (together ? Math.min(1, count) : count); i++) {
                    requests().add(at, lasting, demand, batch, null, null);
                }
            }
        };
    }
}
