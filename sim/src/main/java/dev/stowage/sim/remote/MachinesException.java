package dev.stowage.sim.remote;

import org.jspecify.annotations.Nullable;

/** A foreign cluster engine failed; the message says at what and why. */
public sealed class MachinesException extends RuntimeException permits MachinesRefusedException {
    private static final long serialVersionUID = 1;

    public MachinesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
