package dev.stowage.policies.randomized;

/** What a tick does when the queue of its clock is empty. */
public enum Dummies {
    /** A dummy is placed where it fits, as the paper has it; the guarantee needs it. */
    ALWAYS,
    /** Nothing: an ablation, without the guarantee. */
    NEVER,
    /**
     * A dummy is placed only if the server has held more of the type since it was last empty: it keeps a configuration,
     * it does not build one. An ablation, without the guarantee.
     */
    KEEP
}
