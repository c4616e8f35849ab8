package dev.stowage.openstack.place;

import dev.stowage.openstack.translate.GroupFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where members of server groups were put. Nova hears of a server's host some time after it was chosen; of two servers
 * that are asked for at the same time, its filters do not see the other one.
 */
final class GroupMembers {
    private record Seat(String group, String node) {}

    private final Map<String, Seat> members = new HashMap<>();

    void put(@Nullable GroupFacts group, String server, String node) {
        if (group != null) {
            members.put(server, new Seat(group.id(), node));
        }
    }

    /** A server is no longer on a host. */
    void remove(String server, String node) {
        Seat member = members.get(server);
        if (member != null && member.node().equals(node)) {
            members.remove(server);
        }
    }

    /**
     * Of these hosts those that the group admits, best first: the policy chooses among the first ones, and only if
     * none of them has room among the next ones.
     */
    List<List<String>> admitted(HostQuestion asked) {
        GroupFacts group = asked.group();
        if (group == null) {
            return List.of(asked.nodes());
        }
        Map<String, String> where = new HashMap<>(asked.members());
        members.forEach((server, member) -> {
            if (member.group().equals(group.id())) {
                where.put(server, member.node());
            }
        });
        where.remove(asked.server());
        Map<String, Integer> counts = new HashMap<>();
        where.values().forEach(node -> counts.merge(node, 1, Integer::sum));
        SortedMap<Integer, List<String>> tiers = new TreeMap<>();
        for (String node : asked.nodes()) {
            int count = counts.getOrDefault(node, 0);
            if (group.admits(count, !counts.isEmpty())) {
                int rank = switch (group.policy()) {
                    case "soft-anti-affinity" -> count;
                    case "soft-affinity" -> -count;
                    default -> 0;
                };
                tiers.computeIfAbsent(rank, first -> new ArrayList<>()).add(node);
            }
        }
        return List.copyOf(tiers.values());
    }
}
