package dev.stowage.cli.size;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.report.AnswerPage.Chart;
import dev.stowage.report.AnswerPage.Heat;
import dev.stowage.report.Picture.Curve;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.result.Estimate;
import dev.stowage.study.size.GrowthPlan;
import dev.stowage.study.size.InventoryFit;
import dev.stowage.study.size.SizedRuns;
import dev.stowage.study.size.Sizing;
import dev.stowage.study.size.Week;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Picture of what each policy achieves with each number of servers, with the target and the bound of any policy. */
final class SizePicture {
    private static final double AROUND = 0.12;
    private static final double HAIR = 1e-6;
    /** Pages have six digits of each number. */
    private static final double STEP = 1e-5;

    private static final int NUMBERS = 9;
    private static final double PERCENT = 100;
    private static final double NANOS = 1e9;
    private static final double MILLION = 1e6;

    private SizePicture() {}

    static Chart chart(Experiment point, SizeQuestion question, Sizing sizing, List<SizeOverview.Sized> all) {
        SizeRequirement first = question.target().requirements().get(0);
        List<Curve> curves = new ArrayList<>();
        Map<Long, List<String>> answers = new TreeMap<>();
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        double top = 0;
        for (SizeOverview.Sized one : all) {
            if (one.servers() == null) {
                continue;
            }
            SizedRuns.Curve curve = sizing.runs()
                    .curve(
                            policy(point, one).spec(),
                            Math.round(Objects.requireNonNull(one.servers()).mean()),
                            AROUND,
                            NUMBERS);
            double[] x = curve.servers().stream().mapToDouble(Long::doubleValue).toArray();
            double[] y = values(curve, first, 0);
            boolean several = curve.achieved().get(0).halfWidth() != null;
            curves.add(new Curve(
                    one.policy().equals(InventoryFit.PLAN) ? "best fit, which moves nothing" : one.policy(),
                    x,
                    y,
                    several ? values(curve, first, -1) : null,
                    several ? values(curve, first, 1) : null,
                    false));
            answers.computeIfAbsent(Math.round(one.servers().mean()), any -> new ArrayList<>())
                    .add(one.policy());
            least = Math.min(least, x[0]);
            most = Math.max(most, x[x.length - 1]);
            for (double value : y) {
                top = Math.max(top, value);
            }
        }
        double highest = top;
        answers.forEach((servers, policies) -> curves.add(new Curve(
                String.format(Locale.ROOT, "%,d: %s", servers, String.join(", ", policies)),
                upright((double) servers, 2.0 * servers),
                new double[] {highest, 0},
                false)));
        List<Long> bounds = all.get(0).boundBy();
        for (long bound : new TreeSet<>(List.of(Collections.min(bounds), Collections.max(bounds)))) {
            if (bound > 0) {
                least = Math.min(least, (double) bound);
                String which =
                        bounds.size() == 1 ? "" : bound == Collections.min(bounds) ? ", least run" : ", greatest run";
                curves.add(new Curve(
                        "bound for any policy" + which, upright((double) bound, most), new double[] {0, top}, true));
            }
        }
        double limit = limit(first);
        curves.add(new Curve("target", new double[] {least, most}, new double[] {limit, limit}, true));
        return new Chart(
                "Servers for " + question.phrase(),
                "What each policy achieves against the number of servers; vertical lines are the answers, bars are"
                        + " intervals over replications.",
                "servers",
                axis(first),
                curves);
    }

    /**
     * What is needed, and below which no policy can do it, over years or quarters.
     *
     * @param total whether it is all until then
     */
    static Chart over(String time, String what, List<Curve> curves, boolean total) {
        return new Chart(
                what + " by " + time,
                "The answer in each " + time + ", and the least that is proven.",
                time + "s from now",
                what,
                curves,
                total);
    }

    /** Each value from its time until the next; the last until the end. */
    static Curve steps(String label, double[] from, double[] values, double end, boolean dashed) {
        double[] x = new double[2 * from.length];
        double[] y = new double[2 * from.length];
        for (int i = 0; i < from.length; i++) {
            boolean last = i + 1 == from.length;
            x[2 * i] = from[i];
            x[2 * i + 1] = last ? Math.max(end, from[i]) : Math.max(from[i], from[i + 1] - STEP * end);
            y[2 * i] = values[i];
            y[2 * i + 1] = values[i];
        }
        return new Curve(label, x, y, dashed);
    }

