package dev.stowage.sim.workload;

import org.jspecify.annotations.Nullable;

/**
 * Priority, gang and longest wait of the requests of a type.
 *
 * @param priority 0 for most; one with a higher priority may take the place of lower ones
 * @param members how many servers, or parts of one, each request needs at once: a gang of that many members, placed at
 *     once or not at all; 1 if it is not a gang
 * @param distinctServers whether no two members of a gang share a server
 * @param maxWait how long it is willing to wait; null for any time
 */
public record RequestTraits(
        int priority,
        int members,
        boolean distinctServers,
        @Nullable MaxWait maxWait) {
    /** No priority and no gang. */
    public static final RequestTraits NONE = new RequestTraits(0, 1, false);

    /** Most members of a gang. */
    public static final int MOST_MEMBERS = 100_000;

    /** Checks the number of members; a single one shares nothing. */
    public RequestTraits {
        Parameters.check(
                members >= 1 && members <= MOST_MEMBERS,
                "members of a gang",
                members,
                "at least 1, at most " + MOST_MEMBERS);
        distinctServers &= members > 1;
    }

    /** Of requests that wait for any time. */
    public RequestTraits(int priority, int members, boolean distinctServers) {
        this(priority, members, distinctServers, null);
    }

    /** The same with a longest wait. */
    public RequestTraits withMaxWait(MaxWait longest) {
        return new RequestTraits(priority, members, distinctServers, longest);
    }

    /** Whether there are none. */
    public boolean isNone() {
        return priority == 0 && members == 1 && maxWait == null;
    }

    /** Without a longest wait the text is that from before there was one: digests of traces contain it. */
    @Override
    public String toString() {
        return "RequestTraits[priority=" + priority + ", members=" + members + ", distinctServers=" + distinctServers
                + (maxWait == null ? "]" : ", maxWait=" + maxWait + "]");
    }

    /** Whether a request is a gang. */
    public boolean isGang() {
        return members > 1;
    }
}
