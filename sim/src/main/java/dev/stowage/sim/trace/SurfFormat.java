package dev.stowage.sim.trace;

import java.util.List;

/** Jobs of SURF Lisa of 2022. The source has no demands: every job takes one slot. */
final class SurfFormat extends TraceFormat {
    SurfFormat() {
        super(
                "surf",
                "SURF Lisa 2022, jobs without demands",
                "derived from atlarge-research/opendc, workload trace surf_halfyear; MIT",
                List.of(
                        required("id", "number of the job"),
                        required("arrival_s", "submission, s"),
                        required("duration_s", "run time, s; blank = unknown")));
    }

    @Override
    public String recognisedBy() {
        return "exactly the columns id, arrival_s and duration_s; every job takes 1 of the resource slots";
    }

    @Override
    boolean recognises(FileHead head) {
        return head.columns().size() == 3 && head.names("id", "arrival_s", "duration_s");
    }

    @Override
    Mapper mapper(Reading reading) {
        int id = reading.column("id");
        int arrival = reading.column("arrival_s");
        int duration = reading.column("duration_s");
        long[] oneSlot = {1};
        return new SimpleMapper(List.of("slots")) {
            @Override
            public void map(Fields row) {
                long at = row.seconds(arrival);
                long lasting = row.blank(duration) ? Trace.UNKNOWN : row.seconds(duration);
                requests().add(at, lasting, oneSlot, Trace.NO_BATCH, null, row.text(id));
            }
        };
    }
}
