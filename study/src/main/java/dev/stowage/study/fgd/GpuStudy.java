package dev.stowage.study.fgd;

import dev.stowage.core.model.NewRequest;
import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All runs of a list: every policy with every seed on the same sequences, beside what was published. */
public final class GpuStudy {
    /** The first published seed. */
    static final long FIRST_SEED = 42;

    /** How many seeds were published. */
    static final int SEEDS = 10;

    private static final double CONFIDENCE = 0.95;
    private static final double SAME = 1e-9;

    private final String list;
    private final int seeds;
    private final Map<GpuPolicies, List<GpuRun>> runs = new EnumMap<>(GpuPolicies.class);
    private final double[] bounds;
    private final Map<String, double[]> published;

    private GpuStudy(String list, int seeds, Map<String, double[]> published) {
        this.list = list;
        this.seeds = seeds;
        this.published = published;
        bounds = new double[seeds];
    }

    /**
     * Carries out all runs of a list.
     *
     * @param seeds how many seeds, from 42 on; ten are published
     * @param threads runs at a time
     */
    public static GpuStudy of(GpuLists files, String list, int seeds, int threads) {
        GpuStudy study = new GpuStudy(list, seeds, files.published());
        List<NewRequest> requests = files.requests(list);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            Map<GpuPolicies, List<Future<GpuRun>>> running = new EnumMap<>(GpuPolicies.class);
            for (GpuPolicies policy : GpuPolicies.values()) {
                List<Future<GpuRun>> ofPolicy = new ArrayList<>();
                for (int i = 0; i < seeds; i++) {
                    long seed = FIRST_SEED + i;
                    ofPolicy.add(executor.submit(() -> policy.run(GpuSequence.of(requests, files.servers(), seed))));
                }
                running.put(policy, ofPolicy);
            }
            List<Future<Double>> bounds = new ArrayList<>();
            for (int i = 0; i < seeds; i++) {
                long seed = FIRST_SEED + i;
                bounds.add(executor.submit(() -> GpuBound.of(GpuSequence.of(requests, files.servers(), seed))));
            }
            for (Map.Entry<GpuPolicies, List<Future<GpuRun>>> each : running.entrySet()) {
                List<GpuRun> done = new ArrayList<>();
                for (Future<GpuRun> run : each.getValue()) {
                    done.add(run.get());
                }
                study.runs.put(each.getKey(), done);
            }
            for (int i = 0; i < seeds; i++) {
                study.bounds[i] = bounds.get(i).get();
            }
            return study;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(list + ": " + e.getCause(), e);
        } finally {
            executor.shutdownNow();
        }
    }

    private List<GpuRun> runs(GpuPolicies policy) {
        return runs.getOrDefault(policy, List.of());
    }

    private double[] allocated(GpuPolicies policy) {
        return runs(policy).stream().mapToDouble(GpuRun::allocated).toArray();
    }

    /** How many runs of the policy are published, and how many of these are equal at all points. */
    int[] equal(GpuPolicies policy) {
        int known = 0;
        int equal = 0;
        for (int i = 0; i < seeds; i++) {
            String key = list + " " + policy.published().orElse("-") + " " + (FIRST_SEED + i);
            double[] theirs = published.get(key);
            if (theirs != null) {
                known++;
                equal += differing(runs(policy).get(i).points(), theirs) == 0 ? 1 : 0;
            }
        }
        return new int[] {known, equal};
    }

    /** At how many points two curves differ. */
    static int differing(double[] ours, double[] theirs) {
        int differing = Math.abs(ours.length - theirs.length);
        for (int i = 0; i < Math.min(ours.length, theirs.length); i++) {
            differing += Math.abs(ours[i] - theirs[i]) < SAME ? 0 : 1;
        }
        return differing;
    }

    /** Titles of {@link #rows()}. */
    public static String[] titles() {
        return new String[] {
            "list",
            "policy",
            "allocated %",
            "above fgd",
            "above first-fit",
            "equal to published",
            "bound %",
            "lost parts",
            "lost 1",
            "lost 2 to 4",
            "lost 8",
            "lost, no GPU demanded"
        };
    }

    /**
     * A row for each policy: mean percent of GPUs allocated at 130 % asked for and half of its 95 % interval; the
     * same of the differences to two others, by seed; how many runs equal the published ones at every point; the
     * mean bound; and how many requests of each class found no room, on average.
     */
    public List<String[]> rows() {
        List<String[]> rows = new ArrayList<>();
        for (GpuPolicies policy : GpuPolicies.values()) {
            int[] equal = equal(policy);
            rows.add(new String[] {
                list,
                policy.key(),
                text(Intervals.replications(allocated(policy), CONFIDENCE), ""),
                difference(policy, GpuPolicies.FGD),
                difference(policy, GpuPolicies.FIRST_FIT),
                equal[0] == 0 ? "" : equal[1] + " of " + equal[0],
                twoDigits(Arrays.stream(bounds).average().orElse(100)),
                lost(policy, GpuRun.PARTS, GpuRun.PARTS),
                lost(policy, 1, 1),
                lost(policy, 2, 4),
                lost(policy, 5, GpuLists.MOST_GPUS),
                lost(policy, 0, 0)
            });
        }
        return rows;
    }

    private String difference(GpuPolicies policy, GpuPolicies other) {
        if (policy == other) {
            return "";
        }
        return text(Intervals.difference(allocated(policy), allocated(other), CONFIDENCE), "+");
    }

    private String lost(GpuPolicies policy, int from, int to) {
        double sum = 0;
        for (GpuRun run : runs(policy)) {
            for (int kind = from; kind <= to; kind++) {
                sum += run.lost()[kind];
            }
        }
        return String.format(java.util.Locale.ROOT, "%.1f", sum / seeds);
    }

    private static String text(Estimate estimate, String sign) {
        String mean = String.format(java.util.Locale.ROOT, "%" + sign + ".2f", estimate.mean());
        Double half = estimate.halfWidth();
        return half == null ? mean : mean + " +- " + twoDigits(half);
    }

    private static String twoDigits(double value) {
        return String.format(java.util.Locale.ROOT, "%.2f", value);
    }

    /** A line for each run: list, policy, seed, and the points of its curve; its end is that of a line. */
    public String curves() {
        StringBuilder text = new StringBuilder();
        for (GpuPolicies policy : GpuPolicies.values()) {
            for (int i = 0; i < seeds; i++) {
                text.append(list).append(',').append(policy.key()).append(',').append(FIRST_SEED + i);
                for (double point : runs(policy).get(i).points()) {
                    text.append(',').append(twoDigits(point));
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    /** Titles of {@link #curves()}, with the end of a line. */
    public static String curveTitles() {
        StringBuilder text = new StringBuilder("list,policy,seed");
        for (int i = 0; i < AllocationCurve.POINTS; i++) {
            text.append(',').append(i);
        }
        return text.append('\n').toString();
    }
}
