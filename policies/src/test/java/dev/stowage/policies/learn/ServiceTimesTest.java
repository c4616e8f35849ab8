package dev.stowage.policies.learn;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.policies.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Types 0 and 1 declare no mean service time, type 2 declares 100 ns. */
class ServiceTimesTest {
    private static final double OTHERWISE = 7;

    private final Engine engine = engine(type("a"), type("b"), type("c").withMeanService(100));
    private long now;
    private long ids;

    private static RequestType type(String name) {
        return RequestType.of(name, 1);
    }

    private static Engine engine(RequestType... types) {
        Cluster cluster = new Cluster(
                List.of(Resource.of("size")),
                List.of(),
                List.of(Site.of("site", new ServerBlock(1, Amounts.of(100)))),
                List.of(types));
        return Engine.start(cluster, PolicySpec.of("first-fit"), new Policies(), Steps.COMMANDS, 1, 0, Effects.NONE);
    }

    /** A request arrives; returns its handle. */
    private int arrive(int type) {
        engine.arrive(now, ids, type);
        return engine.find(ids++);
    }

    private void pass(long nanos) {
        now += nanos;
        engine.tick(now);
    }

    private void runs(ServiceTimes times, int type, long nanos) {
        int job = arrive(type);
        times.started(engine.view(), job);
        pass(nanos);
        times.ended(engine.view(), job);
    }

    @Test
    void beforeAnythingWasSeenTheDeclaredMeanIsAllThereIs() {
        ServiceTimes times = new ServiceTimes(engine.view());
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(OTHERWISE);
        assertThat(times.meanNanos(2, OTHERWISE)).isEqualTo(100);
        assertThat(times.declaredMeanNanos(OTHERWISE)).isEqualTo(100);
        assertThat(times.knownMeanNanos(OTHERWISE)).isEqualTo(100);
        assertThat(times.stage()).isZero();
        ServiceTimes nothing = new ServiceTimes(engine(type("a")).view());
        assertThat(nothing.declaredMeanNanos(OTHERWISE)).isEqualTo(OTHERWISE);
        assertThat(nothing.knownMeanNanos(OTHERWISE)).isEqualTo(OTHERWISE);
    }

    /** Of type 0 after 30 and 50 ns: 40. Of type 1 after 10 and 20: 15. All means known: (40 + 15 + 100) / 3. */
    @Test
    void theMeanOfWhatWasSeen() {
        ServiceTimes times = new ServiceTimes(engine.view());
        runs(times, 0, 30);
        runs(times, 0, 50);
        runs(times, 1, 10);
        runs(times, 1, 20);
        runs(times, 2, 1);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(40);
        assertThat(times.meanNanos(1, OTHERWISE)).isEqualTo(15);
        assertThat(times.meanNanos(2, OTHERWISE)).isEqualTo(100);
        assertThat(times.knownMeanNanos(OTHERWISE)).isEqualTo(155.0 / 3);
        assertThat(times.declaredMeanNanos(OTHERWISE)).isEqualTo(100);
    }

    /** Type 0: 30, then .25 x 50 + .75 x 30 = 35. Type 2: .25 x 20 + .75 x 100 = 80. */
    @Test
    void withAGainItFollows() {
        ServiceTimes times = new ServiceTimes(engine.view(), .25);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(OTHERWISE);
        assertThat(times.meanNanos(2, OTHERWISE)).isEqualTo(100);
        runs(times, 0, 30);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(30);
        runs(times, 0, 50);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(35);
        runs(times, 2, 20);
        assertThat(times.meanNanos(2, OTHERWISE)).isEqualTo(80);
    }

    /** 1, 2, 4, 8 ... ends of types that declare no mean; those of others do not count. */
    @Test
    void theStageGrowsAsTheNumberOfEndsDoubles() {
        ServiceTimes times = new ServiceTimes(engine.view());
        int[] stages = {1, 2, 2, 3, 3, 3, 3, 4};
        for (int end = 0; end < stages.length; end++) {
            runs(times, end % 2, 10);
            runs(times, 2, 10);
            assertThat(times.stage()).isEqualTo(stages[end]);
        }
    }

    @Test
    void onlyWhatWasSeenToStartAndToEndCounts() {
        ServiceTimes times = new ServiceTimes(engine.view());
        int before = arrive(0);
        int displaced = arrive(0);
        int unknown = arrive(0);
        times.displaced(displaced);
        times.started(engine.view(), displaced);
        pass(10);
        times.displaced(displaced);
        times.displaced(unknown);
        times.ended(engine.view(), before);
        times.ended(engine.view(), displaced);
        times.ended(engine.view(), unknown);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(OTHERWISE);
        assertThat(times.stage()).isZero();
        times.started(engine.view(), unknown);
        pass(10);
        times.ended(engine.view(), unknown);
        // What has ended does not end again.
        pass(10);
        times.ended(engine.view(), unknown);
        assertThat(times.meanNanos(0, OTHERWISE)).isEqualTo(10);
        assertThat(times.stage()).isOne();
    }

    private static byte[] saved(ServiceTimes times) {
        StateWriter out = new StateWriter();
        times.save(out);
        return out.toByteArray();
    }

    @Test
    void whatIsRestoredGoesOn() {
        for (double theta : new double[] {0, .25}) {
            ServiceTimes times = new ServiceTimes(engine.view(), theta);
            runs(times, 0, 30);
            runs(times, 0, 50);
            runs(times, 1, 10);
            runs(times, 2, 20);
            int running = arrive(1);
            times.started(engine.view(), running);
            pass(40);
            ServiceTimes restored = new ServiceTimes(engine.view(), theta);
            restored.restore(new StateReader(saved(times)));
            assertThat(saved(restored)).isEqualTo(saved(times));
            assertThat(restored.stage()).isEqualTo(2);
            assertThat(restored.meanNanos(0, OTHERWISE)).isEqualTo(times.meanNanos(0, OTHERWISE));
            restored.ended(engine.view(), running);
            times.ended(engine.view(), running);
            assertThat(restored.meanNanos(1, OTHERWISE)).isEqualTo(theta == 0 ? 25 : 17.5);
            assertThat(saved(restored)).isEqualTo(saved(times));
            // Nothing runs, and nothing is written of what ran.
            ServiceTimes small = new ServiceTimes(engine.view(), theta);
            small.restore(new StateReader(saved(times)));
            assertThat(saved(small)).isEqualTo(saved(times));
            runs(small, 1, 10);
            assertThat(small.stage()).isEqualTo(3);
        }
    }
}
