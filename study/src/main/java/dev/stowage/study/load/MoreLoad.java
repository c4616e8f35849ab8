package dev.stowage.study.load;

import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What more load means: more of all that is there at any time. Where requests come and go, arrival times divided by a
 * factor do that, durations unchanged. That leaves as it is what is there from the start, and what stays about as long
 * as all arrivals take; if that is a tenth of all or more, each request comes that many times instead, at its own time.
 *
 * @param atStart requests that are there at the start: the greatest group that arrives at one instant, if that is the
 *     first; 0 otherwise
 * @param lasting requests that have no end or last at least a tenth of the time that all arrivals take
 * @param part theirs of the time that all requests run, in which none counts for longer than all arrivals take
 */
public record MoreLoad(long atStart, long lasting, double part) {
    /** From this part on, what lasts decides. */
    private static final double MUCH = .1;

    /** Part of the time of all arrivals, one over this, from which on a request lasts. */
    private static final long LASTING = 10;

    /** Of the requests of a workload. */
    public static MoreLoad of(Workload workload) {
        if (!workload.isGiven() && !(workload instanceof ResampledWorkload)) {
            return new MoreLoad(0, 0, 0);
        }
        long end = workload.endNanos();
        long lasting = 0;
        double lastingTime = 0;
        double allTime = 0;
        long first = 0;
        long greatest = 1;
        long group = 0;
        long at = -1;
        RequestStream stream = workload.open(0);
        while (stream.next()) {
            long work = stream.workNanos();
            double time = Math.min(work, Math.max(1, end));
            allTime += time;
            if (work >= end / LASTING) {
                lasting++;
                lastingTime += time;
            }
            group = stream.arrivalNanos() == at ? group + 1 : 1;
            at = stream.arrivalNanos();
            if (at == 0) {
                first = group;
            } else {
                greatest = Math.max(greatest, group);
            }
        }
        return new MoreLoad(first > greatest ? first : 0, lasting, allTime > 0 ? lastingTime / allTime : 0);
    }

    /** The workload with {@code factor} times its load. */
    public Workload times(double factor, Workload workload) {
        return factor == 1 ? workload : repeats() ? repeated(workload, factor) : new FasterWorkload(workload, factor);
    }

    private static Workload repeated(Workload workload, double factor) {
        List<Integer> all = IntStream.range(0, workload.types().size()).boxed().toList();
        return new RepeatedWorkload(workload, List.of(new LoadGrowth.Alike(factor, all)));
    }

    /** The workload after years of growth. Where types grow unlike one another, requests come several times. */
    public Workload after(double years, LoadGrowth growth, Workload workload) {
        return growth.ofSome().isEmpty()
                ? times(growth.times(years), workload)
                : new RepeatedWorkload(workload, growth.groups(years, workload.types()));
    }

    private boolean repeats() {
        return atStart > 0 || lasts();
    }

    private boolean lasts() {
        return part >= MUCH;
    }

    /** Why arrivals are not sped up. */
    private String reasons() {
        List<String> reasons = new ArrayList<>();
        if (atStart > 0) {
            reasons.add(String.format(Locale.ROOT, "%,d requests are there from the start", atStart));
        }
        if (lasts()) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%,d, with %.0f %% of the time that all run, have no end or last a tenth of the trace or longer",
                    lasting,
                    100 * part));
        }
        return String.join(" and ", reasons);
    }

    /** How load grows, as a sentence; of an inventory or of requests that come and go. */
    public String sentence(LoadGrowth growth, boolean inventory) {
        if (inventory) {
            return "More load means more whole requests, of each type its share, until each resource has grown by at"
                    + " least as much."
                    + growth.sentence();
        }
        return repeats() || !growth.ofSome().isEmpty()
                ? String.format(
                        Locale.ROOT,
                        "More load means more whole requests, each at its own time, of each type its share, until each"
                                + " resource has grown by at least as much.%s%s",
                        repeats() ? " Arrivals are not sped up instead, because " + reasons() + "." : "",
                        growth.sentence())
                : "Load is requests per hour: arrival times are divided, durations stay.";
    }
}
