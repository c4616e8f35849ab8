package dev.stowage.service.raft;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A follower as a candidate to succeed the leader.
 *
 * <p>Only a follower with the longest log stands for election: a node gets no vote from one that has more entries, and
 * its failed attempt would begin a new term, in which the other has to wait for its election timeout. A node that has
 * just started may have the log but not yet have applied it; it would lead for seconds without answering.
 */
record Following(Group group, long electionMillis) {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    /** Number of entries that a leader can apply without a noticeable delay. */
    private static final long MOST_TO_APPLY = 100;

    private static final long TURN_MILLIS = 500;

    /** A turn that never comes. */
    static final int NEVER = LeaderWatch.Follower.NEVER;

    /** The group as a follower sees it. */
    interface Group {
        /** The member that this node is. */
        String self();

        /** The member that leads, or null if this node leads, knows none, or takes no part. */
        @Nullable
        String leader();

        /** Ids of all members, in order. */
        List<String> members();

        /** The last entry of the own log. */
        TermIndex last();

        /** Entries of the own log that are not applied yet. */
        long toApply();

        /** Appends under way, and how long the leader has been silent; null if this node does not follow. */
        @Nullable
        Silence silence();

        /** Asks members for the last entry of their logs; those that do not answer are left out. */
        Map<String, TermIndex> lastEntries(List<String> of);

        /** Stands for election in place of a leader. Returns whether it does. */
        boolean startElection(String leader) throws IOException;
    }

    /**
     * How silent a leader is.
     *
     * @param appends that are under way here
     * @param millis since it was heard last
     */
    record Silence(int appends, long millis) {}

    /** How many turns this node waits, so that others may take a leader's place, or {@link #NEVER}. */
    int turn(String leader) {
        List<String> others = others(leader);
        return turn(group.self(), group.last(), group.toApply(), others, group.lastEntries(others));
    }

    /**
     * Members with the same last entry, or without an answer, take turns in their order, and come before this node if
     * it must still apply much of its log. If another member has a later entry, this node does not stand at all.
     */
    static int turn(String self, TermIndex own, long toApply, List<String> others, Map<String, TermIndex> lastEntries) {
        int same = 0;
        int before = 0;
        for (String other : others) {
            TermIndex last = lastEntries.getOrDefault(other, own);
            if (last.compareTo(own) > 0) {
                return NEVER;
            }
            same += last.compareTo(own) == 0 ? 1 : 0;
            before += last.compareTo(own) == 0 && other.compareTo(self) < 0 ? 1 : 0;
        }
        return before + (toApply > MOST_TO_APPLY ? same + 1 : 0);
    }

    private List<String> others(String leader) {
        return group.members().stream()
                .filter(member -> !member.equals(leader) && !member.equals(group.self()))
                .toList();
    }

    /**
     * Stands for election if Ratis will not. Ratis does not while entries are being appended; in Ratis 3.3 an append
     * that fails, as may happen when connections are cut and come back, counts as under way for ever. If that node has
     * more of the log than the others, none of them gets the votes either.
     */
    void askIfStuck() {
        String leader = group.leader();
        Silence silence = group.silence();
        if (leader == null || silence == null || !isStuck(silence)) {
            return;
        }
        List<String> members = group.members();
        Map<String, TermIndex> answers = group.lastEntries(
                members.stream().filter(member -> !member.equals(group.self())).toList());
        if (!mayAsk(group.last(), members.size(), answers)) {
            return;
        }
        try {
            LOG.warn(
                    "leader {} is silent, and Ratis counts {} appends as under way; this node stands for election: {}",
                    leader,
                    silence.appends(),
                    group.startElection(leader));
        } catch (IOException e) {
            LOG.warn("not starting an election to replace leader {} yet: {}", leader, e.toString());
        }
    }

    /** After twice the longest election timeout; not all at once. */
    private boolean isStuck(Silence silence) {
        int place = Math.max(0, group.members().indexOf(group.self()));
        return silence.appends() > 0 && silence.millis() >= 3 * electionMillis + TURN_MILLIS * place;
    }

    /**
     * Whether a majority, including this node, answers and has no later entry, so that it would get their votes. A node
     * with a later entry stands itself if it can be heard; a leader that nobody hears may have a last entry of its own.
     */
    static boolean mayAsk(TermIndex own, int members, Map<String, TermIndex> answers) {
        long voters = answers.values().stream()
                .filter(other -> other.compareTo(own) <= 0)
                .count();
        return 2 * (voters + 1) > members;
    }
}
