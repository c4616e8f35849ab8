package dev.stowage.study.size;

import dev.stowage.core.engine.Effects;
import dev.stowage.sim.experiment.SizeRequirement;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.statistics.GrowthTest;
import dev.stowage.sim.statistics.MeanSign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An interval for the level that meets a target in the mean over all runs that a generator could give: a level at which
 * the target is shown to be missed, and one at which it is shown to be met, with a confidence for the whole search.
 *
 * <p>At a level the excess of the runs over the target is tested after {@value #FIRST_LOOK} runs and whenever their
 * number has doubled. The k-th level that is tried may err with probability 6 / (pi k)^2 of the risk, divided equally
 * among its looks, so the probability of any error is at most the risk. A look counts only if the runs so far may miss
 * the target {@value #LEAST_EXPECTED} times: with fewer misses the mean is far from normal. The runs are different from
 * those that found the first level.
 */
final class SizeInterval {
    private static final int FIRST_LOOK = 10;
    private static final double LEAST_EXPECTED = 20;
    private static final int FINEST = 100;

    private final ServerFleet fleet;
    private final Trial trial;
    private final Replications replications;
    private final double risk;
    private final int most;
    private final Map<Long, MeanSign.Finding> known = new TreeMap<>();
    private int runs;

    /** Gives the requests of each replication, always the same ones. */
    interface Replications {
        /** Seed of a replication. */
        long seed(int replication);

        /** The requests of a replication. */
        Requests requests(int replication);

        /** Requests before this time are not counted. */
        long from();
    }

    /**
     * A search.
     *
     * @param risk that the interval does not hold the truth
     * @param most most replications at a level
     */
    SizeInterval(ServerFleet fleet, Trial trial, Replications replications, double risk, int most) {
        this.fleet = fleet;
        this.trial = trial;
        this.replications = replications;
        this.risk = risk;
        this.most = most;
    }

    /**
     * Seeks both levels.
     *
     * @param start where the answer probably is
     * @param lowest levels below are known to fail
     * @param highest nothing above is tried
     */
    Sizing.Shown search(long start, long lowest, long highest) {
        LongPredicate holds = level -> find(level) == MeanSign.Finding.AT_MOST_ZERO;
        LongPredicate notFails = level -> find(level) != MeanSign.Finding.ABOVE_ZERO;
        // If the interval is wide, searching to the last server is not worth the runs.
        long gap = Math.max(1, start / FINEST);
        LeastLevel good = LeastLevel.of(start, lowest, highest, gap, gap, holds);
        long from = good.found() ? Math.min(start, good.level()) : start;
        LeastLevel bad = LeastLevel.of(from, lowest, highest, gap, gap, notFails);
        long fails = known.entrySet().stream()
                .filter(each ->
                        each.getValue() == MeanSign.Finding.ABOVE_ZERO && (!bad.found() || each.getKey() < bad.level()))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(lowest - 1);
        return new Sizing.Shown(fleet.servers(fails), good.found() ? fleet.servers(good.level()) : 0, looked, runs);
    }

    private int looked;

    private MeanSign.Finding find(long level) {
        MeanSign.Finding found = known.get(level);
        if (found == null) {
            int tried = known.size() + 1;
            found = look(level, risk * 6 / (Math.PI * Math.PI * tried * tried));
            known.put(level, found);
        }
        return found;
    }

    private MeanSign.Finding look(long level, double ofLevel) {
        List<TargetWatch> watches = new ArrayList<>();
        int looks = 1;
        for (int n = Math.min(FIRST_LOOK, most); n < most; n *= 2) {
            looks++;
        }
        for (int n = Math.min(FIRST_LOOK, most); ; n = Math.min(most, 2 * n)) {
            int done = watches.size();
            watches.addAll(IntStream.range(done, n)
                    .parallel()
                    .mapToObj(r -> trial.measured(
                            fleet.at(level),
                            replications.seed(r),
                            () -> replications.requests(r),
                            replications.from(),
                            Effects.NONE))
                    .collect(Collectors.toList()));
            runs += n - done;
            looked = Math.max(looked, n);
            MeanSign.Finding found = judge(watches, ofLevel / looks);
            if (found != MeanSign.Finding.OPEN || n == most) {
                return found;
            }
        }
    }

    /** All requirements must be shown to be met; one that is shown to be missed is enough for a failure. */
    private MeanSign.Finding judge(List<TargetWatch> watches, double ofLook) {
        int requirements = watches.get(0).counts().size();
        boolean allHold = true;
        for (int i = 0; i < requirements; i++) {
            MeanSign.Finding found = judge(watches, i, ofLook / requirements);
            if (found == MeanSign.Finding.ABOVE_ZERO) {
                return found;
            }
            allHold &= found == MeanSign.Finding.AT_MOST_ZERO;
        }
        return allHold ? MeanSign.Finding.AT_MOST_ZERO : MeanSign.Finding.OPEN;
    }

    private static MeanSign.Finding judge(List<TargetWatch> watches, int i, double ofLook) {
        SizeRequirement its = watches.get(0).counts().get(i).its();
        if (its.kind() == SizeRequirement.Kind.STABLE) {
            Stability stability = Trial.stability(watches);
            return switch (stability.verdict()) {
                case GrowthTest.UNSTABLE -> MeanSign.Finding.ABOVE_ZERO;
                case GrowthTest.UNDECIDED -> MeanSign.Finding.OPEN;
                default -> MeanSign.Finding.AT_MOST_ZERO;
            };
        }
        double[] excess = watches.stream()
                .mapToDouble(watch -> watch.counts().get(i).excess(watch.measuredNanos()))
                .toArray();
        MeanSign.Finding found = MeanSign.find(excess, ofLook);
        double expected = watches.stream()
                .mapToDouble(watch -> watch.counts().get(i).expected())
                .sum();
        boolean rare = its.kind() == SizeRequirement.Kind.MISSED && expected < LEAST_EXPECTED;
        return rare && Arrays.stream(excess).sum() <= 0 ? MeanSign.Finding.OPEN : found;
    }
}
