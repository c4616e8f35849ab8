package dev.stowage.openstack.translate;

import java.util.List;

/**
 * A server group.
 *
 * @param id UUID
 * @param name its name, not unique
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity
 * @param mostPerHost of anti-affinity: how many of its servers a host takes
 * @param members UUIDs of its servers
 */
public record GroupFacts(String id, String name, String policy, int mostPerHost, List<String> members) {
    /** Takes a copy. */
    public GroupFacts {
        members = List.copyOf(members);
    }

    /** The same without one of its servers. */
    public GroupFacts without(String server) {
        return new GroupFacts(
                id,
                name,
                policy,
                mostPerHost,
                members.stream().filter(member -> !member.equals(server)).toList());
    }

    /** Whether all of its servers must be on one host. */
    public boolean together() {
        return policy.equals("affinity");
    }

    /** Whether a host may take one more of its servers: of so many on it, and whether there are any on any host. */
    public boolean admits(int onHost, boolean anywhere) {
        return !(apart() && onHost >= mostPerHost) && !(together() && onHost == 0 && anywhere);
    }

    /** Whether a host may take only so many of its servers. */
    public boolean apart() {
        return policy.equals("anti-affinity");
    }
}
