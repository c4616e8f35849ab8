package dev.stowage.study.advise;

import java.util.List;

/** Takes everything off a server of a cluster that runs. */
public interface ServerEmptier {
    /**
     * Empties a server, at the rate that was asked for. Each step is looked at again when it is made.
     *
     * @param server name of a server, which is closed
     * @param moves those of the plan that empty it, in order; moves of jobs on other servers make room for later ones
     * @return empty if the server is empty and all of its jobs have a place; else why it was given up
     */
    String empty(String server, List<AdviceView.Move> moves);
}
