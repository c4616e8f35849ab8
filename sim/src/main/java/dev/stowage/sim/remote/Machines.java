package dev.stowage.sim.remote;

import java.util.List;

/**
 * A cluster engine that runs tasks on many machines, found by {@link java.util.ServiceLoader} among classes that are
 * loaded separately from Stowage's. A task is a text; its result are bytes. Of Stowage's classes, those of this package
 * alone are known on both sides.
 */
public interface Machines {
    /**
     * Connects to the machines.
     *
     * @throws MachinesRefusedException if they cannot be reached or used; then nothing was started
     */
    Session connect(Assignment assignment);

    /** A connection to machines; closing it cancels the tasks that still run. */
    interface Session extends AutoCloseable {
        /** What people must not overlook about the machines. */
        List<String> warnings();

        /**
         * Submits tasks and returns. They are started in this order; each is answered once, or all fail.
         *
         * @param listener is called in a thread of the session, one call at a time
         */
        void start(List<String> tasks, Listener listener);

        @Override
        void close();
    }

    /** Receives the results of tasks. */
    interface Listener {
        /** A task is over. */
        void done(String task, byte[] answer);

        /** No further answer will come. */
        void failed(MachinesException why);
    }
}
