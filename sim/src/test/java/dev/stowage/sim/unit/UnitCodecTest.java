package dev.stowage.sim.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.End;
import dev.stowage.sim.driver.Progress;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.driver.Setup;
import dev.stowage.sim.driver.Simulation;
import dev.stowage.sim.measure.RunCollector;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.workload.ArrivalProcess;
import dev.stowage.sim.workload.Demand;
import dev.stowage.sim.workload.Distribution;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.SyntheticType;
import dev.stowage.sim.workload.SyntheticWorkload;
import dev.stowage.sim.workload.Workload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnitCodecTest {
    private static final long SECOND = 1_000_000_000L;
    private static final UnitHeader HEADER = new UnitHeader(
            new UnitStamp("0123456789abcdef", "1.2.3", "fedcba9876543210"),
            new UnitKey(3, 1, 4),
            new UnitHeader.Dealing(40, "/where/experiments/are"));

    /** Two sites, a policy that reports gauges. */
    private static FinishedRun run(long seed) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(
                        Site.of("a", new ServerBlock(2, Amounts.of(10))),
                        Site.of("b", new ServerBlock(1, Amounts.of(6)))),
                List.of());
        Workload workload = SyntheticWorkload.of(
                List.of("size"),
                ArrivalProcess.poisson(),
                List.of(
                        SyntheticType.inSeconds("small", 2, Demand.fixed(2), Distribution.exponential(1)),
                        SyntheticType.inSeconds("large", 1, Demand.fixed(5), Distribution.exponential(2))));
        RunCollector collector = new RunCollector(TimeGrid.forUnknownHorizon(0), 2);
        Setup setup = new Setup(
                cluster,
                workload,
                DrawnOrigins.ANYWHERE,
                PolicySpec.of("shadow"),
                new Policies(),
                Steps.COMMANDS,
                0,
                seed,
                new End(200 * SECOND, Long.MAX_VALUE, false),
                List.of(),
                1);
        RunEnd outcome = Simulation.run(setup, collector, engine -> engine, Progress.NONE);
        return new FinishedRun(4, seed, collector.finish(outcome.endNanos()), outcome);
    }

    @Test
    void whatIsReadIsEqual() {
        FinishedRun run = run(1);
        byte[] unit = UnitCodec.encode(HEADER, run);
        assertThat(UnitCodec.header("u", unit)).isEqualTo(HEADER);
        FinishedRun read = UnitCodec.decode("u", unit);
        assertThat(read.replication()).isEqualTo(4);
        assertThat(read.seed()).isEqualTo(run.seed());
        assertThat(read.outcome()).isEqualTo(run.outcome());
        // No number is lost: writing what was read gives the same bytes, and another run gives others.
        assertThat(measured(read)).isEqualTo(measured(run)).isNotEqualTo(measured(run(2)));
        assertThat(UnitCodec.encode(HEADER, read)).isEqualTo(unit);
        assertThat(unit).hasSizeLessThan(60_000);
    }

    private static byte[] measured(FinishedRun run) {
        StateWriter out = new StateWriter();
        run.measured().write(out);
        return out.toByteArray();
    }

    @Test
    void dealingIsNoDifference() {
        byte[] unit = UnitCodec.encode(HEADER, run(1));
        UnitHeader elsewhere = new UnitHeader(HEADER.stamp(), HEADER.key(), new UnitHeader.Dealing(2, "/elsewhere"));
        assertThat(UnitCodec.isSame("u", unit, UnitCodec.encode(elsewhere, run(1))))
                .isTrue();
        assertThat(UnitCodec.isSame("u", unit, UnitCodec.encode(elsewhere, run(2))))
                .isFalse();
    }

    @Test
    void everyTruncationIsTold() {
        byte[] unit = UnitCodec.encode(HEADER, run(1));
        for (int length = 0; length < unit.length; length += 1 + length / 50) {
            byte[] cut = Arrays.copyOf(unit, length);
            assertThatThrownBy(() -> UnitCodec.header("u", cut)).isInstanceOf(DamagedUnitException.class);
            assertThatThrownBy(() -> UnitCodec.decode("u", cut)).isInstanceOf(DamagedUnitException.class);
        }
    }

    @Test
    void everyFlippedBitIsTold() {
        byte[] unit = UnitCodec.encode(HEADER, run(1));
        for (int place = 0; place < unit.length; place += 1 + place / 50) {
            byte[] altered = unit.clone();
            altered[place] ^= (byte) (1 << place % 8);
            assertThatThrownBy(() -> UnitCodec.decode("u", altered)).isInstanceOf(UnitException.class);
        }
    }

    @Test
    void anotherFormatIsNamed() {
        byte[] unit = UnitCodec.encode(HEADER, run(1));
        unit[8] = (byte) (UnitCodec.FORMAT + 1);
        assertThatThrownBy(() -> UnitCodec.header("u", unit))
                .isInstanceOf(UnitException.class)
                .isNotInstanceOf(DamagedUnitException.class)
                .hasMessage("u: is a unit of format " + (UnitCodec.FORMAT + 1) + "; this version reads "
                        + UnitCodec.FORMAT);
    }
}
