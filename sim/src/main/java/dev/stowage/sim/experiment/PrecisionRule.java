package dev.stowage.sim.experiment;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.PairedLooks;
import dev.stowage.sim.statistics.TwoStage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How many replications the policies of a point need for the wanted precision, judged from the replications so far: two
 * policies until they are shown to differ or to be alike ({@link PairedLooks}), other numbers of policies until each is
 * known well enough ({@link TwoStage}). All policies of a point get the same number, so that they stay paired.
 */
record PrecisionRule(Experiment point, Precision precision) {
    /** An interval smaller than this part of the mean is rounding error of adding equal numbers: it is not shown. */
    private static final double ROUNDING = 1e-12;
    /** More replications than so many are not named. */
    private static final int MOST_FORESEEN = 1_000_000;

    /**
     * What is known so far.
     *
     * @param replications needed; the present number if it is enough, or if more would not help
     * @param text for people
     * @param missed whether the precision is not reached although no more replications come
     */
    record Look(int replications, String text, boolean missed) {
        /** What a reader of the rows must know where it is {@link #missed}. */
        String warning(Precision wanted) {
            BigDecimal percent = BigDecimal.valueOf(wanted.relative()).movePointRight(2);
            return "The wanted precision of " + percent.stripTrailingZeros().toPlainString() + " % is not reached: "
                    + text + ".";
        }
    }

    /** What one judgement asks for: replications in all, and whether nothing is left to wish for. */
    private record Wish(int replications, boolean granted) {}

    Look look(List<GroupRows> policies) {
        int now = policies.get(0).replications();
        String where = point.point().isEmpty() ? "" : point.point() + ", ";
        String after = where + precision.metric() + " after " + now + " replications: ";
        if (policies.stream().allMatch(GroupRows::exact)) {
            return new Look(now, after + "all are the same, so the numbers are exact for these requests", false);
        }
        List<String> told = new ArrayList<>();
        List<GroupRows> known = new ArrayList<>();
        for (GroupRows each : policies) {
            if (each.hasNoMean(precision.metric())) {
                told.add(each.policy() + ": the queue is unstable, it has no mean");
            } else if (Arrays.stream(each.values(precision.metric())).anyMatch(Double::isNaN)) {
                told.add(each.policy() + ": not measured in every replication");
            } else {
                known.add(each);
            }
        }
        List<Wish> wishes = new ArrayList<>();
        if (policies.size() == 2 && known.size() == 2) {
            wishes.add(pair(known.get(0), known.get(1), now, told));
        } else if (policies.size() != 2) {
            known.forEach(each -> wishes.add(alone(each, now, told)));
        }
        int needed = wishes.stream().mapToInt(Wish::replications).reduce(now, Math::max);
        boolean granted = known.size() == policies.size() && wishes.stream().allMatch(Wish::granted);
        return new Look(needed, after + String.join("; ", told), needed <= now && !granted);
    }

    private Wish alone(GroupRows policy, int now, List<String> told) {
        double[] values = policy.values(precision.metric());
        Estimate estimate = TwoStage.estimate(values, point.replications(), point.confidence());
        long needed = TwoStage.needed(values, point.replications(), precision.relative(), point.confidence());
        double half = estimate.halfWidth() == null ? Double.NaN : estimate.halfWidth();
        double part = part(half, Math.abs(estimate.mean()));
        told.add(policy.policy() + " " + (part < ROUNDING ? "is the same in every replication" : percent(part))
                + next(needed, now) + tooMany(needed));
        return new Wish((int) Math.min(needed, precision.mostReplications()), needed <= now);
    }

    private Wish pair(GroupRows first, GroupRows second, int now, List<String> told) {
        double[] a = first.values(precision.metric());
        double[] b = second.values(precision.metric());
        int looks = PairedLooks.looks(point.replications(), precision.mostReplications());
        Estimate difference = PairedLooks.difference(a, b, looks, point.confidence());
        double scale = Math.min(Math.abs(mean(a)), Math.abs(mean(b)));
        PairedLooks.Finding finding = PairedLooks.find(difference, precision.relative() * scale);
        double half = difference.halfWidth() == null ? Double.NaN : difference.halfWidth();
        String numbers = told(first.policy(), second.policy(), part(difference.mean(), scale), part(half, scale));
        if (finding == PairedLooks.Finding.OPEN) {
            told.add(numbers + ", shown neither to differ nor to be alike" + next(2L * now, now)
                    + (now < precision.mostReplications()
                            ? ""
                            : wouldTell(now, Math.abs(difference.mean()), half, precision.relative() * scale)));
            return new Wish((int) Math.min(2L * now, precision.mostReplications()), false);
        }
        told.add(numbers + (finding == PairedLooks.Finding.APART ? ", shown to differ" : ", shown to be alike"));
        return new Wish(now, true);
    }

    /** How many replications would tell if the difference stayed so, as its half-width shrinks with their root. */
    private static String wouldTell(int now, double size, double half, double alike) {
        double width = Math.max(size, alike - size);
        double needed = Math.ceil(now * (half / width) * (half / width));
        return needed > now && needed <= MOST_FORESEEN
                ? String.format(
                        Locale.ROOT, "; if the difference stays so, about %,.0f replications would tell", needed)
                : "";
    }

    /** The difference and, if there is one, its half-width. */
    private static String told(String first, String second, double difference, double half) {
        if (Math.abs(difference) < ROUNDING && half < ROUNDING) {
            return first + " and " + second + " differ in no replication";
        }
        if (Double.isInfinite(difference)) {
            return first + " and " + second + ": one of the means is 0, so no part of it can be named";
        }
        String interval = half < ROUNDING ? "%" : percent(half);
        return first + " less " + second + " = " + number(100 * difference) + " " + interval + " of the smaller mean";
    }

    private String next(long needed, int now) {
        if (needed <= now) {
            return ", reached";
        }
        if (now >= precision.mostReplications()) {
            return " after " + precision.mostReplications() + " replications, the most allowed";
        }
        return ", " + Math.min(needed, precision.mostReplications()) + " next"
                + (needed > precision.mostReplications() ? " (the most allowed)" : "");
    }

    /** Says that more replications than allowed would be needed. */
    private String tooMany(long needed) {
        return needed <= precision.mostReplications()
                ? ""
                : ", needs "
                        + (needed > MOST_FORESEEN ? "more than 1,000,000" : String.format(Locale.ROOT, "%,d", needed));
    }

    /** 0 of nothing is 0. */
    private static double part(double value, double whole) {
        return value == 0 ? 0 : value / whole;
    }

    private static String percent(double part) {
        return "+- " + number(100 * part) + " %";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.2g" : "%.0f", value);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }
}
