package dev.stowage.study.advise;

/** Hears what becomes of a plan that is carried out. */
public interface ConsolidationListener {
    /** A plan was made, of which the next servers are emptied: so many servers are in use. */
    default void planned(int inUse, NextServers plan) {}

    /** A job has moved off its server, and runs elsewhere or is about to: on the other server, empty if not known. */
    default void moved(String job, String server, String to) {}

    /** A job has left its server for good, and none runs in its place: nobody wants one. */
    default void notReplaced(String job, String server) {}

    /** A job could not be moved off its server; nothing more is moved. */
    default void notMoved(String job, String server, String why) {}

    /** A step cannot be made now, and is tried again. */
    default void waits(String server, String why) {}

    /** A server is empty. */
    default void emptied(String server) {}

    /** A server is not emptied in this run. */
    default void givenUp(String server, String why) {}

    /** Jobs wait: all servers are opened for them. */
    default void openedForWaiting(String job) {}

    /** A server that was closed could not be opened. */
    default void notOpened(String server, String why) {}
}
