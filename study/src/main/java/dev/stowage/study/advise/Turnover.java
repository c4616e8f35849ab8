package dev.stowage.study.advise;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast jobs come and go, from who is there at two moments ({@link #kind}) or from all arrivals and departures
 * between them ({@link #observed}). Lifetimes are taken as exponential, since two moments do not show their form: then
 * the fraction that stays for a time t is e^(-t/life), and of those that come within it life/t (1 - e^(-t/life)) are
 * still there to be counted.
 *
 * @param hours time between the moments
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
     * @param rate arrivals in an hour, those included that came and left between the moments
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
     * The estimates for a kind.
     *
     * @throws IllegalArgumentException if the time is not positive, or more stayed than were there
     */
    public static Kind kind(String name, double hours, int before, int stayed, int came) {
        if (!(hours > 0) || stayed > before || stayed < 0 || came < 0) {
            throw new IllegalArgumentException(
                    name + ": " + stayed + " of " + before + " stayed and " + came + " came in " + hours + " h");
        }
        Range life = life(hours, before, stayed);
        Double mean = life.value();
        boolean allGone = before > 0 && stayed == 0;
        double[] counted = counted(came);
        double least = unseen(hours, life.high());
        double most = life.low() > 0 ? unseen(hours, life.low()) : Double.POSITIVE_INFINITY;
        double most95 = counted[1] * most / hours;
        Range rate = new Range(
                allGone && came > 0 ? null : came * unseen(hours, mean) / hours,
                counted[0] * least / hours,
                Double.isInfinite(most95) ? null : most95);
        Double perHour = rate.value();
        return new Kind(
                name, before, stayed, came, rate, life, mean == null || perHour == null ? null : perHour * mean);
    }

    /**
     * The estimates for a kind of which every arrival and departure was seen: the maximum likelihood of exponential
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
                    + left + " left and ran for " + hoursRun + " h in " + hours + " h");
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

    /** So many came for each that is still there after the time, on average. */
    private static double unseen(double hours, @Nullable Double life) {
        return life == null || life == 0 ? 1 : hours / life / -StrictMath.expm1(-hours / life);
    }

    /** Wilson's interval of the fraction that stayed, as lifetimes. */
    private static Range life(double hours, int before, int stayed) {
        if (before == 0) {
            return new Range(null, 0, null);
        }
        double n = before;
        double z = NORMAL_95 * NORMAL_95;
        double part = stayed / n;
        double middle = (part + z / (2 * n)) / (1 + z / n);
        double width = NORMAL_95 * Math.sqrt(part * (1 - part) / n + z / (4 * n * n)) / (1 + z / n);
        double low = stayed == 0 ? 0 : -hours / StrictMath.log(middle - width);
        Double high = stayed == before ? null : Double.valueOf(-hours / StrictMath.log(middle + width));
        Double value = stayed == 0 || stayed == before ? null : Double.valueOf(-hours / StrictMath.log(part));
        return new Range(value, low, high);
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
