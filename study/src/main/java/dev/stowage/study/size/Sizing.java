package dev.stowage.study.size;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.ExperimentRunner;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.Intervals;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How many servers the policies of an experiment need for a target, replication by replication on the same requests,
 * and how
 * many any policy needs ({@link PeakBound}). Servers are of one kind at one site.
 */
public final class Sizing {
    private final Experiment point;
    private final SizeTarget target;
    private final PolicyFactory policies;
    private final List<PeakBound> bounds;

    /**
     * The bounds are worked out at once, a pass over the requests of each replication.
     *
     * @param point its servers are alike, at one site; how many there are does not matter
     */
    public Sizing(Experiment point, SizeTarget target, PolicyFactory policies) {
        this.point = point;
        this.target = target;
        this.policies = policies;
        bounds = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> PeakBound.of(point, target, seed(r)))
                .toList();
    }

    /**
     * What a policy needs.
     *
     * @param servers by replication; 0 where no number was found
     * @param notes what is to be known about it, a sentence each
     */
    public record Need(List<Long> servers, List<String> notes) {
        /** Takes copies. */
        public Need {
            servers = List.copyOf(servers);
            notes = List.copyOf(notes);
        }

        /** Whether every replication has a number. */
        public boolean known() {
            return servers.stream().allMatch(number -> number > 0);
        }
    }

    private long seed(int replication) {
        return ExperimentRunner.seed(point.seed(), replication);
    }

    /** No policy can do with fewer servers, by replication. */
    public List<Long> least() {
        return bounds.stream().map(PeakBound::servers).toList();
    }

    /** What decides the bound of the first replication. */
    public String decides() {
        PeakBound first = bounds.get(0);
        return String.format(Locale.ROOT, "%s at %.2f h", first.resource(), first.atNanos() / 3600e9);
    }

    /** What a policy needs; replications are tried side by side. */
    public Need need(PolicySpec policy) {
        SizeSearch search = new SizeSearch(point, target, policies);
        List<SizeSearch.Found> found = IntStream.range(0, point.replications())
                .parallel()
                .mapToObj(r -> search.least(policy, seed(r), bounds.get(r)))
                .toList();
        return new Need(found.stream().map(SizeSearch.Found::servers).toList(), notes(policy, found));
    }

    private List<String> notes(PolicySpec policy, List<SizeSearch.Found> found) {
        List<String> notes = new java.util.ArrayList<>();
        long tooLarge = bounds.stream()
                .filter(bound -> bound.fitNone() > target.allowed(bound.requests()))
                .mapToLong(PeakBound::fitNone)
                .max()
                .orElse(0);
        long most = found.stream()
                .filter(one -> one.servers() == 0)
                .mapToLong(SizeSearch.Found::tried)
                .max()
                .orElse(0);
        if (tooLarge > 0) {
            notes.add(String.format(
                    Locale.ROOT, "no number of servers is enough: %,d requests fit not even an empty one", tooLarge));
        } else if (most > 0) {
            notes.add(String.format(Locale.ROOT, "%s: not met with %,d servers either", policy, most));
        }
        long worse = found.stream().filter(one -> !one.monotone()).count();
        if (worse > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s: in %d of %d replications one server more misses the target again",
                    policy,
                    worse,
                    found.size()));
        }
        return notes;
    }

    /** Numbers by replication as an estimate: exact for the requests of one trace, else a mean with its interval. */
    public Estimate estimate(List<Long> numbers) {
        double[] values = numbers.stream().mapToDouble(Long::doubleValue).toArray();
        if (values.length > 1) {
            return Intervals.replications(values, point.confidence());
        }
        return new Estimate(
                values[0],
                null,
                point.confidence(),
                point.workload().isGiven() ? Intervals.EXACT : Intervals.SINGLE_RUN,
                1);
    }

    /** How many servers more one needs than another on the same requests. */
    public Estimate difference(List<Long> a, List<Long> b) {
        return estimate(LongStream.range(0, a.size())
                .mapToObj(r -> a.get((int) r) - b.get((int) r))
                .toList());
    }
}
