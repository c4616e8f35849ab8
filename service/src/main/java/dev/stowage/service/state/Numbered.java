package dev.stowage.service.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Requests by number, in pieces of a bounded length, so that neither adding nor removing moves many. O(log n) to find,
 * and to go on from there.
 */
final class Numbered {
    private static final int PIECE = 256;
    private static final int SMALLEST = 4;

    private @Nullable Tracked[][] pieces = new Tracked[1][];
    /** Their numbers, so that a search touches no request. */
    private long[][] numbers = new long[1][];

    private int[] sizes = new int[1];
    /** Number of the first request of each piece. */
    private long[] firsts = new long[1];

    private int count;
    private int size;

    int size() {
        return size;
    }

    /** Adds a request, unless it is already contained. */
    void add(Tracked request) {
        if (count == 0) {
            insertPiece(0, new Tracked[SMALLEST], new long[SMALLEST], 0);
        }
        int piece = Math.max(0, pieceOf(request.number));
        int at = place(piece, request.number);
        if (at < sizes[piece] && numbers[piece][at] == request.number) {
            return;
        }
        size++;
        if (sizes[piece] == PIECE) {
            if (at == PIECE && piece == count - 1) {
                insertPiece(count, new Tracked[PIECE], new long[PIECE], 0);
                piece++;
                at = 0;
            } else {
                split(piece);
                if (at > sizes[piece]) {
                    at -= sizes[piece];
                    piece++;
                }
            }
        } else if (sizes[piece] == pieces[piece].length) {
            int room = Math.min(PIECE, 2 * sizes[piece]);
            pieces[piece] = Arrays.copyOf(pieces[piece], room);
            numbers[piece] = Arrays.copyOf(numbers[piece], room);
        }
        System.arraycopy(pieces[piece], at, pieces[piece], at + 1, sizes[piece] - at);
        System.arraycopy(numbers[piece], at, numbers[piece], at + 1, sizes[piece] - at);
        pieces[piece][at] = request;
        numbers[piece][at] = request.number;
        sizes[piece]++;
        firsts[piece] = numbers[piece][0];
    }

    /** Removes a request, if it is contained. */
    void remove(Tracked request) {
        int piece = pieceOf(request.number);
        int at = piece < 0 ? 0 : place(piece, request.number);
        if (piece < 0 || at == sizes[piece] || at(piece, at) != request) {
            return;
        }
        size--;
        System.arraycopy(pieces[piece], at + 1, pieces[piece], at, sizes[piece] - at - 1);
        System.arraycopy(numbers[piece], at + 1, numbers[piece], at, sizes[piece] - at - 1);
        pieces[piece][--sizes[piece]] = null;
        if (sizes[piece] > 0) {
            firsts[piece] = numbers[piece][0];
        } else {
            count--;
            System.arraycopy(pieces, piece + 1, pieces, piece, count - piece);
            System.arraycopy(numbers, piece + 1, numbers, piece, count - piece);
            System.arraycopy(sizes, piece + 1, sizes, piece, count - piece);
            System.arraycopy(firsts, piece + 1, firsts, piece, count - piece);
            pieces[count] = null;
        }
    }

    /** Receives requests. */
    interface Visitor {
        /** Returns whether to go on with the next. */
        boolean visit(Tracked request);
    }

    /**
     * Visits the requests after a number, in order, until the visitor stops. Returns whether it reached the end.
     */
    boolean after(long number, Visitor visitor) {
        int piece = Math.max(0, pieceOf(number));
        for (int at = count == 0 ? 0 : place(piece, number); piece < count; piece++, at = 0) {
            for (; at < sizes[piece]; at++) {
                Tracked request = at(piece, at);
                if (request.number > number && !visitor.visit(request)) {
                    return false;
                }
            }
        }
        return true;
    }

    private Tracked at(int piece, int at) {
        Tracked request = pieces[piece][at];
        if (request == null) {
            throw new IllegalStateException("there is no request at place " + at + " of piece " + piece);
        }
        return request;
    }

    /** The last piece that begins with this number or a smaller one, or -1. */
    private int pieceOf(long number) {
        int low = 0;
        int high = count;
        if (count > 0 && firsts[count - 1] <= number) {
            return count - 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (firsts[middle] <= number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** Where in a piece the number is or would be. */
    private int place(int piece, long number) {
        int low = 0;
        int high = sizes[piece];
        long[] there = numbers[piece];
        if (high > 0 && there[high - 1] < number) {
            return high;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (there[middle] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void split(int piece) {
        @Nullable Tracked[] upper = new Tracked[PIECE];
        long[] upperNumbers = new long[PIECE];
        int kept = PIECE / 2;
        System.arraycopy(pieces[piece], kept, upper, 0, PIECE - kept);
        System.arraycopy(numbers[piece], kept, upperNumbers, 0, PIECE - kept);
        Arrays.fill(pieces[piece], kept, PIECE, null);
        sizes[piece] = kept;
        insertPiece(piece + 1, upper, upperNumbers, PIECE - kept);
    }

    private void insertPiece(int piece, @Nullable Tracked[] requests, long[] theirs, int length) {
        if (count == pieces.length) {
            int room = 2 * count;
            pieces = Arrays.copyOf(pieces, room);
            numbers = Arrays.copyOf(numbers, room);
            sizes = Arrays.copyOf(sizes, room);
            firsts = Arrays.copyOf(firsts, room);
        }
        System.arraycopy(pieces, piece, pieces, piece + 1, count - piece);
        System.arraycopy(numbers, piece, numbers, piece + 1, count - piece);
        System.arraycopy(sizes, piece, sizes, piece + 1, count - piece);
        System.arraycopy(firsts, piece, firsts, piece + 1, count - piece);
        pieces[piece] = requests;
        numbers[piece] = theirs;
        sizes[piece] = length;
        firsts[piece] = theirs[0];
        count++;
    }
}
