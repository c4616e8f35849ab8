package dev.stowage.study.advise;

import java.util.List;

/**
 * A job (VM, pod) of a cluster.
 *
 * @param name name
 * @param demand whole amounts, one per resource of the cluster
 * @param server number of the server that it runs on, {@link #WAITS} for none
 * @param admission servers that it may use
 * @param stay whether it may be moved
 * @param stayReason why it may not be moved, or belongs to its server; empty if it may
 * @param boundBy numbers of the rules that bind it where it is placed
 * @param countedBy numbers of the rules that count it
 * @param budgets numbers of the budgets that it belongs to
 * @param together the group that it waits with
 */
public record ClusterJob(
        String name,
        long[] demand,
        int server,
        ServerAdmission admission,
        Hold stay,
        String stayReason,
        List<Integer> boundBy,
        List<Integer> countedBy,
        List<Integer> budgets,
        Together together) {
    /** Value of {@code server} for a job that waits. */
    public static final int WAITS = -1;

    /** What may be done with a job that runs. */
    public enum Hold {
        /** It may be moved. */
        MOVABLE,
        /** It stays where it is, and so its server stays in use; if that is lost, it may run on another. */
        KEPT,
        /** It stays where it is, and may run nowhere else as far as is known. */
        FIXED,
        /** It belongs to its server, as an agent or a daemon does, and keeps no server in use. */
        WITH_SERVER
    }

    /**
     * A group of jobs that are placed together or not at all.
     *
     * @param group its name, empty for none
     * @param jobs how many of those that wait must be placed together; 0 if that is not known
     */
    public record Together(String group, int jobs) {
        /** No group. */
        public static final Together NONE = new Together("", 0);
    }

    /** Takes copies. */
    public ClusterJob {
        demand = demand.clone();
        boundBy = List.copyOf(boundBy);
        countedBy = List.copyOf(countedBy);
        budgets = List.copyOf(budgets);
    }

    /** A job that is placed alone. */
    public ClusterJob(
            String name,
            long[] demand,
            int server,
            ServerAdmission admission,
            Hold stay,
            String stayReason,
            List<Integer> boundBy,
            List<Integer> countedBy,
            List<Integer> budgets) {
        this(name, demand, server, admission, stay, stayReason, boundBy, countedBy, budgets, Together.NONE);
    }

    /** A job that may be moved, without rules on neighbours or budgets. */
    public static ClusterJob movable(String name, long[] demand, int server, ServerAdmission admission) {
        return new ClusterJob(name, demand, server, admission, Hold.MOVABLE, "", List.of(), List.of(), List.of());
    }

    /** Whether it waits for a server. */
    public boolean waits() {
        return server == WAITS;
    }

    /** The same on another server. */
    ClusterJob on(int other) {
        return new ClusterJob(name, demand, other, admission, stay, stayReason, boundBy, countedBy, budgets, together);
    }

    /** The same where it stays. */
    ClusterJob staying(String why) {
        return new ClusterJob(name, demand, server, admission, Hold.KEPT, why, boundBy, countedBy, budgets, together);
    }

    @Override
    public long[] demand() {
        return demand.clone();
    }
}
