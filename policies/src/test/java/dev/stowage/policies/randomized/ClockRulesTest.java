package dev.stowage.policies.randomized;

import static dev.stowage.policies.randomized.TypedRig.GONE;
import static dev.stowage.policies.randomized.TypedRig.SECOND;
import static dev.stowage.policies.randomized.TypedRig.WAITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Algorithms 1 and 2 rule by rule. */
class ClockRulesTest {
    private static final String CENTRAL = "randomized-central";
    private static final String LOCAL = "randomized-distributed";
    /** Room for everything. */
    private static final long ROOM = 1_000_000;

    private static TypedRig rig(
            String policy, Map<String, String> parameters, long seed, long[] capacities, long... demands) {
        Map<String, String> all = new TreeMap<>(Map.of("clock-unit-s", "1"));
        all.putAll(parameters);
        return new TypedRig(PolicySpec.of(policy, all), Steps.COMMANDS, seed, capacities, demands);
    }

    private static long[] servers(long... capacities) {
        return capacities;
    }

    /** The dummy of a full server ends when it would have ended, and the request starts later. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void noRequestReplacesADummy(String policy) {
        for (long seed = 1; seed <= 50; seed++) {
            TypedRig rig = rig(policy, Map.of(), seed, servers(1), 1).step();
            assertThat(rig.view.dummies(0)).isEqualTo(1);
            Engine without = Engine.restore(rig.engine.save(), new Policies(), Effects.NONE);
            without.tick(without.nextDeadline());
            assertThat(without.view().dummies(0)).isZero();
            rig.arriveMany(5, 0);
            while (rig.view.dummies(0) > 0) {
                assertThat(rig.servers()).containsOnly(WAITS);
                rig.step();
            }
            assertThat(rig.view.now()).isEqualTo(without.view().now());
            rig.step();
            assertThat(rig.servers()).containsExactly(0, WAITS, WAITS, WAITS, WAITS);
            assertThat(rig.view.now()).isGreaterThan(without.view().now());
        }
    }

    /** Only where nothing waits a tick places a dummy, and the head of the line is served first. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void requestsBeforeDummiesInOrderOfArrival(String policy) {
        TypedRig rig = rig(policy, Map.of(), 3, servers(ROOM), 1).arriveMany(20, 0);
        for (int id = 0; id < 20; id++) {
            rig.untilPlaced();
            assertThat(rig.log).last().asString().startsWith("place " + id + " on 0");
        }
        rig.untilPlaced();
        assertThat(rig.log).last().asString().startsWith("dummy on 0");
    }

    /**
     * Queue frozen at 0: ticks are a Poisson process of rate 10 (1 + 0) per second, however many dummies there are:
     * they do not count. In 30 s, after the first 10 s, 300.
     */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void dummiesDoNotCountInTheQueue(String policy) {
        int[] ticks = new int[40];
        for (int seed = 0; seed < ticks.length; seed++) {
            TypedRig rig =
                    rig(policy, Map.of("scale", "10"), seed, servers(ROOM), 1).until(10 * SECOND);
            assertThat(rig.queues()).containsOnly(0);
            rig.log.clear();
            rig.until(40 * SECOND);
            ticks[seed] = (int)
                    rig.log.stream().filter(line -> line.startsWith("dummy")).count();
        }
        GoodnessOfFit.checkPoisson(ticks, 300);
    }

    /** Queue frozen at 4, a new request for each that starts: rate 10 (1 + 4) per second, or exp((log 50)^0.5). */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void ticksAreAPoissonProcess(String policy) {
        for (double exponent : new double[] {1, 0.5}) {
            double rate = StrictMath.exp(StrictMath.pow(StrictMath.log(50), exponent));
            double[] gaps = new double[2000];
            TypedRig rig = rig(policy, Map.of("exponent", "" + exponent), 7, servers(ROOM), 1)
                    .arriveMany(4, 0);
            for (int k = 0; k < gaps.length; k++) {
                long from = rig.view.now();
                rig.untilPlaced();
                gaps[k] = (double) (rig.view.now() - from) / SECOND;
                rig.arrive(0);
            }
            GoodnessOfFit.checkExponential(gaps, rate);
        }
    }

