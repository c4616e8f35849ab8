package dev.stowage.openstack.place;

import java.util.List;

/**
 * Hosts for a server, best first.
 *
 * @param nodes all that it may use; none if the policy does not place it now
 * @param reason why the first, or why none
 */
public record HostAnswer(List<String> nodes, String reason) {
    /** Takes a copy. */
    public HostAnswer {
        nodes = List.copyOf(nodes);
    }
}
