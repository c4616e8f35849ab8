package dev.stowage.core.policy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what a {@link StateWriter} wrote. Reading past the end, or an impossible length, throws
 * {@link IllegalArgumentException}: the state is truncated or damaged.
 */
public final class StateReader {
    private final byte[] bytes;
    private int position;

    /** Reads from the start of these bytes. */
    public StateReader(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** Reads 8 bytes. */
    public long getLong() {
        return (long) StateWriter.LONGS.get(bytes, skip(Long.BYTES));
    }

    /** Reads 4 bytes. */
    public int getInt() {
        return (int) StateWriter.INTS.get(bytes, skip(Integer.BYTES));
    }

    /** Reads a number of 1 to 10 bytes. */
    public long getNumber() {
        long zigzag = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = bytes[skip(1)];
            zigzag |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new IllegalArgumentException("saved state is damaged: a number of more than 10 bytes before " + position);
    }

    /** Reads a double. */
    public double getDouble() {
        return Double.longBitsToDouble(getLong());
    }

    /** Reads one byte. */
    public boolean getBoolean() {
        return bytes[skip(1)] != 0;
    }

    /** Reads a text. */
    public String getString() {
        int length = getInt();
        return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
    }

    /** Reads values with their number. */
    public long[] getLongs() {
        long[] values = new long[length(Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = getLong();
        }
        return values;
    }

    /** Reads values with their number. */
    public int[] getInts() {
        int[] values = new int[length(Integer.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = getInt();
        }
        return values;
    }

    /** Reads values with their number. */
    public byte[] getBytes() {
        int length = length(1);
        int from = skip(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Whether everything was read. */
    public boolean atEnd() {
        return position == bytes.length;
    }

    private int length(int width) {
        int length = getInt();
        if (length < 0 || (long) length * width > bytes.length - position) {
            throw new IllegalArgumentException("saved state is damaged: length " + length + " at byte " + position);
        }
        return length;
    }

    private int skip(int count) {
        if (count < 0 || count > bytes.length - position) {
            throw new IllegalArgumentException(
                    "saved state is truncated: " + count + " bytes wanted at byte " + position + " of " + bytes.length);
        }
        int from = position;
        position += count;
        return from;
    }
}
