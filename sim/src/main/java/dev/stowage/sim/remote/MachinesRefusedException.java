package dev.stowage.sim.remote;

import org.jspecify.annotations.Nullable;

/** A foreign cluster engine cannot be reached or used: the user has to correct something first. */
public final class MachinesRefusedException extends MachinesException {
    private static final long serialVersionUID = 1;

    public MachinesRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
