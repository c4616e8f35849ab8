package dev.stowage.sim.driver;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Engine, plant, workload and statistics together against queueing theory. */
@Tag("once")
class TheoryTest {
    /**
     * Erlang-B: B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)); a = 7, 10 servers: 0.07874. Insensitive to the service
     * time.
     */
    @Test
    void lossFollowsErlangB() {
        double blocking = 1;
        for (int k = 1; k <= 10; k++) {
            blocking = 7 * blocking / (k + 7 * blocking);
        }
        for (Distribution service : List.of(
                Distribution.exponential(1),
                Distribution.deterministic(1),
                Distribution.lognormalOfMean(1, 2),
                Distribution.weibull(0.8, 1 / 1.1330030963193471))) {
            Workload workload = workload(7, service);
            SeededRuns runs = run(Cluster.single(10, 1), workload, Loss::new, 12_500);
            runs.match("rejection_fraction", blocking, 0.16);
            runs.match("utilization{resource=r0}", 7 * (1 - blocking) / 10, 0.04);
        }
    }

    /**
     * M/M/1, rho = 0.8: wait rho / (1 - rho) = 4, waiting rho^2 / (1 - rho) = 3.2, P(wait > t) = rho exp(-(1 - rho) t).
     */
    @Test
    void oneServerFollowsMm1() {
        Cluster one = Cluster.single(1, 1);
        Workload workload = workload(0.8, Distribution.exponential(1));
        SeededRuns runs = run(one, workload, Fcfs::new, 12_500);
        runs.match("wait_mean_s", 4, 0.24);
        runs.match("queue_length_mean", 3.2, 0.24);
        runs.match("waited_fraction", 0.8, 0.04);
        runs.match("wait_p99_s", StrictMath.log(80) / 0.2, 0.32);
    }

    /**
     * Pollaczek-Khinchine: wait = rho / (1 - rho) (1 + c^2) / 2 for mean service 1; rho = 0.7, deterministic: 1.1667.
     */
    @Test
    void oneServerFollowsPollaczekKhinchine() {
        Cluster one = Cluster.single(1, 1);
        run(one, workload(0.7, Distribution.deterministic(1)), Fcfs::new, 12_500)
                .match("wait_mean_s", 0.7 / 0.3 / 2, 0.2);
        Distribution erratic = Distribution.hyperexponential(new double[] {0.5, 0.5}, new double[] {0.5, 1.5});
        double squaredVariation = 0.5 * 2 * (0.5 * 0.5 + 1.5 * 1.5) - 1;
        double wait = 0.7 / 0.3 * (1 + squaredVariation) / 2;
        run(one, workload(0.7, erratic), Fcfs::new, 12_500).match("wait_mean_s", wait, 0.24);
    }

    /** M/M/c: Erlang-C from Erlang-B, wait = C / (c - a); c = 5, a = 4: C = 0.5541, wait 0.5541. */
    @Test
    void severalServersFollowErlangC() {
        double b = 1;
        for (int k = 1; k <= 5; k++) {
            b = 4 * b / (k + 4 * b);
        }
        double c = 5 * b / (5 - 4 * (1 - b));
        Workload workload = workload(4, Distribution.exponential(1));
        SeededRuns runs = run(Cluster.single(5, 1), workload, Fcfs::new, 12_500);
        runs.match("waited_fraction", c, 0.12);
        runs.match("wait_mean_s", c / (5 - 4), 0.24);
    }

    /** M/G/infinity: running = rate x mean service, whatever the distribution. */
    @Test
    void enoughServersFollowMgInfinity() {
        Cluster many = Cluster.single(1, 1_000_000);
        for (Distribution service : List.of(
                Distribution.uniform(0, 2),
                Distribution.lognormalOfMean(1, 4),
                Distribution.truncatedNormal(1, 0.25, 0, 2),
                Distribution.weibull(2, 1 / 0.886226925452758))) {
            run(many, workload(30, service), FirstServer::new, 6_250).match("running_mean", 30, 0.08);
        }
    }