    /** At half a clock's time the queue goes from 1 to 19, or from 19 to 1: from then on the clock has the new rate. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void theClockIsDrawnAnewWhenTheQueueChanges(String policy) {
        Map<String, String> parameters = Map.of("scale", "1", "dummies", "never");
        double[] faster = new double[500];
        double[] slower = new double[500];
        int reached = 0;
        for (int seed = 0; reached < faster.length; seed++) {
            TypedRig rig =
                    rig(policy, parameters, seed, servers(ROOM), 1).arrive(0).until(SECOND / 4);
            if (rig.view.running(0) == 0) {
                rig.arriveMany(18, 0).untilPlaced();
                faster[reached++] = (double) (rig.view.now() - SECOND / 4) / SECOND;
            }
        }
        reached = 0;
        for (int seed = 0; reached < slower.length; seed++) {
            TypedRig rig = rig(policy, parameters, seed, servers(ROOM), 1)
                    .arriveMany(19, 0)
                    .until(SECOND / 40);
            if (rig.view.running(0) == 0) {
                rig.leave(IntStream.range(0, 18).asLongStream().toArray()).untilPlaced();
                slower[reached++] = (double) (rig.view.now() - SECOND / 40) / SECOND;
            }
        }
        GoodnessOfFit.checkExponential(faster, 20);
        GoodnessOfFit.checkExponential(slower, 2);
    }

    /** Rates are per unit of time of the clocks: 10 (1 + 1) per 5 s. */
    @Test
    void theUnitOfTheClocks() {
        double[] first = new double[500];
        for (int seed = 0; seed < first.length; seed++) {
            TypedRig rig = rig(CENTRAL, Map.of("clock-unit-s", "5"), seed, servers(1), 1)
                    .arrive(0)
                    .untilPlaced();
            first[seed] = (double) rig.view.now() / SECOND;
        }
        GoodnessOfFit.checkExponential(first, 4);
    }

    /**
     * A type too large for every server: its clock places nothing, its requests are refused, the other type is served.
     */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void aTypeThatFitsNoServer(String policy) {
        TypedRig rig =
                rig(policy, Map.of(), 5, servers(4, 3), 1, 5).arrive(0, 1, 0).until(20 * SECOND);
        assertThat(rig.engine.refused()).isEqualTo(1);
        assertThat(rig.log).filteredOn(line -> line.startsWith("place")).hasSize(2);
        for (int server = 0; server < 2; server++) {
            for (int job = rig.view.firstOn(server); job >= 0; job = rig.view.next(job)) {
                assertThat(rig.view.type(job)).isZero();
            }
        }
    }

    /** The only server that could hold a type is drained: its requests wait, and are served when it is back. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void requestsWaitForTheirServer(String policy) {
        TypedRig rig = rig(policy, Map.of(), 5, servers(5, 3), 1, 5);
        rig.engine.drainServer(0, 0);
        rig.arrive(1, 0);
        if (policy.equals(LOCAL)) {
            // Queue 0 is for those without a server; 1 + 1 x 2 + 0 is type 0's at server 1.
            assertThat(rig.queues()).containsExactly(1, 0, 0, 1, 0);
        }
        rig.until(20 * SECOND);
        assertThat(rig.servers()).containsExactly(WAITS, 1);
        assertThat(rig.log).noneMatch(line -> line.contains("on 0"));
        rig.engine.returnServer(rig.view.now(), 0);
        if (policy.equals(LOCAL)) {
            // 1 + 0 x 2 + 1: type 1's at server 0.
            assertThat(rig.queues()).containsExactly(0, 0, 1, 0, 0);
        }
        // Dummies of type 0 keep it from being empty: let it be drained until they are gone, and have the tick of type
        // 1 first.
        while (rig.servers()[0] == WAITS) {
            rig.engine.drainServer(rig.view.now(), 0);
            rig.until(rig.view.now() + 20 * SECOND);
            rig.engine.returnServer(rig.view.now(), 0);
            rig.step();
        }
        assertThat(rig.servers()[0]).isZero();
    }

    /**
     * Algorithm 1 chooses among the servers that are up: with one of two drained the other gets every tick, not half.
     */
    @Test
    void aDrainedServerIsNotChosen() {
        int[] both = new int[30];
        int[] one = new int[30];
        for (int seed = 0; seed < both.length; seed++) {
            TypedRig rig = rig(CENTRAL, Map.of(), seed, servers(ROOM, ROOM), 1).until(20 * SECOND);
            both[seed] = (int) rig.log.stream()
                    .filter(line -> line.startsWith("dummy on 1"))
                    .count();
            rig.engine.drainServer(rig.view.now(), 0);
            rig.log.clear();
            rig.until(40 * SECOND);
            one[seed] = (int) rig.log.stream()
                    .filter(line -> line.startsWith("dummy on 1"))
                    .count();
            assertThat(rig.log).noneMatch(line -> line.startsWith("dummy on 0"));
            assertThat(rig.log).anyMatch(line -> line.startsWith("end of dummy on 0"));
        }
        GoodnessOfFit.checkPoisson(both, 100);
        GoodnessOfFit.checkPoisson(one, 200);
    }

