package dev.stowage.kube.schedule;

/** What the scheduler knows of a pod that is its business. */
public enum PodState {
    /** Asks for what is not known: it waits until somebody else places it or it changes. */
    NOT_KNOWN,
    /** Waits for the rest of its group. */
    GATHERING,
    /** Waits in the policy's queue. */
    QUEUED,
    /** No node, even if it were empty, could take it, or the policy turned it away: it is offered again later. */
    FITS_NOWHERE,
    /** Its binding was refused: it is offered again after a while. */
    HELD,
    /** Counted on a node that others leave for it: bound when they are gone. */
    NOMINATED,
    /** Placed by the engine, the binding under way. */
    ASSUMED,
    /** Bound to a known node. */
    BOUND,
    /** Bound to a node that is not known. */
    ELSEWHERE
}
