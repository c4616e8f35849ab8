package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.policy.View;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What has arrived and neither runs nor has ended: it waits, or was turned away. */
final class NotRunning implements Effects {
    private final Map<Integer, Integer> byType = new TreeMap<>();
    private @Nullable View view;

    /** By number of the type. */
    Map<Integer, Integer> byType() {
        return byType;
    }

    @Override
    public void attached(View now) {
        view = now;
    }

    @Override
    public void arrived(long now, int job) {
        change(job, 1);
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        change(job, -1);
    }

    @Override
    public void displaced(long now, int job, int server) {
        change(job, 1);
    }

    private void change(int job, int by) {
        byType.merge(Objects.requireNonNull(view).type(job), by, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
    }
}
