package dev.stowage.sim.measure;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import dev.stowage.sim.statistics.WaitWindows;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Listens to one run and keeps everything over time, so that the warm-up can be chosen when the run is over. A few
 * nanoseconds per quantity and event; memory does not grow with the run.
 */
public final class RunCollector extends EngineListener {
    static final int PLACED = 0;
    static final int LEFT = 1;
    static final int MIGRATED = 2;
    static final int DISPLACED = 3;
    static final int REFUSED = 4;
    /** Those of the refused commands that are requests which fit no server. */
    static final int FITS_NO_SERVER = 5;

    static final int EVICTED = 6;
    static final int FAILED_STARTS = 7;
    /** Servers that were lost or removed. */
    static final int SERVERS_GONE = 8;

    static final int GANGS_ARRIVED = 9;
    static final int GANGS_PLACED = 10;
    /** Milliseconds that displaced and evicted requests had run. */
    static final int LOST_MILLIS = 11;

    /** Those that left while they waited. */
    static final int EXPIRED = 12;

    /** Milliseconds of servers that were up and empty for at least an hour at a stretch. */
    static final int IDLE_MILLIS = 13;

    /** Those of the refused commands that are changes of servers. */
    static final int SERVER_CHANGES_REFUSED = 14;

    /** Kinds from here: arrivals by type, then rejections by type. */
    static final int FIRST_TYPE = 15;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** More types than this are measured together. */
    private static final int MOST_TYPES = 64;

    final TimeGrid grid;
    final int types;
    final EventCounts counts;
    final WaitWindows waits;
    /** How long the requests that were never placed had waited. */
    final WaitWindows stillWaiting;

    final Trajectory waiting;
    final Trajectory running;
    final Trajectory inSystem;
    final Trajectory occupied;
    final Trajectory reward;
    /** Of the servers in use, millionths. */
    final Trajectory cost;

    Trajectory[] queuedDemand = {};
    Trajectory[] dummyHeld = {};
    /** By site and resource. */
    Trajectory[][] used = {};

    Trajectory[][] capacity = {};
    /** By gauge of the policy, in the order in which they were first reported. */
    final Map<Gauge, Trajectory> gauges = new LinkedHashMap<>();

    /** Where a resource is divisible. */
    @Nullable
    JobCompletions jobs;

    /** Where there are several sites. */
    @Nullable
    SiteUse siteUse;

    /** Where no resource is divisible. */
    @Nullable
    UsableCapacity usable;

    private final int typeCount;
    private int resources;
    private boolean[] started = {};
    /** What each job holds of the divisible resource. */
    private long[] shares = {};

    private boolean[] present = {};
    private final IdleServers idle;
    private final PricesInUse prices;
    /** Since when each job has run. */
    private long[] since = {};

    /**
     * @param grid intervals of time
     * @param typeCount request types of the workload
     */
    public RunCollector(TimeGrid grid, int typeCount) {
        this.grid = grid;
        this.typeCount = typeCount;
        types = typeCount > MOST_TYPES ? 1 : Math.max(1, typeCount);
        counts = new EventCounts(grid, FIRST_TYPE + 2 * types);
        waits = new WaitWindows(grid.coarser(TimeGrid.WINDOW), types);
        stillWaiting = new WaitWindows(grid.coarser(TimeGrid.WINDOW), types);
        waiting = new Trajectory(grid, 0);
        running = new Trajectory(grid, 0);
        inSystem = new Trajectory(grid, 0);
        occupied = new Trajectory(grid, 0);
        reward = new Trajectory(grid, 0);
        cost = new Trajectory(grid, 0);
        prices = new PricesInUse(cost);
        idle = new IdleServers(counts, IDLE_MILLIS);
    }

    /** Whether types are measured one by one. */
    boolean byType() {
        return typeCount > 1 && types == typeCount;
    }

    /** Brings everything to the end of the run and returns what was measured, which shares this collector's arrays. */
    public Measurements finish(long endNanos) {
        for (Trajectory each : new Trajectory[] {waiting, running, inSystem, occupied, reward, cost}) {
            each.advance(endNanos);
        }
        for (Trajectory[] row : new Trajectory[][] {queuedDemand, dummyHeld}) {
            advance(row, endNanos);
        }
        for (int site = 0; site < used.length; site++) {
            advance(used[site], endNanos);
            advance(capacity[site], endNanos);
        }
        gauges.values().forEach(each -> each.advance(endNanos));
        if (siteUse != null) {
            siteUse.advance(endNanos);
        }
        if (usable != null) {
            usable.advance(endNanos);
        }
        idle.finish(endNanos);
        View v = view();
        for (int queue = 0; queue < v.queues(); queue++) {
            for (int job = v.queueHead(queue); job != View.NONE; job = v.next(job)) {
                addNeverPlaced(endNanos, job);
            }
        }
        waits.widenTo(TimeGrid.WINDOW * inSystem.widthNanos());
        stillWaiting.widenTo(waits.widthNanos());
        ServerOccupancy[] occupancy = new ServerOccupancy[resources + (v.deviceResource() == View.NONE ? 0 : 1)];
        Arrays.setAll(occupancy, r -> r == resources ? ServerOccupancy.ofDevices(v) : ServerOccupancy.of(v, r));
        return new Measurements(this, occupancy);
    }

