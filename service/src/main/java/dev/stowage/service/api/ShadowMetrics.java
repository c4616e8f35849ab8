package dev.stowage.service.api;

import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Figures;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures of a policy that is tried beside the active one, and the active one's over the same time. */
final class ShadowMetrics {
    private ShadowMetrics() {}

    /** For Prometheus; nothing if no policy is tried. */
    static void append(StringBuilder out, RaftNode node) {
        List<Figures> both = node.figures();
        if (both.isEmpty()) {
            return;
        }
        family(out, both, "arrived_total", "counter", "Requests that came since both are compared.", Figures::arrived);
        family(out, both, "placed_total", "counter", "Requests that got a server.", Figures::placed);
        family(out, both, "rejected_total", "counter", "Requests that the policy turned away.", Figures::rejected);
        family(out, both, "gave_up_total", "counter", "Requests that waited in vain.", Figures::gaveUp);
        family(out, both, "migrated_total", "counter", "Moves from server to server.", Figures::migrated);
        family(out, both, "waiting", "gauge", "Requests that wait.", Figures::waiting);
        family(out, both, "running", "gauge", "Requests that run.", Figures::running);
        family(out, both, "wait_seconds_mean", "gauge", "From arrival to the first server.", Figures::meanWaitSeconds);
        family(
                out,
                both,
                "servers_occupied_mean",
                "gauge",
                "Servers with a request, over time.",
                Figures::meanOccupied);
        family(
                out,
                both,
                "failed",
                "gauge",
                "1 if it stopped counting.",
                one -> one.failure().isEmpty() ? 0 : 1);
    }

    private static void family(
            StringBuilder out,
            List<Figures> both,
            String name,
            String kind,
            String help,
            ToDoubleFunction<Figures> value) {
        String full = "stowage_compared_" + name;
        PrometheusText.head(out, full, kind, help);
        for (int i = 0; i < both.size(); i++) {
            Figures one = both.get(i);
            String labels = "{engine=\"" + (i == 0 ? "active" : "shadow") + "\",policy=\""
                    + one.policy().replace("\\", "\\\\").replace("\"", "\\\"") + "\"}";
            PrometheusText.line(out, full + labels, value.applyAsDouble(one));
        }
    }

    /** For the API. */
    static List<dev.stowage.service.v1.Figures> messages(RaftNode node) {
        return node.figures().stream().map(ShadowMetrics::message).toList();
    }

    /** One of them. */
    static dev.stowage.service.v1.Figures message(Figures one) {
        return dev.stowage.service.v1.Figures.newBuilder()
                .setPolicy(one.policy())
                .setSinceNanos(one.sinceNanos())
                .setUntilNanos(one.untilNanos())
                .setArrived(one.arrived())
                .setPlaced(one.placed())
                .setRejected(one.rejected())
                .setGaveUp(one.gaveUp())
                .setMigrated(one.migrated())
                .setWaiting(one.waiting())
                .setRunning(one.running())
                .setEstimated(one.estimated())
                .setMeanWaitSeconds(one.meanWaitSeconds())
                .setMeanOccupied(one.meanOccupied())
                .addAllMeanUtilization(one.meanUtilization())
                .setFailure(one.failure())
                .build();
    }
}
