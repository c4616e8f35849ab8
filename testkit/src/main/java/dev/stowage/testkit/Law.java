package dev.stowage.testkit;

/** A law that every policy must keep for all commands. */
public enum Law {
    /** No verb is misused and nothing throws an exception. */
    RULES,
    /** No server and no pool ever holds more than its capacity, in any resource. */
    CAPACITY,
    /** No request is lost or placed twice: every effect fits those before. */
    BOOKS,
    /** A gang is placed as a whole or not at all, and waits as a whole. */
    GANGS,
    /**
     * A request with an agent holds its demand until it is known to have stopped, or until the lease of its silent
     * server has run out.
     */
    AGENTS,
    /** When a step ends, everything is placed, queued or rejected. */
    DECIDED,
    /** arrived = pending + queued + running + left + rejected. */
    CONSERVATION,
    /** A command is refused if and only if it must be, for the right reason, and only then has no effect. */
    REFUSAL,
    /** The view agrees with the effects. */
    VIEW,
    /** The same commands give the same effects. */
    REPLAY,
    /** Saved and restored at any points, the run ends the same, to the last saved byte. */
    RESTORE,
    /** Extra ticks change nothing. */
    TICKS,
    /** Refused commands change nothing but the time. */
    REFUSED_CHANGE_NOTHING
}
