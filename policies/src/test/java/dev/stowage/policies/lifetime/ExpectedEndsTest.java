package dev.stowage.policies.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpectedEndsTest {
    private static final int SERVERS = 3;

    /** Beside one that looks at every request on every server each time; lifetimes of 1 to 300, right or wrong. */
    @Test
    void whatComesAndGoesChangesEndsAsALookAtAllDoes() {
        int kept = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Engine engine = Engine.start(
                    Cluster.single(SERVERS, 5),
                    PolicySpec.of("first-fit"),
                    new Policies(),
                    Steps.COMMANDS,
                    1,
                    0,
                    Effects.NONE);
            View view = engine.view();
            ExpectedEnds ends = new ExpectedEnds();
            lookAtAll(ends, view);
            List<Long> ids = new ArrayList<>();
            long now = 0;
            for (long id = 0; id < 200; id++) {
                now += random.nextInt(20);
                if (random.nextBoolean()) {
                    long expected = random.nextInt(30) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 30 : 300);
                    engine.arrive(now, NewRequest.of(id, 1).expecting(expected));
                    int job = engine.find(id);
                    if (job != View.NONE) {
                        ends.placed(view, view.server(job), job);
                        ids.add(id);
                    }
                } else if (!ids.isEmpty()) {
                    long gone = ids.remove(random.nextInt(ids.size()));
                    int job = engine.find(gone);
                    int server = view.server(job);
                    engine.leave(now, gone);
                    ends.left(view, server, job);
                }
                for (int due = ends.changed(view); due != View.NONE; due = ends.changed(view)) {
                    ends.update(view, due);
                }
                ExpectedEnds all = new ExpectedEnds();
                lookAtAll(all, view);
                for (int server = 0; server < SERVERS; server++) {
                    assertThat(ends.of(server))
                            .as("seed %d, request %d", seed, id)
                            .isEqualTo(all.of(server));
                    kept += all.of(server) == ExpectedEnds.EMPTY ? 0 : 1;
                }
            }
        }
        assertThat(kept).isGreaterThan(50_000);
    }

    private static void lookAtAll(ExpectedEnds ends, View view) {
        for (int server = 0; server < SERVERS; server++) {
            ends.update(view, server);
        }
    }
}
