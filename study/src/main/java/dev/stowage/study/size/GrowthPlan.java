package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** How many servers are needed in each quarter while the load ({@link MoreLoad}) grows by a fraction every year. */
public final class GrowthPlan {
    private static final int QUARTERS = 4;
    /** Of more quarters than these a table has years only. */
    private static final int MOST_SHOWN = 8;

    private final Experiment point;
    private final SizeQuestion question;
    private final PolicyFactory policies;
    /** An inventory's requests are alike in each quarter and replication. */
    private final Packing packing;

    /** For an experiment whose load is that of today. */
    public GrowthPlan(Experiment point, SizeQuestion question, PolicyFactory policies) {
        this.point = point;
        this.question = question;
        this.policies = policies;
        packing = point.workload().isInventory() ? Packing.remembering() : Packing.ANEW;
    }

    /** What is needed today. */
    public Sizing today() {
        return new Sizing(point, question, policies, packing);
    }

    /**
     * The need of one policy at one time.
     *
     * @param quarter, counted from now
     * @param load times today's
     * @param servers needed, by replication; 0 if no number is enough. Where kinds are chosen, those that are there
     *     then
     * @param bound servers that any policy needs, by replication; where kinds are chosen, with all of today's
     * @param buy servers to buy by then, beyond those of the experiment and those bought before; covers the greatest
     *     need of the replications
     * @param bought the same by kind and site; empty if none of today's is there
     * @param decides what decides the bound of the first replication; empty if no number is enough
     * @param notes on the search
     */
    public record Step(
            int quarter,
            double load,
            List<Long> servers,
            List<Long> bound,
            long buy,
            List<Bought> bought,
            String decides,
            List<String> notes) {
        /** Whether some number was enough in each replication. */
        public boolean known() {
            return servers.stream().allMatch(each -> each > 0);
        }

        /** The same with other names of the kinds that are bought. */
        public Step naming(UnaryOperator<String> kinds) {
            List<Bought> named = bought.stream()
                    .map(each -> new Bought(each.servers(), kinds.apply(each.kind()), each.site()))
                    .toList();
            return new Step(quarter, load, servers, bound, buy, named, decides, notes);
        }
    }

    /** So many servers of a kind for a site, which has no name where there is one. */
    public record Bought(long servers, String kind, String site) {}

    /** Whether so many quarters after today are shown by year. */
    public static boolean byYear(int quarters) {
        return quarters > MOST_SHOWN;
    }

    /**
     * The plan of a policy, with today as the first step. What is there is kept, and so is what was bought: each
     * purchase is of the kinds of which the fewest more were found to be enough ({@link KindChoice}), else those that
     * the list of servers has next.
     *
     * @param quarters number of further quarters
     * @param have number of servers today
     * @param each receives each step, and of what it is the need
     */
    public List<Step> of(
            LabelledPolicy policy, LoadGrowth growth, int quarters, long have, BiConsumer<Step, Sizing> each) {
        List<Step> steps = new ArrayList<>();
        MoreLoad more = MoreLoad.of(point.workload());
        boolean grows = point.workload().isInventory()
                && growth.part() >= 0
                && growth.ofSome().stream().allMatch(some -> some.part() >= 0);
        Experiment today = point.with(List.of(policy), point.replications());
        Experiment owned = today;
        long number = have;
        for (int quarter = 0; quarter <= quarters; quarter++) {
            double years = (double) quarter / QUARTERS;
            Workload load = more.after(years, growth, point.workload());
            Sizing there = new Sizing(owned.with(load, point.replications()), question, policies, packing);
            boolean chosen = have > 0 && there.choosesKinds();
            long before = number;
            Sizing sizing = chosen ? there.extended() : there;
            Sizing.Need need = sizing.need(policy.spec());
            number = !need.known()
                    ? before
                    : chosen ? sizing.listed() : Math.max(before, Collections.max(need.servers()));
            // What an earlier quarter needs is there in a later one.
            List<Long> soFar = grows && quarter > 0
                    ? steps.get(quarter - 1).bound()
                    : Collections.nCopies(point.replications(), chosen ? have : 0L);
            // Kinds are chosen for an inventory, which is the same in each replication.
            List<Long> needed = !chosen
                    ? sizing.least()
                    : number == soFar.get(0)
                            ? soFar
                            : Collections.nCopies(
                                    soFar.size(),
                                    have
                                            + KindChoice.leastMore(
                                                    today.with(load, point.replications()),
                                                    question,
                                                    policies,
                                                    packing));
            List<Long> least = !grows
                    ? needed
                    : IntStream.range(0, needed.size())
                            .mapToObj(r -> Math.max(soFar.get(r), needed.get(r)))
                            .toList();
            Step step = new Step(
                    quarter,
                    growth.rounded(years),
                    chosen && need.known() ? Collections.nCopies(soFar.size(), number) : need.servers(),
                    least,
                    number - before,
                    have == 0 || number == before ? List.of() : bought(there, before, sizing, number),
                    need.known() ? sizing.decides() : "",
                    need.notes());
            steps.add(step);
            each.accept(step, sizing);
            owned = owned.with(sizing.point().cluster());
        }
        return steps;
    }

    /** The same, of which nobody hears before its end. */
    public List<Step> of(LabelledPolicy policy, LoadGrowth growth, int quarters, long have) {
        return of(policy, growth, quarters, have, (step, sizing) -> {});
    }

    private static List<Bought> bought(Sizing there, long before, Sizing then, long number) {
        Map<String, Map<String, Long>> had = bySite(there, before);
        List<Bought> bought = new ArrayList<>();
        bySite(then, number)
                .forEach((site, kinds) -> kinds.forEach((kind, count) -> {
                    long more = count - had.getOrDefault(site, Map.of()).getOrDefault(kind, 0L);
                    if (more > 0) {
                        bought.add(new Bought(more, kind, site));
                    }
                }));
        return bought;
    }

    private static Map<String, Map<String, Long>> bySite(Sizing sizing, long servers) {
        Map<String, Map<String, Long>> sites = sizing.bySite(servers);
        return sites.isEmpty() ? Map.of("", sizing.kinds(servers)) : sites;
    }
}
