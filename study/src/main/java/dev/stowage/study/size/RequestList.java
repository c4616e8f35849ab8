package dev.stowage.study.size;

import dev.stowage.core.model.Resource;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.TypeChoice;
import dev.stowage.study.load.RequestPass;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The requests of one seed, in order of arrival. Requests of equal demand are of one kind.
 *
 * @param arrival nanoseconds
 * @param until its end if it began at once, at most the end of the run
 * @param kind index of its demand
 * @param type number of its type
 * @param reward micro-units an hour
 * @param demands per kind and resource
 * @param byType number of requests per type
 */
record RequestList(
        long[] arrival, long[] until, int[] kind, int[] type, long[] reward, long[][] demands, long[] byType) {
    /** One pass. O(n log kinds). */
    static RequestList of(Experiment experiment, long seed) {
        RequestPass pass = new RequestPass(experiment, seed, experiment.end().atNanos());
        TreeMap<long[], Integer> kinds = new TreeMap<>(Arrays::compare);
        long[] byType = new long[experiment.workload().types().size()];
        long[] arrival = new long[1024];
        long[] until = new long[1024];
        int[] kind = new int[1024];
        int[] type = new int[1024];
        long[] reward = new long[1024];
        int n = 0;
        while (pass.next()) {
            if (n == arrival.length) {
                arrival = Arrays.copyOf(arrival, 2 * n);
                until = Arrays.copyOf(until, 2 * n);
                kind = Arrays.copyOf(kind, 2 * n);
                type = Arrays.copyOf(type, 2 * n);
                reward = Arrays.copyOf(reward, 2 * n);
            }
            arrival[n] = pass.arrivalNanos();
            until[n] = pass.untilNanos();
            kind[n] = kinds.computeIfAbsent(pass.demand(), key -> kinds.size());
            type[n] = pass.type();
            reward[n] = pass.rewardMicros();
            byType[type[n]]++;
            n++;
        }
        long[][] demands = new long[kinds.size()][];
        kinds.forEach((demand, number) -> demands[number] = demand);
        return new RequestList(
                Arrays.copyOf(arrival, n),
                Arrays.copyOf(until, n),
                Arrays.copyOf(kind, n),
                Arrays.copyOf(type, n),
                Arrays.copyOf(reward, n),
                demands,
                byType);
    }

    /**
     * Amounts by type and resource of the requests that count and are certain to be there at a moment.
     *
     * @param fits by kind of request: whether it fits a server
     */
    long[][] heldAt(long nanos, long delay, TypeChoice counted, boolean[] fits, int types) {
        long[][] held = new long[types][demands.length == 0 ? 0 : demands[0].length];
        for (int i = 0; i < size(); i++) {
            boolean there = arrival[i] + delay <= nanos && nanos < until[i];
            if (there && fits[kind[i]] && counted.has(type[i])) {
                for (int r = 0; r < held[type[i]].length; r++) {
                    held[type[i]][r] += demands[kind[i]][r];
                }
            }
        }
        return held;
    }

    /** As a trace: times to the nanosecond, amounts named as the cluster's resources. */
    void write(Experiment experiment, Appendable out) throws IOException {
        out.append("arrival_s,duration_s");
        for (Resource resource : experiment.cluster().resources()) {
            out.append(',').append(resource.name());
        }
        out.append(",type\n");
        List<String> types = experiment.workload().types();
        for (int i = 0; i < size(); i++) {
            out.append(seconds(arrival[i]))
                    .append(',')
                    .append(until[i] == Long.MAX_VALUE ? "" : seconds(until[i] - arrival[i]));
            for (long amount : demands[kind[i]]) {
                out.append(',').append(Long.toString(amount));
            }
            out.append(",\"").append(types.get(type[i]).replace("\"", "\"\"")).append("\"\n");
        }
    }

    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
    }

    int size() {
        return arrival.length;
    }

    /** Arrival of the last request; 0 if there is none. */
    long last() {
        return arrival.length == 0 ? 0 : arrival[arrival.length - 1];
    }

    /** Number of requests of some types. */
    long count(TypeChoice types) {
        return count(byType, types);
    }

    static long count(long[] byType, TypeChoice types) {
        return IntStream.range(0, byType.length)
                .filter(types::has)
                .mapToLong(type -> byType[type])
                .sum();
    }
}
