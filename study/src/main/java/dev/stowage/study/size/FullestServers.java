package dev.stowage.study.size;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.policy.View;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Finds the fullest servers at the end of a run, by the resource of which each holds the greatest fraction. */
final class FullestServers extends EngineListener {
    /**
     * The fullest of all, and of each kind if there are several, each in order of their numbers.
     *
     * @param some which servers count
     */
    Set<List<Integer>> most(int number, IntPredicate some) {
        View at = view();
        Set<List<Integer>> ways = new LinkedHashSet<>();
        ways.add(most(at, number, some));
        Set<List<Long>> kinds = new LinkedHashSet<>();
        for (int server = 0; server < at.servers(); server++) {
            if (some.test(server)) {
                kinds.add(kind(at, server));
            }
        }
        for (List<Long> kind : kinds) {
            ways.add(most(at, number, some.and(server -> kind(at, server).equals(kind))));
        }
        return ways;
    }

    private static List<Long> kind(View at, int server) {
        return IntStream.range(0, at.resources())
                .mapToObj(r -> at.capacity(server, r))
                .toList();
    }

    private static List<Integer> most(View at, int number, IntPredicate among) {
        return IntStream.range(0, at.servers())
                .filter(among)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer server) -> -part(at, server))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(number)
                .sorted()
                .toList();
    }

    private static double part(View at, int server) {
        double most = 0;
        for (int r = 0; r < at.resources(); r++) {
            long capacity = at.capacity(server, r);
            most = Math.max(most, capacity == 0 ? 0 : 1 - (double) at.free(server, r) / capacity);
        }
        return most;
    }
}
