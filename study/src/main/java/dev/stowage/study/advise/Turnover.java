package dev.stowage.study.advise;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast jobs come and go, from all arrivals and departures of a time. Lifetimes are taken as exponential.
 *
 * @param hours the time
 * @param kinds kinds of jobs
 */
public record Turnover(double hours, List<Kind> kinds) {
    private static final double NORMAL_95 = 1.959964;

    /**
     * A value with its 95 % interval.
     *
     * @param value the estimate; null if there is none within the interval's open end
     * @param high null for no upper limit
     */
    public record Range(
            @Nullable Double value, double low, @Nullable Double high) {}

    /**
     * A kind of jobs.
     *
     * @param name name
     * @param before how many were there
     * @param stayed how many of these are still there
     * @param came how many are there that were not
     * @param rate arrivals in an hour
     * @param lifeHours mean lifetime
     * @param longRun how many are there in the long run, rate times lifetime; null if either is not known
     */
    public record Kind(
            String name,
            int before,
            int stayed,
            int came,
            Range rate,
            Range lifeHours,
            @Nullable Double longRun) {}

    /** Takes a copy. */
    public Turnover {
        kinds = List.copyOf(kinds);
    }

    /**
     * The estimates for a kind: the maximum likelihood of exponential
     * lifetimes of which some have not ended, the time that all ran divided by how many ended. Intervals are those of
     * Poisson counts.
     *
     * @param hoursRun time that all of them ran together
     * @throws IllegalArgumentException if a time or count is negative, or no time was seen
     */
    public static Kind observed(
            String name, double hours, int before, int stayed, int came, int left, double hoursRun) {
        if (!(hours > 0) || stayed > before || stayed < 0 || came < 0 || left < 0 || !(hoursRun >= 0)) {
            throw new IllegalArgumentException(name + ": " + stayed + " of " + before + " stayed, " + came + " came, "
                    + left + " left, and all together ran for " + hoursRun + " h in " + hours
                    + " h: no number may be negative, the hours observed must be above 0, and no more than all can"
                    + " stay");
        }
        double[] arrivals = counted(came);
        double[] ends = counted(left);
        Range rate = new Range(came / hours, arrivals[0] / hours, arrivals[1] / hours);
        Range life = new Range(
                left == 0 || hoursRun == 0 ? null : Double.valueOf(hoursRun / left),
                hoursRun / ends[1],
                left == 0 ? null : Double.valueOf(hoursRun / ends[0]));
        Double mean = life.value();
        return new Kind(name, before, stayed, came, rate, life, mean == null ? null : came / hours * mean);
    }

    /** The 95 % interval of a Poisson mean, by Byar's approximation of the exact one. */
    private static double[] counted(int count) {
        double more = count + 1.0;
        double high = more * cube(1 - 1 / (9 * more) + NORMAL_95 / (3 * Math.sqrt(more)));
        double low = count == 0 ? 0 : count * cube(1 - 1 / (9.0 * count) - NORMAL_95 / (3 * Math.sqrt(count)));
        return new double[] {low, high};
    }

    private static double cube(double x) {
        return x * x * x;
    }
}
