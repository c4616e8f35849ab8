package dev.stowage.sim.trace;

import java.util.List;

/**
 * The {@code task_events} table of Google's trace of 2011, as published: shards without header, events in order of
 * time. A request is a task that was submitted, scheduled and finished once, without anything in between.
 */
final class GoogleTaskEventsFormat extends TraceFormat {
    private static final long NANOS_PER_MICRO = 1000;
    private static final String AFTER_THE_END = Long.toString(Long.MAX_VALUE);
    private static final int LAST_EVENT_TYPE = 8;

    GoogleTaskEventsFormat() {
        super(
                "google2011",
                "Google cluster 2011, task_events as published",
                "Google clusterdata-2011-2, task_events/part-?????-of-?????.csv.gz; CC-BY-4.0;"
                        + " cite Reiss, Wilkes, Hellerstein: Google cluster-usage traces: format + schema, 2011 (v2.1)",
                List.of(
                        required("time", "microseconds; 0 = before the trace, 2^63-1 = after it"),
                        required("missing info", "how the record was reconstructed if it was missing; not used"),
                        required("job ID", "number of the job; batch"),
                        required("task index", "number of the task in its job"),
                        required("machine ID", "machine; not used"),
                        required(
                                "event type",
                                "0 submit, 1 schedule, 2 evict, 3 fail, 4 finish, 5 kill, 6 lost, 7 update pending,"
                                        + " 8 update running"),
                        required("user", "user; not used"),
                        required("scheduling class", "0 to 3; not used"),
                        required("priority", "0 to 11; not used"),
                        required("CPU request", "fraction of the largest machine; cpu_ppm = 10^6 x, rounded up"),
                        required("memory request", "fraction of the largest machine; mem_ppm = 10^6 x, rounded up"),
                        required("disk space request", "fraction of the largest machine; only with disk=true"),
                        required("different machines restriction", "not used")),
                GoogleDemand.SINGLE_RESOURCE,
                GoogleDemand.DISK);
    }

    @Override
    public String recognisedBy() {
        return "no header, 13 fields, of which 1, 3, 4 and 6 are whole numbers and 6 (the event type) is 0 to 8";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.rowsLook(
                names(),
                f -> FileHead.isWhole(f[0])
                        && FileHead.isWhole(f[2])
                        && FileHead.isWhole(f[3])
                        && f[5].length() == 1
                        && f[5].charAt(0) >= '0'
                        && f[5].charAt(0) <= '8');
    }

    @Override
    boolean hasHeader() {
        return false;
    }

    @Override
    Mapper mapper(Reading reading) {
        return new EventMapper(reading);
    }

    private static final class EventMapper implements Mapper {
        private final ReportBuilder report;
        private final GoogleDemand demand;
        private final TraceBuilder requests;
        private final GoogleTasks tasks = new GoogleTasks();
        private final int time;
        private final int job;
        private final int task;
        private final int event;
        private final int cpu;
        private final int memory;
        private final int disk;

        EventMapper(Reading reading) {
            report = reading.report();
            demand = new GoogleDemand(reading.settings());
            requests = new TraceBuilder(demand.resources());
            time = reading.column("time");
            job = reading.column("job ID");
            task = reading.column("task index");
            event = reading.column("event type");
            cpu = reading.column("CPU request");
            memory = reading.column("memory request");
            disk = reading.column("disk space request");
        }

        @Override
        public void map(Fields row) {
            if (row.text(time).equals(AFTER_THE_END)) {
                row.setAside("event after the end of the trace");
                return;
            }
            long at = row.time(time, NANOS_PER_MICRO);
            long jobId = row.whole(job);
            long taskIndex = row.whole(task);
            long type = row.whole(event);
            if (type > LAST_EVENT_TYPE) {
                throw row.bad(event, "is unknown", "0 to 8");
            }
            tasks.event(jobId, taskIndex, (int) type, at, amount(row, cpu), amount(row, memory), amount(row, disk));
        }

        private static long amount(Fields row, int column) {
            return row.blank(column) ? GoogleTasks.MISSING : row.demand(column, GoogleDemand.PPM);
        }

        @Override
        public void finish() {
            for (int t = 0; t < tasks.size(); t++) {
                String reason = tasks.whyNot(t);
                if (reason != null) {
                    report.setAside(reason, tasks.events(t), 1);
                } else {
                    long[] amounts = demand.of(tasks.cpu(t), tasks.memory(t), Math.max(0, tasks.disk(t)));
                    requests.add(tasks.submitted(t), tasks.running(t), amounts, tasks.job(t), null, null);
                }
            }
        }

        @Override
        public TraceBuilder requests() {
            return requests;
        }
    }
}