    static LabelledPolicy policy(Experiment point, SizeOverview.Sized one) {
        return point.policies().stream()
                .filter(each -> each.label().equals(one.policy()))
                .findFirst()
                .orElseThrow();
    }

    /** How full the servers of the answer are, hour by hour: of the first policy that needs fewest. */
    static Optional<Heat> week(Experiment point, Sizing sizing, List<SizeOverview.Sized> all) {
        return all.stream()
                .filter(one -> one.byReplication().get(0) > 0)
                .min(Comparator.comparing(one -> one.byReplication().get(0)))
                .map(one -> week(
                        one,
                        sizing.runs()
                                .week(
                                        policy(point, one).spec(),
                                        one.byReplication().get(0))));
    }

    private static Heat week(SizeOverview.Sized one, Week week) {
        String resource = ResourceWords.resource(week.resource());
        long servers = one.byReplication().get(0);
        String caption = String.format(
                Locale.ROOT,
                "Fraction of the %s of all %,d servers in use under %s, hour by hour, first replication%s; at most %.0f %%.",
                resource,
                servers,
                one.policy(),
                week.days() > week.part().length ? ", in the mean over " + week.days() + " days" : "",
                PERCENT * week.most());
        return new Heat(
                String.format(Locale.ROOT, "The week with %,d servers", servers),
                caption,
                week.rows(),
                week.part(),
                "of the " + resource);
    }

    /** An upright line: a curve has one value at a place, so its ends are a hair apart. */
    private static double[] upright(double at, double most) {
        return new double[] {at, at + HAIR * most};
    }

    private static double[] values(SizedRuns.Curve curve, SizeRequirement its, int side) {
        return curve.achieved().stream()
                .mapToDouble(estimate -> shown(its, end(estimate, side)))
                .toArray();
    }

    private static double end(Estimate estimate, int side) {
        Double half = estimate.halfWidth();
        return estimate.mean() + (half == null ? 0 : side * half);
    }

    private static double shown(SizeRequirement its, double value) {
        return switch (its.kind()) {
            case MISSED -> PERCENT * value;
            case REWARD -> value / MILLION;
            case MEAN_WAIT, WAITING, STABLE -> value;
        };
    }

    private static double limit(SizeRequirement its) {
        return switch (its.kind()) {
            case MISSED -> PERCENT * its.partPerMillion() / MILLION;
            case MEAN_WAIT -> its.withinNanos() / NANOS;
            case WAITING -> its.limit();
            case REWARD -> its.limit() / MILLION;
            case STABLE -> 0;
        };
    }

    private static String axis(SizeRequirement its) {
        return switch (its.kind()) {
            case MISSED -> its.waitsForEver() ? "requests rejected, %" : "requests that miss the target, %";
            case MEAN_WAIT -> "mean wait, s";
            case WAITING -> "waiting requests";
            case REWARD -> "reward per hour";
            case STABLE -> "";
        };
    }

    /**
     * What is there or needed while the load grows, and what is proven; a single line where these are the same.
     *
     * @param what the first is called
     * @param proven what is said of it where it is the least
     * @param least what is proven is called
     * @param unit of time, in quarters
     * @param last whether what is proven is shown, too
     */
    static void growth(
            String what,
            String proven,
            String least,
            List<GrowthPlan.Step> steps,
            int unit,
            List<Curve> curves,
            boolean last) {
        List<GrowthPlan.Step> known =
                steps.stream().filter(GrowthPlan.Step::known).toList();
        double[] times = known.stream()
                .mapToDouble(step -> (double) step.quarter() / unit)
                .toArray();
        double[] servers = most(known, GrowthPlan.Step::servers);
        double[] bound = most(known, GrowthPlan.Step::bound);
        boolean same = Arrays.equals(servers, bound);
        double end = times.length == 0 ? 0 : times[times.length - 1];
        curves.add(steps(same ? what + ", proven: " + proven : what, times, servers, end, false));
        if (last && !same && DoubleStream.of(bound).sum() > 0) {
            curves.add(steps(least, times, bound, end, true));
        }
    }

    /** Of the run with the greatest need, for which servers are bought. */
    private static double[] most(List<GrowthPlan.Step> steps, Function<GrowthPlan.Step, List<Long>> numbers) {
        return steps.stream()
                .mapToDouble(step -> Collections.max(numbers.apply(step)))
                .toArray();
    }
}
