package dev.stowage.sim.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** M/M/1 queues with service rate 1 per second, started empty: the theory for the tests of this package. */
final class MM1 {
    static final long SECOND = 1_000_000_000L;

    private MM1() {}

    /** Number waiting (without the one in service) over {@code seconds}, by the birth-death chain. */
    static Trajectory queue(double load, long seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long end = seconds * SECOND;
        Trajectory waiting = new Trajectory(TimeGrid.forHorizon(0, end), 0);
        long present = 0;
        double now = 0;
        while (true) {
            double rate = load + (present > 0 ? 1 : 0);
            now += random.nextExponential() / rate * SECOND;
            if (now >= end) {
                waiting.advance(end);
                return waiting;
            }
            present += random.nextDouble() * rate < load ? 1 : -1;
            waiting.set((long) now, Math.max(0, present - 1));
        }
    }

    static List<Trajectory> queues(double load, long seconds, long seed, int replications) {
        List<Trajectory> queues = new ArrayList<>();
        for (int r = 0; r < replications; r++) {
            queues.add(queue(load, seconds, seed * 1000 + r));
        }
        return queues;
    }

    /** Waits in seconds of {@code n} requests after {@code skipped} others, by Lindley's W' = max(0, W + S - A). */
    static double[] waits(double load, int skipped, int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] waits = new double[n];
        double wait = 0;
        for (int i = -skipped; i < n; i++) {
            if (i >= 0) {
                waits[i] = wait;
            }
            wait = Math.max(0, wait + random.nextExponential() - random.nextExponential() / load);
        }
        return waits;
    }

    /** Mean wait in seconds: load / (1 - load) (Pollaczek-Khinchine with exponential service of mean 1). */
    static double meanWait(double load) {
        return load / (1 - load);
    }
}
