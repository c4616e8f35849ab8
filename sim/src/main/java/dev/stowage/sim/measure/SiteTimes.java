package dev.stowage.sim.measure;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.sim.statistics.TimeGrid;
import dev.stowage.sim.statistics.Trajectory;
import java.util.List;

/**
 * The sites of a cluster that has several, over time: what {@link SiteUse} found in a run.
 *
 * @param up servers that are up, by site
 * @param inUse servers that are up and hold something, by site
 * @param firstSites sites at the start; placements at others are counted together, behind them
 * @param pairs kinds of {@code placements}: of types and sites; 0 where there are too many
 * @param placements first placements by type and site
 */
record SiteTimes(List<Trajectory> up, List<Trajectory> inUse, int firstSites, int pairs, EventCounts placements) {
    /** Whether placements are counted. */
    boolean countsPlacements() {
        return pairs > 0;
    }

    /** Kind of {@link #placements}. */
    int kind(int type, int site) {
        return kind(type, site, firstSites);
    }

    static int kind(int type, int site, int firstSites) {
        return type * (firstSites + 1) + Math.min(site, firstSites);
    }

    void write(StateWriter out) {
        TrajectoryRows.write(out, up.toArray(Trajectory[]::new));
        TrajectoryRows.write(out, inUse.toArray(Trajectory[]::new));
        out.putNumber(firstSites);
        out.putNumber(pairs);
        placements.write(out);
    }

    static SiteTimes read(StateReader in, TimeGrid grid) {
        List<Trajectory> up = List.of(TrajectoryRows.readRow(in, grid));
        List<Trajectory> inUse = List.of(TrajectoryRows.readRow(in, grid));
        int firstSites = (int) in.getNumber();
        int pairs = (int) in.getNumber();
        return new SiteTimes(up, inUse, firstSites, pairs, EventCounts.read(in, grid, pairs));
    }
}
