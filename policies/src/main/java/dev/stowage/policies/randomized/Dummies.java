package dev.stowage.policies.randomized;

/** What a tick does when the queue of its clock is empty. */
public enum Dummies {
    /** A dummy is placed if it fits, as in the paper; the guarantee needs this. */
    ALWAYS,
    /** Nothing: an ablation, without the guarantee. */
    NEVER,
    /**
     * A dummy is placed only if the server has held more of the type since it was last empty: so a dummy can keep a
     * configuration but not build one. An ablation, without the guarantee.
     */
    KEEP
}
