package dev.stowage.study.size;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What servers of a list, whichever of it they are, hold at most once some of one kind are lost, whichever
 * kind that is.
 *
 * @param kinds those that hold most first
 * @param listed how many servers the list has, which comes again where it is not enough
 */
record LostKind(List<Alike> kinds, int listed) {
    /** Where there are more ways to lose some of a kind, the loss of one server counts: all of them take too long. */
    private static final int MOST_WAYS = 64;

    /** Servers that are alike: what each holds, and how many the list has. */
    record Alike(BigInteger each, long listed) {}

    static LostKind of(List<Alike> kinds, int listed) {
        return new LostKind(
                kinds.stream()
                        .sorted(Comparator.comparing(Alike::each).reversed())
                        .toList(),
                listed);
    }

    /**
     * What so many hold: for each amount that may be lost, as many of each kind as lose no more, first those that hold
     * most; of one server the largest.
     */
    BigInteger most(long level, int lost) {
        if (lost == 1 || (long) lost * kinds.size() > MOST_WAYS) {
            return withoutMore(level, 1, kinds.get(0).each());
        }
        long lists = level / listed;
        BigInteger least = kinds.stream()
                .map(kind -> kind.each().multiply(BigInteger.valueOf(Math.min(lost, lists * kind.listed()))))
                .reduce(BigInteger.ZERO, BigInteger::max);
        return kinds.stream()
                .flatMap(kind -> LongStream.rangeClosed(1, Math.min(lost, (lists + 1) * kind.listed()))
                        .mapToObj(gone -> kind.each().multiply(BigInteger.valueOf(gone))))
                .filter(gone -> gone.compareTo(least) >= 0)
                .map(gone -> withoutMore(level, lost, gone))
                .max(Comparator.naturalOrder())
                .orElse(BigInteger.ZERO);
    }

    /** What they hold at most where no kind may lose more than this; 0 if there is no such choice. */
    private BigInteger withoutMore(long level, int lost, BigInteger gone) {
        long left = level % listed;
        BigInteger held = BigInteger.ZERO;
        for (Alike kind : kinds) {
            long whole = level / listed * kind.listed();
            long allowed = kind.each().multiply(BigInteger.valueOf(lost)).compareTo(gone) <= 0
                    ? Long.MAX_VALUE
                    : gone.divide(kind.each()).longValueExact();
            if (whole > allowed) {
                return BigInteger.ZERO;
            }
            long further = Math.min(left, Math.min(kind.listed(), allowed - whole));
            left -= further;
            held = held.add(kind.each().multiply(BigInteger.valueOf(whole + further)));
        }
        return left > 0 ? BigInteger.ZERO : held.subtract(gone).max(BigInteger.ZERO);
    }
}
