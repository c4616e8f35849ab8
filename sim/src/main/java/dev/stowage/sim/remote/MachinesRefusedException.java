package dev.stowage.sim.remote;

import org.jspecify.annotations.Nullable;

/** Machines of others cannot be reached or used as things are: whoever asked has to mend something first. */
public final class MachinesRefusedException extends MachinesException {
    private static final long serialVersionUID = 1;

    public MachinesRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
