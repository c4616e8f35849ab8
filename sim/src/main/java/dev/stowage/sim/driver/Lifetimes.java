package dev.stowage.sim.driver;

import dev.stowage.core.random.KaplanMeier;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Run times of the requests of a log, also of those for which it has none because they were turned away or still ran at
 * its end. These are estimated from the others of the same type, or from all requests if none of the type ended; for
 * requests still running, on condition that they ran at least that long.
 *
 * @param nanos by request; {@link Trace#UNKNOWN} if no request at all ended
 * @param estimated how many are estimated
 */
public record Lifetimes(long[] nanos, long estimated) {
    private static final long STREAM = Streams.of("lifetimes");
    private static final int ALL = Integer.MIN_VALUE;

    /**
     * With what was seen.
     *
     * @param types by request
     * @param seen how long each was seen to run, nanoseconds; 0 for not at all
     * @param ended whether that was its end
     * @param seed of the draws
     */
    public static Lifetimes of(int[] types, long[] seen, boolean[] ended, long seed) {
        Map<Integer, List<Integer>> byType = new TreeMap<>();
        for (int i = 0; i < types.length; i++) {
            if (ended[i] || seen[i] > 0) {
                byType.computeIfAbsent(types[i], type -> new ArrayList<>()).add(i);
                byType.computeIfAbsent(ALL, type -> new ArrayList<>()).add(i);
            }
        }
        Map<Integer, KaplanMeier> known = new TreeMap<>();
        byType.forEach((type, requests) -> {
            if (requests.stream().anyMatch(i -> ended[i])) {
                long[] times = requests.stream().mapToLong(i -> seen[i]).toArray();
                boolean[] ends = new boolean[times.length];
                for (int i = 0; i < ends.length; i++) {
                    ends[i] = ended[requests.get(i)];
                }
                known.put(type, KaplanMeier.of(times, ends));
            }
        });
        long[] nanos = new long[types.length];
        long estimated = 0;
        KeyedRandom random = new KeyedRandom();
        for (int i = 0; i < types.length; i++) {
            KaplanMeier lifetimes = estimate(known, types[i]);
            if (ended[i]) {
                nanos[i] = seen[i];
            } else if (lifetimes == null) {
                nanos[i] = Trace.UNKNOWN;
            } else {
                nanos[i] =
                        lifetimes.quantile(seen[i], random.key(seed, STREAM, i).nextDouble());
                estimated++;
            }
        }
        return new Lifetimes(nanos, estimated);
    }

    private static @Nullable KaplanMeier estimate(Map<Integer, KaplanMeier> known, int type) {
        KaplanMeier ofType = known.get(type);
        return ofType == null ? known.get(ALL) : ofType;
    }
}
