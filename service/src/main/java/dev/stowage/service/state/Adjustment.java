package dev.stowage.service.state;

/**
 * The policy's last change of a running request, to be carried out and confirmed by its agent. A new one replaces an
 * earlier one that is not confirmed: it leads from the request's last confirmed place to its present one, so there is
 * never more than one to carry out.
 *
 * @param kind what changed
 * @param position log position at which it was decided
 * @param from server on which it runs until this is carried out
 * @param to server on which it should run
 * @param allocation its amount of the divisible resource, or -1 if there is none
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
