package dev.stowage.openstack.place;

import dev.stowage.openstack.translate.GroupFacts;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * On which of these hosts shall a server go?
 *
 * @param server its UUID
 * @param amounts what it asks for, by resource class
 * @param nodes hypervisors that are possible, as Nova's filters say, in its order
 * @param forced whether somebody asked for the host by name
 * @param group the server group that it is in; null if none
 * @param members where members of the group are, by UUID
 */
public record HostQuestion(
        String server,
        SortedMap<String, Long> amounts,
        List<String> nodes,
        boolean forced,
        @Nullable GroupFacts group,
        Map<String, String> members) {
    /** Takes copies. */
    public HostQuestion {
        amounts = new TreeMap<>(amounts);
        nodes = List.copyOf(nodes);
        members = Map.copyOf(members);
    }
}
