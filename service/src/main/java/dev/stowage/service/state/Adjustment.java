package dev.stowage.service.state;

/**
 * What the policy last changed about a request that runs, to be carried out by whoever runs it, and confirmed. One that
 * comes before the one before was confirmed takes its place: it leads from where the request was last confirmed to be
 * to where it is to be now, so there is never more than one to carry out.
 *
 * @param kind what changed
 * @param position log position at which it was decided
 * @param from server on which it runs until this is carried out
 * @param to server on which it is to run
 * @param allocation what it is to hold of the divisible resource, or -1 where there is none
 * @param confirmed whether it was carried out
 */
public record Adjustment(Kind kind, long position, int from, int to, long allocation, boolean confirmed) {
    /** What changed. */
    public enum Kind {
        /** The server; the allocation may have changed as well. */
        MIGRATION,
        /** Only the allocation of the divisible resource. */
        RESIZE
    }

    Adjustment done() {
        return new Adjustment(kind, position, from, to, allocation, true);
    }
}
