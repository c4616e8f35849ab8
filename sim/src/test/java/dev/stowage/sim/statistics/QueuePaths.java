package dev.stowage.sim.statistics;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Progress;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.measure.Measurements;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * Queues by direct recursion, for the calibration: number waiting over time, mean service 1 second, empty at the start.
 */
final class QueuePaths {
    private static final double SECOND = MM1.SECOND;

    private QueuePaths() {}

    /**
     * M/M/c and what is near it, by its birth-death chain.
     *
     * @param servers how many
     * @param load arrivals over servers
     * @param batch requests that arrive at a time
     * @param leaving rate at which each waiting request gives up, per second
     */
    static Trajectory birthDeath(int servers, double load, int batch, double leaving, long seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trajectory waiting = start(seconds);
        double arrivals = load * servers / batch;
        long present = 0;
        double now = 0;
        while (true) {
            long queue = Math.max(0, present - servers);
            double rate = arrivals + Math.min(present, servers) + leaving * queue;
            now += random.nextExponential() / rate;
            if (now >= seconds) {
                return end(waiting, seconds);
            }
            present += random.nextDouble() * rate < arrivals ? batch : -1;
            waiting.set((long) (now * SECOND), Math.max(0, present - servers));
        }
    }

    /**
     * One server, Poisson arrivals, any service; the arrival rate may depend on the time and is at most {@code most}.
     */
    static Trajectory single(
            DoubleUnaryOperator rate,
            double most,
            ToDoubleFunction<SplittableRandom> service,
            long seconds,
            long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trajectory waiting = start(seconds);
        double arrival = random.nextExponential() / most;
        double departure = Double.POSITIVE_INFINITY;
        long present = 0;
        while (true) {
            double now = Math.min(arrival, departure);
            if (now >= seconds) {
                return end(waiting, seconds);
            }
            if (departure <= arrival) {
                present--;
                departure = present > 0 ? now + service.applyAsDouble(random) : Double.POSITIVE_INFINITY;
            } else {
                if (random.nextDouble() * most < rate.applyAsDouble(now) && ++present == 1) {
                    departure = now + service.applyAsDouble(random);
                }
                arrival = now + random.nextExponential() / most;
            }
            waiting.set((long) (now * SECOND), Math.max(0, present - 1));
        }
    }

    /** Slots of a second: two requests come with probability {@code load / 2}, then one is served. */
    static Trajectory slots(double load, long seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trajectory waiting = start(seconds);
        long queue = 0;
        for (long slot = 0; slot < seconds; slot++) {
            queue = Math.max(0, queue - 1) + (random.nextDouble() < load / 2 ? 2 : 0);
            waiting.set(slot * MM1.SECOND, queue);
        }
        return end(waiting, seconds);
    }

    /**
     * Slots of a second: each of some servers ends its service with probability 1/10 a slot, and takes the next;
     * batches of 5 arrive.
     */
    static Trajectory slottedServers(int servers, double load, long slots, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trajectory waiting = start(slots);
        long present = 0;
        for (long slot = 0; slot < slots; slot++) {
            int busy = (int) Math.min(servers, present);
            for (int server = 0; server < busy; server++) {
                present -= random.nextDouble() < 0.1 ? 1 : 0;
            }
            present += random.nextDouble() < load * servers * 0.1 / 5 ? 5 : 0;
            waiting.set(slot * MM1.SECOND, Math.max(0, present - servers));
        }
        return end(waiting, slots);
    }

    /** M/M/1 whose server is, for ever, fast or slow, as with a configuration that freezes. */
    static Trajectory frozen(double fastLoad, double slowLoad, double slowShare, long seconds, long seed) {
        boolean slow = isSlow(slowShare, seed);
        return birthDeath(1, slow ? slowLoad : fastLoad, 1, 0, seconds, seed);
    }

    /** Servers of 100, requests of a size and of mean service 1 second, by the simulator. */
    static Measurements simulated(String policy, int servers, long size, double arrivals, long seconds, long seed) {
        return simulated(
                policy,
                servers,
                100,
                ArrivalProcess.poisson(),
                List.of(SyntheticType.inSeconds("t", arrivals, Demand.fixed(size), Distribution.exponential(1))),
                0,
                seconds,
                seed);
    }

    /**
     * Virtual queue scheduling of one server of 10 by the simulator: requests of 4 and of 6, as many of each, in slots
     * of a tenth of a second, service geometric of mean 1 second.
     *
     * @param rate of each kind, per second
     */
    static Trajectory virtualQueues(double rate, long seconds, long seed) {
        long slot = MM1.SECOND / 10;
        List<SyntheticType> types = List.of(
                SyntheticType.inSlots("small", rate / 10, slot, Demand.fixed(4), Distribution.geometric(10)),
                SyntheticType.inSlots("large", rate / 10, slot, Demand.fixed(6), Distribution.geometric(10)));
        return simulated("vqs", 1, 10, ArrivalProcess.poissonPerSlot(slot), types, slot, seconds, seed)
                .waiting();
    }

    private static Measurements simulated(
            String policy,
            int servers,
            long capacity,
            ArrivalProcess arrivals,
            List<SyntheticType> types,
            long slotNanos,
            long seconds,
            long seed) {
        Workload workload = SyntheticWorkload.of(List.of("r0"), arrivals, types);
        RunCollector collector = new RunCollector(TimeGrid.forHorizon(0, seconds * MM1.SECOND), types.size());
        Setup setup = new Setup(
                Cluster.single(servers, capacity),
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of(policy),
                new Policies(),
                slotNanos == 0 ? Steps.COMMANDS : Steps.SLOTS,
                slotNanos,
                seed,
                new End(seconds * MM1.SECOND, Long.MAX_VALUE, false),
                List.of(),
                1);
        RunEnd outcome = Simulation.run(setup, collector, engine -> engine, Progress.NONE);
        return collector.finish(outcome.endNanos());
    }

    static boolean isSlow(double slowShare, long seed) {
        return new SplittableRandom(~seed).nextDouble() < slowShare;
    }

    /**
     * Mean 1, squared coefficient of variation 9: balanced phases, p = (1 + sqrt(8/10)) / 2 at rate 2p, else rate 2(1 -
     * p).
     */
    static double hyperexponential(SplittableRandom random) {
        double p = (1 + Math.sqrt(0.8)) / 2;
        return random.nextExponential() / 2 / (random.nextDouble() < p ? p : 1 - p);
    }

    /** Mean 1, P(S > s) = (1 + s / 1.5)^-2.5: squared coefficient of variation 2.5 / 0.5 = 5. */
    static double lomax(SplittableRandom random) {
        return 1.5 * (StrictMath.pow(1 - random.nextDouble(), -0.4) - 1);
    }

    private static Trajectory start(long seconds) {
        return new Trajectory(TimeGrid.forHorizon(0, seconds * MM1.SECOND), 0);
    }

    private static Trajectory end(Trajectory waiting, long seconds) {
        waiting.advance(seconds * MM1.SECOND);
        return waiting;
    }
}
