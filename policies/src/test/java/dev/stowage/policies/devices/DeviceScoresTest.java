package dev.stowage.policies.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.policies.Policies;
import dev.stowage.policies.fit.Scale;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scores of one server with 64 processors and 4 GPUs, where the largest has 128 and 8, by hand. */
final class DeviceScoresTest {
    private static final long PROCESSOR = 1000;
    private static final String FILL = "fill";

    private final Engine engine = engine(PolicySpec.of("first-fit"), 64);
    private final DeviceState state = new DeviceState(engine.view());

    private static Engine engine(PolicySpec policy, long processors) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu_milli"), Resource.inDevices("gpu_milli", 1000)),
                List.of(),
                List.of(Site.of(
                        "site",
                        ServerBlock.named("s", Labels.NONE, processors * PROCESSOR, 4000),
                        ServerBlock.named("large", Labels.NONE, 128_000, 8000))),
                List.of(RequestType.of("half", 0, 500), RequestType.of("one", 0, 1000)));
        return Engine.start(cluster, policy, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    private DeviceState read(StateScore score) {
        return read(engine.view(), state, score);
    }

    private static DeviceState read(View view, DeviceState state, StateScore score) {
        state.begin(new Scale(view));
        state.read(view, 0, score.trait(view, 0));
        return state;
    }

    private void take(long id, long cpu, long gpu) {
        engine.arrive(id, NewRequest.of(id, cpu, gpu));
        assertThat(engine.view().server(engine.find(id))).isZero();
    }

    /** Left are 56 of 128 processors and 3 of 8 GPUs: 100 (1 - .5 x 56 / 128 - .5 x 3 / 8) = 59.375. */
    @Test
    void bestFit() {
        StateScore score = RoundedScore.BEST_FIT.score();
        assertThat(score.of(read(score), 8000, 1000)).isEqualTo(59);
    }

    /** 64 / 128 x 8 / 128 + 4 / 8 x 1 / 8 = .09375: 100 (1 - .09375 / 2) = 95.3. */
    @Test
    void dotProduct() {
        StateScore score = RoundedScore.DOT_PRODUCT.score();
        assertThat(score.of(read(score), 8000, 1000)).isEqualTo(95);
    }

    /**
     * An empty server has 25 and its fill (4 of 8 are not free: 12); with one kind of its own 75, with another 0,
     * with both 50.
     */
    @Test
    void clustering() {
        StateScore score = RoundedScore.CLUSTERING.score();
        assertThat(score.of(read(score), 0, 500)).isEqualTo(25 + 12);
        take(0, 0, 500);
        assertThat(score.of(read(score), 0, 500)).isEqualTo(75 + 14);
        assertThat(score.of(read(score), 0, 1000)).isEqualTo(14);
        take(1, 0, 1000);
        assertThat(score.of(read(score), 0, 1000)).isEqualTo(50 + 17);
        assertThat(score.of(read(score), 1, 0)).isZero();
    }

    /** Empty: 33 - 4. In use, a free GPU opened: 50 - 1. On a GPU in use with half free: 100 - 50 / 10. */
    @Test
    void packing() {
        StateScore score = RoundedScore.PACKING.score();
        assertThat(score.of(read(score), 0, 500)).isEqualTo(29);
        take(0, 0, 500);
        assertThat(score.of(read(score), 0, 600)).isEqualTo(49);
        assertThat(score.of(read(score), 0, 500)).isEqualTo(95);
    }

    /**
     * The target is half a GPU and one GPU, equally often. Empty, all four GPUs can be used by both: no fragments.
     * With .5 on one, its other half is of no use to the whole ones: .5 x 500 = 250 thousandths. d = -250: 100 / (1
     * + e^.25) = 43.8.
     */
    @Test
    void fragmentation() {
        FragmentationGradient rounded =
                new FragmentationGradient(true, view -> TargetWorkload.of(view, new double[] {7, 7}));
        rounded.begin(engine.view());
        assertThat(rounded.of(read(rounded), 0, 500)).isEqualTo(43);
        List<NewRequest> list = List.of(NewRequest.of(0, 0, 500), NewRequest.of(1, 0, 1000));
        FragmentationGradient exact = new FragmentationGradient(false, view -> TargetWorkload.of(view, list));
        exact.begin(engine.view());
        assertThat(exact.of(read(exact), 0, 500)).isEqualTo(-250);
        take(0, 0, 500);
        assertThat(exact.of(read(exact), 0, 500)).isEqualTo(250);
        assertThat(exact.ofPart(read(exact), 0, 500, 0)).isEqualTo(250);
        assertThat(exact.ofPart(read(exact), 0, 500, 1)).isEqualTo(-250);
    }

    @Test
    void aDeclaredTargetHasANumberForEachType() {
        PolicySpec spec = PolicySpec.of("fgd", Map.of("target", "1/2/3"));
        assertThatThrownBy(() -> engine(spec, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameter target has 3 numbers, for 2 types of requests");
    }

    /** What a score has learned from the arrivals of an engine. */
    private static FillPotential learned(long processors, long... demands) {
        FillPotential fill = new FillPotential();
        Engine any = engine(PolicySpec.of("first-fit", Map.of("when-full", "queue")), processors);
        for (int i = 0; i < demands.length; i += 2) {
            any.arrive(i, NewRequest.of(i, demands[i], demands[i + 1]));
            fill.arrived(any.view(), any.find(i));
        }
        return fill;
    }

    private static long[] times(int times, long... demands) {
        return IntStream.range(0, times * demands.length)
                .mapToLong(i -> demands[i % demands.length])
                .toArray();
    }

    /**
     * Parts are .5 alone, with one processor. So a rest of .7 ends as .2, one of .3 stays, one of .5 fills up.
     * Putting .5 on an empty GPU loses nothing, putting .3 there loses .2 (.7 takes a .5). Where .5 is free, .3
     * loses .2 as well: a tie.
     */
    @Test
    void fillOfRests() {
        FillPotential fill = learned(64, times(50, 1000, 500));
        assertThat(fill.version()).isEqualTo(1);
        assertThat(fill.of(read(fill), 1000, 500)).isZero();
        assertThat(fill.of(read(fill), 1000, 300)).isEqualTo(-200);
        take(0, 1000, 500);
        assertThat(fill.of(read(fill), 1000, 300)).isEqualTo(-200);
        assertThat(fill.ofPart(read(fill), 1000, 300, 0)).isEqualTo(-200);
        assertThat(fill.ofPart(read(fill), 1000, 300, 1)).isEqualTo(-200);
        assertThat(fill.ofPart(read(fill), 1000, 500, 0)).isZero();
    }

    /**
     * Whole GPUs with 10 or 30 processors, as often: with 20 per GPU all can be used, with 5 half of them. A
     * request without GPUs for 30 of 80 processors leaves 50 for 4 GPUs, 12.5 each: one half, and (12.5 - 5) / 15
     * of the other. Before: all.
     */
    @Test
    void fillOfProcessors() {
        FillPotential fill = learned(80, times(25, 10_000, 1000, 30_000, 1000));
        Engine eighty = engine(PolicySpec.of(FILL), 80);
        DeviceState its = read(eighty.view(), new DeviceState(eighty.view()), fill);
        assertThat(fill.of(its, 30_000, 0)).isCloseTo(-1000, within(1e-6));
        assertThat(fill.of(its, 0, 0)).isZero();
    }

    /** Of equal servers the first or the last; a part joins the GPU with the best score, of equal ones the first. */
    @Test
    void ties() {
        for (Ties ties : Ties.values()) {
            Cluster two = new Cluster(
                    List.of(Resource.inDevices("gpu_milli", 1000)),
                    List.of(),
                    List.of(Site.of("site", new ServerBlock(2, Amounts.of(3000)))),
                    List.of());
            PolicySpec spec = PolicySpec.of(FILL, Map.of("ties", ties == Ties.FIRST ? "first" : "last"));
            Engine its = Engine.start(two, spec, new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
            its.arrive(0, NewRequest.of(0, 2000));
            int job = its.find(0);
            assertThat(its.view().server(job)).isEqualTo(ties == Ties.FIRST ? 0 : 1);
            assertThat(its.view().devicesHeld(job)).isEqualTo(0b011);
        }
    }

    /** More kinds of requests than are kept: the scores of the oldest are worked out again. */
    @Test
    void scoresOfTheLatestDemandsAreKept() {
        KnownScores known = new KnownScores();
        known.set(5, true);
        for (int round = 0; round < 3; round++) {
            for (long demand = 0; demand < 300; demand++) {
                double[] scores = known.of(demand, 1);
                assertThat(scores[5]).isNaN();
                assertThat(scores[4]).isEqualTo(KnownScores.NO_ROOM);
                scores[5] = (double) demand;
                assertThat(known.of(demand, 1)[5]).isEqualTo((double) demand);
            }
            assertThat(known.of(200, 1)[5]).isEqualTo(200);
        }
        known.set(5, false);
        known.set(1000, true);
        assertThat(known.of(200, 1)[5]).isEqualTo(KnownScores.NO_ROOM);
        assertThat(known.of(200, 1)[1000]).isNaN();
        assertThat(known.of(200, 1)[999]).isEqualTo(KnownScores.NO_ROOM);
    }
}
