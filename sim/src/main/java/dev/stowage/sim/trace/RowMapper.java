package dev.stowage.sim.trace;

/** Takes the rows of a source one by one. */
interface RowMapper {
    /** Uses the row, sets it aside, or throws {@link BadRow}; after a throw nothing of the row has been used. */
    void map(Fields row);

    /** Called once after the last row. */
    default void finish() {}
}
