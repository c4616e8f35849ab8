package dev.stowage.sim.unit;

/** A unit is truncated or altered: its run has to be done again. */
public final class DamagedUnitException extends UnitException {
    private static final long serialVersionUID = 1;

    DamagedUnitException(String message) {
        super(message);
    }
}
