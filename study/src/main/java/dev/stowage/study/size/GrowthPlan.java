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
     * @param planned of an inventory: servers that suffice if everything may be moved, by one plan for all requests; 0
     *     where that is not known. No plan is made where the policy attains the bound, nor, of quarters that are shown
     *     by year, where the policy needs no more than the plan of a later quarter of the year: it is then what the
     *     policy needs
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
        List<Sizing> sizings = new ArrayList<>();
        List<Sizing.Need> needs = new ArrayList<>();
        MoreLoad more = MoreLoad.of(point.workload());
        for (int quarter = 0; quarter <= quarters; quarter++) {
            double years = (double) quarter / QUARTERS;
            Experiment then = point.with(more.after(years, growth, point.workload()), point.replications());
            Sizing sizing = new Sizing(then, question, policies);
            sizings.add(sizing);
            needs.add(sizing.need(policy));
        }
        long[] planned = point.workload().isInventory() ? planned(sizings, needs) : new long[quarters + 1];
        List<Step> steps = new ArrayList<>();
        long owned = have;
        for (int quarter = 0; quarter <= quarters; quarter++) {
            Sizing.Need need = needs.get(quarter);
            long buy = need.known() ? Math.max(0, most(need) - owned) : 0;
            owned += buy;
            steps.add(new Step(
                    quarter,
                    growth.rounded((double) quarter / QUARTERS),
                    need.servers(),
                    sizings.get(quarter).least(),
                    buy,
                    planned[quarter],
                    need.notes()));
        }
        return steps;
    }

    /** What {@link Step#planned} says of each quarter. */
    private static long[] planned(List<Sizing> sizings, List<Sizing.Need> needs) {
        int last = needs.size() - 1;
        boolean byYear = byYear(last);
        long[] planned = new long[needs.size()];
        long ofYear = 0;
        for (int quarter = last; quarter >= 0; quarter--) {
            Sizing.Need need = needs.get(quarter);
            Sizing sizing = sizings.get(quarter);
            if (!byYear || quarter % QUARTERS == 0) {
                ofYear = 0;
            }
            if (need.known()) {
                long most = most(need);
                planned[quarter] = most <= Math.max(ofYear, Collections.min(sizing.least()))
                        ? most
                        : sizing.hindsight(most).map(Sizing.Schedule::servers).orElse(0L);
            }
            ofYear = Math.max(ofYear, planned[quarter]);
        }
        return planned;
    }

    private static long most(Sizing.Need need) {
        return need.servers().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
