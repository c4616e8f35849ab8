package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RecordedChangesTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final RecordedChanges changes = new RecordedChanges();
    private final Engine engine = Engine.start(
            new Cluster(
                    List.of(Resource.of("cpu"), Resource.of("memory")),
                    List.of(),
                    List.of(new Site("s", List.of(new ServerBlock(2, Amounts.of(8, 80))), Amounts.of())),
                    List.of()),
            PolicySpec.of("first-fit", Map.of("when-full", "queue")),
            new Policies(),
            Steps.COMMANDS,
            1,
            0,
            changes);

    @Test
    void whoWasThereWhoCameAndHowLongTheyRan() {
        engine.adopt(0, request(1, 2, 10), 0);
        engine.adopt(0, request(2, 2, 10), 1);
        engine.adopt(0, request(3, 1, 0), 1);
        engine.arrive(HOUR, request(4, 6, 20));
        engine.adopt(2 * HOUR, request(5, 2, 10), 1);
        engine.arrive(2 * HOUR, request(6, 8, 20));
        engine.leave(4 * HOUR, 1);
        engine.leave(5 * HOUR, 4);
        engine.leave(8 * HOUR, 6);
        engine.arrive(8 * HOUR, request(7, 8, 20));
        engine.arrive(8 * HOUR, request(8, 8, 20));
        engine.leave(9 * HOUR, 8);
        engine.loseServer(9 * HOUR, 1);

        engine.arrive(9 * HOUR, request(9, 9, 20));
        engine.arrive(9 * HOUR, request(9, 9, 20));
        assertThat(changes.fitNone()).isEqualTo(1);

        List<RecordedChanges.Kind> kinds = changes.end(10 * HOUR);

        // Request 6 waits until 5 h, 8 never ran; 2, 3 and 5 ran until their server was lost.
        assertThat(kinds).hasSize(4);
        check(kinds.get(0), new TreeMap<>(Map.of("cpu", 2L, "memory", 10L)), 2, 1, 1, 1, 4 + 9 + 7);
        check(kinds.get(1), new TreeMap<>(Map.of("cpu", 1L)), 1, 1, 0, 0, 9);
        check(kinds.get(2), new TreeMap<>(Map.of("cpu", 6L, "memory", 20L)), 0, 0, 1, 1, 4);
        check(kinds.get(3), new TreeMap<>(Map.of("cpu", 8L, "memory", 20L)), 0, 0, 3, 1, 3 + 2);
        assertThat(kinds.get(1).moves()).isFalse();
        // Twice gives the same.
        assertThat(changes.end(10 * HOUR).get(0).nanosRun()).isEqualTo(20.0 * HOUR);
        assertThat(changes.room()).containsExactly(Map.of("cpu", 8L, "memory", 80L));
    }

    @Test
    void whoWaitedAndIsThenFoundRunningCameOnce() {
        engine.arrive(HOUR, request(1, 8, 10));
        engine.arrive(HOUR, request(2, 8, 10));
        engine.arrive(HOUR, request(3, 8, 10));
        engine.leave(2 * HOUR, 3);
        engine.leave(2 * HOUR, 1);
        engine.adopt(2 * HOUR, request(3, 8, 10), 0);

        check(changes.end(3 * HOUR).get(0), new TreeMap<>(Map.of("cpu", 8L, "memory", 10L)), 0, 0, 3, 1, 1 + 2 + 1);
    }

    @Test
    void kindsThatStayTakeTheirRoom() {
        engine.adopt(0, request(1, 1, 30), 0);
        engine.arrive(HOUR, request(2, 2, 10));

        changes.end(2 * HOUR);

        assertThat(changes.room()).containsExactly(Map.of("cpu", 7L, "memory", 50L), Map.of("cpu", 8L, "memory", 80L));
    }

    private static NewRequest request(long id, long... demand) {
        return NewRequest.of(id, demand);
    }

    private static void check(
            RecordedChanges.Kind kind,
            Map<String, Long> demand,
            int before,
            int stayed,
            int came,
            int left,
            double hours) {
        assertThat(kind.demand()).isEqualTo(demand);
        assertThat(kind.before()).isEqualTo(before);
        assertThat(kind.stayed()).isEqualTo(stayed);
        assertThat(kind.came()).isEqualTo(came);
        assertThat(kind.left()).isEqualTo(left);
        assertThat(kind.nanosRun()).isEqualTo(hours * HOUR);
    }
}
