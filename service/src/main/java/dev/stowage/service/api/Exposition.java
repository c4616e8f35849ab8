package dev.stowage.service.api;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.World;

/** The figures of a node in the text format of Prometheus. */
final class Exposition {
    private Exposition() {}

    static String of(RaftNode node, Counters counters) {
        StringBuilder out = new StringBuilder();
        counters.write(out);
        NodeStatus status = node.status();
        gauge(out, "stowage_ready", "Whether the node serves.", status.ready() ? 1 : 0);
        gauge(out, "stowage_leader", "Whether the node leads.", status.role().equals("leader") ? 1 : 0);
        gauge(out, "stowage_term", "Raft term: grows with every election.", status.term());
        gauge(out, "stowage_log_applied", "Log entries applied.", status.applied());
        gauge(out, "stowage_log_committed", "Log entries committed.", status.committed());
        gauge(out, "stowage_snapshot_index", "Log index of the newest snapshot.", status.snapshot());
        gauge(
                out,
                "stowage_snapshot_pause_seconds",
                "How long the last snapshot stopped the service.",
                status.snapshotPauseNanos() / 1e9);
        gauge(out, "stowage_log_queue", "Operations that wait for the log.", status.queued());
        node.look(state -> {
            World world = state.world();
            if (world != null) {
                world(out, world);
            }
            return out;
        });
        ShadowMetrics.append(out, node);
        return out.toString();
    }

    private static void world(StringBuilder out, World world) {
        View view = world.engine().view();
        long waiting = 0;
        for (int queue = 0; queue < view.queues(); queue++) {
            waiting += view.queueLength(queue);
        }
        gauge(out, "stowage_requests_waiting", "Requests in a queue.", waiting);
        gauge(out, "stowage_requests_live", "Requests in the system.", world.live());
        gauge(
                out,
                "stowage_requests_unconfirmed",
                "Requests with a migration or resize that no agent has confirmed.",
                world.unconfirmed());
        counter(
                out,
                "stowage_requests_arrived_total",
                "Requests accepted.",
                world.engine().arrived());
        counter(
                out,
                "stowage_requests_left_total",
                "Requests that ended.",
                world.engine().left());
        counter(
                out,
                "stowage_requests_rejected_total",
                "Requests the policy rejected.",
                world.engine().rejected());
        int sites = view.sites();
        int resources = view.resources();
        long[][] capacity = new long[sites][resources];
        long[][] used = new long[sites][resources];
        long[] up = new long[sites];
        long[] occupied = new long[sites];
        for (int server = 0; server < view.servers(); server++) {
            int site = view.site(server);
            if (view.status(server) == ServerStatus.GONE) {
                continue;
            }
            up[site] += view.status(server) == ServerStatus.UP ? 1 : 0;
            occupied[site] += view.running(server) > 0 ? 1 : 0;
            for (int r = 0; r < resources; r++) {
                capacity[site][r] += view.capacity(server, r);
                used[site][r] += view.capacity(server, r) - view.free(server, r);
            }
        }
        head(out, "stowage_servers_up", "gauge", "Servers that take requests.");
        for (int site = 0; site < sites; site++) {
            line(out, "stowage_servers_up{site=\"" + world.sites().get(site) + "\"}", up[site]);
        }
        head(out, "stowage_servers_occupied", "gauge", "Servers with at least one request.");
        for (int site = 0; site < sites; site++) {
            line(out, "stowage_servers_occupied{site=\"" + world.sites().get(site) + "\"}", occupied[site]);
        }
        head(out, "stowage_capacity", "gauge", "Capacity of the servers that are not gone.");
        matrix(out, "stowage_capacity", world, capacity);
        head(out, "stowage_used", "gauge", "What requests hold of it.");
        matrix(out, "stowage_used", world, used);
    }

    /** Requests that run: those in the system that are on a server. */
    static long running(World world) {
        View view = world.engine().view();
        long running = 0;
        for (int job = 0; job < world.engine().handles(); job++) {
            running += view.state(job) == JobState.RUNNING ? 1 : 0;
        }
        return running;
    }

    private static void matrix(StringBuilder out, String name, World world, long[][] values) {
        for (int site = 0; site < values.length; site++) {
            for (int r = 0; r < values[site].length; r++) {
                line(
                        out,
                        name + "{site=\"" + world.sites().get(site) + "\",resource=\""
                                + world.resources().get(r) + "\"}",
                        values[site][r]);
            }
        }
    }

    private static void gauge(StringBuilder out, String name, String help, long value) {
        head(out, name, "gauge", help);
        line(out, name, value);
    }

    private static void gauge(StringBuilder out, String name, String help, double value) {
        head(out, name, "gauge", help);
        line(out, name, value);
    }

    private static void counter(StringBuilder out, String name, String help, long value) {
        head(out, name, "counter", help);
        line(out, name, value);
    }

    static void head(StringBuilder out, String name, String kind, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
    }

    static void line(StringBuilder out, String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    static void line(StringBuilder out, String name, double value) {
        out.append(name).append(' ').append(value).append('\n');
    }
}
