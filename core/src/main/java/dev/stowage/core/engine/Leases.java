package dev.stowage.core.engine;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The agents of servers: incarnations, leases and when they end. Servers without an agent have no entry.
 */
final class Leases {
    /** The agent of one server. */
    static final class Lease {
        long incarnation;
        long leaseNanos;
        long graceNanos;
        /** The status of the server while its agent sends heartbeats: up, draining or returning. */
        ServerStatus heard = ServerStatus.RETURNING;
        /** The status that it gets with a report. */
        ServerStatus reported = ServerStatus.UP;
        /** Timer of its next change, or -1. */
        int timer = State.NONE;
    }

    private final Map<Integer, Lease> leases = new TreeMap<>();

    @Nullable
    Lease of(int server) {
        return leases.get(server);
    }

    Lease make(int server) {
        Lease lease = new Lease();
        leases.put(server, lease);
        return lease;
    }

    /** In order of servers. */
    void forEach(BiConsumer<Integer, Lease> action) {
        leases.forEach(action);
    }

    void forget(int server) {
        leases.remove(server);
    }

    void save(StateWriter out) {
        out.putInt(leases.size());
        leases.forEach((server, lease) -> {
            out.putInt(server);
            out.putLong(lease.incarnation);
            out.putLong(lease.leaseNanos);
            out.putLong(lease.graceNanos);
            out.putInt(SavedCodes.of(lease.heard));
            out.putInt(SavedCodes.of(lease.reported));
            out.putInt(lease.timer);
        });
    }

    void restore(StateReader in) {
        for (int n = in.getInt(); n > 0; n--) {
            Lease lease = make(in.getInt());
            lease.incarnation = in.getLong();
            lease.leaseNanos = in.getLong();
            lease.graceNanos = in.getLong();
            lease.heard = SavedCodes.status(in.getInt());
            lease.reported = SavedCodes.status(in.getInt());
            lease.timer = in.getInt();
        }
    }
}
