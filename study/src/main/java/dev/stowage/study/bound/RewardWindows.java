package dev.stowage.study.bound;

import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Reward;
import dev.stowage.optimize.bound.RewardBound;
import dev.stowage.optimize.bound.RewardLimit;
import dev.stowage.optimize.bound.ServerClass;
import dev.stowage.optimize.greedy.GlobalGreedy;
import dev.stowage.optimize.greedy.MaxReward;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.load.PresentLoad;
import dev.stowage.study.load.RequestPass;
import dev.stowage.study.load.ServersUp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * An upper bound of the mean reward rate in each window of a run, whatever happens before and after, for a load that
 * changes.
 *
 * <p>A policy that decides at once has at any time no more requests of a kind than would be present if all were served
 * at once, so it earns no more than the linear program (6) of K. Psychas, J. Ghaderi, A Theory of Auto-Scaling for
 * Resource Reservation in Cloud Services, 2020 with these as the load. The program's optimum is concave in the load, so
 * its value at the window's mean is no less than the mean of its values: a bound for every run of the seed, whatever
 * the policy knows of the future, and however often it moves requests.
 */
public final class RewardWindows {
    private static final double SECOND_NANOS = 1e9;
    private static final double TOLERANCE = 1e-3;

    private RewardWindows() {}

    /**
     * A window.
     *
     * @param fromSeconds when it begins
     * @param toSeconds when it ends
     * @param requests mean number in service, were every request served at once
     * @param atMost greatest mean reward per second
     * @param greedy what the greedy assignment of that load earns per second
     */
    public record Window(double fromSeconds, double toSeconds, double requests, double atMost, double greedy) {}

    /** Why there is no bound for windows; empty if there may be one. */
    public static Optional<String> obstacle(Experiment experiment) {
        if (experiment.cluster().resources().stream().anyMatch(Resource::divisible)) {
            return Optional.of("work runs faster with more of a divisible resource: it has no fixed load");
        }
        if (experiment.slotNanos() > 0) {
            return Optional.of("in slotted time requests stay to the end of their last slot");
        }
        if (experiment.origins().areLimited()) {
            return Optional.of("origins limit requests to sites");
        }
        return experiment.changes().isEmpty() ? Optional.empty() : Optional.of("the servers change");
    }

    /**
     * The windows of one seed.
     *
     * @param edgeNanos where windows begin and the last one ends, ascending
     * @return empty where nothing pays, requests are of too many kinds, or one demands nothing
     */
    public static List<Window> of(Experiment experiment, long seed, long[] edgeNanos) {
        return obstacle(experiment).isPresent()
                ? List.of()
                : PresentLoad.of(experiment, seed, edgeNanos)
                        .filter(RewardWindows::pays)
                        .map(load -> solve(experiment.cluster(), load, edgeNanos))
                        .orElse(List.of());
    }

    private static boolean pays(PresentLoad load) {
        long most = 0;
        for (long each : load.reward()) {
            most = Math.max(most, each);
        }
        return most > 0;
    }

    private static List<Window> solve(Cluster cluster, PresentLoad load, long[] edgeNanos) {
        List<ServerClass> servers = ServersUp.bySite(cluster);
        List<MaxReward> maxRewards = servers.stream()
                .map(each -> new MaxReward(each.capacity(), load.demand(), load.reward()))
                .toList();
        List<RewardLimit> limits = Arrays.stream(load.mean())
                .map(mean -> RewardBound.of(servers, load.demand(), load.reward(), mean, TOLERANCE))
                .toList();
        List<Window> windows = new ArrayList<>();
        for (int w = 0; w + 1 < edgeNanos.length; w++) {
            double[] mean = load.mean()[w];
            double requests = 0;
            for (double each : mean) {
                requests += each;
            }
            windows.add(new Window(
                    edgeNanos[w] / SECOND_NANOS,
                    edgeNanos[w + 1] / SECOND_NANOS,
                    requests,
                    atMost(load, limits, w) / Reward.ONE_PER_SECOND,
                    greedy(servers, maxRewards, load.reward(), mean) / Reward.ONE_PER_SECOND));
        }
        return windows;
    }

    /** The least of the limits that all known prices prove: prices found for one load prove a limit for any load. */
    private static double atMost(PresentLoad load, List<RewardLimit> limits, int window) {
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < limits.size(); k++) {
            double more = 0;
            for (int j = 0; j < load.reward().length; j++) {
                double profit = Math.max(0, load.reward()[j] - limits.get(k).prices()[j]);
                more += (load.mean()[window][j] - load.mean()[k][j]) * profit;
            }
            least = Math.min(least, limits.get(k).upper() + more);
        }
        return least;
    }

    private static double greedy(List<ServerClass> servers, List<MaxReward> maxRewards, long[] reward, double[] mean) {
        GlobalGreedy greedy = new GlobalGreedy(mean);
        double earned = 0;
        for (int l = 0; l < servers.size(); l++) {
            for (GlobalGreedy.Share share :
                    greedy.assign(maxRewards.get(l), servers.get(l).servers())) {
                for (int k = 0; k < reward.length; k++) {
                    earned += share.servers() * share.counts()[k] * reward[k];
                }
            }
        }
        return earned;
    }

    /** Windows as equal as can be from one time to another. */
    public static long[] equal(long fromNanos, long toNanos, int windows) {
        int count = (int) Math.max(1, Math.min(windows, toNanos - fromNanos));
        long[] edges = new long[count + 1];
        for (int w = 0; w <= count; w++) {
            edges[w] = fromNanos + (long) ((toNanos - fromNanos) * ((double) w / count));
        }
        edges[count] = toNanos;
        return edges;
    }

    /** When the run of a seed ends: as the experiment or the workload says, or else with the last arrival. */
    public static long endNanos(Experiment experiment, long seed) {
        long known = Math.min(experiment.end().atNanos(), experiment.workload().endNanos());
        if (known != Long.MAX_VALUE) {
            return known;
        }
        RequestPass pass = new RequestPass(experiment, seed, Long.MAX_VALUE);
        long last = 0;
        while (pass.next()) {
            last = pass.arrivalNanos();
        }
        return last;
    }

    /** Mean of a value over windows, weighted by their lengths. */
    public static double mean(List<Window> windows, ToDoubleFunction<Window> value) {
        double sum = 0;
        double length = 0;
        for (Window window : windows) {
            sum += value.applyAsDouble(window) * (window.toSeconds() - window.fromSeconds());
            length += window.toSeconds() - window.fromSeconds();
        }
        return sum / length;
    }
}
