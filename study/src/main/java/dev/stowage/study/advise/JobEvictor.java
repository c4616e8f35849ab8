package dev.stowage.study.advise;

/** Takes single jobs off their servers; whoever places jobs in that cluster finds another one for it. */
public interface JobEvictor {
    /** How an eviction ended. */
    enum Fate {
        /** It leaves, or has left. */
        LEAVES,
        /** Not now: its budget allows no more, or nobody knows whether it took effect. */
        NOT_NOW,
        /** It never will be. */
        REFUSED
    }

    /**
     * The answer to an eviction.
     *
     * @param why what was said; empty where it leaves
     */
    record Said(Fate outcome, String why) {}

    /** Evicts a job of the last {@link LiveCluster#look} from a server, should it still be there. */
    Said evict(String job, String server);

    /**
     * Why no other job should leave yet: what was evicted last was not running again at the last {@link
     * LiveCluster#look}. Empty if it was.
     */
    String missing();

    /** Whether what was evicted last, and is not missing, has ended for good: no other is wanted in its place. */
    boolean isNotReplaced();
}
