package dev.stowage.service.state;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Servers by site and status, with capacity and use, updated as servers change, so that no caller has to go through all
 * servers while the state is locked. O(resources) for a change of a server, O(servers) once at the start, O(1) to ask;
 * a total over the sites is O(sites). Servers that are gone count as such and in nothing else; those whose agent is
 * silent, which nobody removed or reported lost, are also counted apart.
 */
public final class ServerTotals {
    private static final ServerStatus[] STATUSES = ServerStatus.values();
    private static final byte UNKNOWN = -1;
    /** Gone, as its agent is silent. */
    private static final int SILENT = STATUSES.length;

    private @Nullable View view;
    private IntPredicate agents = server -> false;
    private int resources;
    /** How each server was when it was counted. */
    private byte[] status = {};

    private boolean[] occupied = {};
    private long[] used = {};
    private long[] capacity = new long[0];

    private long[] siteServers = {};
    private long[] siteOccupied = {};
    private long[] siteCapacity = {};
    private long[] siteUsed = {};

    ServerTotals() {}

    /**
     * Counts all servers.
     *
     * @param newAgents whether a server has an agent
     */
    void attach(View newView, IntPredicate newAgents) {
        view = newView;
        agents = newAgents;
        resources = newView.resources();
        for (int server = 0; server < newView.servers(); server++) {
            changed(server);
        }
    }

    /** Updates the counts for a server that has changed. */
    void changed(int server) {
        View seen = view;
        if (seen == null || server < 0) {
            return;
        }
        growTo(server, seen.site(server));
        if (status[server] != UNKNOWN) {
            count(seen, server, -1);
        }
        ServerStatus now = seen.status(server);
        status[server] = (byte) (now == ServerStatus.GONE && agents.test(server) ? SILENT : now.ordinal());
        occupied[server] = seen.running(server) > 0;
        for (int r = 0; r < resources; r++) {
            capacity[server * resources + r] = seen.capacity(server, r);
            used[server * resources + r] = seen.capacity(server, r) - seen.free(server, r);
        }
        count(seen, server, 1);
    }

    private void growTo(int server, int site) {
        if (server >= status.length) {
            int room = server + (server >> 1) + 16;
            int before = status.length;
            status = Arrays.copyOf(status, room);
            Arrays.fill(status, before, room, UNKNOWN);
            occupied = Arrays.copyOf(occupied, room);
            used = Arrays.copyOf(used, room * resources);
            capacity = Arrays.copyOf(capacity, room * resources);
        }
        if (site >= siteOccupied.length) {
            siteOccupied = Arrays.copyOf(siteOccupied, site + 1);
            siteServers = Arrays.copyOf(siteServers, (site + 1) * (SILENT + 1));
            siteCapacity = Arrays.copyOf(siteCapacity, (site + 1) * resources);
            siteUsed = Arrays.copyOf(siteUsed, (site + 1) * resources);
        }
    }

    private void count(View seen, int server, int sign) {
        int site = seen.site(server);
        siteServers[site * (SILENT + 1) + status[server]] += sign;
        if (status[server] == ServerStatus.GONE.ordinal() || status[server] == SILENT) {
            return;
        }
        siteOccupied[site] += occupied[server] ? sign : 0;
        for (int r = 0; r < resources; r++) {
            siteCapacity[site * resources + r] += sign * capacity[server * resources + r];
            siteUsed[site * resources + r] += sign * used[server * resources + r];
        }
    }

    /** Servers of a site with a status. */
    public long servers(int site, ServerStatus which) {
        return counted(site, which.ordinal()) + (which == ServerStatus.GONE ? silent(site) : 0);
    }

    /** Those of a site's servers that are gone as their agent is silent; nobody removed them or reported them lost. */
    public long silent(int site) {
        return counted(site, SILENT);
    }

    private long counted(int site, int code) {
        return at(siteServers, site * (SILENT + 1) + code);
    }

    /** Servers of a site with at least one request. */
    public long occupied(int site) {
        return at(siteOccupied, site);
    }

    /** Servers with at least one request. */
    public long occupied() {
        return Arrays.stream(siteOccupied).sum();
    }

    /** Capacity of a resource on a site's servers. */
    public long capacity(int site, int resource) {
        return at(siteCapacity, site * resources + resource);
    }

    /** Use of it, by requests and dummies. */
    public long used(int site, int resource) {
        return at(siteUsed, site * resources + resource);
    }

    /** A site without servers has none of anything. */
    private static long at(long[] counts, int index) {
        return index < counts.length ? counts[index] : 0;
    }
}
