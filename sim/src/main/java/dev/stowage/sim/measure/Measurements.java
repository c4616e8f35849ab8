package dev.stowage.sim.measure;

import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import dev.stowage.sim.statistics.WaitWindows;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured in a finished run: everything that its result rows are made from, without the engine.
 * {@link RunCollector#finish} makes it; {@link #write} and {@link #read} carry it to another process
 * (docs/internals/units.md).
 */
public final class Measurements {
    final TimeGrid grid;
    /** Types that are measured one by one, or 1 for all together. */
    final int types;
    /** Whether there are several types, each measured by itself. */
    final boolean byType;

    final EventCounts counts;
    final WaitWindows waits;
    /** How long the requests that were never placed had waited. */
    final WaitWindows stillWaiting;

    final Trajectory waiting;
    final Trajectory running;
    final Trajectory inSystem;
    final Trajectory occupied;
    final Trajectory reward;
    final Trajectory cost;
    /** By resource. */
    final Trajectory[] queuedDemand;

    final Trajectory[] dummyHeld;
    /** By site and resource. */
    final Trajectory[][] used;

    final Trajectory[][] capacity;
    /** By gauge of the policy, in the order in which they were first reported. */
    final Map<Gauge, Trajectory> gauges;

    /** Null if no resource is divisible. */
    final @Nullable JobTimes jobs;

    /** Null if there is only one site. */
    final @Nullable SiteTimes siteUse;

    /** {@link UsableCapacity#amounts}, or empty. */
    final Trajectory[][] usable;

    /** By resource; then of devices, if a resource comes in devices. */
    final ServerOccupancy[] occupancy;

    /** Of a collector that has been brought to the end of the run. */
    Measurements(RunCollector run, ServerOccupancy[] occupancy) {
        grid = run.grid;
        types = run.types;
        byType = run.byType();
        counts = run.counts;
        waits = run.waits;
        stillWaiting = run.stillWaiting;
        waiting = run.waiting;
        running = run.running;
        inSystem = run.inSystem;
        occupied = run.occupied;
        reward = run.reward;
        cost = run.cost;
        queuedDemand = run.queuedDemand;
        dummyHeld = run.dummyHeld;
        used = run.used;
        capacity = run.capacity;
        gauges = run.gauges;
        jobs = run.jobs == null ? null : run.jobs.times();
        siteUse = run.siteUse == null ? null : run.siteUse.times();
        usable = run.usable == null ? new Trajectory[0][] : run.usable.amounts();
        this.occupancy = occupancy;
    }

    private Measurements(StateReader in) {
        grid = new TimeGrid(in.getNumber(), in.getNumber(), (int) in.getNumber(), in.getNumber());
        types = (int) in.getNumber();
        byType = in.getBoolean();
        counts = EventCounts.read(in, grid, RunCollector.FIRST_TYPE + 2 * types);
        waits = WaitWindows.read(in, grid.coarser(TimeGrid.WINDOW), types);
        stillWaiting = WaitWindows.read(in, grid.coarser(TimeGrid.WINDOW), types);
        waiting = Trajectory.read(in, grid);
        running = Trajectory.read(in, grid);
        inSystem = Trajectory.read(in, grid);
        occupied = Trajectory.read(in, grid);
        reward = Trajectory.read(in, grid);
        cost = Trajectory.read(in, grid);
        queuedDemand = TrajectoryRows.readRow(in, grid);
        dummyHeld = TrajectoryRows.readRow(in, grid);
        used = TrajectoryRows.readRows(in, grid);
        capacity = TrajectoryRows.readRows(in, grid);
        gauges = new LinkedHashMap<>();
        for (long left = in.getNumber(); left > 0; left--) {
            gauges.put(readGauge(in), Trajectory.read(in, grid));
        }
        jobs = in.getBoolean() ? JobTimes.read(in) : null;
        siteUse = in.getBoolean() ? SiteTimes.read(in, grid) : null;
        usable = TrajectoryRows.readRows(in, grid);
        occupancy = new ServerOccupancy[(int) in.getNumber()];
        Arrays.setAll(occupancy, resource -> ServerOccupancy.read(in));
    }

    /** Requests in the system over time. */
    public Trajectory inSystem() {
        return inSystem;
    }

    /** Waiting requests over time. */
    public Trajectory waiting() {
        return waiting;
    }

    /** Writes everything; {@link #read} makes an equal object, whose rows are the same bytes. */
    public void write(StateWriter out) {
        out.putNumber(grid.startNanos());
        out.putNumber(grid.widthNanos());
        out.putNumber(grid.maxIntervals());
        out.putNumber(grid.keptFromNanos());
        out.putNumber(types);
        out.putBoolean(byType);
        counts.write(out);
        waits.write(out);
        stillWaiting.write(out);
        for (Trajectory each : new Trajectory[] {waiting, running, inSystem, occupied, reward, cost}) {
            each.write(out);
        }
        TrajectoryRows.write(out, queuedDemand);
        TrajectoryRows.write(out, dummyHeld);
        TrajectoryRows.write(out, used);
        TrajectoryRows.write(out, capacity);
        out.putNumber(gauges.size());
        gauges.forEach((gauge, values) -> {
            write(out, gauge);
            values.write(out);
        });
        out.putBoolean(jobs != null);
        if (jobs != null) {
            jobs.write(out);
        }
        out.putBoolean(siteUse != null);
        if (siteUse != null) {
            siteUse.write(out);
        }
        TrajectoryRows.write(out, usable);
        out.putNumber(occupancy.length);
        for (ServerOccupancy each : occupancy) {
            each.write(out);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static Measurements read(StateReader in) {
        return new Measurements(in);
    }

    private static void write(StateWriter out, Gauge gauge) {
        out.putString(gauge.name());
        out.putString(gauge.unit());
        out.putNumber(gauge.labels().size());
        for (Gauge.Label label : gauge.labels()) {
            out.putString(label.key());
            out.putString(label.value());
        }
    }

    private static Gauge readGauge(StateReader in) {
        Gauge gauge = Gauge.of(in.getString(), in.getString());
        for (long left = in.getNumber(); left > 0; left--) {
            gauge = gauge.with(in.getString(), in.getString());
        }
        return gauge;
    }
}
