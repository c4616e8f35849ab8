package dev.stowage.service.directory;

import dev.stowage.service.state.ChangedRequests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of requests of a node on its disk, in the order of the log, for those who watch from an old position: in
 * files that are written at the end and go away from the beginning, by age and by bytes. It has every change between
 * its {@link #floor} and the position up to which it covers the log, or says that it does not: it is only a copy of
 * what the log once did, so what is damaged or has a gap is forgotten, with all before it.
 *
 * <p>A file is named by the first position whose changes it may have. It has a magic number, and records: length,
 * CRC-32C, and an encoded {@link ChangedRequests}; one without requests says that the log is covered up to its
 * position.
 * Thread-safe. O(1) to append; to read on, too; to find a position, O(log files) and a look at half a file.
 */
public final class HistoryFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryFiles.class);
    private static final String SUFFIX = ".changes";
    private static final int TRIES = 1000;
    private static final long NOTHING = Long.MAX_VALUE;

    /**
     * How much is kept.
     *
     * @param keepNanos changes that are older than this, in the log's time, are forgotten with their file
     * @param mostBytes so many bytes at most, and one file more
     * @param fileBytes a file is full with so many
     * @param syncBytes what is not yet synced is at most so much
     */
    public record Extent(long keepNanos, long mostBytes, long fileBytes, long syncBytes) {
        private static final long SYNC = 1 << 20;
        private static final long FILE = 8 << 20;

        /** With files of 8 MiB, or an eighth of all if that is less. */
        public static Extent of(long keepNanos, long mostBytes) {
            return new Extent(keepNanos, mostBytes, Math.max(1, Math.min(FILE, mostBytes / 8)), SYNC);
        }
    }

    /** One file. */
    private static final class Segment {
        final Path file;
        /** The first position whose changes it may have. */
        final long begins;
        /** Bytes of whole records. */
        long bytes;
        /** Time of the first record, once one is known. */
        long since = NOTHING;

        Segment(Path file, long begins, long bytes) {
            this.file = file;
            this.begins = begins;
            this.bytes = bytes;
        }
    }

    /** Where somebody reads; for one reader. */
    public static final class Place {
        private long begins = NOTHING;
        private long offset;
        private long until;
        private long generation = -1;
        private long covered = -1;
        private long through = -1;

        /** Where nothing was found: up to this position there is nothing more; -1 if that is not known. */
        public long through() {
            return through;
        }
    }

    private final Path directory;
    private final Extent limits;
    private final List<Segment> segments = new ArrayList<>();
    private @Nullable FileChannel out;
    /** All changes up to there are written. */
    private long covered;
    /** Counts how often what is there was taken up anew. */
    private long generation;

    private long bytes;
    private long unsynced;

    /** Files in a directory, which is made when something is written. */
    public HistoryFiles(Path directory, Extent limits) {
        this.directory = directory;
        this.limits = limits;
    }

    /**
     * Takes up what is there as far as a position: what comes after it is forgotten, as it will be told again; all is
     * forgotten if something may be missing before it.
     *
     * @throws IOException if the directory cannot be read or written
     */
    public synchronized void begin(long position) throws IOException {
        closeOut();
        generation++;
        segments.clear();
        bytes = 0;
        Files.createDirectories(directory);
        List<Segment> found = found();
        long next = NOTHING;
        while (!found.isEmpty() && last(found).begins > position + 1) {
            Segment later = found.remove(found.size() - 1);
            next = later.begins;
            Files.delete(later.file);
        }
        segments.addAll(found);
        segments.forEach(segment -> bytes += segment.bytes);
        if (segments.isEmpty() || !cut(last(segments), position, next)) {
            restart(position);
            return;
        }
        covered = position;
        out = FileChannel.open(last(segments).file, StandardOpenOption.WRITE);
        out.position(last(segments).bytes);
    }

    /**
     * Cuts a file after the last record up to a position.
     *
     * @param next where the file after it began, to which it was whole then, or {@link #NOTHING}
     * @return false if it does not have all changes up to there
     */
    private boolean cut(Segment segment, long position, long next) throws IOException {
        HistoryScan.Found found = new HistoryScan(segment.file, segment.bytes).upTo(position);
        long seen = found.last() >= 0 ? found.last() : segment.begins - 1;
        boolean whole = seen >= position || found.beyond() || (next != NOTHING && !found.damaged());
        if (!whole) {
            LOG.warn(
                    "the history in {} ends at {}, but this node continues at {}: the history restarts there",
                    directory,
                    seen,
                    position);
            return false;
        }
        try (FileChannel file = FileChannel.open(segment.file, StandardOpenOption.WRITE)) {
            file.truncate(found.end());
            file.force(true);
        }
        bytes += found.end() - segment.bytes;
        segment.bytes = found.end();
        segment.since = found.since();
        return true;
    }

    /**
     * Forgets everything: what comes next is after this position.
     *
     * @throws IOException if files cannot be deleted or made
     */
    public synchronized void restart(long position) throws IOException {
        generation++;
        forgetAll();
        Files.createDirectories(directory);
        roll(position);
    }

    /**
     * Forgets everything, and makes room; nothing can be appended until {@link #restart}.
     *
     * @throws IOException if files cannot be deleted
     */
    public synchronized void forget() throws IOException {
        generation++;
        forgetAll();
    }

    private void forgetAll() throws IOException {
        closeOut();
        for (Segment segment : segments) {
            Files.deleteIfExists(segment.file);
        }
        segments.clear();
        bytes = 0;
    }

    private List<Segment> found() throws IOException {
        List<Segment> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                String number = name.substring(0, name.length() - SUFFIX.length());
                if (number.matches("\\d{1,18}")) {
                    found.add(new Segment(file, Long.parseLong(number), Files.size(file)));
                }
            }
        }
        found.sort(Comparator.comparingLong(segment -> segment.begins));
        return found;
    }

    /** Another file, for what is after a position. */
    private void roll(long position) throws IOException {
        FileChannel before = out;
        if (before != null) {
            before.force(false);
            closeOut();
        }
        unsynced = 0;
        Path file = directory.resolve(String.format(Locale.ROOT, "%018d%s", position + 1, SUFFIX));
        FileChannel made = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        out = made;
        made.write(ByteBuffer.allocate(Long.BYTES).putLong(0, HistoryScan.MAGIC));
        segments.add(new Segment(file, position + 1, Long.BYTES));
        bytes += Long.BYTES;
        covered = position;
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /**
     * Appends changes, in the order of their positions; those up to the last one are covered then.
     *
     * @throws IOException if it cannot be written; then all is to be forgotten, {@link #restart}
     */
    public synchronized void append(List<ChangedRequests> entries) throws IOException {
        if (entries.isEmpty()) {
            return;
        }
        List<byte[]> encoded = entries.stream().map(ChangedRequests::encode).toList();
        int length =
                encoded.stream().mapToInt(one -> HistoryScan.HEAD + one.length).sum();
        ByteBuffer block = ByteBuffer.allocate(length);
        CRC32C crc = new CRC32C();
        for (byte[] one : encoded) {
            crc.reset();
            crc.update(one);
            block.putInt(one.length).putInt((int) crc.getValue()).put(one);
        }
        block.flip();
        FileChannel to = out();
        while (block.hasRemaining()) {
            to.write(block);
        }
        Segment last = last(segments);
        last.since = last.since == NOTHING ? entries.get(0).at() : last.since;
        last.bytes += length;
        bytes += length;
        unsynced += length;
        covered = entries.get(entries.size() - 1).position();
        if (last.bytes >= limits.fileBytes()) {
            roll(covered);
        } else if (unsynced >= limits.syncBytes()) {
            to.force(false);
            unsynced = 0;
        }
        forgetOld(entries.get(entries.size() - 1).at());
    }

    /**
     * Notes that there were no more changes up to a position, and has the disk have all that.
     *
     * @throws IOException as {@link #append}
     */
    public synchronized void sync(long position, long at) throws IOException {
        if (position > covered) {
            append(List.of(new ChangedRequests(position, at, List.of())));
        }
        out().force(false);
        unsynced = 0;
    }

    private FileChannel out() throws IOException {
        if (out == null) {
            throw new IOException("the history in " + directory + " is closed");
        }
        return out;
    }

    /** Lets files go that are too old or too many, except for the last. */
    private void forgetOld(long now) throws IOException {
        while (segments.size() > 1 && (bytes > limits.mostBytes() || isOld(segments.get(1), now, limits.keepNanos()))) {
            Segment oldest = segments.remove(0);
            bytes -= oldest.bytes;
            Files.deleteIfExists(oldest.file);
        }
    }

    /** Whether all before a file is older than so much. */
    private static boolean isOld(Segment second, long now, long nanos) throws IOException {
        if (second.since == NOTHING && second.bytes > Long.BYTES) {
            second.since = new HistoryScan(second.file, second.bytes).first();
        }
        return second.since != NOTHING && second.since < now - nanos;
    }

    /** What was at or before this position is forgotten; the greatest number if there is nothing. */
    public synchronized long floor() {
        return segments.isEmpty() ? NOTHING : segments.get(0).begins - 1;
    }

    /**
     * All changes at or after a time come after this position, as far as they are kept.
     *
     * @throws IOException if a file cannot be read
     */
    public synchronized long before(long time) throws IOException {
        int at = Math.max(0, segments.size() - 1);
        while (at > 0 && !isOld(segments.get(at), time, 0)) {
            at--;
        }
        return segments.isEmpty() ? NOTHING : segments.get(at).begins - 1;
    }

    /** Time of the oldest change that is kept, nanoseconds since 1970; -1 if there is none or it is not known. */
    public synchronized long since() {
        return segments.isEmpty() || segments.get(0).since == NOTHING ? -1 : segments.get(0).since;
    }

    /** All changes up to there are written. */
    public synchronized long covered() {
        return covered;
    }

    /** Bytes on the disk. */
    public synchronized long bytes() {
        return bytes;
    }

    /**
     * Entries with changes after a position, in order: some, or none if none are written yet.
     *
     * @param place where the reader was; its positions do not go back, and it takes all that it is given
     * @param most how many at most
     * @return null if some of them are forgotten
     */
    public @Nullable List<ChangedRequests> after(long position, Place place, int most) {
        return after(position, place, most, new byte[0]);
    }

    /** The same of records only that have these bytes somewhere. */
    public @Nullable List<ChangedRequests> after(long position, Place place, int most, byte[] text) {
        place.through = -1;
        try {
            for (int tries = 0; tries < TRIES; tries++) {
                Segment segment = find(position, place);
                if (segment == null) {
                    return null;
                }
                if (place.offset >= place.until) {
                    place.through = place.covered;
                    return List.of();
                }
                HistoryScan scan = new HistoryScan(segment.file, place.until).only(text);
                List<ChangedRequests> read = scan.read(place.offset, position, most);
                if (scan.damaged()) {
                    damaged(segment, place.generation);
                    continue;
                }
                place.offset = scan.end();
                if (!read.isEmpty()) {
                    return read;
                }
            }
            return List.of();
        } catch (NoSuchFileException e) {
            // It was forgotten between two looks.
            return null;
        } catch (IOException e) {
            LOG.error("the history in {} cannot be read: {}", directory, e.toString());
            return null;
        }
    }

    /** Where to read on: null if that is forgotten; at the end of what is written, the place is too. */
    private synchronized @Nullable Segment find(long position, Place place) {
        if (position < floor()) {
            return null;
        }
        int at = place.generation == generation ? numbered(place.begins) : -1;
        if (at < 0) {
            at = holding(position);
            place.generation = generation;
            place.begins = segments.get(at).begins;
            place.offset = Long.BYTES;
        } else if (place.offset >= segments.get(at).bytes && at < segments.size() - 1) {
            at++;
            place.begins = segments.get(at).begins;
            place.offset = Long.BYTES;
        }
        place.until = segments.get(at).bytes;
        place.covered = covered;
        return segments.get(at);
    }

    private int numbered(long begins) {
        for (int at = segments.size() - 1; at >= 0; at--) {
            if (segments.get(at).begins == begins) {
                return at;
            }
        }
        return -1;
    }

    /** The last file that begins at most after a position. */
    private int holding(long position) {
        int at = segments.size() - 1;
        while (at > 0 && segments.get(at).begins > position + 1) {
            at--;
        }
        return at;
    }

    /** What is up to a damaged file is forgotten. */
    private synchronized void damaged(Segment segment, long of) throws IOException {
        int at = of == generation ? segments.indexOf(segment) : -1;
        if (at < 0) {
            return;
        }
        LOG.error("{} is damaged: the history up to the end of this file is forgotten", segment.file);
        if (at == segments.size() - 1) {
            restart(covered);
            return;
        }
        for (; at >= 0; at--) {
            Segment gone = segments.remove(0);
            bytes -= gone.bytes;
            Files.deleteIfExists(gone.file);
        }
    }

    private static Segment last(List<Segment> all) {
        return all.get(all.size() - 1);
    }

    private void closeOut() throws IOException {
        if (out != null) {
            out.close();
            out = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (out != null) {
            out.force(false);
        }
        closeOut();
    }
}
