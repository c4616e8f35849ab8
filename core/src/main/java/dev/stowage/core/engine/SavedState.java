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
    static final int FORMAT = 8;
    /** That of release 0.1.0, which is read too. */
    private static final int OF_0_1 = 2;

    /**
     * A reader.
     *
     * @param old whether release 0.1.0 wrote it: no server has a name or labels, requests are limited to sites at most
     *     and have no traits
     */
    record Opened(StateReader in, boolean old) {}

    private SavedState() {}

    static StateWriter begin(int expectedBytes) {
        return begun(new StateWriter(expectedBytes));
    }

    /** The same into memory that was used before. */
    static StateWriter again(StateWriter used) {
        used.clear();
        return begun(used);
    }

    private static StateWriter begun(StateWriter out) {
        out.putInt(FORMAT);
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
        if (format != FORMAT && format != OF_0_1) {
            throw new IllegalArgumentException(
                    "saved state has format " + format + ", this engine reads " + OF_0_1 + " and " + FORMAT);
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
        return new Opened(in, format == OF_0_1);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
