package dev.stowage.sim.experiment;

import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.unit.FinishedRun;
import dev.stowage.sim.unit.UnitKey;
import dev.stowage.sim.unit.UnitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes the rows of an experiment from its units, in the order of points, policies, replications: the rows do not
 * depend on where units ran, or in which order.
 */
public final class ExperimentRows {
    private final List<Experiment> points;
    private final String version;
    private final ProgressListener progress;

    /**
     * Rows of all points of an experiment.
     *
     * @param version of Stowage, for the rows
     * @param progress receives what is found about a wanted precision
     */
    public ExperimentRows(List<Experiment> points, String version, ProgressListener progress) {
        this.points = List.copyOf(points);
        this.version = version;
        this.progress = progress;
    }

    /**
     * Makes the rows in the caller's thread, those of a policy at a point as soon as its units are there: its runs, its
     * summary, then series and distributions of replication 0; series of all replications if the experiment asks for
     * them.
     *
     * @throws RunFailedException if a run failed; the rows given before stay valid
     * @throws InterruptedException if the caller's thread was interrupted
     */
    public void make(UnitSource units, RowAddition addition, Consumer<ResultRow> rows) throws InterruptedException {
        units.want(ExperimentUnits.all(points));
        for (int number = 0; number < points.size(); number++) {
            Experiment point = points.get(number);
            List<Group> ofPoint = new ArrayList<>();
            for (int policy = 0; policy < point.policies().size(); policy++) {
                ofPoint.add(new Group(number, policy, new ArrayList<>()));
            }
            toPrecision(units, point, ofPoint);
            for (Group group : ofPoint) {
                List<ResultRow> measured = new ArrayList<>();
                rows(units, group, Math.max(point.replications(), group.runs.size()))
                        .emit(measured::add);
                addition.with(point, measured).forEach(rows);
                group.runs.clear();
            }
        }
    }

    /** Adds replications to all policies of a point until the wanted precision is reached. */
    private void toPrecision(UnitSource units, Experiment point, List<Group> ofPoint) throws InterruptedException {
        Precision precision = point.precision();
        if (precision == null) {
            return;
        }
        PrecisionRule rule = new PrecisionRule(point, precision);
        int replications = 0;
        int wanted = point.replications();
        while (wanted > replications) {
            if (replications > 0) {
                units.want(more(ofPoint, replications, wanted));
            }
            replications = wanted;
            List<GroupRows> known = new ArrayList<>();
            for (Group group : ofPoint) {
                known.add(rows(units, group, replications));
            }
            PrecisionRule.Look look = rule.look(known);
            progress.looked(look.text());
            if (look.missed()) {
                progress.missed(look.warning(precision));
            }
            wanted = look.replications();
        }
    }

    private static List<UnitKey> more(List<Group> groups, int from, int to) {
        List<UnitKey> more = new ArrayList<>();
        for (Group group : groups) {
            for (int replication = from; replication < to; replication++) {
                more.add(new UnitKey(group.point, group.policy, replication));
            }
        }
        return more;
    }

    /** Rows of that many replications, once these are over. */
    private GroupRows rows(UnitSource units, Group group, int replications) throws InterruptedException {
        while (group.runs.size() < replications) {
            group.runs.add(units.take(new UnitKey(group.point, group.policy, group.runs.size())));
        }
        Experiment point = points.get(group.point);
        return new GroupRows(point, point.policies().get(group.policy), version, List.copyOf(group.runs));
    }

    /** One policy at one point, and its runs so far. */
    private record Group(int point, int policy, List<FinishedRun> runs) {}
}
