package dev.stowage.service.api;

import static dev.stowage.core.policy.ServerStatus.DRAINING;
import static dev.stowage.core.policy.ServerStatus.GONE;
import static dev.stowage.core.policy.ServerStatus.UP;
import static dev.stowage.service.api.PrometheusText.counter;
import static dev.stowage.service.api.PrometheusText.gauge;
import static dev.stowage.service.api.PrometheusText.head;
import static dev.stowage.service.api.PrometheusText.line;

import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Glance;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The metrics of a node, as Prometheus asks for them. */
final class Exposition {
    private Exposition() {}

    static String of(Calls calls, Watchers watchers, Connections connections) {
        RaftNode node = calls.node();
        StringBuilder out = new StringBuilder();
        calls.counters().write(out);
        NodeStatus status = node.status();
        gauge(out, "stowage_ready", "Whether the node serves.", status.ready() ? 1 : 0);
        gauge(out, "stowage_leader", "Whether the node leads.", status.role().equals("leader") ? 1 : 0);
        gauge(out, "stowage_term", "Raft term: grows with every election.", status.term());
        gauge(out, "stowage_log_applied", "Log entries applied.", status.applied());
        gauge(out, "stowage_log_committed", "Log entries committed.", status.committed());
        gauge(out, "stowage_snapshot_index", "Log position of the newest snapshot.", status.snapshot());
        gauge(
                out,
                "stowage_snapshot_pause_seconds",
                "How long the last snapshot paused the service.",
                status.snapshotPauseNanos() / 1e9);
        gauge(out, "stowage_log_queue", "Operations that wait for the log.", status.queued());
        gauge(out, "stowage_watchers", "Open watch calls.", watchers.open());
        gauge(
                out,
                "stowage_watchers_behind",
                "Log positions that the slowest watch call has not been sent yet.",
                watchers.behind());
        gauge(
                out,
                "stowage_clock_ahead_seconds",
                "How far the time of the log is ahead of the leader's clock; negative if it is behind.",
                node.clockAheadNanos() / 1e9);
        gauge(
                out,
                "stowage_requests_waiting_limit",
                "Limit of waiting requests; once reached, the service rejects new ones that might wait.",
                node.waitingLimit());
        gauge(
                out,
                "stowage_changes_under_way",
                "Submits, releases and the like under way.",
                calls.changing().taken());
        gauge(
                out,
                "stowage_reads_under_way",
                "Reads under way.",
                calls.reading().taken());
        gauge(out, "stowage_connections", "Connections to the API.", connections.count());
        counter(
                out,
                "stowage_connections_refused_total",
                "Connections closed because their address had too many.",
                connections.refused());
        counter(
                out,
                "stowage_connections_silent_total",
                "Connections closed because they sent no request in time.",
                connections.silent());
        gauge(
                out,
                "stowage_history_floor",
                "Log position after which a watch can begin.",
                node.history().floor());
        gauge(
                out,
                "stowage_history_bytes",
                "Disk space that the history takes.",
                node.history().bytes());
        Glance.Totals world = node.glance().world();
        if (world != null) {
            world(out, world);
        }
        MemberMessages.append(out, status);
        return out.toString();
    }

    private static void world(StringBuilder out, Glance.Totals world) {
        gauge(out, "stowage_requests_waiting", "Requests in a queue.", world.waiting());
        gauge(out, "stowage_requests_running", "Requests on a server.", world.running());
        gauge(out, "stowage_requests_live", "Requests in the system.", world.live());
        gauge(
                out,
                "stowage_requests_unconfirmed",
                "Requests with a migration or resize that no agent has confirmed.",
                world.unconfirmed());
        gauge(out, "stowage_requests_finished", "Ended requests that the service still knows.", world.finished());
        gauge(out, "stowage_requests_finished_bytes", "Memory that ended requests take.", world.finishedBytes());
        counter(out, "stowage_requests_arrived_total", "Requests accepted.", world.arrived());
        counter(out, "stowage_requests_left_total", "Requests that ended.", world.left());
        counter(out, "stowage_requests_rejected_total", "Requests the policy rejected.", world.rejected());
        sites(out, "stowage_servers_up", "Servers that take requests.", world, site -> site.servers(UP));
        sites(
                out,
                "stowage_servers_draining",
                "Servers that take no new requests.",
                world,
                site -> site.servers(DRAINING));
        sites(out, "stowage_servers_gone", "Servers that were removed or lost.", world, site -> site.servers(GONE));
        sites(
                out,
                "stowage_servers_occupied",
                "Servers with at least one request.",
                world,
                Glance.SiteTotals::occupied);
        resources(
                out,
                "stowage_capacity",
                "Capacity of the servers that are not gone.",
                world,
                Glance.SiteTotals::capacity);
        resources(out, "stowage_used", "Capacity that requests hold.", world, Glance.SiteTotals::used);
    }

    private static void sites(
            StringBuilder out,
            String name,
            String help,
            Glance.Totals world,
            ToLongFunction<Glance.SiteTotals> figure) {
        head(out, name, "gauge", help);
        for (Glance.SiteTotals site : world.sites()) {
            line(out, name + "{site=\"" + site.name() + "\"}", figure.applyAsLong(site));
        }
    }

    private static void resources(
            StringBuilder out,
            String name,
            String help,
            Glance.Totals world,
            Function<Glance.SiteTotals, long[]> figure) {
        head(out, name, "gauge", help);
        for (Glance.SiteTotals site : world.sites()) {
            for (int r = 0; r < world.resources().size(); r++) {
                line(
                        out,
                        name + "{site=\"" + site.name() + "\",resource=\""
                                + world.resources().get(r) + "\"}",
                        figure.apply(site)[r]);
            }
        }
    }
}
