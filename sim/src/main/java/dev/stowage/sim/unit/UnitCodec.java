package dev.stowage.sim.unit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.driver.RunEnd;
import dev.stowage.sim.measure.Measurements;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A unit as bytes and back; docs/internals/units.md has the format. The same run gives the same numbers, though not
 * the same bytes under another JVM, whose compression may differ.
 */
public final class UnitCodec {
    /**
     * Version of the format; must be raised with every change of what is written, also by {@link Measurements#write}.
     */
    public static final int FORMAT = 5;

    /** "STOWUNIT", little-endian. */
    private static final long MAGIC = 0x54494e55574f5453L;

    private static final int BEFORE_FORMAT = Long.BYTES;
    private static final int BEFORE_HEADER = BEFORE_FORMAT + Integer.BYTES;
    /** Fast, and compresses to a sixth, because numbers are short already. */
    private static final int LEVEL = Deflater.BEST_SPEED;

    private UnitCodec() {}

    /** The bytes of a unit. */
    public static byte[] encode(UnitHeader header, FinishedRun run) {
        StateWriter out = new StateWriter();
        out.putLong(MAGIC);
        out.putInt(FORMAT);
        out.putString(header.stamp().experiment());
        out.putString(header.stamp().version());
        out.putString(header.stamp().inputs());
        out.putNumber(header.key().point());
        out.putNumber(header.key().policy());
        out.putNumber(header.key().replication());
        out.putNumber(header.dealing().shards());
        out.putString(header.dealing().base());
        putRun(out, run);
        byte[] bytes = out.toByteArray(Integer.BYTES);
        int crc = checksum(bytes, out.size());
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[out.size() + i] = (byte) (crc >>> (Byte.SIZE * i));
        }
        return bytes;
    }

    private static void putRun(StateWriter out, FinishedRun run) {
        RunEnd outcome = run.outcome();
        out.putLong(run.seed());
        out.putLong(outcome.digest());
        out.putNumber(outcome.endNanos());
        out.putNumber(outcome.arrived());
        out.putNumber(outcome.left());
        out.putNumber(outcome.rejected());
        out.putNumber(outcome.refused());
        StateWriter body = new StateWriter();
        run.measured().write(body);
        byte[] plain = body.toByteArray();
        byte[] packed = deflated(plain);
        out.putNumber(plain.length);
        out.putBytes(packed, packed.length);
    }

    /**
     * The header of a unit whose checksum is right.
     *
     * @param name of the unit, for messages
     * @throws UnitException if the bytes are not a unit, or are truncated, damaged or of another format
     */
    public static UnitHeader header(String name, byte[] bytes) {
        return header(opened(name, bytes));
    }

    /**
     * The run of a unit.
     *
     * @param name of the unit, for messages
     * @throws UnitException if the bytes are not a unit, or are truncated, damaged or of another format
     */
    public static FinishedRun decode(String name, byte[] bytes) {
        StateReader in = opened(name, bytes);
        try {
            UnitHeader header = header(in);
            long seed = in.getLong();
            long digest = in.getLong();
            RunEnd outcome =
                    new RunEnd(in.getNumber(), digest, in.getNumber(), in.getNumber(), in.getNumber(), in.getNumber());
            byte[] plain = inflated((int) in.getNumber(), in.getBytes());
            StateReader body = new StateReader(plain);
            Measurements measured = Measurements.read(body);
            if (!body.atEnd()) {
                throw new IllegalArgumentException("it has data after its end");
            }
            return new FinishedRun(header.key().replication(), seed, measured, outcome);
        } catch (IllegalArgumentException | DataFormatException e) {
            throw new UnitException(name + ": is not a unit of format " + FORMAT + ": " + e.getMessage(), e);
        }
    }

    /** Whether two units are of the same run and measured the same, whichever shards they came from. */
    public static boolean isSame(String name, byte[] first, byte[] second) {
        return Arrays.equals(withoutDealing(name, first), withoutDealing(name, second));
    }

    private static byte[] withoutDealing(String name, byte[] bytes) {
        UnitHeader header = header(name, bytes);
        return encode(new UnitHeader(header.stamp(), header.key(), new UnitHeader.Dealing(0, "")), decode(name, bytes));
    }

    /** A reader at the header, after the checksum has been verified. */
    private static StateReader opened(String name, byte[] bytes) {
        StateReader in = new StateReader(bytes);
        if (bytes.length < BEFORE_HEADER + Integer.BYTES || in.getLong() != MAGIC) {
            throw new DamagedUnitException(name
                    + ": is not a unit of Stowage, or the first bytes of one that was not written to" + " its end");
        }
        int format = in.getInt();
        if (format != FORMAT) {
            throw new UnitException(name + ": is a unit of format " + format + "; this version reads " + FORMAT);
        }
        int stored = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            stored |= (bytes[bytes.length - Integer.BYTES + i] & 0xFF) << (Byte.SIZE * i);
        }
        if (checksum(bytes, bytes.length - Integer.BYTES) != stored) {
            throw new DamagedUnitException(name + ": is truncated or damaged: its checksum is wrong");
        }
        return in;
    }

    private static UnitHeader header(StateReader in) {
        UnitStamp stamp = new UnitStamp(in.getString(), in.getString(), in.getString());
        UnitKey key = new UnitKey((int) in.getNumber(), (int) in.getNumber(), (int) in.getNumber());
        return new UnitHeader(stamp, key, new UnitHeader.Dealing((int) in.getNumber(), in.getString()));
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater(LEVEL, true);
        try {
            deflater.setInput(plain);
            deflater.finish();
            byte[] packed = new byte[plain.length / 4 + 1024];
            int size = 0;
            while (!deflater.finished()) {
                if (size == packed.length) {
                    packed = Arrays.copyOf(packed, 2 * size);
                }
                size += deflater.deflate(packed, size, packed.length - size);
            }
            return Arrays.copyOf(packed, size);
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflated(int length, byte[] packed) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            byte[] plain = new byte[length];
            int size = 0;
            while (size < length && !inflater.finished()) {
                int more = inflater.inflate(plain, size, length - size);
                if (more == 0 && inflater.needsInput()) {
                    break;
                }
                size += more;
            }
            if (size != length) {
                throw new DataFormatException(size + " bytes instead of " + length);
            }
            return plain;
        } finally {
            inflater.end();
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
