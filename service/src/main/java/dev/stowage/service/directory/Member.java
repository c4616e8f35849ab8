package dev.stowage.service.directory;

/**
 * A member of a group: one incarnation of a node. A node that loses its log can no longer be the same member, because
 * that one has acknowledged entries; it joins as another one.
 *
 * @param id the node's id, and after {@code #} the log position at which this incarnation was created; members of
 *     groups from before there were incarnations have the node's id alone
 * @param address host and port that its Raft server listens on
 */
public record Member(String id, String address) {
    private static final char INCARNATION = '#';

    /** The id of the next incarnation of a node: no other ever had it, because a log has each position once. */
    public static String incarnation(String node, long position) {
        return node + INCARNATION + position;
    }

    /** The node that a member is an incarnation of. */
    public static String node(String member) {
        int at = member.indexOf(INCARNATION);
        return at < 0 ? member : member.substring(0, at);
    }

    /** The node that it is an incarnation of. */
    public String node() {
        return node(id);
    }
}
