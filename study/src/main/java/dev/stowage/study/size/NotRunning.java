package dev.stowage.study.size;

import dev.stowage.core.engine.EngineListener;
import java.util.Map;
import java.util.TreeMap;

/** What has arrived and neither runs nor has ended: it waits, or was turned away. */
final class NotRunning extends EngineListener {
    private final Map<Integer, Integer> byType = new TreeMap<>();
    /** By number of the type. */
    Map<Integer, Integer> byType() {
        return byType;
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
        byType.merge(view().type(job), by, (a, b) -> a + b == 0 ? null : (Integer) (a + b));
    }
}
