package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.View;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class SavedStateTest {
    private static Script script() {
        Script script = new Script();
        script.onStart = (view, actions) -> {
            actions.timer(50, 1);
            actions.placeDummy(0, 1, 60, "hold");
        };
        script.onArrival = Script.NOTHING;
        script.onRound = (view, actions) -> {
            while (view.pendingHead() != View.NONE) {
                int job = view.pendingHead();
                if (view.fits(job, 0)) {
                    actions.place(job, 0, "room");
                } else {
                    actions.enqueue(job, 0, "no room");
                }
            }
        };
        return script;
    }

    /**
     * A pool, a divisible resource, a dummy, a timer, running, waiting and, in the middle of a slot, pending requests.
     */
    private static Engine midSlot(Script script) {
        Cluster cluster = new Cluster(
                List.of(new Resource("speed", true), Resource.of("mem")),
                List.of("disk"),
                List.of(new Site("größe", List.of(new ServerBlock(2, Amounts.of(10, 10))), Amounts.of(9))),
                List.of(new RequestType("vm", Amounts.of(4, 4), Amounts.of(2), 5)));
        Engine engine = script.start(cluster, Steps.SLOTS);
        for (int id = 1; id <= 3; id++) {
            engine.arrive(1, id, 0);
        }
        engine.round(1);
        engine.leave(2, 2);
        engine.arrive(2, 4, 0);
        engine.arrive(2, 2, 0);
        return engine;
    }

    private static void finish(Engine engine) {
        engine.round(2);
        engine.leave(55, 1);
        engine.round(55);
        engine.loseServer(70, 0);
        engine.round(70);
    }

    @Test
    void anEngineSavedInTheMiddleOfASlotEndsTheSame() {
        Script script = script();
        Engine engine = midSlot(script);
        byte[] saved = engine.save();
        Script other = script();
        Engine restored = Engine.restore(saved, other, other);
        assertThat(other.callbacks).containsExactly("restored script");
        assertThat(restored.save()).isEqualTo(saved);
        assertThat(restored.view().pending()).isEqualTo(2);
        assertThat(restored.nextDeadline()).isEqualTo(50);
        assertThat(restored.find(4)).isEqualTo(engine.find(4));
        finish(engine);
        finish(restored);
        assertThat(restored.digest()).isEqualTo(engine.digest());
        assertThat(restored.save()).isEqualTo(engine.save());
        assertThat(restored.arrived()).isEqualTo(5);
        assertThat(restored.left()).isEqualTo(2);
    }

    @Test
    void aCopyIsOfItsMomentWheneverItsBytesAreAskedFor() {
        Engine engine = midSlot(script());
        byte[] first = engine.save();
        Supplier<byte[]> early = engine.copy();
        engine.round(2);
        byte[] second = engine.save();
        Supplier<byte[]> late = engine.copy();
        assertThat(late.get()).isEqualTo(second);
        engine.leave(55, 1);
        byte[] third = engine.save();
        // Written into the memory that the one before gave back, which is nobody else's any more.
        Supplier<byte[]> again = engine.copy();
        engine.round(55);
        engine.prepareCopy();
        Supplier<byte[]> last = engine.copy();
        byte[] fourth = engine.save();
        assertThat(last.get()).isEqualTo(fourth);
        assertThat(again.get()).isEqualTo(third);
        assertThat(early.get()).isEqualTo(first);
        assertThat(late.get()).isEqualTo(second);
        assertThat(last.get()).isSameAs(last.get());
    }

    @Test
    void everyTruncationIsTold() {
        byte[] saved = midSlot(script()).save();
        for (int length = 0; length < saved.length; length++) {
            assertRefused(Arrays.copyOf(saved, length), "truncated");
        }
    }

    @Test
    void everyFlippedBitIsTold() {
        byte[] saved = midSlot(script()).save();
        for (int bit = 0; bit < 8 * saved.length; bit++) {
            byte[] damaged = saved.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertRefused(damaged, "saved state");
        }
    }

    @Test
    void addedBytesAndAnotherFormatAreTold() {
        byte[] saved = midSlot(script()).save();
        assertRefused(Arrays.copyOf(saved, saved.length + 1), "checksum");
        byte[] newer = saved.clone();
        newer[0] = 99;
        assertRefused(newer, "format 99");
    }

    /** A policy that reads less than it wrote is told, not left with half of its state. */
    @Test
    void whatThePolicyDoesNotReadIsTold() {
        byte[] saved = midSlot(script()).save();
        dev.stowage.core.policy.Policy deaf = (job, view, actions) -> {};
        assertThatThrownBy(() -> Engine.restore(saved, spec -> deaf, Effects.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after its end");
    }

    /** {@link #midSlot} with a request limited to a site, as release 0.1.0 wrote it; deflated. */
    private static final String OF_0_1 =
            "eNqNVEsKwkAMzfxK253ncCNu9RKu3Aq2iyKFYsWTuHHvCTyIF/EErnQKCcTHDBoIyWRe8tI0rSWiIuq4P3bD"
                    + "KTpko4YpMrRtY1z0+rYnE62P2nTjwTDq3FuOkrJyS1xHi2ElhanYFgqTku1tNn9e7psJ946yYDuJYPDsuR72"
                    + "aIELOaVvB3mYj2cH+YZ78j/wOJOQ4cF8m8H9y19leEVePM/cnAo1cxEPscD15a5IPE/OGtgNSuyThb0ySisV"
                    + "C5kdrNmvVawEDt1Drhe89/x+napRQn+U4PHqG3SqJ8TLTGXv9S4s2V/D+03tmvn6A1x3j9UHAZRelg==";

    @Test
    void whatRelease01WroteIsRead() throws Exception {
        byte[] old;
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(OF_0_1)))) {
            old = in.readAllBytes();
        }
        assertThat(old[0]).isEqualTo((byte) 2);
        Script script = script();
        script.keepsSiteLimits = true;
        Engine engine = midSlot(script);
        engine.arrive(2, 9, -1, new long[] {1, 1}, new long[] {0}, 0, Constraints.sites(0));
        Engine restored = Engine.restore(old, script, script);
        assertThat(restored.save()).isEqualTo(engine.save()).startsWith((byte) SavedState.FORMAT);
        assertThat(restored.view().constraints(restored.view().constraint(restored.find(9))))
                .isEqualTo(Constraints.sites(0));
    }

    /** What no request has any more takes no room. */
    @Test
    void expectedLifetimesAreSaved() {
        Script script = script();
        Engine engine = midSlot(script);
        engine.round(2);
        engine.arrive(2, new NewRequest(9, -1, new long[] {1, 1}, new long[] {0}, 0, Constraints.NONE, 0, false, 70));
        engine.round(2);
        Engine restored = Engine.restore(engine.save(), spec -> script(), Effects.NONE);
        int job = restored.find(9);
        assertThat(restored.view().expectedNanos(job)).isEqualTo(70);
        assertThat(restored.view().runsSince(job)).isEqualTo(2);
        assertThat(restored.view().expectedNanos(restored.find(1))).isZero();
        assertThat(restored.save()).isEqualTo(engine.save());
        restored.leave(5, 9);
        assertThat(restored.save().length).isLessThan(engine.save().length);
        Engine never = midSlot(script());
        never.round(2);
        never.arrive(2, new NewRequest(9, -1, new long[] {1, 1}, new long[] {0}, 0, Constraints.NONE, 0, false, 0));
        never.round(2);
        never.leave(5, 9);
        assertThat(restored.save()).hasSameSizeAs(never.save());
    }

    @Test
    void anExpectedLifetimeIsAboveZero() {
        Engine engine = midSlot(script());
        long digest = engine.digest();
        engine.arrive(2, new NewRequest(9, -1, new long[] {1, 1}, new long[] {0}, 0, Constraints.NONE, 0, false, -1));
        assertThat(engine.refused()).isEqualTo(1);
        assertThat(engine.find(9)).isEqualTo(View.NONE);
        assertThat(engine.digest()).isEqualTo(digest);
    }

    private static void assertRefused(byte[] damaged, String word) {
        Script script = script();
        assertThatThrownBy(() -> Engine.restore(damaged, script, Effects.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(word);
    }
}
