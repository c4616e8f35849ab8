package dev.stowage.sim.trace;

/**
 * Thrown for a row that cannot be used; caught by the reading loop. Has no stack trace, because files may have millions
 * of bad rows.
 */
final class BadRow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Name of the column; empty if the whole row is meant. */
    final String column;

    final String value;
    final String reason;
    final String allowed;

    BadRow(String column, String value, String reason, String allowed) {
        super(reason, null, false, false);
        this.column = column;
        this.value = value;
        this.reason = reason;
        this.allowed = allowed;
    }
}
