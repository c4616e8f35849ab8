package dev.stowage.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects a saved state as bytes, little-endian, at most 2 GiB. Values are read in the order in which they were
 * written.
 */
public final class StateWriter {
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int USUAL_BYTES = 1 << 12;

    private byte[] bytes;
    private int size;

    /** Nothing written yet. */
    public StateWriter() {
        this(USUAL_BYTES);
    }

    /** Nothing written yet, with room for a number of bytes before it must grow. */
    public StateWriter(int expectedBytes) {
        bytes = new byte[Math.max(USUAL_BYTES, expectedBytes)];
    }

    /** Bytes written so far. */
    public int size() {
        return size;
    }

    /** Removes everything written; the memory is kept. */
    public void clear() {
        size = 0;
    }

    /** Writes 8 bytes. */
    public void putLong(long value) {
        LONGS.set(reserve(Long.BYTES), size - Long.BYTES, value);
    }

    /** Writes 4 bytes. */
    public void putInt(int value) {
        INTS.set(reserve(Integer.BYTES), size - Integer.BYTES, value);
    }

    /**
     * Writes 1 to 10 bytes: one for a number from -64 to 63, and one more for each further seven bits (zigzag, LEB128).
     */
    public void putNumber(long value) {
        long zigzag = (value << 1) ^ (value >> 63);
        while ((zigzag & ~0x7FL) != 0) {
            reserve(1)[size - 1] = (byte) ((zigzag & 0x7F) | 0x80);
            zigzag >>>= 7;
        }
        reserve(1)[size - 1] = (byte) zigzag;
    }

    /** Writes the bits of a double. */
    public void putDouble(double value) {
        putLong(Double.doubleToRawLongBits(value));
    }

    /** Writes one byte. */
    public void putBoolean(boolean value) {
        reserve(1)[size - 1] = (byte) (value ? 1 : 0);
    }

    /** Writes a text. */
    public void putString(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        putInt(encoded.length);
        System.arraycopy(encoded, 0, reserve(encoded.length), size - encoded.length, encoded.length);
    }

    /** Writes the first {@code length} values, with their number. */
    public void putLongs(long[] values, int length) {
        putInt(length);
        int from = size;
        byte[] into = reserve(Math.multiplyExact(length, Long.BYTES));
        ByteBuffer.wrap(into, from, size - from)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .put(values, 0, length);
    }

    /** Writes the first {@code length} values, with their number. */
    public void putInts(int[] values, int length) {
        putInt(length);
        int from = size;
        byte[] into = reserve(Math.multiplyExact(length, Integer.BYTES));
        ByteBuffer.wrap(into, from, size - from)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .put(values, 0, length);
    }

    /** Writes the first {@code length} values, with their number. */
    public void putBytes(byte[] values, int length) {
        putInt(length);
        System.arraycopy(values, 0, reserve(length), size - length, length);
    }

    /** What was written so far. */
    public byte[] toByteArray() {
        return toByteArray(0);
    }

    /** What was written so far, with room for some more bytes at the end. */
    public byte[] toByteArray(int spare) {
        return Arrays.copyOf(bytes, Math.addExact(size, spare));
    }

    private byte[] reserve(int count) {
        int end = Math.addExact(size, count);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, 2L * bytes.length)));
        }
        size = end;
        return bytes;
    }
}
