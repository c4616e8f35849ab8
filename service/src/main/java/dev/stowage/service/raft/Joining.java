package dev.stowage.service.raft;

import dev.stowage.service.directory.Identity;
import dev.stowage.service.directory.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a node comes to be a member of a group: its own state and the answers of the others determine its next step. A
 * group is made only if every other node answers that it has none; a node without a group joins that of the others; a
 * node that lost acknowledged entries joins as another incarnation, and the old one is removed, unless that still
 * answers. Nothing here waits or communicates.
 */
final class Joining {
    private Joining() {}

    /**
     * What another node says.
     *
     * @param node its id
     * @param reached whether it answered
     * @param group its group, or null if it has none
     * @param member which member it is there
     * @param leads whether it leads
     * @param term in which it leads; -1 if it does not
     * @param committed last entry that it knows to be committed
     * @param changing whether the members are being changed
     * @param members of its group, as it knows them
     * @param hears members that it has heard of late: a leader its followers, another one its leader
     */
    record Said(
            String node,
            boolean reached,
            @Nullable UUID group,
            String member,
            boolean leads,
            long term,
            long committed,
            boolean changing,
            List<Member> members,
            List<String> hears) {
        static Said nothing(String node) {
            return new Said(node, false, null, "", false, -1, -1, false, List.of(), List.of());
        }

        static Said noGroup(String node) {
            return new Said(node, true, null, "", false, -1, -1, false, List.of(), List.of());
        }
    }

    /** What a node does next. */
    sealed interface Step {
        /** It makes the group. */
        record Found() implements Step {}

        /**
         * It asks the leader to create it, as a new incarnation.
         *
         * @param group to join
         * @param leader what the node that leads it says
         */
        record Join(UUID group, Said leader) implements Step {}

        /**
         * It asks the leader to count it as a member, in place of its node's earlier members.
         *
         * @param leader what the node that leads it says
         */
        record AskIn(Said leader) implements Step {}

        /** It waits. */
        record Wait(String why) implements Step {}

        /** The group has removed it. */
        record Removed(String why) implements Step {}

        /** It is a member. */
        record Remain() implements Step {}
    }

    /**
     * What a node knows of itself.
     *
     * @param node its id
     * @param identity what its directory says, or null
     * @param lost why it does not have what it acknowledged, or cannot know that it has; null if it has
     * @param copy whether its directory may be a copy of one that another process still uses
     * @param counted whether it knows itself to be one of the members
     * @param term the last that it has seen
     * @param bootstrap whether it may make a group
     */
    record Own(
            String node,
            @Nullable Identity identity,
            @Nullable String lost,
            boolean copy,
            boolean counted,
            long term,
            boolean bootstrap) {}

    static Step next(Own own, List<Said> others) {
        Identity identity = own.identity();
        if (identity == null) {
            return withoutGroup(own, others);
        }
        UUID group = identity.group();
        Said leader = leader(group, others);
        boolean joins = own.lost() != null || (identity.stage() == Identity.Stage.JOINING && !own.counted());
        String taken = joins ? taken(own.node(), own.copy() ? "" : identity.member(), group, others) : null;
        if (taken != null) {
            return new Step.Wait(taken);
        }
        if (own.lost() != null) {
            return leader == null
                    ? new Step.Wait(
                            own.lost() + "; to join again it needs the group's leader, and " + absent(group, others))
                    : new Step.Join(group, leader);
        }
        if (identity.stage() == Identity.Stage.JOINING && !own.counted()) {
            return leader == null
                    ? new Step.Wait("it joins group " + group + ", and " + absent(group, others))
                    : new Step.AskIn(leader);
        }
        boolean out = leader != null
                && leader.term() >= own.term()
                && !leader.changing()
                && leader.members().stream().noneMatch(member -> member.id().equals(identity.member()));
        if (out && identity.stage() == Identity.Stage.MEMBER) {
            return new Step.Removed(
                    "the group has removed this node; to have it join again, delete its directory and" + " start it");
        }
        return new Step.Remain();
    }

    private static Step withoutGroup(Own own, List<Said> others) {
        SortedSet<UUID> groups = groups(others);
        if (groups.size() > 1) {
            return new Step.Wait("the other nodes belong to different groups (" + told(others)
                    + "); this node joins none of them until that is resolved");
        }
        if (groups.size() == 1) {
            UUID group = groups.first();
            String taken = taken(own.node(), "", group, others);
            if (taken != null) {
                return new Step.Wait(taken);
            }
            Said leader = leader(group, others);
            return leader == null
                    ? new Step.Wait("it joins group " + group + ", and " + absent(group, others))
                    : new Step.Join(group, leader);
        }
        if (!own.bootstrap()) {
            return new Step.Wait("no node that answers belongs to a group; nodes that are started one by one make one"
                    + " once all are up and one of them was started with --bootstrap");
        }
        List<String> missing = others.stream()
                .filter(other -> !other.reached())
                .map(Said::node)
                .toList();
        return missing.isEmpty()
                ? new Step.Found()
                : new Step.Wait("a new group needs an answer from every node that it has no group; no answer yet from "
                        + String.join(", ", missing));
    }

