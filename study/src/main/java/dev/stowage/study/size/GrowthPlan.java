package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import java.util.ArrayList;
import java.util.List;

/** How many servers are needed in each quarter while the load ({@link MoreLoad}) grows by a fraction every year. */
public final class GrowthPlan {
    private static final int QUARTERS = 4;

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
     * @param planned of an inventory: servers that suffice if everything may be moved, by one plan for all requests; 0
     *     where that is not known
     * @param notes on the search
     */
    public record Step(
            int quarter,
            double load,
            List<Long> servers,
            List<Long> bound,
            long buy,
            long planned,
            List<String> notes) {
        /** Whether some number was enough in each replication. */
        public boolean known() {
            return servers.stream().allMatch(each -> each > 0);
        }
    }

    /**
     * The plan of a policy, with today as the first step.
     *
     * @param quarters number of further quarters
     * @param have number of servers today
     */
    public List<Step> of(PolicySpec policy, LoadGrowth growth, int quarters, long have) {
        List<Step> steps = new ArrayList<>();
        long owned = have;
        MoreLoad more = MoreLoad.of(point.workload());
        for (int quarter = 0; quarter <= quarters; quarter++) {
            double years = (double) quarter / QUARTERS;
            double load = growth.rounded(years);
            Experiment then = point.with(more.after(years, growth, point.workload()), point.replications());
            Sizing sizing = new Sizing(then, question, policies);
            Sizing.Need need = sizing.need(policy);
            long most = need.servers().stream().mapToLong(Long::longValue).max().orElse(0);
            long buy = need.known() ? Math.max(0, most - owned) : 0;
            owned += buy;
            long planned = point.workload().isInventory() && need.known()
                    ? sizing.hindsight(most).map(Sizing.Schedule::servers).orElse(0L)
                    : 0;
            steps.add(new Step(quarter, load, need.servers(), sizing.least(), buy, planned, need.notes()));
        }
        return steps;
    }
}
