package dev.stowage.sim.unit;

/** A unit cannot be used, or the units do not make a complete result; the message says which and what to do. */
public sealed class UnitException extends RuntimeException permits DamagedUnitException {
    private static final long serialVersionUID = 1;

    public UnitException(String message) {
        super(message);
    }

    public UnitException(String message, Throwable cause) {
        super(message, cause);
    }
}