    /** Why a node does not belong to the group of the others, or null. */
    static @Nullable String foreign(UUID group, List<Said> others) {
        return groups(others).stream().anyMatch(other -> !other.equals(group))
                ? "this node belongs to group " + group + ", and others to another one (" + told(others) + ")"
                : null;
    }

    /**
     * Why there is no place for a node that joins, or null: a member of the same node still answers the others. Taking
     * its place would remove a living member with everything that it has acknowledged, which an operator must request
     * explicitly.
     *
     * @param member what this node, and no other process, is or was; empty if there is no such member
     */
    private static @Nullable String taken(String node, String member, UUID group, List<Said> others) {
        for (Said other : others) {
            if (!group.equals(other.group())) {
                continue;
            }
            for (String heard : other.hears()) {
                if (Member.node(heard).equals(node) && !heard.equals(member)) {
                    return "another process is node '" + node + "' of group " + group + ": it answers '"
                            + other.node() + "'" + at(heard, other.members())
                            + ". This one joins after that process has ended"
                            + " or was removed (stowage members --remove " + node + ")";
                }
            }
        }
        return null;
    }

    private static String at(String member, List<Member> members) {
        return members.stream()
                .filter(one -> one.id().equals(member))
                .map(one -> " from " + one.address())
                .findFirst()
                .orElse("");
    }

    /** The groups that the others belong to. */
    static SortedSet<UUID> groups(List<Said> others) {
        TreeSet<UUID> groups = new TreeSet<>();
        for (Said other : others) {
            if (other.group() != null) {
                groups.add(other.group());
            }
        }
        return groups;
    }

    /** The others' answers about their groups, by node, in words. */
    private static String told(List<Said> others) {
        TreeMap<String, String> told = new TreeMap<>();
        for (Said other : others) {
            if (other.group() != null) {
                told.put(other.node(), other.node() + " to " + other.group());
            }
        }
        return String.join(", ", told.values());
    }

    /** The one with the last term among those that say they lead. */
    static @Nullable Said leader(UUID group, List<Said> others) {
        return others.stream()
                .filter(other -> other.leads() && group.equals(other.group()))
                .max(Comparator.comparingLong(Said::term))
                .orElse(null);
    }

    private static String absent(UUID group, List<Said> others) {
        List<String> there = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        List<Said> foreign = new ArrayList<>();
        for (Said other : others) {
            if (other.group() != null && !group.equals(other.group())) {
                foreign.add(other);
            } else {
                (!other.reached() ? silent : group.equals(other.group()) ? there : empty).add(other.node());
            }
        }
        return "the group has no leader: a majority of its members must be up"
                + (there.isEmpty() ? "" : "; " + there + " is up")
                + (silent.isEmpty() ? "" : "; " + silent + " cannot be reached")
                + (empty.isEmpty() ? "" : "; " + empty + " has no directory of that group")
                + (foreign.isEmpty()
                        ? ""
                        : "; this group is " + group + ", others belong to another one (" + told(foreign) + ")")
                + " (docs/service.md: Members)";
    }

    /**
     * Why a leader must not leave the group to these members alone, or null: no more than half of them answer, and the
     * group would end there.
     *
     * @param rest the members that remain, with the leader
     * @param followed what the leader knows of the others
     * @param mostMillis how long ago one that answers may have answered last
     */
    static @Nullable String noMajority(
            List<Member> rest, String leader, List<Ratis.Followed> followed, long mostMillis) {
        List<String> answer = followed.stream()
                .filter(one -> one.silentMillis() <= mostMillis)
                .map(Ratis.Followed::member)
                .toList();
        List<String> silent = rest.stream()
                .filter(member -> !member.id().equals(leader) && !answer.contains(member.id()))
                .map(Member::node)
                .toList();
        return 2 * silent.size() < rest.size()
                ? null
                : "the nodes that remain would have no majority: no answer from " + String.join(", ", silent)
                        + "; start what is down first, or remove it instead";
    }

    /** The members with a new one, which replaces all earlier members of its node. */
    static List<Member> with(List<Member> members, Member added) {
        List<Member> all = new ArrayList<>(without(members, added.node()));
        all.add(added);
        all.sort(Comparator.comparing(Member::id));
        return List.copyOf(all);
    }

    /** The members without those of a node. */
    static List<Member> without(List<Member> members, String node) {
        return members.stream().filter(member -> !member.node().equals(node)).toList();
    }
}
