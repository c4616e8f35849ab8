package dev.stowage.sim.trace;

import java.util.List;

/** A cursor over the rows of a source, every field as text. The accessors speak of the current row. */
interface Rows extends AutoCloseable {
    /** Names of the columns; empty where the source does not name them. */
    List<String> header();

    /** Moves to the next row; false after the last. */
    boolean next();

    int fieldCount();

    /** Text of a field; empty where the source has nothing. */
    String field(int column);

    /** File the row is in. */
    String file();

    /** Line of the row (from 1, header counted), or its number where the source has no lines. */
    long line();

    @Override
    void close();
}
