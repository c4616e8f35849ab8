package dev.stowage.policies.parallel.online;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Shortest job first, Algorithm 4, on two servers of 1000: in which order jobs start that wait for the same round. */
class ShortestFirstTest {
    private static final long ROUND = 10_000_000_001L;

    private final List<Long> started = new ArrayList<>();

    private void run(long... loads) {
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", true), new Resource("load", false)),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(1000, 1_000_000)))),
                List.of());
        Effects effects = new Effects() {
            private @Nullable View view;

            @Override
            public void attached(View engineView) {
                view = engineView;
            }

            @Override
            public void placed(long now, int job, int server, String reason) {
                started.add(Objects.requireNonNull(view).id(job));
            }
        };
        Map<String, String> parameters = Map.of(
                "order", "sjf", "center", "0.1", "pod", "1", "rack", "1", "drc", "false", "budget-spread", "none");
        Engine engine = Engine.start(
                cluster, PolicySpec.of("ontapra", parameters), new Policies(), Steps.COMMANDS, 1, 0, effects);
        // The first round is at 1, so jobs that arrive after it, each a nanosecond later, wait for the second.
        engine.tick(1);
        for (int job = 0; job < loads.length; job++) {
            engine.arrive(2 + 2L * job, job, -1, new long[] {0, loads[job]}, new long[0], 0);
        }
        assertThat(started).isEmpty();
        engine.tick(ROUND);
    }

    @Test
    void theShortestStartsFirst() {
        run(30, 10, 20);
        assertThat(started).containsExactly(1L, 2L, 0L);
    }

    @Test
    void ofEquallyLongJobsTheOneThatArrivedFirstStartsFirst() {
        run(10, 10, 10);
        assertThat(started).containsExactly(0L, 1L, 2L);
    }
}
