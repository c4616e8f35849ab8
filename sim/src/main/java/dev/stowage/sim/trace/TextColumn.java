package dev.stowage.sim.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Texts by their place, some of which may be missing: in memory while there is room, then in a temporary file. */
final class TextColumn {
    private static final int SMALLEST = 16;
    /** A string and its array of bytes, about. */
    private static final int TEXT_BYTES = 64;

    private final ColumnSpace space;
    private final int pieceBytes;
    private int size;
    private long inMemory;
    private @Nullable String @Nullable [] memory = new @Nullable String[SMALLEST];
    /** Twice the place in the file where a text ends, 1 more if it is missing; it begins where the one before ends. */
    private final LongColumn ends;

    private ByteBuffer[] pieces = {};
    private ColumnSpace.@Nullable Spill file;
    private long bytes;

    TextColumn(ColumnSpace space) {
        this.space = space;
        this.pieceBytes = space.pieceBytes();
        this.ends = new LongColumn(space);
    }

    void add(@Nullable String text) {
        @Nullable String[] here = memory;
        long needed = (long) TEXT_BYTES + (text == null ? 0 : text.length());
        if (here != null && !space.take(needed)) {
            leaveMemory(here);
            here = null;
        }
        if (here == null) {
            append(text);
        } else {
            inMemory += needed;
            if (size == here.length) {
                here = Arrays.copyOf(here, (int) Math.min(LongColumn.MOST, 2L * size));
                memory = here;
            }
            here[size] = text;
        }
        size++;
    }

    private void leaveMemory(@Nullable String[] here) {
        memory = null;
        space.giveBack(inMemory);
        for (int i = 0; i < size; i++) {
            append(here[i]);
        }
    }

    private void append(@Nullable String text) {
        if (text != null) {
            for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
                put(each);
            }
        }
        ends.add(2 * bytes + (text == null ? 1 : 0));
    }

    private void put(byte value) {
        if (bytes / pieceBytes == pieces.length) {
            if (file == null) {
                file = space.spill();
            }
            pieces = Arrays.copyOf(pieces, pieces.length + 1);
            pieces[pieces.length - 1] = file.next();
        }
        pieces[(int) (bytes / pieceBytes)].put((int) (bytes % pieceBytes), value);
        bytes++;
    }

    @Nullable
    String get(int place) {
        @Nullable String[] here = memory;
        if (here != null) {
            return here[place];
        }
        long end = ends.get(place);
        if (end % 2 == 1) {
            return null;
        }
        long from = place == 0 ? 0 : ends.get(place - 1) / 2;
        byte[] text = new byte[(int) (end / 2 - from)];
        for (int i = 0; i < text.length; i++) {
            text[i] = pieces[(int) ((from + i) / pieceBytes)].get((int) ((from + i) % pieceBytes));
        }
        return new String(text, StandardCharsets.UTF_8);
    }

    /** The same texts by rising place of another column's order. */
    TextColumn ordered(LongColumn order) {
        TextColumn result = new TextColumn(space);
        for (int i = 0; i < size; i++) {
            result.add(get((int) order.get(i)));
        }
        return result;
    }
}
