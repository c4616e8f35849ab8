package dev.stowage.study.advise;

/** Moves single jobs to servers that are named, in their own time. */
public interface JobMover {
    /** How far a move is. */
    enum Fate {
        /** Under way. */
        MOVES,
        /** Done: it runs on its new server. */
        ARRIVED,
        /** Ended elsewhere than on its new server. */
        FAILED
    }

    /**
     * The answer to a question about a move.
     *
     * @param why what was said; empty unless it failed
     */
    record Said(Fate fate, String why) {}

    /**
     * Begins to move a job of the last {@link LiveCluster#look}.
     *
     * @return empty if it has begun; else why it was refused
     */
    String begin(String job, String to);

    /** How far a move is that was begun. */
    Said ask(String job);
}
