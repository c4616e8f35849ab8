package dev.stowage.policies.parallel.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Efficiency;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Declared;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.policies.Policies;
import dev.stowage.policies.catalog.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two servers of 1000 units of the divisible resource; a job may hold all of it unless said otherwise. */
class OnlineSchedulerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PLENTY = 1_000_000;

    private Engine engine = start();
    private long nextId;

    private static Engine start(String... settings) {
        return start(1000, Effects.NONE, settings);
    }

    private static Engine start(long capacity, Effects effects, String... settings) {
        Map<String, String> parameters = new LinkedHashMap<>(
                Map.of("center", "1", "pod", "1", "rack", "1", "drc", "false", "budget-spread", "none"));
        for (int s = 0; s < settings.length; s += 2) {
            parameters.put(settings[s], settings[s + 1]);
        }
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", true), new Resource("load", false)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(capacity, PLENTY)))),
                List.of(RequestType.of("task", 0, 0)));
        return start(cluster, effects, parameters);
    }

    private static Engine start(Cluster cluster, Effects effects, Map<String, String> parameters) {
        return Engine.start(
                cluster, PolicySpec.of("ontapra", parameters), new Policies(), Steps.COMMANDS, 1, 0, effects);
    }

    /** A job with these loads arrives. */
    private void arrive(long at, long... loads) {
        for (long load : loads) {
            engine.arrive(at, nextId++, -1, new long[] {0, load}, new long[0], 0);
        }
    }

    private long share(long id) {
        return engine.view().share(engine.find(id));
    }

    private int server(long id) {
        return engine.view().server(engine.find(id));
    }

    @Test
    void planByHand() {
        // Both start on server 0, equally efficient. The longest is 30 / 1000 there; task 0 goes to server 1, where the
        // center's row
        // decides: 30 / 2000. Then server 0 has 20 / 1000, and task 1 would run longer with task 0.
        // Equation (16): task 0 gets min(1000, 10 x 2000 / 30) = 666.7, task 1 min(1000, 20 x 2000 / 30) = 1000.
        // Rounded down.
        arrive(0, 10, 20);
        assertThat(server(0)).isEqualTo(-1);
        engine.tick(1);
        assertThat(new int[] {server(0), server(1)}).containsExactly(1, 0);
        assertThat(new long[] {share(0), share(1)}).containsExactly(666, 1000);
    }

    @Test
    void residualCapacityIsLentAndTakenBack() {
        engine = start("drc", "true");
        arrive(0, 10, 20);
        engine.tick(1);
        // Server 1 has 334 left; they go to its only task.
        assertThat(new long[] {share(0), share(1)}).containsExactly(1000, 1000);
        // At the next round they are taken back: 334 of 2000 are free, at most 20 %, so the MAR test fails and they are
        // lent again.
        arrive(10 * SECOND, 5);
        engine.tick(10 * SECOND + 1);
        assertThat(server(2)).isEqualTo(-1);
        assertThat(share(0)).isEqualTo(1000);
        // Task 1 ends; nothing runs on server 0. At the next round 334 + 1000 are free, and the job gets server 0.
        engine.leave(15 * SECOND, 1);
        engine.tick(20 * SECOND);
        assertThat(server(2)).isEqualTo(-1);
        engine.tick(20 * SECOND + 1);
        assertThat(server(2)).isZero();
        assertThat(new long[] {share(0), share(2)}).containsExactly(1000, 1000);
    }

    @Test
    void residualCapacityGoesByEquivalentLoad() {
        // A job may hold 0.3 of the center, 600 of 2000: its tasks, loads 10 and 20, stay together on server 0 with 200
        // and 400, because
        // the center decides wherever they are. The other 400 of server 0 are lent 1 : 2, rounded down to 133 and 266.
        engine = start("drc", "true", "center", "0.3");
        arrive(0, 10, 20);
        engine.tick(1);
        assertThat(new int[] {server(0), server(1)}).containsExactly(0, 0);
        assertThat(new long[] {share(0), share(1)}).containsExactly(333, 666);
        // At the round that is taken back: 1400 are free, of which a job of load 40 may hold 420. Server 0 has only 400
        // of them: 40 / 400
        // is longer than 40 / 420 on server 1. Then everything is lent again.
        arrive(9 * SECOND, 40);
        engine.tick(10 * SECOND + 1);
        assertThat(server(2)).isEqualTo(1);
        assertThat(new long[] {share(0), share(1), share(2)}).containsExactly(333, 666, 1000);
        // Task 1 ends; at once its share is lent to the other task of server 0.
        engine.leave(11 * SECOND, 1);
        assertThat(new long[] {share(0), share(2)}).containsExactly(1000, 1000);
    }

    @Test
    void ordersOfJobs() {
        // Three jobs of one task each wait for one round; each job may hold half of what is free. The first to be
        // planned holds 1000 (center:
        // half of 2000, on one server), the next half of the rest: 500, then 250.
        Map<String, long[]> shares = new LinkedHashMap<>();
        shares.put("sjf", new long[] {500, 250, 1000});
        shares.put("slf", new long[] {500, 250, 1000});
        shares.put("llf", new long[] {500, 1000, 250});
        shares.forEach((order, expected) -> {
            engine = start("center", "0.5", "order", order, "least-free", "0");
            nextId = 0;
            arrive(1, 20);
            arrive(2, 30);
            arrive(3, 10);
            engine.tick(10 * SECOND + 1);
            assertThat(new long[] {share(0), share(1), share(2)}).as(order).containsExactly(expected);
        });
        // First come, first served does not wait for the round.
        engine = start("center", "0.5", "order", "fcfs", "least-free", "0");
        nextId = 0;
        arrive(1, 20);
        arrive(2, 30);
        arrive(3, 10);
        engine.tick(4);
        assertThat(new long[] {share(0), share(1), share(2)}).containsExactly(1000, 500, 250);
    }

    @Test
    void marIsForAllOrdersOrForShortestFirstOnly() {
        for (String mar : List.of("all", "sjf")) {
            engine = start("order", "slf", "mar", mar, "center", "0.9");
            nextId = 0;
            arrive(0, 10, 10);
            engine.tick(1);
            // 2 x 900 are held; 200 of 2000 are free, which is not more than 20 %.
            arrive(5 * SECOND, 10);
            engine.tick(10 * SECOND + 1);
            assertThat(server(2) >= 0).as(mar).isEqualTo(mar.equals("sjf"));
        }
    }

    /** Two tasks hold 2 x 800 of 2000; the 400 that are free are exactly a fifth. */
    @Test
    void exactlyTheLeastThatMustBeFreeIsScarce() {
        for (String leastFree : List.of("0.2", "0.19")) {
            nextId = 0;
            engine = start("center", "0.8", "order", "slf", "mar", "all", "least-free", leastFree);
            arrive(0, 10, 10);
            engine.tick(1);
            assertThat(new long[] {share(0), share(1)}).containsExactly(800, 800);
            arrive(5 * SECOND, 10);
            engine.tick(10 * SECOND + 1);
            assertThat(server(2) >= 0).as(leastFree).isEqualTo(leastFree.equals("0.19"));
        }
    }

    /** {@link #residualCapacityIsLentAndTakenBack}, saved and restored after every step. */
    @Test
    void whatIsRestoredGoesOn() {
        engine = start("drc", "true");
        arrive(0, 10, 20);
        restore();
        engine.tick(1);
        restore();
        assertThat(new long[] {share(0), share(1)}).containsExactly(1000, 1000);
        arrive(10 * SECOND, 5);
        restore();
        engine.tick(10 * SECOND + 1);
        restore();
        assertThat(server(2)).isEqualTo(-1);
        engine.leave(15 * SECOND, 1);
        restore();
        engine.tick(20 * SECOND + 1);
        assertThat(server(2)).isZero();
        assertThat(new long[] {share(0), share(2)}).containsExactly(1000, 1000);
    }

    private void restore() {
        byte[] saved = engine.save();
        engine = Engine.restore(saved, new Policies(), Effects.NONE);
        assertThat(engine.save()).isEqualTo(saved);
    }

    @Test
    void withoutADivisibleResourceJobsAreRejected() {
        Reasons reasons = new Reasons();
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", false), new Resource("load", false)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(1, PLENTY)))),
                List.of(RequestType.of("task", 0, 0)));
        engine = start(cluster, reasons, Map.of());
        arrive(0, 1);
        assertThat(reasons.heard).containsExactly("no resource is divisible");
    }

    @Test
    void hopelessJobsAreRejected() {
        // No efficiency is 1, so no placement takes as little energy as the load.
        engine = start("efficiency", "uniform", "budget-spread", "0");
        arrive(7, 10, 20);
        assertThat(engine.view().queueLength(0)).isEqualTo(2);
        engine.tick(8);
        assertThat(engine.view().queueLength(0)).isZero();
        assertThat(engine.rejected()).isEqualTo(2);
    }

    /** Hears why requests are rejected. */
    private static final class Reasons implements Effects {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void rejected(long now, int job, String reason) {
            heard.add(reason);
        }
    }

    /**
     * Loads whose best efficiency on the two servers is below 1 / 1.1, and one with which every budget but the smallest
     * suffices.
     */
    @Test
    void aHopelessJobIsRejectedWithItsReasonAndTheOthersGoOn() {
        Reasons reasons = new Reasons();
        engine = start(1000, reasons, "efficiency", "uniform", "budget-spread", "0.1");
        arrive(7, load(0, 0.9), load(0, 0.9));
        arrive(8, load(0.99, 1));
        engine.tick(9);
        assertThat(reasons.heard)
                .containsExactly(
                        "the least energy of its job is above the largest budget",
                        "the least energy of its job is above the largest budget");
        for (int round = 1; round <= 10 && server(2) < 0; round++) {
            engine.tick(10 * SECOND * round + 1);
        }
        assertThat(server(2)).isNotNegative();
        assertThat(engine.rejected()).isEqualTo(2);
    }

    /** The paper's budget is the default: at most 1.1 times the load. */
    @Test
    void theBudgetOfThePaperIsTheDefault() {
        assertThat(Policies.all().stream()
                        .filter(policy -> policy.key().equals("ontapra"))
                        .flatMap(policy -> policy.parameters().stream())
                        .filter(parameter -> parameter.name().equals("budget-spread"))
                        .map(Parameter::defaultValue))
                .containsExactly("0.1");
    }

    private static long load(double from, double to) {
        for (long load = 1; ; load++) {
            double best = Math.max(
                    Efficiency.UNIFORM.of(load, 0, 0, new KeyedRandom()),
                    Efficiency.UNIFORM.of(load, 0, 1, new KeyedRandom()));
            if (best >= from && best < to) {
                return load;
            }
        }
    }

    @Test
    void withoutCapacityJobsAreRejected() {
        Reasons reasons = new Reasons();
        engine = start(0, reasons);
        arrive(7, 10, 20);
        engine.tick(8);
        assertThat(reasons.heard)
                .containsExactly(
                        "no server has any of the divisible resource", "no server has any of the divisible resource");
        assertThat(engine.view().queueLength(0)).isZero();
    }

    @Test
    void efficienciesAreThoseOfTheModel() {
        // A task of load 77 goes where it is most efficient: it is alone.
        engine = start("efficiency", "uniform");
        arrive(0, 77);
        engine.tick(1);
        KeyedRandom random = new KeyedRandom();
        double zero = Efficiency.UNIFORM.of(77, 0, 0, random);
        double one = Efficiency.UNIFORM.of(77, 0, 1, random);
        assertThat(server(0)).isEqualTo(zero >= one ? 0 : 1);
        List<Double> sample = new ArrayList<>();
        for (int load = 0; load < 10_000; load++) {
            sample.add(Efficiency.UNIFORM.of(load, 0, 3, random));
        }
        // Mean 0.55, four standard errors 4 x 0.9 / sqrt(12 x 10000) = 0.0104.
        assertThat(sample.stream().mapToDouble(x -> x).average().orElseThrow()).isBetween(0.5396, 0.5604);
        assertThat(sample).allMatch(x -> x > 0.1 && x < 1);
    }

    @Test
    void displacedTasksArePlannedAnew() {
        arrive(0, 10, 20);
        engine.tick(1);
        engine.loseServer(2, 0);
        assertThat(server(1)).isEqualTo(-1);
        engine.leave(3, 0);
        engine.tick(10 * SECOND + 1);
        assertThat(server(1)).isEqualTo(1);
    }

    @Test
    void everyPlannerSchedules() {
        for (String planner : List.of("tapra", "tapra-fast", "mm-ga", "gsa")) {
            engine = start("planner", planner, "efficiency", "uniform");
            nextId = 0;
            arrive(0, 10, 20, 30);
            engine.tick(1);
            assertThat(engine.view().queueLength(0)).as(planner).isZero();
            assertThat(share(0) + share(1) + share(2)).as(planner).isBetween(900L, 2000L);
        }
    }

    private static final List<String> DECLARED =
            List.of(Declared.JOB, Declared.BUDGET, Declared.LOAD, Declared.KIND, Declared.POWER);

    /** Two servers of 1000, with all that tasks may declare, in an order that is not that of the names. */
    private Engine declaring(Effects effects, String... settings) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of(
                "center", "0.5", "pod", "1", "rack", "1", "drc", "false", "budget-spread", "none", "least-free", "0"));
        for (int s = 0; s < settings.length; s += 2) {
            parameters.put(settings[s], settings[s + 1]);
        }
        List<Resource> resources = new ArrayList<>(List.of(new Resource("cpu", true)));
        DECLARED.forEach(name -> resources.add(Resource.of(name)));
        long p = Declared.PLENTY;
        Cluster cluster = new Cluster(
                resources,
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(1000, p, p, p, p, p)))),
                List.of());
        return start(cluster, effects, parameters);
    }

    private void declare(long at, long job, long budget, long load, long kind, long power) {
        engine.arrive(at, nextId++, -1, new long[] {0, job, budget, load, kind, power}, new long[0], 0);
    }

    /** Each job may hold half of what is free: 1000, then 500. As one job the three tasks would have 1000 together. */
    @Test
    void jobsThatArriveTogetherArePlannedOneByOne() {
        engine = declaring(Effects.NONE);
        declare(0, 1, 0, 10_000, 0, 1000);
        declare(0, 2, 0, 40_000, 0, 1000);
        declare(0, 1, 0, 10_000, 0, 1000);
        engine.tick(1);
        assertThat(share(0) + share(2)).isEqualTo(1000);
        assertThat(share(1)).isEqualTo(500);
        // Without a job, those of an instant are one: 1000 for all, by load.
        engine = declaring(Effects.NONE);
        nextId = 0;
        declare(0, 0, 0, 10_000, 0, 1000);
        declare(0, 0, 0, 40_000, 0, 1000);
        engine.tick(1);
        assertThat(new long[] {share(0), share(1)}).containsExactly(200, 800);
    }

    /** Tasks of one job that come later are planned with those that wait. */
    @Test
    void tasksOfAJobMayArriveLater() {
        engine = declaring(Effects.NONE, "order", "slf");
        declare(1, 7, 0, 10_000, 0, 1000);
        declare(2, 8, 0, 30_000, 0, 1000);
        declare(3, 7, 0, 10_000, 0, 1000);
        engine.tick(10 * SECOND + 1);
        // Job 7 has load 20 and comes first: half of 2000; then job 8 gets half of the rest.
        assertThat(share(0) + share(2)).isEqualTo(1000);
        assertThat(share(1)).isEqualTo(500);
    }

    /**
     * Kind 1 runs at 0.5 on the second server, kind 2 at 0.5 on the first. Load 10 s at 2 W takes 20 J where it is
     * efficient. Budgets of 12 and 8 J for two tasks of one job are enough for 20 J in sum; 19 J are not, and the job
     * says why.
     */
    @Test
    void powerEfficiencyAndBudgetAreTheTasksOwn() {
        Reasons reasons = new Reasons();
        engine = declaring(reasons, "efficiency", "1/0.5/0.5/1", "classes", "1/1", "center", "1");
        declare(0, 1, 12, 5_000, 1, 2000);
        declare(0, 1, 8, 5_000, 2, 2000);
        declare(0, 2, 19, 10_000, 1, 2000);
        engine.tick(1);
        assertThat(new int[] {server(0), server(1)}).containsExactly(0, 1);
        assertThat(reasons.heard).containsExactly("the least energy of its job is above the job's budget");
        // At 1 W the same load is within 10 J; without power declared as none it takes nothing at all.
        nextId = 10;
        engine = declaring(reasons, "efficiency", "1/0.5/0.5/1", "classes", "1/1", "budget-spread", "0");
        declare(0, 1, 10, 10_000, 1, 1000);
        declare(0, 2, 0, 10_000, 1, 0);
        engine.tick(1);
        assertThat(server(10)).isZero();
        assertThat(server(11)).isNotNegative();
        assertThat(reasons.heard).hasSize(1);
    }

    /**
     * Two jobs of one task of the same load, for which the first server is 5 % less efficient: with a budget of up to
     * 1.1 times the load it may run where there is room in about half of the rounds. If both drew the same budget, they
     * would always start together.
     */
    @Test
    void jobsOfEqualLoadHaveBudgetsOfTheirOwn() {
        int apart = 0;
        for (int round = 0; round < 40; round++) {
            engine = declaring(
                    Effects.NONE,
                    "efficiency",
                    "0.95",
                    "classes",
                    "2",
                    "budget-spread",
                    "0.1",
                    "center",
                    "0.4",
                    "order",
                    "slf");
            nextId = 0;
            long at = 10 * SECOND * round + 5;
            declare(at, 1, 0, 10_000, 1, 1000);
            declare(at, 2, 0, 10_000, 1, 1000);
            engine.tick(10 * SECOND * (round + 1) + 1);
            apart += server(0) >= 0 != server(1) >= 0 ? 1 : 0;
        }
        assertThat(apart).isBetween(8, 32);
    }

    /** Three jobs that would be complete at the same time: the first that arrived is planned first, then the next. */
    @Test
    void tiesOfTheShortestJobGoToTheFirst() {
        engine = start("center", "0.5", "least-free", "0");
        arrive(1, 20);
        arrive(2, 20);
        arrive(3, 20);
        engine.tick(10 * SECOND + 1);
        assertThat(new long[] {share(0), share(1), share(2)}).containsExactly(1000, 500, 250);
    }
}
