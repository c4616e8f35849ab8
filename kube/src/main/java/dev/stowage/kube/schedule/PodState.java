package dev.stowage.kube.schedule;

/** State of a pod that the scheduler is responsible for. */
public enum PodState {
    /** Asks for something that is not supported: waits until somebody else places it or it changes. */
    NOT_KNOWN,
    /** Waits for the rest of its group. */
    GATHERING,
    /** Waits in the policy's queue. */
    QUEUED,
    /** No node, even if it were empty, could take it, or the policy turned it away: it is offered again later. */
    FITS_NOWHERE,
    /** Its binding was refused: it is offered again after a while. */
    HELD,
    /** Counted on a node that victims are leaving: bound when they are gone. */
    NOMINATED,
    /** A pod of another scheduler, counted on the node that this scheduler has nominated it to. */
    PROMISED,
    /** Placed by the engine; its binding is under way. */
    ASSUMED,
    /** Bound to a known node. */
    BOUND,
    /** Bound to a node that is not known. */
    ELSEWHERE
}