    /**
     * Algorithm 1: a tick whose server has no room does nothing; the server with room gets half of the rate 10 (1 + 1).
     */
    @Test
    void aTickAtAFullServerIsLost() {
        double[] waits = new double[500];
        for (int seed = 0; seed < waits.length; seed++) {
            // Type 1 fits only server 1, of two.
            TypedRig rig = rig(CENTRAL, Map.of("dummies", "never"), seed, servers(1, 2), 1, 2)
                    .arrive(1)
                    .untilPlaced();
            waits[seed] = (double) rig.view.now() / SECOND;
        }
        GoodnessOfFit.checkExponential(waits, 10);
    }

    /** A drained server's queue is routed again, in order; its clocks stand still. */
    @Test
    void theQueueOfADrainedServerMovesOn() {
        TypedRig rig = rig(LOCAL, Map.of(), 2, servers(1, 1, 1), 1).arriveMany(9, 0);
        assertThat(rig.queues()).containsExactly(0, 3, 3, 3);
        rig.engine.drainServer(0, 1);
        // Three go to the shorter of the two others: 4 and 5 of them.
        assertThat(rig.queues()[2]).isZero();
        assertThat(rig.queues()[1] + rig.queues()[3]).isEqualTo(9);
        assertThat(StrictMath.abs(rig.queues()[1] - rig.queues()[3])).isEqualTo(1);
        rig.until(10 * SECOND);
        assertThat(rig.log).noneMatch(line -> line.contains("on 1 "));
        rig.engine.returnServer(rig.view.now(), 1);
        rig.arrive(0);
        assertThat(rig.lastQueue()).isEqualTo(2);
    }

