package dev.stowage.sim.trace;

import java.util.List;

/** A cursor over the rows of a source, every field as text. The accessors read the current row. */
interface Rows extends AutoCloseable {
    /** Number of decimals of a field that must be read as text. */
    int TEXT = -1;

    /** Names of the columns; empty where the source does not name them. */
    List<String> header();

    /** Moves to the next row; false after the last. */
    boolean next();

    int fieldCount();

    /** Text of a field; empty if the source has no value. */
    String field(int column);

    /** Whether a field is empty. */
    default boolean blank(int column) {
        return field(column).isBlank();
    }

    /**
     * Number of decimals of the number in a field, if the source stores numbers and not text; {@link #TEXT} otherwise,
     * and if the field has no number or one that does not fit into {@link #digits}.
     */
    default int decimals(int column) {
        return TEXT;
    }

    /**
     * The digits of the number in the field that {@link #decimals} was asked for last: the number times 10 to the power
     * of its decimals.
     */
    default long digits() {
        throw new IllegalStateException("this source keeps text");
    }

    /** File the row is in. */
    String file();

    /** Line of the row (from 1, header counted), or its number if the source has no lines. */
    long line();

    @Override
    void close();
}
