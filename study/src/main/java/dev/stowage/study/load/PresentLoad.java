package dev.stowage.study.load;

import dev.stowage.sim.experiment.Experiment;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many requests of each kind would be in service in windows of a run if every request were served at once: no
 * policy that decides at once ever has more. Requests of equal demand and reward are of one kind.
 *
 * @param demand demand per kind and resource of the cluster
 * @param reward reward per kind, micro-units per hour
 * @param mean per window and kind, mean number present
 */
public record PresentLoad(long[][] demand, long[] reward, double[][] mean) {
    /** Beyond this many kinds the linear programs take long. */
    public static final int MOST_KINDS = 64;

    /**
     * One pass over the requests of a seed. O(log kinds + log windows) per request.
     *
     * @param edgeNanos where windows begin and the last one ends, ascending
     * @return empty if there are too many kinds, or one demands nothing
     */
    public static Optional<PresentLoad> of(Experiment experiment, long seed, long[] edgeNanos) {
        long end = Math.min(edgeNanos[edgeNanos.length - 1], experiment.end().atNanos());
        int resources = experiment.cluster().resources().size();
        TreeMap<long[], Presence> kinds = new TreeMap<>(Arrays::compare);
        RequestPass pass = new RequestPass(experiment, seed, end);
        while (pass.next()) {
            long[] kind = Arrays.copyOf(pass.demand(), resources + 1);
            kind[resources] = pass.rewardMicros();
            kinds.computeIfAbsent(kind, key -> new Presence(edgeNanos)).add(pass.arrivalNanos(), pass.untilNanos());
            if (kinds.size() > MOST_KINDS || Arrays.stream(kind, 0, resources).sum() == 0) {
                return Optional.empty();
            }
        }
        return Optional.of(of(kinds, resources, edgeNanos.length - 1));
    }

    private static PresentLoad of(TreeMap<long[], Presence> kinds, int resources, int windows) {
        long[][] demand = new long[kinds.size()][];
        long[] reward = new long[kinds.size()];
        double[][] mean = new double[windows][kinds.size()];
        int k = 0;
        for (var entry : kinds.entrySet()) {
            demand[k] = Arrays.copyOf(entry.getKey(), resources);
            reward[k] = entry.getKey()[resources];
            double[] means = entry.getValue().means();
            for (int w = 0; w < windows; w++) {
                mean[w][k] = means[w];
            }
            k++;
        }
        return new PresentLoad(demand, reward, mean);
    }

    /**
     * Requests in service of one kind. Windows that a request spans are counted by differences: +1 where it begins, -1
     * where it ends.
     */
    private static final class Presence {
        private final long[] edges;
        private final double[] partNanos;
        private final long[] change;

        Presence(long[] edges) {
            this.edges = edges;
            partNanos = new double[edges.length];
            change = new long[edges.length];
        }

        void add(long from, long until) {
            if (until <= edges[0]) {
                return;
            }
            int first = window(Math.max(from, edges[0]));
            int last = window(until);
            change[first]++;
            change[last]--;
            partNanos[first] -= Math.max(from, edges[0]) - edges[first];
            partNanos[last] += until - edges[last];
        }

        private int window(long nanos) {
            int found = Arrays.binarySearch(edges, nanos);
            return found >= 0 ? found : -found - 2;
        }

        double[] means() {
            double[] means = new double[edges.length - 1];
            long whole = 0;
            for (int w = 0; w < means.length; w++) {
                whole += change[w];
                means[w] = Math.max(0, whole + partNanos[w] / (edges[w + 1] - edges[w]));
            }
            return means;
        }
    }
}
