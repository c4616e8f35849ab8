package dev.stowage.service.directory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The last vote that a member gave, in a file of its group that a full disk cannot take away: it has its full size from
 * the beginning, and a vote is written over the one before the last, with a checksum, and synced. Ratis 3.3 replaces
 * its own file of term and vote by an empty one if there is no room for the next.
 */
public final class VoteFile implements Closeable {
    private static final String NAME = "votes";
    private static final int SLOTS = 2;
    /** Bytes of a vote: a sector, which a crash leaves as it was or as it becomes. */
    private static final int SLOT = 512;

    private static final int HEAD = Integer.BYTES + Long.BYTES + Integer.BYTES;

    /**
     * A vote.
     *
     * @param candidate the member that got it; the voter itself if it stood for election
     */
    public record Vote(long term, String candidate) {}

    private static final Vote NONE = new Vote(0, "");

    private final FileChannel channel;
    private Vote last = NONE;
    private int next;

    private VoteFile(FileChannel channel) throws IOException {
        this.channel = channel;
        int newest = newest(channel);
        if (newest >= 0) {
            last = Objects.requireNonNull(read(channel, newest));
            next = (newest + 1) % SLOTS;
            return;
        }
        // All of it, so that no vote needs room.
        for (int i = 0; i < SLOTS; i++) {
            write(last, i);
        }
    }

    /**
     * Opens the file of a group's directory for a member whose term and vote Ratis has, or makes it.
     *
     * @param group the group's directory
     */
    public static VoteFile open(Path group) throws IOException {
        FileChannel channel = FileChannel.open(
                group.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            return new VoteFile(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The last vote of a member that does not run, of term 0 if it never gave one; null if that is not known. */
    public static @Nullable Vote read(Path group) throws IOException {
        Path file = group.resolve(NAME);
        if (!Files.exists(file)) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            int newest = newest(channel);
            return newest < 0 ? null : read(channel, newest);
        }
    }

    /**
     * Writes a vote, safely, before anybody hears of it. One in an earlier term than the last changes nothing: in that
     * term this member will not vote again.
     *
     * @throws IOException if it cannot be written, or another candidate has this term's vote; then it must not be given
     */
    public synchronized void keep(long term, String candidate) throws IOException {
        if (term <= last.term()) {
            if (term == last.term() && !candidate.equals(last.candidate())) {
                throw new IOException("in term " + term + " " + last.candidate() + " has the vote already");
            }
            return;
        }
        Vote vote = new Vote(term, candidate);
        write(vote, next);
        last = vote;
        next = (next + 1) % SLOTS;
    }

    private void write(Vote vote, int slot) throws IOException {
        byte[] name = vote.candidate().getBytes(StandardCharsets.UTF_8);
        if (HEAD + name.length > SLOT) {
            throw new IOException("'" + vote.candidate() + "' must have at most " + (SLOT - HEAD) + " bytes");
        }
        byte[] all = new byte[SLOT];
        ByteBuffer bytes = ByteBuffer.wrap(all);
        bytes.putInt(0).putLong(vote.term()).putInt(name.length).put(name);
        bytes.putInt(0, checksum(all)).rewind();
        while (bytes.hasRemaining()) {
            channel.write(bytes, (long) slot * SLOT + bytes.position());
        }
        channel.force(true);
    }

    /** The slot of the latest term, or -1. */
    private static int newest(FileChannel channel) throws IOException {
        int newest = -1;
        long term = -1;
        for (int i = 0; i < SLOTS; i++) {
            Vote vote = read(channel, i);
            if (vote != null && vote.term() > term) {
                newest = i;
                term = vote.term();
            }
        }
        return newest;
    }

    private static @Nullable Vote read(FileChannel channel, int slot) throws IOException {
        byte[] all = new byte[SLOT];
        ByteBuffer bytes = ByteBuffer.wrap(all);
        while (bytes.hasRemaining() && channel.read(bytes, (long) slot * SLOT + bytes.position()) >= 0) {
            // Read to the end.
        }
        int length = bytes.getInt(HEAD - Integer.BYTES);
        if (bytes.hasRemaining() || length < 0 || length > SLOT - HEAD || bytes.getInt(0) != checksum(all)) {
            return null;
        }
        return new Vote(bytes.getLong(Integer.BYTES), new String(all, HEAD, length, StandardCharsets.UTF_8));
    }

    /** Of all that follows it. */
    private static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, Integer.BYTES, SLOT - Integer.BYTES);
        return (int) sum.getValue();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
