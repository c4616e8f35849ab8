package dev.stowage.core.engine;

/** What ends a step, at which everything pending must be decided. */
public enum Steps {
    /** Continuous time: every command and every timer is a step. */
    COMMANDS,
    /** Slotted time: the {@code round} command ends a step. */
    SLOTS
}
