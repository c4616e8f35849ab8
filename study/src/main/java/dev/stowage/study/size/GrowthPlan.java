package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many servers are needed in each quarter while the load ({@link MoreLoad}) grows by a fraction every year. */
public final class GrowthPlan {
    private static final int QUARTERS = 4;
    /** Of more quarters than these a table has years only. */
    private static final int MOST_SHOWN = 8;

    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;

    /** For an experiment whose load is that of today. */
    public GrowthPlan(Experiment point, SizeQuestion question, PolicyFactory policies) {
        this.point = point;
        this.question = question;
        this.policies = policies;
    }

    /**
     * The need of one policy at one time.
     *
     * @param quarter, counted from now
     * @param load times today's
     * @param servers needed, by replication; 0 if no number is enough
     * @param bound servers that any policy needs, by replication
     * @param buy servers to buy by then, beyond those of the experiment and those bought before; covers the greatest
     *     need of the replications
     * @param notes on the search
     */
    public record Step(int quarter, double load, List<Long> servers, List<Long> bound, long buy, List<String> notes) {
        /** Whether some number was enough in each replication. */
        public boolean known() {
            return servers.stream().allMatch(each -> each > 0);
        }
    }

    /** Whether so many quarters after today are shown by year. */
    public static boolean byYear(int quarters) {
        return quarters > MOST_SHOWN;
    }

    /**
     * The plan of a policy, with today as the first step.
     *
     * @param quarters number of further quarters
     * @param have number of servers today
     */
    public List<Step> of(PolicySpec policy, LoadGrowth growth, int quarters, long have) {
        List<Step> steps = new ArrayList<>();
        MoreLoad more = MoreLoad.of(point.workload());
        boolean grows = point.workload().isInventory()
                && growth.part() >= 0
                && growth.ofSome().stream().allMatch(some -> some.part() >= 0);
        long owned = have;
        for (int quarter = 0; quarter <= quarters; quarter++) {
            double years = (double) quarter / QUARTERS;
            Experiment then = point.with(more.after(years, growth, point.workload()), point.replications());
            Sizing sizing = new Sizing(then, question, policies);
            Sizing.Need need = sizing.need(policy);
            long buy = need.known() ? Math.max(0, Collections.max(need.servers()) - owned) : 0;
            owned += buy;
            // What an earlier quarter needs is there in a later one.
            List<Long> least = grows && quarter > 0
                    ? List.of(Math.max(
                            steps.get(quarter - 1).bound().get(0),
                            sizing.least().get(0)))
                    : sizing.least();
            steps.add(new Step(quarter, growth.rounded(years), need.servers(), least, buy, need.notes()));
        }
        return steps;
    }
}
