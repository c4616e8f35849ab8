package dev.stowage.sim.measure;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Follows the sites of a cluster with several: the servers of each that are up and that are in use, and how many
 * requests of each type were placed there. A few nanoseconds per event.
 */
final class SiteUse {
    /** More pairs of types and sites are not counted. */
    private static final int MOST_PAIRS = 512;

    private final List<Trajectory> up = new ArrayList<>();
    private final List<Trajectory> inUse = new ArrayList<>();
    private final int firstSites;
    /** Has no kinds if there are too many pairs. */
    private final EventCounts placements;

    private final TimeGrid grid;
    private final int pairs;
    private boolean[] isUp;
    private boolean[] isInUse;

    SiteUse(TimeGrid grid, View view, int types) {
        this.grid = grid;
        firstSites = view.sites();
        int all = types * (firstSites + 1);
        pairs = all <= MOST_PAIRS ? all : 0;
        placements = new EventCounts(grid, pairs);
        isUp = new boolean[view.servers()];
        isInUse = new boolean[view.servers()];
        for (int server = 0; server < view.servers(); server++) {
            see(grid.startNanos(), server, view.status(server), view);
        }
    }

    /** A request was placed for the first time. */
    void placed(long now, int type, int site) {
        if (pairs > 0) {
            placements.add(now, SiteTimes.kind(type, site, firstSites));
        }
    }

    /** Updates the status of a server, and whether it holds anything. */
    void see(long now, int server, ServerStatus status, View view) {
        if (server >= isUp.length) {
            isUp = Arrays.copyOf(isUp, Math.max(server + 1, 2 * isUp.length));
            isInUse = Arrays.copyOf(isInUse, isUp.length);
        }
        int site = view.site(server);
        while (up.size() <= site) {
            up.add(new Trajectory(grid, 0));
            inUse.add(new Trajectory(grid, 0));
        }
        boolean nowUp = status == ServerStatus.UP;
        boolean nowInUse = nowUp && view.running(server) + view.dummies(server) > 0;
        if (nowUp != isUp[server]) {
            isUp[server] = nowUp;
            up.get(site).add(now, nowUp ? 1 : -1);
        }
        if (nowInUse != isInUse[server]) {
            isInUse[server] = nowInUse;
            inUse.get(site).add(now, nowInUse ? 1 : -1);
        }
    }

    void advance(long endNanos) {
        up.forEach(each -> each.advance(endNanos));
        inUse.forEach(each -> each.advance(endNanos));
    }

    /** The result. */
    SiteTimes times() {
        return new SiteTimes(up, inUse, firstSites, pairs, placements);
    }
}
