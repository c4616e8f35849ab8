package dev.stowage.sim.trace;

import java.util.List;

/** Tasks present at the start of Google's trace of 2011: no times, so all arrive at 0 and never end. */
final class GoogleSampleFormat extends TraceFormat {
    GoogleSampleFormat() {
        super(
                "google2011-sample",
                "Google cluster 2011, tasks present at the start",
                "Google clusterdata-2011-2, excerpt by way of cloudsimplus; CC-BY-4.0;"
                        + " cite Reiss, Wilkes, Hellerstein: Google cluster-usage traces, 2011",
                List.of(
                        required("job_id", "number of the job; batch"),
                        required("task_index", "number of the task in its job"),
                        optional("priority", "0 to 11; not used"),
                        optional("scheduling_class", "0 to 3; not used"),
                        required("cpu", "CPU request, fraction of the largest machine; cpu_ppm = 10^6 x, rounded up"),
                        required(
                                "mem", "memory request, fraction of the largest machine; mem_ppm = 10^6 x, rounded up"),
                        optional("disk", "disk request, fraction of the largest machine; only with disk=true"),
                        optional("different_machine", "must not share a machine with its job; not used")),
                GoogleDemand.SINGLE_RESOURCE,
                GoogleDemand.DISK);
    }

    @Override
    Mapper mapper(Reading reading) {
        GoogleDemand demand = new GoogleDemand(reading.settings());
        int job = reading.column("job_id");
        int task = reading.column("task_index");
        int cpu = reading.column("cpu");
        int memory = reading.column("mem");
        int disk = demand.withDisk() ? reading.column("disk") : -1;
        if (demand.withDisk() && disk < 0) {
            throw reading.settings().wrong("disk", "true", "false: the file has no column 'disk'");
        }
        return new SimpleMapper(demand.resources()) {
            @Override
            public void map(Fields row) {
                long[] amounts = demand.of(
                        row.demand(cpu, GoogleDemand.PPM),
                        row.demand(memory, GoogleDemand.PPM),
                        disk < 0 ? 0 : row.demand(disk, GoogleDemand.PPM));
                String id = row.text(job) + "/" + row.text(task);
                requests().add(0, Trace.UNKNOWN, amounts, row.whole(job), null, id);
            }
        };
    }
}
