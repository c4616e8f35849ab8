package dev.stowage.service.state;

import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.PolicyFactory;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A state as a file: header, world, requests, and a CRC-32C of everything at the end. Written to a temporary file,
 * synced and renamed, so that the named file is either complete or absent.
 *
 * @param position last entry applied
 * @param now time of that entry
 * @param digest digest after that entry
 * @param captured the world, or null before the first entry
 */
public record Snapshot(
        long position, long now, long digest, @Nullable Captured captured) {
    private static final long MAGIC = 0x53544f5741474504L;
    private static final int BUFFER = 1 << 16;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    /** The bytes of a snapshot, which can be read more than once. */
    public interface Content {
        /** Its bytes from the first on. */
        InputStream open() throws IOException;

        /** The number of bytes. */
        long size() throws IOException;
    }

    /** Writes the file; if that fails, no file remains, not even a part that would take room on a full disk. */
    public void write(Path file) throws IOException {
        write(file, Channels::newOutputStream);
    }

    /**
     * The same through a stream of the caller.
     *
     * @param through makes the stream that writes to the file
     */
    public void write(Path file, Function<FileChannel, OutputStream> through) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " has no directory");
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(through.apply(channel));
            channel.force(true);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Writes header, world, requests and checksum; syncs and closes nothing. */
    public void write(OutputStream stream) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(stream, new CRC32C());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(checked, BUFFER));
        writeTo(out);
        out.flush();
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
    }

    /**
     * The state in a file.
     *
     * @throws IOException if it cannot be read, or is truncated or damaged
     */
    public static ServiceState read(Path file, PolicyFactory policies) throws IOException {
        return read(file.toString(), content(file), policies);
    }

    /**
     * The state in some bytes.
     *
     * @param name for messages
     * @throws IOException if it cannot be read, or is truncated or damaged
     * @throws MissingPolicyException if it is complete, but its policy is missing
     */
    public static ServiceState read(String name, Content content, PolicyFactory policies) throws IOException {
        check(name, content);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(content.open(), BUFFER))) {
            return ServiceState.restore(readFrom(in), policies);
        } catch (EOFException e) {
            throw new IOException("snapshot " + name + " is truncated", e);
        } catch (MissingPolicyException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new IOException("snapshot " + name + ": " + e.getMessage(), e);
        }
    }

    private static Content content(Path file) {
        return new Content() {
            @Override
            public InputStream open() throws IOException {
                return Files.newInputStream(file);
            }

            @Override
            public long size() throws IOException {
                return Files.size(file);
            }
        };
    }

    /**
     * Verifies only the checksum.
     *
     * @throws IOException if the file cannot be read, or is truncated or damaged
     */
    public static void check(Path file) throws IOException {
        check(file.toString(), content(file));
    }

    /** Whether a file begins as a snapshot does; false also where it cannot be read. */
    public static boolean isSnapshot(Path file) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            return in.readLong() == MAGIC;
        } catch (IOException e) {
            return false;
        }
    }

    /** Verifies the checksum before anything of the file is used. */
    private static void check(String file, Content content) throws IOException {
        long length = content.size() - Long.BYTES;
        CRC32C crc = new CRC32C();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(content.open(), BUFFER))) {
            if (length < Long.BYTES || in.readLong() != MAGIC) {
                throw new IOException(file + " is truncated, or is not a backup or a snapshot of this version");
            }
        }
        try (CheckedInputStream checked = new CheckedInputStream(new BufferedInputStream(content.open(), BUFFER), crc);
                DataInputStream in = new DataInputStream(checked)) {
            in.skipNBytes(length);
            long actual = crc.getValue();
            long expected = in.readLong();
            if (actual != expected) {
                throw new IOException(file + " is damaged or was cut short: its checksum is " + Long.toHexString(actual)
                        + " instead of " + Long.toHexString(expected));
            }
        }
    }

    private void writeTo(DataOutputStream out) throws IOException {
        out.writeLong(MAGIC);
        out.writeLong(position);
        out.writeLong(now);
        out.writeLong(digest);
        out.writeBoolean(captured != null);
        if (captured == null) {
            return;
        }
        writeBytes(out, captured.particulars());
        writeBytes(out, captured.engine().get());
        Request[] inSystem = captured.inSystem().get();
        out.writeInt(inSystem.length);
        for (Request request : inSystem) {
            RequestCodec.write(request, out);
        }
        captured.finished().write(out);
    }

    private static Snapshot readFrom(DataInputStream in) throws IOException {
        in.readLong();
        long position = in.readLong();
        long now = in.readLong();
        long digest = in.readLong();
        if (!in.readBoolean()) {
            return new Snapshot(position, now, digest, null);
        }
        byte[] particulars = readBytes(in);
        byte[] engine = readBytes(in);
        Request[] inSystem = new Request[in.readInt()];
        for (int i = 0; i < inSystem.length; i++) {
            inSystem[i] = RequestCodec.read(in);
        }
        FinishedRequests.Copy finished = FinishedRequests.Copy.read(in);
        return new Snapshot(position, now, digest, new Captured(particulars, () -> engine, () -> inSystem, finished));
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("snapshot is damaged: length " + length);
        }
        return in.readNBytes(length);
    }
}
