package dev.stowage.core.engine;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;

/** The envelope of a saved state: the format before it and a CRC-32C of everything after it, to detect damage. */
final class SavedState {
    /** Version of the saved state. */
    static final int FORMAT = 7;
    /** The version before devices. A state without them is still written so, that older releases can read it. */
    static final int BEFORE_DEVICES = 6;
    /**
     * The version before penalties. A state that has none of them is still written so, that older releases can read it.
     */
    static final int BEFORE_PENALTIES = 5;
    /**
     * The version before expected lifetimes. A state that has none of them is still written so, that older releases can
     * read it.
     */
    static final int BEFORE_LIFETIMES = 4;
    /**
     * The version before gangs, priorities, agents and leases. A state that has none of them is still written so, that
     * older releases can read it.
     */
    static final int BEFORE_AGENTS = 3;
    /**
     * The version before servers had names and labels, and requests more constraints than sites. A state that has none
     * of
     * them is still written so, that older releases can read it.
     */
    static final int BEFORE_CONSTRAINTS = 2;

    /** A reader, and the format in which the state was written. */
    record Opened(StateReader in, int format) {}

    private SavedState() {}

    static StateWriter begin(int format, int expectedBytes) {
        return begun(format, new StateWriter(expectedBytes));
    }

    /** The same into memory that was used before. */
    static StateWriter again(int format, StateWriter used) {
        used.clear();
        return begun(format, used);
    }

    private static StateWriter begun(int format, StateWriter out) {
        out.putInt(format);
        return out;
    }

    static byte[] seal(StateWriter out) {
        int length = out.size();
        byte[] sealed = out.toByteArray(Integer.BYTES);
        ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN).putInt(length, checksum(sealed, length));
        return sealed;
    }

    /** A reader of what was written after {@link #begin}. */
    static Opened open(byte[] saved) {
        int length = saved.length - Integer.BYTES;
        if (length < Integer.BYTES) {
            throw new IllegalArgumentException("saved state is truncated: it has only " + saved.length + " bytes");
        }
        int format = new StateReader(Arrays.copyOf(saved, Integer.BYTES)).getInt();
        if (format < BEFORE_CONSTRAINTS || format > FORMAT) {
            throw new IllegalArgumentException(
                    "saved state has format " + format + ", this engine reads " + BEFORE_CONSTRAINTS + " to " + FORMAT);
        }
        int expected = new StateReader(Arrays.copyOfRange(saved, length, saved.length)).getInt();
        int actual = checksum(saved, length);
        if (actual != expected) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "saved state is truncated or damaged: checksum of its %d bytes is %08x instead of %08x",
                    saved.length,
                    actual,
                    expected));
        }
        StateReader in = new StateReader(Arrays.copyOf(saved, length));
        in.getInt();
        return new Opened(in, format);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