    /** What runs on a drained server goes on; a lost server's requests wait again. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void aLostServersRequestsWaitAgain(String policy) {
        TypedRig rig = rig(policy, Map.of("dummies", "never"), 2, servers(2, 2), 1)
                .arriveMany(4, 0)
                .until(60 * SECOND);
        assertThat(rig.servers()).containsOnly(0, 1);
        int onFirst = rig.view.running(0);
        rig.engine.drainServer(rig.view.now(), 0);
        assertThat(rig.view.running(0)).isEqualTo(onFirst);
        rig.engine.loseServer(rig.view.now(), 0);
        assertThat(Arrays.stream(rig.queues()).sum()).isEqualTo(onFirst);
        rig.until(120 * SECOND);
        // The other server is full with two.
        assertThat(rig.view.running(1)).isEqualTo(2);
        assertThat(rig.servers()).containsOnly(1, WAITS);
    }

    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void aClockThatWouldPlaceNothingIsNotWound(String policy) {
        TypedRig rig = rig(policy, Map.of("dummies", "never"), 4, servers(ROOM), 1);
        assertThat(rig.engine.nextDeadline()).isEqualTo(DeadlineHeap.NEVER);
        rig.arrive(0);
        assertThat(rig.engine.nextDeadline()).isLessThan(100 * SECOND);
        rig.untilPlaced();
        assertThat(rig.engine.nextDeadline()).isEqualTo(DeadlineHeap.NEVER);
    }

    /** Five ran, one runs: dummies may stand for the other four, also after a restore. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, LOCAL})
    void whatAServerOnceHeldIsSaved(String policy) {
        TypedRig rig = rig(policy, Map.of("dummies", "keep"), 4, servers(ROOM), 1)
                .arriveMany(5, 0)
                .until(20 * SECOND)
                .leave(0, 1, 2, 3);
        assertThat(rig.servers()).containsExactly(GONE, GONE, GONE, GONE, 0);
        Engine again = Engine.restore(rig.engine.save(), new Policies(), Effects.NONE);
        int most = 0;
        for (int k = 0; k < 200; k++) {
            rig.step();
            again.tick(again.nextDeadline());
            assertThat(again.view().now()).isEqualTo(rig.view.now());
            assertThat(again.view().dummies(0)).isEqualTo(rig.view.dummies(0));
            most = Math.max(most, rig.view.dummies(0));
        }
        assertThat(most).isEqualTo(4);
    }

    @Test
    void aRuleOfTypesCountsTheOthers() {
        Configuration two = Configuration.atMostTypes(2);
        // Server 1 of four types holds 1 of type 0 and 3 of type 2.
        int[] counts = {9, 9, 9, 9, 1, 0, 3, 0};
        assertThat(two.allows(counts, 4, 4, 0)).isTrue();
        assertThat(two.allows(counts, 4, 4, 2)).isTrue();
        assertThat(two.allows(counts, 4, 4, 1)).isFalse();
        assertThat(Configuration.atMostTypes(3).allows(counts, 4, 4, 1)).isTrue();
    }

    /** Four queues of lengths 0, 1, 2, 3: where the next request goes, and ties. */
    @Test
    void powerOfChoices() {
        int[] apart = {2, 0, 3, 1};
        int[] tied = {1, 0, 2, 0};
        // One: any. Two of the six pairs: 3 with the shortest, 2, 1, 0. With replacement 16 pairs: 7, 5, 3, 1. All: the
        // shortest.
        checkRouting(Map.of("choices", "1"), apart, 0.25, 0.25, 0.25, 0.25);
        checkRouting(Map.of("choices", "2"), apart, 1.0 / 6, 3.0 / 6, 0, 2.0 / 6);
        checkRouting(
                Map.of("choices", "2", "sampling", "with-replacement"), apart, 3.0 / 16, 7.0 / 16, 1.0 / 16, 5.0 / 16);
        // As many choices as servers, but one may be drawn again: 256, of which 81, 16 and 1 avoid 1, 2 and 3 of them.
        checkRouting(
                Map.of("choices", "4", "sampling", "with-replacement"),
                apart,
                15.0 / 256,
                175.0 / 256,
                1.0 / 256,
                65.0 / 256);
        // Three of the four triples have the shortest.
        checkRouting(Map.of("choices", "3"), apart, 0, 3.0 / 4, 0, 1.0 / 4);
        checkRouting(Map.of("choices", "4"), apart, 0, 1, 0, 0);
        checkRouting(Map.of("choices", "9"), apart, 0, 1, 0, 0);
        checkRouting(Map.of(), apart, 0, 1, 0, 0);
        // Two shortest: five of six pairs have one of them or both.
        checkRouting(Map.of(), tied, 0, 0.5, 0, 0.5);
        checkRouting(Map.of("choices", "2"), tied, 1.0 / 6, 2.5 / 6, 0, 2.5 / 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"distinct", "with-replacement"})
    void withoutAServerARequestIsNotRouted(String sampling) {
        TypedRig rig = rig(LOCAL, Map.of("choices", "2", "sampling", sampling), 1, servers(3), 1);
        rig.engine.drainServer(0, 0);
        assertThat(rig.arrive(0).queues()).containsExactly(1, 0);
        rig.engine.returnServer(0, 0);
        assertThat(rig.queues()).containsExactly(0, 1);
    }

    /** Two queues are equally long, one request starts: the next goes there. */
    @Test
    void aQueueIsShorterAsSoonAsItsHeadStarts() {
        TypedRig rig = rig(LOCAL, Map.of("dummies", "never"), 1, servers(ROOM, ROOM), 1)
                .arriveMany(10, 0);
        for (int k = 0; k < 50; k++) {
            assertThat(rig.queues()).containsExactly(0, 5, 5);
            int shorter = rig.untilPlaced().queues()[1] == 4 ? 1 : 2;
            assertThat(rig.arrive(0).lastQueue()).isEqualTo(shorter);
        }
    }

    private static void checkRouting(Map<String, String> parameters, int[] wanted, double... probabilities) {
        TypedRig rig = rig(LOCAL, parameters, 11, servers(3, 3, 3, 3), 1);
        // Requests come until every queue is long enough, and those too many give up.
        while (IntStream.range(0, 4).anyMatch(server -> rig.queues()[1 + server] < wanted[server])) {
            rig.arrive(0);
        }
        for (long id = 0; id <= rig.lastId(); id++) {
            int job = rig.engine.find(id);
            if (job >= 0 && rig.queues()[rig.view.queue(job)] > wanted[rig.view.queue(job) - 1]) {
                rig.leave(id);
            }
        }
        assertThat(rig.queues()).containsExactly(0, wanted[0], wanted[1], wanted[2], wanted[3]);
        int[] seen = new int[4];
        for (int k = 0; k < 2000; k++) {
            rig.arrive(0);
            seen[rig.lastQueue() - 1]++;
            rig.leave(rig.lastId());
        }
        GoodnessOfFit.checkCounts(seen, probabilities);
    }
}
