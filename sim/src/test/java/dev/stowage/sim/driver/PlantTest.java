package dev.stowage.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Efficiency;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Departures of requests whose share, server or speed changes; two servers of 10 units of a divisible resource. */
class PlantTest {
    private static final long LOAD = 900;

    /** Places on server 0 with a share; moves to server 1 at 100. */
    private static final class Mover implements Policy {
        private final long share;

        Mover(long share) {
            this.share = share;
        }

        @Override
        public void started(View view, Actions actions) {
            actions.timer(100, 0);
        }

        @Override
        public void arrived(int job, View view, Actions actions) {
            actions.place(job, 0, "");
            actions.allocate(job, share);
        }

        @Override
        public void timer(long tag, View view, Actions actions) {
            if (view.firstOn(0) != View.NONE) {
                actions.migrate(view.firstOn(0), 1, "");
            }
        }
    }

    /** A request with this work arrives at 0 and gets a share; a share of two gives speed one. */
    private static Plant plant(Efficiency efficiency, long share, long work, long until) {
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", true), Resource.of("load")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(2, Amounts.of(10, LOAD)))),
                List.of());
        Plant plant = new Plant(2, efficiency, null, 1);
        Engine engine = Engine.start(
                cluster,
                PolicySpec.of("mover"),
                spec -> new Mover(share),
                Steps.COMMANDS,
                1,
                0,
                new EffectsFan(plant, Effects.NONE));
        plant.expect(work);
        engine.arrive(0, 0, -1, new long[] {0, LOAD}, new long[0], 0);
        engine.tick(until);
        return plant;
    }

    /** 1001 at speed 3/2 take 667 1/3, so the last nanosecond is begun: 668. 1002 take 668 to the end. */
    @Test
    void workThatTheSpeedDoesNotDivideIsDoneToTheEnd() {
        assertThat(plant(Efficiency.EQUAL, 3, 1001, 1).nextDeparture()).isEqualTo(668);
        assertThat(plant(Efficiency.EQUAL, 3, 1002, 1).nextDeparture()).isEqualTo(668);
        assertThat(plant(Efficiency.EQUAL, 3, 1003, 1).nextDeparture()).isEqualTo(669);
    }

    @Test
    void equallyEfficientServersTakeAsLong() {
        assertThat(plant(Efficiency.EQUAL, 4, 1000, 1).nextDeparture()).isEqualTo(500);
        assertThat(plant(Efficiency.EQUAL, 4, 1000, 200).nextDeparture()).isEqualTo(500);
    }

    /** The work left at 100 is done at the speed of the other server. */
    @Test
    void aRequestThatMovesRunsAtTheSpeedOfItsNewServer() {
        KeyedRandom random = new KeyedRandom();
        double here = 2 * Efficiency.UNIFORM.of(LOAD, 0, 0, random);
        double there = 2 * Efficiency.UNIFORM.of(LOAD, 0, 1, random);
        assertThat(Math.abs(here - there)).isGreaterThan(0.1);
        long work = 100_000;
        assertThat(plant(Efficiency.UNIFORM, 4, work, 1).nextDeparture()).isEqualTo((long) Math.ceil(work / here));
        assertThat(plant(Efficiency.UNIFORM, 4, work, 200).nextDeparture())
                .isEqualTo(100 + (long) Math.ceil((work - 100 * here) / there));
    }
}
