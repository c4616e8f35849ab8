package dev.stowage.core.engine;

import dev.stowage.core.policy.StateWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the state to be saved. The memory of a copy is reused for the next one after its bytes were made, because
 * allocating memory of that size takes longer than copying.
 */
final class Copies {
    private static final int SPARE_FRACTION = 8;

    private final State state;
    private final Consumer<StateWriter> saver;
    private int savedBytes;
    private volatile @Nullable StateWriter spare;

    Copies(State state, Consumer<StateWriter> saver) {
        this.state = state;
        this.saver = saver;
    }

    /** The bytes, at once. */
    byte[] bytes() {
        return SavedState.seal(write(SavedState.begin(expectedBytes())));
    }

    /** The bytes when asked for, by any thread, of the state as it is now. */
    Supplier<byte[]> copy() {
        StateWriter used = spare;
        spare = null;
        return new Copy(write(used == null ? SavedState.begin(expectedBytes()) : SavedState.again(used)));
    }

    /** Makes room for the next copy. Any thread may call it: the size may be estimated from slightly old values. */
    void prepare() {
        if (spare == null) {
            spare = new StateWriter(expectedBytes());
        }
    }

    /** A little more than last time, so that it seldom grows. */
    private int expectedBytes() {
        long least = Math.max(savedBytes, state.leastBytes());
        return (int) Math.min(Integer.MAX_VALUE - 8L, least + least / SPARE_FRACTION);
    }

    private StateWriter write(StateWriter out) {
        saver.accept(out);
        savedBytes = out.size();
        return out;
    }

    /** A copy of the state, and its bytes once they were asked for. */
    private final class Copy implements Supplier<byte[]> {
        private @Nullable StateWriter out;
        private byte[] bytes = {};

        Copy(StateWriter out) {
            this.out = out;
        }

        @Override
        public synchronized byte[] get() {
            StateWriter written = out;
            if (written != null) {
                bytes = SavedState.seal(written);
                out = null;
                spare = written;
            }
            return bytes;
        }
    }
}