    /** Processor sharing, rho = 0.8: rho / (1 - rho) = 4 in the system, insensitive to the service time. */
    @Test
    void dividedCapacityFollowsProcessorSharing() {
        Resource cpu = new Resource("r0", true);
        Site site = Site.of("site", new ServerBlock(1, Amounts.of(1_000_000)));
        Cluster divided = new Cluster(List.of(cpu), List.of(), List.of(site), List.of());
        for (Distribution service : List.of(Distribution.exponential(1), Distribution.deterministic(1))) {
            Workload workload = SyntheticWorkload.of(
                    List.of("r0"),
                    ArrivalProcess.poisson(),
                    List.of(SyntheticType.inSeconds("t", 0.8, Demand.fixed(0), service)));
            run(divided, workload, EqualShare::new, 10_000).match("running_mean", 4, 0.24);
        }
    }

    /** Slotted, more servers than needed: arrivals 2 per slot, geometric service of mean 10 slots: 20 running. */
    @Test
    void slotsFollowTheGeometricModel() {
        long slot = 1_000_000;
        Workload workload = SyntheticWorkload.of(
                List.of("r0"),
                ArrivalProcess.poissonPerSlot(slot),
                List.of(SyntheticType.inSlots("t", 2, slot, Demand.fixed(1), Distribution.geometric(10))));
        Cluster many = Cluster.single(1, 1_000_000);
        run(many, workload, FirstServer::new, 12_500, Steps.SLOTS, slot).match("running_mean", 20, 0.08);
    }

    private static Workload workload(double ratePerSecond, Distribution service) {
        return SyntheticWorkload.of(
                List.of("r0"),
                ArrivalProcess.poisson(),
                List.of(SyntheticType.inSeconds("t", ratePerSecond, Demand.fixed(1), service)));
    }

    private static SeededRuns run(Cluster cluster, Workload workload, Supplier<Policy> policy, long requests) {
        return run(cluster, workload, policy, requests, Steps.COMMANDS, 0);
    }

    private static SeededRuns run(
            Cluster cluster, Workload workload, Supplier<Policy> policy, long requests, Steps steps, long slotNanos) {
        return SeededRuns.of(
                cluster, workload, PolicySpec.of("test"), spec -> policy.get(), requests, steps, slotNanos);
    }

    /** Every server holds one request; a request that finds none free is rejected. */
    private static class Loss implements Policy {
        final ArrayDeque<Integer> idle = new ArrayDeque<>();

        @Override
        public void started(View view, Actions actions) {
            for (int server = 0; server < view.servers(); server++) {
                idle.add(server);
            }
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            if (idle.isEmpty()) {
                full(job, actions);
            } else {
                actions.place(job, idle.pop(), "idle");
            }
        }

        void full(int job, Actions actions) {
            actions.reject(job, "all busy");
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            idle.push(server);
        }
    }

    /** As {@link Loss}, but requests wait, first come first served. */
    private static final class Fcfs extends Loss {
        @Override
        void full(int job, Actions actions) {
            actions.enqueue(job, 0, "all busy");
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            super.left(job, server, view, actions);
            if (view.queueLength(0) > 0) {
                actions.place(view.queueHead(0), idle.pop(), "next");
            }
        }
    }

    /** Everything runs on server 0. */
    private static final class FirstServer implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "the only one");
        }
    }

    /** Server 0 divided equally. */
    private static final class EqualShare implements Policy {
        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "the only one");
            share(view, actions);
        }

        @Override
        public void left(int job, int server, View view, Actions actions) {
            share(view, actions);
        }

        private static void share(View view, Actions actions) {
            int running = view.running(0);
            long each = running == 0 ? 0 : view.capacity(0, 0) / running;
            for (int pass = 0; pass < 2; pass++) {
                for (int job = view.firstOn(0); job != View.NONE; job = view.next(job)) {
                    if (pass == 0 ? view.share(job) > each : view.share(job) < each) {
                        actions.allocate(job, each);
                    }
                }
            }
        }
    }
}
