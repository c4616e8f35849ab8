package dev.stowage.cli.plan;

import dev.stowage.policies.parallel.Plan;
import dev.stowage.report.AnswerPage;
import dev.stowage.report.Picture.Curve;
import dev.stowage.study.planner.EnergyCurve;
import java.util.Arrays;
import java.util.List;

/** Picture of completion time against energy. */
final class EnergyPicture {
    /** Points at the left are left out if they complete later than this many times the earliest. */
    private static final double LATEST = 3;
    /** Points at the right are left out if they gain less than this fraction. */
    private static final double NOTHING = 0.001;

    private static final double PERCENT = 100;

    private EnergyPicture() {}

    /** Completion time against energy budget for the problem of a plan, with the plan as a point. */
    static AnswerPage.Chart of(Plan plan) {
        double least = plan.problem().minimumEnergy();
        EnergyCurve curve = EnergyCurve.of(plan.problem());
        double[] completion = curve.completion();
        double earliest = completion[completion.length - 1];
        int from = 0;
        while (completion[from] > LATEST * earliest) {
            from++;
        }
        int to = completion.length;
        while (to > from + 2 && completion[to - 2] <= earliest * (1 + NOTHING)) {
            to--;
        }
        double[] above = Arrays.stream(curve.budgets(), from, to)
                .map(budget -> PERCENT * (budget / least - 1))
                .toArray();
        return new AnswerPage.Chart(
                "Completion time by energy budget",
                "Completion time with planner thrifty against the energy budget, and the lower bound.",
                "energy budget, % above the least energy",
                "completion time, s",
                List.of(
                        new Curve("thrifty", above, Arrays.copyOfRange(completion, from, to), false),
                        new Curve("lower bound", above, Arrays.copyOfRange(curve.bound(), from, to), true),
                        new Curve(
                                "this plan",
                                new double[] {PERCENT * (plan.energy() / least - 1)},
                                new double[] {plan.completion()},
                                false)));
    }
}
