package dev.stowage.sim.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * A queue of which the answer is known.
 *
 * @param name for the table
 * @param stable whether it is stable
 * @param arrivals requests per second
 * @param drift growth in the long run, requests per second; 0 if stable
 * @param meanQueue mean number waiting in the long run; NaN if there is none, or no formula
 * @param seconds length of a run; mean service 1 second
 * @param replications in an experiment
 * @param path the queue by length and seed
 */
record CalibrationSystem(
        String name,
        boolean stable,
        double arrivals,
        double drift,
        double meanQueue,
        long seconds,
        int replications,
        Path path) {
    /** Number waiting over a run. */
    interface Path {
        Trajectory run(long seconds, long seed);
    }

    /** The experiment of a base seed. */
    List<Trajectory> experiment(int base) {
        List<Trajectory> queues = new ArrayList<>();
        for (int r = 0; r < replications; r++) {
            queues.add(path.run(seconds, new SplittableRandom(base * 10_007L + r).nextLong()));
        }
        return queues;
    }

    private CalibrationSystem of(long newSeconds, int newReplications) {
        return new CalibrationSystem(name, stable, arrivals, drift, meanQueue, newSeconds, newReplications, path);
    }

    static List<CalibrationSystem> all() {
        List<CalibrationSystem> all = new ArrayList<>();
        add(all, mmc(1, 0.5), 2_000, 1, 10_000, 1, 2_000, 3, 2_000, 10, 2_000, 30);
        add(all, mmc(1, 0.8), 2_000, 1, 20_000, 1, 20_000, 3, 5_000, 10, 5_000, 30);
        add(all, mmc(1, 0.95), 20_000, 1, 200_000, 1, 50_000, 3, 50_000, 10);
        add(all, mmc(1, 0.99), 20_000, 1, 1_000_000, 1, 50_000, 3, 50_000, 10, 500_000, 10, 20_000, 30);
        add(all, mmc(1, 1), 20_000, 1, 5_000, 3);
        add(all, mmc(1, 1.01), 20_000, 1, 500_000, 1, 200_000, 3, 50_000, 10, 500_000, 10, 20_000, 30);
        add(all, mmc(1, 1.05), 5_000, 1, 50_000, 1, 20_000, 3, 20_000, 10);
        add(all, mmc(1, 1.2), 500, 1, 5_000, 1, 1_000, 3, 1_000, 10, 1_000, 30);
        add(all, mmc(20, 0.8), 1_000, 3);
        add(all, mmc(20, 0.95), 2_000, 3, 10_000, 3);
        add(all, mmc(20, 1.05), 1_000, 3, 5_000, 3);
        add(all, mmc(100, 0.99), 1_000, 10);
        add(all, mmc(100, 1.01), 1_000, 10, 10_000, 10);
        add(all, batches(0.8, 10), 5_000, 1, 20_000, 3, 20_000, 10);
        add(all, batches(1.05, 10), 20_000, 3, 200_000, 3);
        add(
                all,
                single("hyperexponential service (scv 9)", 0.8, 9, QueuePaths::hyperexponential),
                50_000,
                3,
                50_000,
                10);
        add(
                all,
                single("hyperexponential service (scv 9)", 1.05, 9, QueuePaths::hyperexponential),
                50_000,
                3,
                500_000,
                3);
        add(all, single("Lomax service (tail 2.5)", 0.7, 5, QueuePaths::lomax), 50_000, 1, 50_000, 3, 50_000, 10);
        add(all, single("Lomax service (tail 2.5)", 1.1, 5, QueuePaths::lomax), 50_000, 3);
        add(all, slots(0.9), 20_000, 3);
        add(all, slots(0.99), 200_000, 3);
        add(all, slots(1.02), 50_000, 3, 200_000, 3);
        add(all, slottedServers(0.9), 50_000, 3);
        add(all, slottedServers(1.05), 20_000, 3, 100_000, 3);
        add(all, daily(0.8), 5_000, 1, 10_000, 1, 20_000, 1, 5_000, 3, 5_000, 8, 20_000, 5);
        add(all, daily(1), 10_000, 1, 5_000, 3);
        add(all, daily(1.01), 5_000, 1, 10_000, 1, 5_000, 3, 20_000, 5);
        add(all, daily(1.05), 5_000, 1, 10_000, 1, 100_000, 1, 5_000, 3, 100_000, 5);
        add(all, filling(1_000), 2_000, 1, 5_000, 1, 50_000, 1, 2_000, 10, 5_000, 10, 50_000, 10);
        add(all, frozen(0.5), 20_000, 10, 20_000, 30);
        add(all, simulated("fifo-ff", 4, 60, 4, 0.8), 2_000, 3);
        add(all, virtualQueues(0.9), 2_000, 3, 10_000, 3);
        add(all, virtualQueues(1.1), 2_000, 3, 10_000, 3);
        return all;
    }

    /** Systems for the two-stage rule. */
    static List<CalibrationSystem> forPrecision() {
        return List.of(
                mmc(1, 0.8).of(2_000, 1),
                mmc(1, 0.8).of(20_000, 1),
                mmc(4, 0.8).of(5_000, 1),
                mmc(20, 0.8).of(2_000, 1),
                batches(0.8, 10).of(50_000, 1),
                single("hyperexponential service (scv 9)", 0.8, 9, QueuePaths::hyperexponential)
                        .of(50_000, 1));
    }

    /** Eight runs from empty whose mean queues are never negative and skewed. */
    static List<CalibrationSystem> skewed() {
        return List.of(
                fromEmpty(daily(0.8), 1, 0.5, 2_000),
                fromEmpty(daily(0.6), 1, 0.5, 2_000),
                fromEmpty(daily(0.5), 1, 0.5, 1_000),
                fromEmpty(mmc(1, 0.5), 1, 0, 100),
                fromEmpty(mmc(20, 0.7), 20, 0, 100),
                mostSkewed());
    }

    static CalibrationSystem mostSkewed() {
        return fromEmpty(mmc(20, 0.6), 20, 0, 100);
    }

    private static CalibrationSystem fromEmpty(CalibrationSystem of, int servers, double wave, int seconds) {
        double mean = meanQueue(servers, of.arrivals() / servers, wave, 0, seconds);
        return new CalibrationSystem(of.name(), true, of.arrivals(), 0, mean, seconds, 8, of.path());
    }

    private static void add(List<CalibrationSystem> all, CalibrationSystem system, int... lengthsAndReplications) {
        for (int i = 0; i < lengthsAndReplications.length; i += 2) {
            all.add(system.of(lengthsAndReplications[i], lengthsAndReplications[i + 1]));
        }
    }

    private static CalibrationSystem of(String name, double load, double capacity, double meanQueue, Path path) {
        double arrivals = load * capacity;
        boolean stable = load < 1;
        return new CalibrationSystem(
                name + ", load " + load,
                stable,
                arrivals,
                Math.max(0, arrivals - capacity),
                stable ? meanQueue : Double.NaN,
                0,
                0,
                path);
    }

    /** M/M/c, by Erlang C from Erlang B: B(k) = a B(k-1) / (k + a B(k-1)); waiting: C a / (c - a). */
    static double meanQueue(int servers, double load) {
        double a = load * servers;
        double b = 1;
        for (int k = 1; k <= servers; k++) {
            b = a * b / (k + a * b);
        }
        return servers * b / (servers - a * (1 - b)) * a / (servers - a);
    }

    private static CalibrationSystem mmc(int servers, double load) {
        double queue = meanQueue(servers, load);
        return of(
                "M/M/" + servers,
                load,
                servers,
                queue,
                (t, seed) -> QueuePaths.birthDeath(servers, load, 1, 0, t, seed));
    }

    /**
     * M^X/M/1 with batches of k: rho (1 + k) / (2 (1 - rho)) in the system (Gross and Harris, 3.1), less rho in
     * service.
     */
    private static CalibrationSystem batches(double load, int k) {
        double queue = load * (1 + k) / 2 / (1 - load) - load;
        return of(
                "batches of " + k + ", M/1",
                load,
                1,
                queue,
                (t, seed) -> QueuePaths.birthDeath(1, load, k, 0, t, seed));
    }

    /** Pollaczek-Khinchine: waiting rho^2 (1 + scv) / (2 (1 - rho)). */
    private static CalibrationSystem single(
            String name, double load, double scv, ToDoubleFunction<SplittableRandom> service) {
        double queue = load * load * (1 + scv) / 2 / (1 - load);
        return of(name, load, 1, queue, (t, seed) -> QueuePaths.single(now -> load, load, service, t, seed));
    }

    /** Q = (Q - 1)+ + A with A = 0 or 2: E Q = rho + E A(A - 1) / (2 (1 - rho)), and E A(A - 1) = rho. */
    private static CalibrationSystem slots(double load) {
        return of(
                "slots, two at a time",
                load,
                1,
                load + load / 2 / (1 - load),
                (t, seed) -> QueuePaths.slots(load, t, seed));
    }

    private static CalibrationSystem slottedServers(double load) {
        return of(
                "slots, 5 servers, batches",
                load,
                0.5,
                Double.NaN,
                (t, seed) -> QueuePaths.slottedServers(5, load, t, seed));
    }

    /** A day of 1,000 seconds: load times 1 + 0.5 sin. */
    private static CalibrationSystem daily(double load) {
        return of(
                "daily wave, M/1",
                load,
                1,
                load < 1 ? meanQueue(1, load, 0.5, 3_000, 4_000) : Double.NaN,
                (t, seed) -> QueuePaths.single(
                        now -> rate(load, 0.5, now), 1.5 * load, SplittableRandom::nextExponential, t, seed));
    }

    /**
     * Mean number waiting between two moments of M/M/c from empty, whose arrival rate is load times servers, times 1 +
     * {@code wave} sin over days of 1,000 seconds: Kolmogorov's forward equations by Heun's method in steps of a
     * fiftieth of a second; at most 500 are in the system.
     */
    private static double meanQueue(int servers, double load, double wave, int from, int to) {
        double step = 0.02;
        double[] p = new double[501];
        p[0] = 1;
        double sum = 0;
        for (int i = 0; i < to * 50; i++) {
            double now = i * step;
            double[] slope = slope(p, servers, rate(servers * load, wave, now));
            double[] ahead = new double[p.length];
            for (int n = 0; n < p.length; n++) {
                ahead[n] = p[n] + step * slope[n];
            }
            double[] next = slope(ahead, servers, rate(servers * load, wave, now + step));
            for (int n = 0; n < p.length; n++) {
                p[n] += step / 2 * (slope[n] + next[n]);
                sum += i >= from * 50 && n > servers ? (n - servers) * p[n] : 0;
            }
        }
        return sum / 50 / (to - from);
    }

    private static double rate(double arrivals, double wave, double now) {
        return arrivals * (1 + wave * StrictMath.sin(now * 2 * Math.PI / 1000));
    }

    private static double[] slope(double[] p, int servers, double rate) {
        double[] slope = new double[p.length];
        for (int n = 0; n < p.length - 1; n++) {
            double flow = Math.min(n + 1, servers) * p[n + 1] - rate * p[n];
            slope[n] += flow;
            slope[n + 1] -= flow;
        }
        return slope;
    }

    /**
     * Load 1.2, and who waits gives up after {@code patience} seconds: fills up to about 0.2 patience, and stays there.
     */
    private static CalibrationSystem filling(int patience) {
        return new CalibrationSystem(
                "fills in " + patience + " s",
                true,
                1.2,
                0,
                Double.NaN,
                0,
                0,
                (t, seed) -> QueuePaths.birthDeath(1, 1.2, 1, 1.0 / patience, t, seed));
    }

    /** By the simulator: servers of 100 that take {@code slots} requests in all. */
    private static CalibrationSystem simulated(String policy, int servers, long size, int slots, double load) {
        return of(
                policy + " on " + servers + " servers of 100, requests of " + size,
                load,
                slots,
                Double.NaN,
                (t, seed) -> QueuePaths.simulated(policy, servers, size, load * slots, t, seed)
                        .waiting());
    }

    /**
     * Virtual queue scheduling in slots, of one server for as many requests of 0.4 as of 0.6 of it. Its configurations
     * hold two of the class {@code (1/3, 1/2]} or one of {@code (1/2, 2/3]}, and it is stable below every mix of them
     * (Psychas and Ghaderi, Scheduling Jobs with Random Resource Requirements in Computing Clusters, 2019, section V):
     * with part p of the time for the small ones {@code rate < 2p} and {@code rate < 1 - p}, so the limit is a rate of
     * exactly 2/3 a second for each. Above it the heaviest configuration keeps 2 small = large, so if the small ones
     * grow by d, {@code rate - 2p = d} and {@code rate - (1 - p) = 2d}: both grow by 3d = 3 (3 rate - 2) / 5.
     */
    private static CalibrationSystem virtualQueues(double load) {
        double rate = load * 2 / 3;
        return new CalibrationSystem(
                "vqs, sizes 0.4 and 0.6, " + load + " of its limit",
                load < 1,
                2 * rate,
                Math.max(0, 3 * (3 * rate - 2) / 5),
                Double.NaN,
                0,
                0,
                (t, seed) -> QueuePaths.virtualQueues(rate, t, seed));
    }

    /** M/M/1 that freezes at load 0.8 or 1.25: the mean drift is that of the share that is overloaded. */
    private static CalibrationSystem frozen(double share) {
        double drift = share * 0.25;
        return new CalibrationSystem(
                "frozen at load 0.8 or 1.25",
                false,
                1.0,
                drift,
                Double.NaN,
                0,
                0,
                (t, seed) -> QueuePaths.frozen(0.8, 1.25, share, t, seed));
    }
}
