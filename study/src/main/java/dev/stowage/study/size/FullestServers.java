package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.View;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the fullest servers at the end of a run, by the resource of which each holds the greatest fraction. */
final class FullestServers implements Effects {
    private @Nullable View view;

    @Override
    public void attached(View now) {
        view = now;
    }

    /** The fullest, in order of their numbers. */
    List<Integer> most(int number) {
        View at = Objects.requireNonNull(view);
        return IntStream.range(0, at.servers())
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