    private void addNeverPlaced(long now, int job) {
        if (!started[job]) {
            long since = view().arrivedAt(job);
            stillWaiting.add(since, type(job), now - since);
        }
    }

    private static void advance(Trajectory[] row, long endNanos) {
        for (Trajectory each : row) {
            each.advance(endNanos);
        }
    }

    @Override
    public void attached(View engineView) {
        super.attached(engineView);
        resources = engineView.resources();
        jobs = engineView.divisibleResource() == View.NONE ? null : new JobCompletions(engineView);
        usable = jobs == null ? new UsableCapacity(grid, engineView, byType() ? types : 0) : null;
        queuedDemand = row();
        dummyHeld = row();
        coverSites(engineView.sites());
        present = new boolean[engineView.servers()];
        for (int server = 0; server < engineView.servers(); server++) {
            changeCapacity(grid.startNanos(), server, true);
            idle.see(grid.startNanos(), server, engineView.status(server), engineView);
        }
        siteUse = engineView.sites() > 1 ? new SiteUse(grid, engineView, types) : null;
    }

    @Override
    public void arrived(long now, int job) {
        cover(job);
        started[job] = false;
        counts.add(now, FIRST_TYPE + type(job));
        inSystem.add(now, 1);
        changeWaiting(now, job, 1);
        countGang(now, job, GANGS_ARRIVED);
        if (usable != null) {
            usable.arrived(now, job);
        }
        if (jobs != null) {
            jobs.arrived(view(), job);
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        View v = view();
        counts.add(now, PLACED);
        countGang(now, job, GANGS_PLACED);
        since[job] = now;
        if (!started[job]) {
            started[job] = true;
            waits.add(v.arrivedAt(job), type(job), now - v.arrivedAt(job));
            if (siteUse != null) {
                siteUse.placed(now, type(job), v.site(server));
            }
        }
        changeWaiting(now, job, -1);
        running.add(now, 1);
        shares[job] = v.share(job);
        hold(now, job, server, 1);
        changeReward(now, job, 1);
        occupy(now, server);
        if (usable != null) {
            usable.look(now, inSystem.widthNanos());
        }
    }

    @Override
    public void rejected(long now, int job, String reason) {
        counts.add(now, FIRST_TYPE + types + type(job));
        inSystem.add(now, -1);
        changeWaiting(now, job, -1);
        if (jobs != null) {
            jobs.rejected(view(), job);
        }
    }

    @Override
    public void left(long now, int job, int server) {
        counts.add(now, LEFT);
        if (usable != null) {
            usable.settle(now);
        }
        if (jobs != null) {
            jobs.left(view(), job, now, server);
        }
        inSystem.add(now, -1);
        if (server == View.NONE) {
            counts.add(now, EXPIRED);
            changeWaiting(now, job, -1);
            addNeverPlaced(now, job);
        } else {
            stop(now, job, server);
        }
    }

    @Override
    public void started(long now, int job, int server) {
        since[job] = now;
    }

    @Override
    public void startFailed(long now, int job, int server) {
        counts.add(now, FAILED_STARTS);
        stop(now, job, server);
        changeWaiting(now, job, 1);
    }

    @Override
    public void displaced(long now, int job, int server) {
        counts.add(now, DISPLACED);
        lose(now, job, server);
    }

    @Override
    public void evicted(long now, int job, int server, String reason) {
        counts.add(now, EVICTED);
        lose(now, job, server);
    }

    /** The job must run again from the beginning. */
    private void lose(long now, int job, int server) {
        counts.add(now, LOST_MILLIS, (now - since[job]) / NANOS_PER_MILLI);
        stop(now, job, server);
        changeWaiting(now, job, 1);
    }

    /** Counts each gang once; it ends after its members were placed. */
    private void countGang(long now, int job, int kind) {
        int gang = view().gang(job);
        if (gang != View.NONE && view().gangMember(gang, 0) == job) {
            counts.add(now, kind);
        }
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        counts.add(now, MIGRATED);
        hold(now, job, from, -1);
        vacate(now, from);
        hold(now, job, to, 1);
        occupy(now, to);
    }

    @Override
    public void allocated(long now, int job, long amount) {
        View v = view();
        used[v.site(v.server(job))][v.divisibleResource()].add(now, amount - shares[job]);
        shares[job] = amount;
    }

    @Override
    public void dummyPlaced(long now, int dummy, int server, String reason) {
        cover(dummy);
        shares[dummy] = view().share(dummy);
        hold(now, dummy, server, 1);
        holdDummy(now, dummy, 1);
        occupy(now, server);
    }

    @Override
    public void dummyEnded(long now, int dummy, int server) {
        hold(now, dummy, server, -1);
        holdDummy(now, dummy, -1);
        vacate(now, server);
    }

    @Override
    public void serverChanged(long now, int server, ServerStatus status) {
        coverSites(view().sites());
        changeCapacity(now, server, status != ServerStatus.GONE);
        if (status == ServerStatus.GONE) {
            counts.add(now, SERVERS_GONE);
        }
        see(now, server, status);
    }

    @Override
    public void resized(long now, int server, long[] before) {
        View v = view();
        for (int r = 0; r < resources && server < present.length && present[server]; r++) {
            capacity[v.site(server)][r].add(now, v.capacity(server, r) - before[r]);
        }
    }

    @Override
    public void labelled(long now, int server) {
        View v = view();
        prices.see(now, server, v.labels(server), v.running(server) + v.dummies(server) > 0);
    }

    @Override
    public void gauged(long now, Gauge gauge, long value) {
        gauges.computeIfAbsent(gauge, first -> new Trajectory(grid, 0)).set(now, value);
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        counts.add(now, REFUSED);
        if (refusal == Refusal.FITS_NO_SERVER) {
            counts.add(now, FITS_NO_SERVER);
        }
        if (refusal == Refusal.WRONG_STATUS) {
            counts.add(now, SERVER_CHANGES_REFUSED);
        }
    }

    private void cover(int job) {
        if (job >= started.length) {
            started = Arrays.copyOf(started, job + (job >> 1) + 64);
            shares = Arrays.copyOf(shares, started.length);
            since = Arrays.copyOf(since, started.length);
        }
    }

    private int type(int job) {
        return types == 1 ? 0 : Math.max(0, view().type(job));
    }

    private void changeWaiting(long now, int job, int sign) {
        waiting.add(now, sign);
        View v = view();
        for (int r = 0; r < resources; r++) {
            queuedDemand[r].add(now, sign * v.demand(job, r));
        }
    }

    private void stop(long now, int job, int server) {
        running.add(now, -1);
        hold(now, job, server, -1);
        changeReward(now, job, -1);
        vacate(now, server);
    }

    private void changeReward(long now, int job, int sign) {
        long micros = view().reward(job);
        if (micros != 0) {
            reward.add(now, sign * micros);
        }
    }

    private void hold(long now, int job, int server, int sign) {
        View v = view();
        Trajectory[] row = used[v.site(server)];
        int divisible = v.divisibleResource();
        for (int r = 0; r < resources; r++) {
            row[r].add(now, sign * (r == divisible ? shares[job] : v.demand(job, r)));
        }
    }

    private void holdDummy(long now, int dummy, int sign) {
        for (int r = 0; r < resources; r++) {
            dummyHeld[r].add(now, sign * view().demand(dummy, r));
        }
    }

    private void occupy(long now, int server) {
        if (view().running(server) + view().dummies(server) == 1) {
            occupied.add(now, 1);
            prices.see(now, server, view().labels(server), true);
            see(now, server, view().status(server));
        }
    }

    private void vacate(long now, int server) {
        if (view().running(server) + view().dummies(server) == 0) {
            occupied.add(now, -1);
            prices.see(now, server, view().labels(server), false);
            see(now, server, view().status(server));
        }
    }

    private void see(long now, int server, ServerStatus status) {
        idle.see(now, server, status, view());
        if (siteUse != null) {
            siteUse.see(now, server, status, view());
        }
    }

    private void changeCapacity(long now, int server, boolean isPresent) {
        View v = view();
        if (server >= present.length) {
            present = Arrays.copyOf(present, Math.max(server + 1, 2 * present.length));
        }
        if (present[server] == isPresent) {
            return;
        }
        present[server] = isPresent;
        for (int r = 0; r < resources; r++) {
            long amount = v.capacity(server, r);
            capacity[v.site(server)][r].add(now, isPresent ? amount : -amount);
        }
        if (usable != null) {
            usable.changed(now);
        }
    }

    private void coverSites(int sites) {
        while (used.length < sites) {
            used = Arrays.copyOf(used, used.length + 1);
            capacity = Arrays.copyOf(capacity, used.length);
            used[used.length - 1] = row();
            capacity[used.length - 1] = row();
        }
    }

    private Trajectory[] row() {
        Trajectory[] row = new Trajectory[resources];
        Arrays.setAll(row, r -> new Trajectory(grid, 0));
        return row;
    }
}
