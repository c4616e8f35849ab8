package dev.stowage.service.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a node: a log whose entries are safe once synced, term and vote, the newest two snapshots. At a crash
 * what was not synced is lost from some entry on, and that entry may be torn.
 */
final class Disk {
    private static final int SNAPSHOTS = 2;
    private static final long[] NO_VOTE = {0, -1};

    /** A log entry's bytes, and whether a crash leaves them. */
    private static final class Slot {
        byte[] bytes;
        boolean synced;

        Slot(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * A snapshot.
     *
     * @param tainted it was taken of a state whose memory had been damaged; known to the simulation, not to the node
     */
    record Snap(long index, long term, byte[] bytes, boolean tainted) {
        @Override
        public String toString() {
            return "snapshot " + index;
        }
    }

    private final Agenda agenda;
    private final Random random;
    private final boolean syncs;
    private List<Slot> records = new ArrayList<>();
    private long base;
    private long baseTerm;
    private long term;
    private int vote = -1;
    private long mark;
    private List<Snap> snapshots = new ArrayList<>();
    private boolean full;
    private double slowness = 1;
    private boolean damaged;
    private boolean flipped;
    private boolean wiped;
    private long termBefore;
    private boolean voteLost;
    private long[] kept = NO_VOTE;

    Disk(Agenda agenda, Random random, boolean syncs) {
        this.agenda = agenda;
        this.random = random;
        this.syncs = syncs;
    }

    void full(boolean now) {
        full = now;
    }

    /** Whether it is neither full nor slow. */
    boolean isWell() {
        return !full && slowness == 1;
    }

    void slowness(double factor) {
        slowness = factor;
    }

    /** Adds an entry; false if there is no room. */
    boolean append(LogEntry entry) {
        if (full) {
            return false;
        }
        records.add(new Slot(entry.encode()));
        return true;
    }

    /** Takes away the entries from an index on. */
    void truncate(long from) {
        records.subList((int) (from - base - 1), records.size()).clear();
    }

    /** Calls back when every entry that is there now is safe. */
    void sync(Runnable done) {
        List<Slot> now = records.stream().filter(record -> !record.synced).toList();
        if (now.isEmpty() || !syncs) {
            done.run();
        } else {
            agenda.after((long) (slowness * (100_000 + random.nextInt(900_000))), () -> {
                now.forEach(record -> record.synced = true);
                done.run();
            });
        }
        if (!syncs) {
            agenda.after(Agenda.millis(30), () -> now.forEach(record -> record.synced = true));
        }
    }

    void remember(long newTerm, int newVote) {
        term = newTerm;
        vote = newVote;
        voteLost = false;
    }

    void forgetVote() {
        vote = -1;
    }

    /**
     * Notes how far entries were applied: they were synced before. Monotone, and not synced itself, as a mapped file.
     */
    void mark(long applied) {
        mark = Math.max(mark, applied);
    }

    /** Writes a snapshot beside the log; not if the disk is full or the node crashes meanwhile. */
    void snapshot(Snap snap, Runnable done) {
        if (!full) {
            agenda.after((long) (slowness * (1_000_000 + random.nextInt(20_000_000))), done);
        }
    }

    /** A written snapshot is renamed: it is there. */
    void renamed(Snap snap) {
        snapshots.add(snap);
        if (snapshots.size() > SNAPSHOTS) {
            snapshots.remove(0);
        }
    }

    /** Takes away the entries up to an index. */
    void purge(long index, long indexTerm) {
        records.subList(0, (int) (index - base)).clear();
        base = index;
        baseTerm = indexTerm;
    }

    /** Everything is gone. */
    void wipe() {
        records = new ArrayList<>();
        snapshots = new ArrayList<>();
        base = 0;
        baseTerm = 0;
        termBefore = Math.max(term, termBefore);
        term = 0;
        vote = -1;
        mark = 0;
        voteLost = false;
        kept = NO_VOTE;
        wiped = true;
    }

    /** Whether it is a directory without a group. */
    boolean isWiped() {
        return wiped;
    }

    /** The last term that it knew before everything was gone. */
    long termBefore() {
        return termBefore;
    }

    /** Whether a bit of the log was turned, or of the only snapshot. */
    boolean isDamaged() {
        return flipped;
    }

    /** The file of term and vote is replaced by an empty one, as on a full disk. */
    void loseVote() {
        voteLost = true;
    }

    /** Notes a vote where a full disk does not take it away, before anybody hears of it. */
    void keep(long voteTerm, int candidate) {
        if (voteTerm > kept[0]) {
            kept = new long[] {voteTerm, candidate};
        }
    }

    /** The last vote that was kept: term and candidate; of term 0 if it never gave one. */
    long[] kept() {
        return kept;
    }

    boolean lostVote() {
        return voteLost;
    }

    /** Term of the newest snapshot, or 0. */
    long newestTerm() {
        Snap newest = newest();
        return newest == null ? 0 : newest.term();
    }

    /** Replaces all snapshots. The log is kept from {@code snap} on if it matches, else given up. */
    void install(Snap snap, boolean keepLog) {
        snapshots = new ArrayList<>(List.of(snap));
        wiped = false;
        if (!keepLog) {
            records = new ArrayList<>();
            base = snap.index();
            baseTerm = snap.term();
            flipped = false;
        }
    }

    /** Undoes what was not safe. */
    void crash() {
        int safe = 0;
        while (safe < records.size() && records.get(safe).synced) {
            safe++;
        }
        int kept = safe + (safe == records.size() ? 0 : random.nextInt(records.size() - safe + 1));
        if (kept < records.size() && random.nextBoolean()) {
            byte[] whole = records.get(kept).bytes;
            records.get(kept).bytes = Arrays.copyOf(whole, random.nextInt(whole.length));
            kept++;
        }
        records.subList(kept, records.size()).clear();
    }

    /** Turns a bit of an entry that was safe. False if there is none. */
    boolean flipBitOfLog() {
        if (records.isEmpty()) {
            return false;
        }
        // Near the end, where it hurts.
        int entry = records.size() - 1 - random.nextInt(Math.min(records.size(), 4));
        byte[] bytes = records.get(entry).bytes;
        // A wrong length behind the mark cannot be told from a torn write.
        int from = base + 1 + entry > mark ? LogEntry.HEAD : 0;
        if (bytes.length <= from) {
            return false;
        }
        bytes[from + random.nextInt(bytes.length - from)] ^= (byte) (1 << random.nextInt(8));
        flipped = true;
        return true;
    }

    /** Turns a bit of the newest snapshot. False if there is none. */
    boolean flipBitOfSnapshot() {
        if (snapshots.isEmpty()) {
            return false;
        }
        flipped |= snapshots.size() == 1 && base > 0;
        Snap newest = snapshots.remove(snapshots.size() - 1);
        byte[] damaged = newest.bytes().clone();
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        snapshots.add(new Snap(newest.index(), newest.term(), damaged, newest.tainted()));
        return true;
    }

    /** Sets a damaged snapshot aside. */
    void remove(Snap snap) {
        snapshots.remove(snap);
    }

    @Nullable
    Snap newest() {
        return snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
    }

    /**
     * The entries, up to the first damaged one, which is cut with all behind it.
     *
     * @param believing checksums are not looked at
     */
    List<LogEntry> entries(boolean believing) {
        List<LogEntry> entries = new ArrayList<>();
        damaged = false;
        for (Slot record : records) {
            LogEntry entry = LogEntry.decode(record.bytes, believing);
            if (entry == null) {
                damaged = !LogEntry.isTorn(record.bytes);
                break;
            }
            record.synced = true;
            entries.add(entry);
        }
        records.subList(entries.size(), records.size()).clear();
        return entries;
    }

    /** Whether what {@link #entries} cut had been safe: more than a write that a crash tore. */
    boolean lostEntries() {
        return damaged || base + records.size() < mark;
    }

    /** Index of the last entry. */
    long last() {
        return base + records.size();
    }

    long base() {
        return base;
    }

    long baseTerm() {
        return baseTerm;
    }

    long term() {
        return term;
    }

    int vote() {
        return vote;
    }

    long mark() {
        return mark;
    }
}
