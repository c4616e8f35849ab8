package dev.stowage.sim.trace;

import java.util.ArrayList;
import java.util.List;

/** The exact sweep behind {@link TraceStats.Concurrent}: departures before arrivals at one instant. */
final class DemandSweep {
    private static final double SECOND = 1e9;

    private final Trace trace;
    private final int lines;
    /**
     * One nanosecond past the last arrival, so that the last level has a length, and a trace with all arrivals at t = 0
     * has a mean.
     */
    private final long horizon;

    private final long width;
    private final long[] level;
    private final long[] peak;
    private final long[] peakAt;
    private final double[][] area;
    private final long[][] max;
    private long now;

    DemandSweep(Trace trace, int points) {
        this.trace = trace;
        this.lines = trace.resources().size() + 1;
        this.horizon = trace.lastArrivalNanos() + 1;
        this.width = (horizon - 1) / points + 1;
        int spans = (int) ((horizon - 1) / width) + 1;
        this.level = new long[lines];
        this.peak = new long[lines];
        this.peakAt = new long[lines];
        this.area = new double[lines][spans];
        this.max = new long[lines][spans];
    }

    List<TraceStats.Concurrent> run() {
        ColumnSpace space = ColumnSpace.usual();
        LongColumn ends = ends(space);
        LongColumn leaving = IndexSort.byKey(ends, space);
        int left = 0;
        int arrived = 0;
        while (arrived < trace.size()) {
            long arrival = trace.arrivalNanos(arrived);
            long departure = left < leaving.size() ? ends.get((int) leaving.get(left)) : Long.MAX_VALUE;
            long time = Math.min(arrival, departure);
            advance(time);
            for (; left < leaving.size() && ends.get((int) leaving.get(left)) == time; left++) {
                apply((int) leaving.get(left), -1);
            }
            for (; arrived < trace.size() && trace.arrivalNanos(arrived) == time; arrived++) {
                apply(arrived, 1);
            }
            recordPeak();
        }
        advance(horizon);
        return result();
    }

    /** End of every request; requests of no length or of unknown end never leave in the sweep. */
    private LongColumn ends(ColumnSpace space) {
        LongColumn ends = new LongColumn(space);
        for (int i = 0; i < trace.size(); i++) {
            long duration = trace.durationNanos(i);
            boolean leaves = duration > 0 && duration < Long.MAX_VALUE - trace.arrivalNanos(i);
            ends.add(leaves ? trace.arrivalNanos(i) + duration : Long.MAX_VALUE);
        }
        return ends;
    }

    private void apply(int request, int sign) {
        if (trace.durationNanos(request) == 0) {
            return;
        }
        long members = (long) sign * trace.typeTraits(trace.type(request)).members();
        level[0] += members;
        for (int r = 1; r < lines; r++) {
            level[r] += members * trace.demand(request, r - 1);
        }
    }

    private void advance(long to) {
        while (now < to) {
            int span = (int) (now / width);
            long until = Math.min(to, (span + 1) * width);
            for (int r = 0; r < lines; r++) {
                area[r][span] += (double) level[r] * (until - now);
                max[r][span] = Math.max(max[r][span], level[r]);
            }
            now = until;
        }
    }

    private void recordPeak() {
        for (int r = 0; r < lines; r++) {
            if (level[r] > peak[r]) {
                peak[r] = level[r];
                peakAt[r] = now;
            }
        }
    }

    private List<TraceStats.Concurrent> result() {
        List<TraceStats.Concurrent> result = new ArrayList<>(lines);
        for (int r = 0; r < lines; r++) {
            String name = r == 0 ? "requests" : trace.resources().get(r - 1);
            double total = 0;
            List<TraceStats.Point> points = new ArrayList<>(area[r].length);
            for (int span = 0; span < area[r].length; span++) {
                long from = span * width;
                total += area[r][span];
                double mean = area[r][span] / (Math.min(from + width, horizon) - from);
                points.add(new TraceStats.Point(from / SECOND, mean, max[r][span]));
            }
            result.add(
                    new TraceStats.Concurrent(name, total / horizon, peak[r], peakAt[r] / SECOND, List.copyOf(points)));
        }
        return result;
    }
}
