package dev.stowage.sim.workload;

/**
 * What the requests of a type ask for beside room and servers.
 *
 * @param priority 0 for most; one with a higher priority may take the place of lower ones
 * @param members how many servers, or parts of one, each request needs at once: it is a gang of so many, placed at once
 *     or not at all; 1 for one that is no gang
 * @param distinctServers whether no two members of a gang share a server
 */
public record RequestTraits(int priority, int members, boolean distinctServers) {
    /** Nothing. */
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

    /** Whether there are none. */
    public boolean isNone() {
        return priority == 0 && members == 1;
    }

    /** Whether a request is several that are placed at once. */
    public boolean isGang() {
        return members > 1;
    }
}
