package dev.stowage.sim.trace;

import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Whole numbers by their place: in memory while the {@link ColumnSpace} has room, then in a temporary file. Reading is
 * safe from many threads once nothing is added or set any more.
 */
final class LongColumn {
    /** A trace has no more requests than an array has places. */
    static final int MOST = Integer.MAX_VALUE - 8;

    private static final int SMALLEST = 16;

    private final ColumnSpace space;
    /** Values per piece of a file: 2 to this power. */
    private final int pieceBits;

    private final int piece;
    private int size;
    private long @Nullable [] memory = new long[SMALLEST];
    private LongBuffer[] pieces = {};
    private ColumnSpace.@Nullable Spill file;

    LongColumn(ColumnSpace space) {
        this.space = space;
        this.pieceBits = Integer.numberOfTrailingZeros(space.pieceBytes() / Long.BYTES);
        this.piece = 1 << pieceBits;
    }

    /** So many values, all the same. */
    static LongColumn filled(ColumnSpace space, int size, long value) {
        LongColumn column = new LongColumn(space);
        for (int i = 0; i < size; i++) {
            column.add(value);
        }
        return column;
    }

    int size() {
        return size;
    }

    /** Whether it has left the memory. */
    boolean isInFile() {
        return memory == null;
    }

    long get(int place) {
        long[] here = memory;
        return here != null ? here[place] : pieces[place >>> pieceBits].get(place & (piece - 1));
    }

    void set(int place, long value) {
        long[] here = memory;
        if (here != null) {
            here[place] = value;
        } else {
            pieces[place >>> pieceBits].put(place & (piece - 1), value);
        }
    }

    void add(long value) {
        long[] here = memory;
        if (here != null && size == here.length) {
            grow(here);
        }
        if (memory == null && size >>> pieceBits == pieces.length) {
            addPiece();
        }
        set(size++, value);
    }

    private void grow(long[] here) {
        if (size == MOST) {
            throw new TraceException("a trace holds at most " + MOST + " requests; cut a window or sample");
        }
        int capacity = (int) Math.min(MOST, 2L * size);
        if (space.take((long) (capacity - size) * Long.BYTES)) {
            memory = Arrays.copyOf(here, capacity);
        } else {
            memory = null;
            space.giveBack((long) (size - SMALLEST) * Long.BYTES);
            for (int from = 0; from < size; from += piece) {
                addPiece().put(0, here, from, Math.min(piece, size - from));
            }
        }
    }

    private LongBuffer addPiece() {
        if (file == null) {
            file = space.spill();
        }
        LongBuffer next = file.next().order(ByteOrder.nativeOrder()).asLongBuffer();
        pieces = Arrays.copyOf(pieces, pieces.length + 1);
        pieces[pieces.length - 1] = next;
        return next;
    }

    /** The same values, each less by so much. */
    LongColumn less(long by) {
        LongColumn result = new LongColumn(space);
        for (int i = 0; i < size; i++) {
            result.add(get(i) - by);
        }
        return result;
    }

    /** The same values by rising place of another column's order. */
    LongColumn ordered(LongColumn order) {
        LongColumn result = new LongColumn(space);
        for (int i = 0; i < size; i++) {
            result.add(get((int) order.get(i)));
        }
        return result;
    }

    /** Its values from the least to the greatest; this column is used up and must not be read any more. */
    LongColumn sorted() {
        long[] here = memory;
        if (here != null) {
            Arrays.sort(here, 0, size);
            return this;
        }
        PriorityQueue<Run> runs = new PriorityQueue<>();
        long[] some = new long[piece];
        for (int from = 0; from < size; from += piece) {
            int length = Math.min(piece, size - from);
            LongBuffer run = pieces[from >>> pieceBits];
            run.get(0, some, 0, length);
            Arrays.sort(some, 0, length);
            run.put(0, some, 0, length);
            runs.add(new Run(run, length));
        }
        LongColumn result = new LongColumn(space);
        for (Run least = runs.poll(); least != null; least = runs.poll()) {
            result.add(least.value());
            if (least.advance()) {
                runs.add(least);
            }
        }
        return result;
    }

    /** What is left of a sorted piece, at least one value. */
    private static final class Run implements Comparable<Run> {
        private final LongBuffer values;
        private final int length;
        private int at;

        Run(LongBuffer values, int length) {
            this.values = values;
            this.length = length;
        }

        long value() {
            return values.get(at);
        }

        boolean advance() {
            at++;
            return at < length;
        }

        @Override
        public int compareTo(Run other) {
            return Long.compare(value(), other.value());
        }
    }
}
