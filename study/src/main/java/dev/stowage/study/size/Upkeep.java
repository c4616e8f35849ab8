package dev.stowage.study.size;

import dev.stowage.core.model.Cluster;
import dev.stowage.sim.driver.ScheduledChange;
import dev.stowage.sim.experiment.SizeQuestion.Maintenance;
import java.util.ArrayList;
import java.util.List;

/**
 * Maintenance as changes of servers: a part of the servers is drained, then the next part, and so on, round and round.
 */
final class Upkeep {
    private Upkeep() {}

    /** The changes until a time. */
    static List<ScheduledChange> of(Maintenance maintenance, Cluster cluster, long endNanos) {
        List<ScheduledChange> changes = new ArrayList<>();
        int servers = ServerFleet.servers(cluster);
        long part = (servers * maintenance.perMillion() + 999_999) / 1_000_000;
        int from = 0;
        for (long at = 0; servers > 0 && at < endNanos; at += maintenance.forNanos()) {
            int count = (int) Math.min(part, servers - from);
            changes.add(ScheduledChange.of(at, ScheduledChange.Kind.DRAIN, from, count));
            changes.add(ScheduledChange.of(at + maintenance.forNanos(), ScheduledChange.Kind.RETURN, from, count));
            from = from + count == servers ? 0 : from + count;
        }
        return changes;
    }
}
