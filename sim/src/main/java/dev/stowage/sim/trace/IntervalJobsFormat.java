package dev.stowage.sim.trace;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.sim.workload.RequestTraits;
import java.util.List;

/** Jobs of several nodes, each with the time since the job before: Microsoft's Philly, ALCF's Theta and others. */
final class IntervalJobsFormat extends TraceFormat {
    private static final long MILLI = 1000;

    IntervalJobsFormat() {
        super(
                "interval-jobs",
                "Parallel jobs of Philly, Theta and others, with intervals between them",
                "DIR-LAB/Gen-Parallel-Workloads; cite Soundar Raj et al., JSSPP 2024, and the log's own paper (Philly:"
                        + " Jeon et al., USENIX ATC 2019)",
                List.of(
                        required("u_id", "id"),
                        optional("user", "not used"),
                        required("gpu_num", "GPUs of the whole job, divided equally among its members"),
                        required("cpu_num", "cores of the whole job, likewise"),
                        required(
                                "node_num",
                                "number of members, all equal, placed at once, which may share a server; bad if it does"
                                        + " not divide the GPUs and cores"),
                        required("interval", "s since the submission of the previous line; the first is at 0"),
                        required("run_time", "duration, s"),
                        optional("wall_time", "not used"),
                        optional("new_status", "not used")),
                new FormatSetting(
                        "resources",
                        "both",
                        "both: cpu_milli and gpu_milli; or one of them, for servers that have nothing else"));
    }

    @Override
    Mapper mapper(Reading reading) {
        int id = reading.column("u_id");
        int gpus = reading.column("gpu_num");
        int cores = reading.column("cpu_num");
        int nodes = reading.column("node_num");
        String kept = reading.settings().oneOf("resources", List.of("both", "cpu_milli", "gpu_milli"));
        List<String> resources = kept.equals("both") ? List.of("cpu_milli", "gpu_milli") : List.of(kept);
        int[] columns = resources.stream()
                .mapToInt(resource -> resource.equals("cpu_milli") ? cores : gpus)
                .toArray();
        int interval = reading.column("interval");
        int run = reading.column("run_time");
        long[] demand = new long[columns.length];
        return new SimpleMapper(resources) {
            private long at;
            private boolean begun;

            @Override
            public void map(Fields row) {
                long since = row.seconds(interval);
                at = begun ? Math.addExact(at, since) : 0;
                begun = true;
                long members = row.whole(nodes);
                if (members < 1 || members > RequestTraits.MOST_MEMBERS) {
                    throw row.bad(nodes, "is not a number of nodes", "1 to " + RequestTraits.MOST_MEMBERS);
                }
                for (int r = 0; r < demand.length; r++) {
                    demand[r] = ofEach(row, columns[r], members);
                }
                requests()
                        .add(
                                at,
                                row.seconds(run),
                                demand,
                                Trace.NO_BATCH,
                                null,
                                row.text(id),
                                ConstraintWords.NONE,
                                members == 1 ? RequestTraits.NONE : new RequestTraits(0, (int) members, false));
            }

            private static long ofEach(Fields row, int column, long members) {
                long all = row.whole(column);
                if (all % members != 0) {
                    throw row.bad(column, "is not divisible by " + members + " nodes", "a multiple of node_num");
                }
                return row.times(MILLI, all / members, column);
            }
        };
    }
}
