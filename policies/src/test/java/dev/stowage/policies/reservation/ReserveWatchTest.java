package dev.stowage.policies.reservation;

import static dev.stowage.policies.reservation.RewardRig.A;
import static dev.stowage.policies.reservation.RewardRig.B;
import static dev.stowage.policies.reservation.RewardRig.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Two servers of size 4, A of size 1 that pays 1, B of size 2 that pays 3. No service time is known, so the load is the
 * requests present.
 */
class ReserveWatchTest {
    private final RewardRig rig = new RewardRig(2, PolicySpec.of("first-fit"), type("A", 1, 1), type("B", 2, 3));
    private final View view = rig.engine.view();
    private final long[] present = {6, 3};
    private final ReserveWatch watch = new ReserveWatch(view, 3, present);

    /** Of ten A five are accepted, of four B two. */
    private void half() {
        for (int k = 0; k < 14; k++) {
            watch.arrived(k < 10 ? A : B, view);
            if (k % 2 == 0) {
                watch.started(rig.engine.find(k < 10 ? 0 : 1), view);
            }
        }
    }

    /** 6 A and 3 B, half of them: 3 + 4.5. The best would be 3 B and 2 A: 11. */
    @Test
    void whatIsAcceptedBesideTheBest() {
        rig.arrive(A, B);
        half();
        assertThat(watch.part(view)).isCloseTo(7.5 / 11, within(1e-12));
        // From then on nothing was turned away.
        assertThat(watch.part(view)).isCloseTo(15.0 / 11, within(1e-12));
        // On one server 2 B.
        rig.drain(1);
        half();
        assertThat(watch.part(view)).isCloseTo(7.5 / 6, within(1e-12));
    }

    @Test
    void enoughRequestsInEnoughTime() {
        rig.arrive(A, B);
        for (int k = 0; k < 31; k++) {
            watch.arrived(A, view);
            assertThat(watch.isDue(view)).isFalse();
        }
        watch.arrived(A, view);
        assertThat(watch.isDue(view)).isTrue();
        watch.started(rig.engine.find(0), view);
        rig.tick(1000);
        watch.ended(rig.engine.find(0), view);
        assertThat(watch.isDue(view)).as("within three times 1000 ns").isFalse();
        rig.tick(2010);
        assertThat(watch.isDue(view)).isTrue();
        watch.part(view);
        assertThat(watch.isDue(view)).isFalse();
    }

    /** x alone lets 4 X and all Y run, 12; y alone 5 Y and all X, 13. Of 16 half are accepted. */
    @Test
    void theResourceThatAllowsTheLeast() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("x"), Resource.of("y")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(4, 5)))),
                List.of(
                        new RequestType("X", Amounts.of(1, 0), Amounts.NONE, 1),
                        new RequestType("Y", Amounts.of(0, 1), Amounts.NONE, 1)));
        Engine engine = Engine.start(
                cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, new Effects() {});
        engine.arrive(0, 0, 0);
        engine.arrive(0, 1, 1);
        ReserveWatch both = new ReserveWatch(engine.view(), 3, new long[] {8, 8});
        for (int k = 0; k < 4; k++) {
            both.arrived(k % 2, engine.view());
        }
        both.started(engine.find(0), engine.view());
        both.started(engine.find(1), engine.view());
        assertThat(both.part(engine.view())).isCloseTo(8.0 / 12, within(1e-12));
    }
}
