package dev.stowage.sim.remote;

import org.jspecify.annotations.Nullable;

/** Machines of others did not do what was asked; the message says what and why. */
public sealed class MachinesException extends RuntimeException permits MachinesRefusedException {
    private static final long serialVersionUID = 1;

    public MachinesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
