package dev.stowage.sim.trace;

import java.util.List;

/** A cursor over the rows of a source, every field as text. The accessors speak of the current row. */
interface Rows extends AutoCloseable {
    /** Of a field that is to be read as text. */
    int TEXT = -1;

    /** Names of the columns; empty where the source does not name them. */
    List<String> header();

    /** Moves to the next row; false after the last. */
    boolean next();

    int fieldCount();

    /** Text of a field; empty where the source has nothing. */
    String field(int column);

    /** Whether nothing is in a field. */
    default boolean blank(int column) {
        return field(column).isBlank();
    }

    /**
     * How many decimals the number in a field has, where the source keeps numbers and not text; {@link #TEXT}
     * elsewhere, and
     * where the field has none or one that does not fit into {@link #digits}.
     */
    default int decimals(int column) {
        return TEXT;
    }

    /** The digits of the number in the field that {@link #decimals} was asked for last: it times 10 by its decimals. */
    default long digits() {
        throw new IllegalStateException("this source keeps text");
    }

    /** File the row is in. */
    String file();

    /** Line of the row (from 1, header counted), or its number where the source has no lines. */
    long line();

    @Override
    void close();
}
