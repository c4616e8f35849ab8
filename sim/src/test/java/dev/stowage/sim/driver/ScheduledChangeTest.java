package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ScheduledChangeTest {
    private static final long[] NO_CAPACITY = {};
    private final Engine engine = Engine.start(
            Cluster.single(6, 10), PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    private final View view = engine.view();

    /** Of servers 0 to 5 those from 2 on, two of them, and no other; each change at its own time or at a later one. */
    @Test
    void changesAreOfTheServersInARow() {
        ScheduledChange.of(5, ScheduledChange.Kind.DRAIN, 2, 2).apply(engine);
        assertThat(view.now()).isEqualTo(5);
        assertThat(statuses()).isEqualTo("UP UP DRAINING DRAINING UP UP");
        ScheduledChange.of(6, ScheduledChange.Kind.RETURN, 3, 1).apply(7, engine);
        assertThat(view.now()).isEqualTo(7);
        assertThat(statuses()).isEqualTo("UP UP DRAINING UP UP UP");
        ScheduledChange.of(8, ScheduledChange.Kind.LOSE, 3, 2).apply(engine);
        assertThat(statuses()).isEqualTo("UP UP DRAINING GONE GONE UP");
        ScheduledChange.of(9, ScheduledChange.Kind.REMOVE, 1, 2).apply(engine);
        assertThat(statuses()).isEqualTo("UP GONE GONE GONE GONE UP");
        ScheduledChange.of(10, ScheduledChange.Kind.RETURN, 1, 4).apply(engine);
        assertThat(statuses()).isEqualTo("UP UP UP UP UP UP");
        new ScheduledChange(11, ScheduledChange.Kind.RESIZE, 1, 2, -1, new long[] {7}).apply(engine);
        assertThat(IntStream.range(0, 6).mapToLong(server -> view.capacity(server, 0)))
                .containsExactly(10L, 7L, 7L, 10L, 10L, 10L);
        Labels zone = Labels.parse("zone=a");
        new ScheduledChange(12, ScheduledChange.Kind.LABEL, 4, 2, -1, NO_CAPACITY, zone).apply(engine);
        assertThat(IntStream.range(0, 6).mapToObj(view::labels))
                .containsExactly(Labels.NONE, Labels.NONE, Labels.NONE, Labels.NONE, zone, zone);
        new ScheduledChange(13, ScheduledChange.Kind.ADD, -1, 2, 0, new long[] {8}, zone).apply(engine);
        assertThat(view.servers()).isEqualTo(8);
        assertThat(view.capacity(7, 0)).isEqualTo(8);
        assertThat(view.labels(6)).isEqualTo(zone);
    }

    private String statuses() {
        return String.join(
                " ",
                IntStream.range(0, view.servers())
                        .mapToObj(view::status)
                        .map(ServerStatus::name)
                        .toList());
    }
}
