package dev.stowage.testkit;

/** What every policy must keep, whatever the commands. */
public enum Law {
    /** No verb is misused and nothing throws. */
    RULES,
    /** No server and no pool ever holds more than its capacity, in any resource. */
    CAPACITY,
    /** Nothing is lost or placed twice: every effect fits those before. */
    BOOKS,
    /** A gang is placed at once or not at all, and waits as one. */
    GANGS,
    /**
     * A request with an agent holds its demand until it is known to have stopped, and a silent server's for its lease.
     */
    AGENTS,
    /** When a step ends, everything is placed, queued or rejected. */
    DECIDED,
    /** arrived = pending + queued + running + left + rejected. */
    CONSERVATION,
    /** A command is refused if and only if it must be, for the right reason, and only then has no effect. */
    REFUSAL,
    /** The view says what follows from the effects. */
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
