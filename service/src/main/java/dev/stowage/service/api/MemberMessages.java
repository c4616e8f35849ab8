package dev.stowage.service.api;

import dev.stowage.core.metrics.PrometheusText;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.v1.Member;
import dev.stowage.service.v1.Status;
import java.util.Objects;

/** A node's part in its group, for status and metrics. */
final class MemberMessages {
    private MemberMessages() {}

    static void put(Status.Builder out, NodeStatus node) {
        out.setGroup(node.group())
                .setMember(node.member())
                .setWaits(Objects.requireNonNullElse(node.waits(), ""))
                .setBehind(node.behind());
        for (NodeStatus.Follower member : node.members()) {
            out.addMembers(Member.newBuilder()
                    .setNode(member.node())
                    .setMember(member.member())
                    .setAddress(member.address())
                    .setBehind(member.behind())
                    .setSilentMillis(member.silentMillis()));
        }
    }

    /** For Prometheus: how far this node is behind the leader, and, if it leads, how far the others are behind. */
    static void append(PrometheusText out, NodeStatus node) {
        out.gauge(
                "stowage_behind_entries",
                "Log entries that the leader has committed and this node has not applied.",
                node.behind());
        out.gauge("stowage_member", "Whether this node takes part in its group.", node.waits() == null ? 1 : 0);
        out.head(
                "stowage_follower_behind_entries",
                "gauge",
                "Committed log entries that a follower is not known to have as committed; reported by the leader.");
        for (NodeStatus.Follower member : node.members()) {
            if (member.behind() >= 0) {
                out.sample("stowage_follower_behind_entries", "node=\"" + member.node() + "\"", member.behind());
            }
        }
        out.head(
                "stowage_follower_silent_seconds",
                "gauge",
                "Time since a follower last answered; reported by the leader.");
        for (NodeStatus.Follower member : node.members()) {
            if (member.silentMillis() >= 0) {
                out.sample(
                        "stowage_follower_silent_seconds",
                        "node=\"" + member.node() + "\"",
                        member.silentMillis() / 1e3);
            }
        }
    }
}
