package dev.stowage.sim.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What the rows so far add up to, and those since the last sum: a row without a name, or called a sum, that has
 * just this adds them up.
 */
final class RowSums {
    private static final String SUMS =
            "((grand |sub|sub-|sous-)?total|sum|(gesamt|zwischen|teil)?summe|gesamt|(gesamt|teil)?ergebnis|somme|totaux"
                    + "|(sub)?totale|suma|(sub)?totaal|celkem|razem|totalt|∑|Σ)s?:?";

    /** In the column of names, of a row that adds up the others. */
    private static final Pattern SUM =
            Pattern.compile("(?i)" + SUMS + "|average|avg|mittelwert|durchschnitt|moyenne|promedio");
    /** Of a row that may add up a part of the others: it does if its amounts do. */
    private static final Pattern PART = Pattern.compile("(?i)" + SUMS + " .*|.* " + SUMS);

    private static final double CENTS = 100;

    private final long[] sums;
    /** With rows that are there again. */
    private final long[] listed;

    /** Of the rows since the last sum. */
    private final long[] group;

    private final long least;
    private long ofGroup;
    private boolean isComplete;
    private boolean areCalled;
    private long rows;
    private long nameless;

    /** How a row is called: by a name of its own, not at all, or as a sum of others. */
    enum Called {
        NAME,
        NOTHING,
        SUM
    }

    /** With fewer rows, a row that happens to be as large as all others is likely. */
    RowSums(int amounts, long least) {
        this.least = least;
        sums = new long[amounts];
        listed = new long[amounts];
        group = new long[amounts];
    }

    /** How a row with this name is called; without a name any column may say that it is a sum. */
    static Called called(Fields row, String name, int columns) {
        boolean nothing = name.isEmpty();
        return isPart(name) || (nothing && IntStream.range(0, columns).anyMatch(column -> isPart(row.text(column))))
                ? Called.SUM
                : nothing ? Called.NOTHING : Called.NAME;
    }

    private static boolean isPart(String text) {
        return PART.matcher(text.strip()).matches();
    }

    /** Whether the name of a row says that it adds up the others. */
    static boolean isSum(String name) {
        return SUM.matcher(name).matches();
    }

    /** What is said of the few rows that have no name, or that of a sum, in this column and are counted. */
    Optional<String> warning(String column) {
        return nameless == 0 || nameless > rows / 2
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "counted: %,d %s with nothing%s in %s; leave out what only adds up others",
                        nameless,
                        nameless == 1 ? "row" : "rows",
                        areCalled ? " or a sum" : "",
                        column));
    }

    /** The same of servers with a price, which is a sum, too. */
    boolean are(List<Long> amounts, double price, Called called, long many, long again) {
        LongStream all = LongStream.concat(
                amounts.stream().mapToLong(Long::longValue), LongStream.of(Math.round(CENTS * price)));
        return are(all.toArray(), called, many, again);
    }

    /**
     * Whether these amounts are the sums of so many rows or more; otherwise they count to them.
     *
     * @param again how many of the row are in rows above, too: some sums have them twice
     */
    boolean are(long[] amounts, Called called, long many, long again) {
        long enough = called == Called.SUM ? 1 : least;
        boolean all = rows >= enough && (Arrays.equals(amounts, sums) || Arrays.equals(amounts, listed));
        boolean part = ofGroup >= enough && Arrays.equals(amounts, group);
        if (called != Called.NAME && (all || part)) {
            isComplete = true;
            return true;
        }
        if (isComplete) {
            Arrays.fill(group, 0);
            ofGroup = 0;
            isComplete = false;
        }
        for (int r = 0; r < sums.length; r++) {
            sums[r] += many * amounts[r];
            listed[r] += (many + again) * amounts[r];
            group[r] += many * amounts[r];
        }
        rows++;
        ofGroup++;
        nameless += called == Called.NAME ? 0 : 1;
        areCalled |= called == Called.SUM;
        return false;
    }
}
