package dev.stowage.sim.driver;

import dev.stowage.core.engine.Commands;
import dev.stowage.core.model.Labels;

/**
 * A change of servers at a given time of the run.
 *
 * @param atNanos when
 * @param kind what
 * @param from first server
 * @param count how many servers with consecutive numbers; for {@link Kind#ADD} how many are added
 * @param site for {@link Kind#ADD}: where
 * @param capacity for {@link Kind#ADD} and {@link Kind#RESIZE}: of each; else empty
 * @param labels for {@link Kind#ADD} and {@link Kind#LABEL}: of each; else none
 */
public record ScheduledChange(long atNanos, Kind kind, int from, int count, int site, long[] capacity, Labels labels) {
    /** What happens to the servers. */
    public enum Kind {
        /** Servers join a site. */
        ADD,
        /** They take no new requests. */
        DRAIN,
        /** They are up again. */
        RETURN,
        /** They are removed; refused if requests run there. */
        REMOVE,
        /** They are lost: their requests start anew elsewhere. */
        LOSE,
        /** They get another capacity. */
        RESIZE,
        /** They get other labels. */
        LABEL
    }

    /** A change without labels. */
    public ScheduledChange(long atNanos, Kind kind, int from, int count, int site, long[] capacity) {
        this(atNanos, kind, from, count, site, capacity, Labels.NONE);
    }

    /** A change to servers that exist. */
    public static ScheduledChange of(long atNanos, Kind kind, int from, int count) {
        return new ScheduledChange(atNanos, kind, from, count, -1, new long[0]);
    }

    /** Sends the commands at the change's own time. */
    void apply(Commands commands) {
        apply(atNanos, commands);
    }

    /** Sends the commands at a later time, a slot boundary. */
    void apply(long at, Commands commands) {
        for (int i = 0; i < count; i++) {
            switch (kind) {
                case ADD -> commands.addServer(at, site, capacity, "", labels);
                case DRAIN -> commands.drainServer(at, from + i);
                case RETURN -> commands.returnServer(at, from + i);
                case REMOVE -> commands.removeServer(at, from + i);
                case LOSE -> commands.loseServer(at, from + i);
                case RESIZE -> commands.resizeServer(at, from + i, capacity);
                case LABEL -> commands.labelServer(at, from + i, labels);
            }
        }
    }
}
