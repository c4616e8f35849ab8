package dev.stowage.service.api;

import static dev.stowage.core.policy.ServerStatus.DRAINING;
import static dev.stowage.core.policy.ServerStatus.GONE;
import static dev.stowage.core.policy.ServerStatus.SUSPECTED;
import static dev.stowage.core.policy.ServerStatus.UP;

import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.metrics.PrometheusText;
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
        PrometheusText out = new PrometheusText();
        calls.counters().write(out);
        NodeStatus status = node.status();
        out.gauge("stowage_ready", "Whether the node serves.", status.ready() ? 1 : 0);
        out.gauge("stowage_leader", "Whether the node leads.", status.role().equals("leader") ? 1 : 0);
        out.gauge("stowage_term", "Raft term: grows with every election.", status.term());
        out.gauge("stowage_log_applied", "Log entries applied.", status.applied());
        out.gauge("stowage_log_committed", "Log entries committed.", status.committed());
        out.gauge("stowage_snapshot_index", "Log position of the newest snapshot.", status.snapshot());
        out.gauge(
                "stowage_snapshot_pause_seconds",
                "How long the last snapshot paused the service.",
                status.snapshotPauseNanos() / 1e9);
        out.gauge("stowage_log_queue", "Operations that wait for the log.", status.queued());
        out.gauge("stowage_watchers", "Open watch calls.", watchers.open());
        out.gauge(
                "stowage_watchers_behind",
                "Log positions that the slowest watch call has not been sent yet.",
                watchers.behind());
        out.gauge(
                "stowage_clock_ahead_seconds",
                "How far the time of the log is ahead of the leader's clock; negative if it is behind.",
                node.clockAheadNanos() / 1e9);
        out.gauge(
                "stowage_requests_waiting_limit",
                "Limit of waiting requests; once reached, the service rejects new ones that might wait.",
                node.waitingLimit());
        out.gauge(
                "stowage_changes_under_way",
                "Submits, releases and the like under way.",
                calls.changing().taken());
        time(
                out,
                "stowage_certificate_end_seconds",
                "When the certificate of the node's API ends, seconds since 1970; no value without TLS.",
                calls.certificateUntil() == 0 ? DeadlineHeap.NEVER : calls.certificateUntil());
        out.gauge("stowage_reads_under_way", "Reads under way.", calls.reading().taken());
        out.gauge("stowage_connections", "Connections to the API.", connections.count());
        out.counter(
                "stowage_connections_refused_total",
                "Connections closed because their address had too many.",
                connections.refused());
        out.counter(
                "stowage_connections_silent_total",
                "Connections closed because they sent no request in time.",
                connections.silent());
        out.gauge(
                "stowage_history_floor",
                "Log position after which a watch can begin.",
                node.history().floor());
        out.gauge(
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

    private static void world(PrometheusText out, Glance.Totals world) {
        out.gauge("stowage_requests_waiting", "Requests in a queue.", world.waiting());
        time(
                out,
                "stowage_requests_waiting_since_seconds",
                "Since when the request that waits longest waits, seconds since 1970; no value if none waits.",
                world.waitingSince());
        out.gauge("stowage_requests_running", "Requests on a server.", world.running());
        out.gauge("stowage_requests_live", "Requests in the system.", world.live());
        out.gauge(
                "stowage_requests_unconfirmed",
                "Requests with a migration or resize that no agent has confirmed.",
                world.unconfirmed());
        out.gauge("stowage_requests_finished", "Ended requests that the service still knows.", world.finished());
        out.gauge("stowage_requests_finished_bytes", "Memory that ended requests take.", world.finishedBytes());
        out.counter("stowage_requests_arrived_total", "Requests accepted.", world.arrived());
        out.counter("stowage_requests_left_total", "Requests that ended.", world.left());
        out.counter("stowage_requests_rejected_total", "Requests the policy rejected.", world.rejected());
        sites(out, "stowage_servers_up", "Servers that take requests.", world, site -> site.servers(UP));
        sites(
                out,
                "stowage_servers_draining",
                "Servers that take no new requests.",
                world,
                site -> site.servers(DRAINING));
        sites(
                out,
                "stowage_servers_suspected",
                "Servers whose agent is silent, for less than its grace time: they take nothing new.",
                world,
                site -> site.servers(SUSPECTED));
        sites(
                out,
                "stowage_servers_gone",
                "Servers that were removed or reported lost, and those of stowage_servers_silent.",
                world,
                site -> site.servers(GONE));
        sites(
                out,
                "stowage_servers_silent",
                "Servers whose agent is silent for longer than its grace time: what ran there was taken off it,"
                        + " to be placed again.",
                world,
                Glance.SiteTotals::silent);
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

    private static void time(PrometheusText out, String name, String help, long nanos) {
        out.head(name, "gauge", help);
        if (nanos != DeadlineHeap.NEVER) {
            out.sample(name, "", nanos / 1_000_000_000);
        }
    }

    private static void sites(
            PrometheusText out,
            String name,
            String help,
            Glance.Totals world,
            ToLongFunction<Glance.SiteTotals> figure) {
        out.head(name, "gauge", help);
        for (Glance.SiteTotals site : world.sites()) {
            out.sample(name, "site=\"" + site.name() + "\"", figure.applyAsLong(site));
        }
    }

    private static void resources(
            PrometheusText out,
            String name,
            String help,
            Glance.Totals world,
            Function<Glance.SiteTotals, long[]> figure) {
        out.head(name, "gauge", help);
        for (Glance.SiteTotals site : world.sites()) {
            for (int r = 0; r < world.resources().size(); r++) {
                out.sample(
                        name,
                        "site=\"" + site.name() + "\",resource=\""
                                + world.resources().get(r) + "\"",
                        figure.apply(site)[r]);
            }
        }
    }
}
