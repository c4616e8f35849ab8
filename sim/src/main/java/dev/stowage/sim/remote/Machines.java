package dev.stowage.sim.remote;

import java.util.List;

/**
 * An engine that runs tasks on many machines, found by {@link java.util.ServiceLoader} among classes that are loaded
 * apart from Stowage's. A task is a text; what comes of it are bytes.
 */
public interface Machines {
    /**
     * Reaches the machines.
     *
     * @throws MachinesRefusedException if they cannot be reached or used; nothing was begun then
     */
    Session connect(Assignment assignment);

    /** Machines that are at work until it is closed; then what still runs there is given up. */
    interface Session extends AutoCloseable {
        /** What is to be known about the machines and does not matter. */
        List<String> notes();

        /**
         * Begins tasks and returns. They are begun in this order; each is answered once, or all fail.
         *
         * @param listener hears of them in a thread of the session's, one call at a time
         */
        void start(List<String> tasks, Listener listener);

        @Override
        void close();
    }

    /** Hears what becomes of tasks. */
    interface Listener {
        /** A task is over. */
        void done(String task, byte[] answer);

        /** No further answer will come. */
        void failed(MachinesException why);
    }
}
