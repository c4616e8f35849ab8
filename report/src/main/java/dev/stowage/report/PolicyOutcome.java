package dev.stowage.report;

import dev.stowage.sim.result.Estimate;
import dev.stowage.sim.result.MetricName;
import dev.stowage.sim.result.Origin;
import dev.stowage.sim.result.RunRow;
import dev.stowage.sim.result.Stability;
import dev.stowage.sim.result.SummaryRow;
import dev.stowage.sim.statistics.Intervals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results of one policy at one sweep point.
 *
 * @param stability whether the queue grows; null if the run was interrupted before that was judged
 * @param replications replications behind the estimates
 * @param metrics estimate of every metric
 * @param runs the replications one by one, by their numbers
 * @param looks how often the differences of the policies were looked at to decide whether to add replications, at most:
 *     an interval of a difference is one of so many
 */
record PolicyOutcome(
        String policy,
        Map<String, String> point,
        @Nullable Stability stability,
        int replications,
        Map<MetricName, Estimate> metrics,
        List<RunRow> runs,
        int looks) {
    /** What the policies of an inventory are compared by. */
    static final String INVENTORY =
            "An inventory: all of it runs now and does not end, so nothing waits. Policies differ in how many"
                    + " requests find no place, and in how many servers the others take.";

    /** A half-width above this share of a mean of values that are never negative says that they are skewed. */
    static final double SKEWED = 0.5;

    private static final String UNSTABLE = "unstable";
    /** The reason of a verdict that follows from the load. */
    private static final String OVERLOAD = "overload";
    /** What sums of equal numbers may differ by, as a part of them. */
    private static final double ROUNDING = 1e-9;
    /** A run tells how long one must be that decides, up to so many times its own length. */
    private static final int FORESEEN = 10;

    private record Place(Map<String, String> point, String policy) {
        static Place of(Origin origin) {
            return new Place(origin.point(), origin.policy());
        }
    }

    /** One outcome per sweep point and policy that has runs or a summary. Cost: linear in the rows. */
    static List<PolicyOutcome> all(Results results) {
        Map<Place, List<RunRow>> runs = new LinkedHashMap<>();
        results.runs()
                .forEach(row -> runs.computeIfAbsent(Place.of(row.origin()), place -> new ArrayList<>())
                        .add(row));
        Map<Place, SummaryRow> summaries = new LinkedHashMap<>();
        results.summaries().forEach(row -> summaries.put(Place.of(row.origin()), row));
        List<PolicyOutcome> outcomes = new ArrayList<>();
        for (Map<String, String> point : results.points()) {
            int looks = results.looks(point);
            for (String policy : results.policies()) {
                Place place = new Place(point, policy);
                SummaryRow summary = summaries.get(place);
                List<RunRow> finished = runs.getOrDefault(place, List.of()).stream()
                        .sorted(Comparator.comparingInt(RunRow::replication))
                        .toList();
                if (summary != null) {
                    PolicyOutcome outcome = of(summary, finished, looks);
                    outcomes.add(results.loadChanges() ? outcome : outcome.judgedByLoad());
                } else if (!finished.isEmpty()) {
                    outcomes.add(incomplete(policy, point, finished));
                }
            }
        }
        return outcomes;
    }

    static boolean matches(Origin origin, String policy, Map<String, String> point) {
        return origin.policy().equals(policy) && origin.point().equals(point);
    }

    private static PolicyOutcome of(SummaryRow row, List<RunRow> runs, int looks) {
        Map<MetricName, Estimate> metrics = new LinkedHashMap<>();
        row.metrics().forEach((name, estimate) -> metrics.put(MetricName.parse(name), estimate));
        return new PolicyOutcome(
                row.origin().policy(), row.origin().point(), row.stability(), row.replications(), metrics, runs, looks);
    }

    /**
     * The same, where the queue is undecided and the load is proven to be more than any policy supports: it grows in
     * the end. Where the load changes it is the greatest, of which nothing follows for the rest.
     */
    private PolicyOutcome judgedByLoad() {
        Estimate load = metrics.get(MetricName.parse(Metric.LOAD + "_least"));
        load = load == null ? metrics.get(MetricName.parse(Metric.LOAD)) : load;
        Stability queue = stability;
        if (queue == null
                || !queue.verdict().equals("undecided")
                || load == null
                || load.mean() - (load.halfWidth() == null ? 0 : load.halfWidth()) <= 1
                || givenRequests()
                || Comparison.turnsAway(this)
                || metrics.containsKey(MetricName.parse("expired"))) {
            return this;
        }
        Stability grows = new Stability(UNSTABLE, queue.growthPerHour(), queue.halfWidth(), OVERLOAD, null, null);
        return new PolicyOutcome(policy, point, grows, replications, metrics, runs, looks);
    }

    /** Whether it is unstable because the load is proven to be more than any policy supports. */
    boolean overloaded() {
        return stability != null && OVERLOAD.equals(stability.reason());
    }

    /**
     * Confidence of each difference between policies, so that all of them hold together with {@code confidence} at
     * every look (Bonferroni).
     */
    double ofDifference(double confidence, int differences) {
        return 1 - (1 - confidence) / (differences * looks);
    }

    /** Plain means of the replications that finished, without intervals. */
    private static PolicyOutcome incomplete(String policy, Map<String, String> point, List<RunRow> runs) {
        Map<MetricName, double[]> sums = new LinkedHashMap<>();
        for (RunRow run : runs) {
            run.metrics().forEach((name, value) -> {
                double[] sum = sums.computeIfAbsent(MetricName.parse(name), key -> new double[2]);
                sum[0] += value;
                sum[1]++;
            });
        }
        Map<MetricName, Estimate> metrics = new LinkedHashMap<>();
        sums.forEach((name, sum) ->
                metrics.put(name, new Estimate(sum[0] / sum[1], null, 0.95, "incomplete", (int) sum[1])));
        return new PolicyOutcome(policy, point, null, runs.size(), metrics, runs, 1);
    }

    boolean complete() {
        return stability != null;
    }

    /** Whether all requests are there from the start and none ends, so that there are no waits. */
    boolean inventory() {
        return stability != null && stability.verdict().equals(Stability.INVENTORY);
    }

    /** Whether that is so under each of these. */
    static boolean inventory(List<PolicyOutcome> outcomes) {
        return !outcomes.isEmpty() && outcomes.stream().allMatch(PolicyOutcome::inventory);
    }

    boolean unstable() {
        return stability != null && stability.verdict().equals(UNSTABLE);
    }

    /** The estimate, unless it is a mean that an unstable queue makes meaningless. */
    @Nullable
    Estimate trusted(MetricName name) {
        return voided(name) ? null : metrics.get(name);
    }

    /** Whether the queue is unstable and this metric depends on how long the run was. */
    boolean voided(MetricName name) {
        return unstable() && Metric.of(name).has(Metric.Trait.GROWS);
    }

    /** The replications in which the metric exists. */
    List<RunRow> runsWith(MetricName name) {
        String key = name.toString();
        return runs.stream().filter(run -> run.metrics().get(key) != null).toList();
    }

    /** {@code +12.3 ± 0.8 requests/h}. */
    String growth() {
        Stability queue = stability;
        if (queue == null) {
            return "";
        }
        String text = Quantity.COUNT.format(queue.growthPerHour(), queue.halfWidth());
        return (queue.growthPerHour() >= 0 ? "+" : "") + text + " requests/h";
    }

    /** The verdict in words, or {@code not judged}. */
    String word() {
        return stability == null ? "not judged" : stability.verdict().replace('-', ' ');
    }

    /** The word, and {@link #why}: {@code unstable (+12.3 ± 0.8 requests/h)}. */
    String verdict() {
        String why = why();
        return word() + (why.isEmpty() ? "" : unstable() ? " (" + why + ")" : ": " + why);
    }

    /**
     * What follows the word: {@code +12.3 ± 0.8 requests/h}, {@code still filling (needs about 120 h)} or {@code
     * too short to tell (needs about 12 d)}, with the final queues if some replications grow and others do not; else
     * empty. A length that is many times that of the run is not foreseen from it.
     */
    String why() {
        Stability queue = stability;
        if (queue == null) {
            return "";
        }
        String finals = queue.finalQueues() == null || repeated() ? "" : "final queues " + numbers(queue.finalQueues());
        if (unstable()) {
            return (overloaded() ? "the load is above the maximum of any policy; " : "")
                    + growth()
                    + (finals.isEmpty() ? "" : "; " + finals);
        }
        Double hours = queue.tellingHours();
        boolean filling = Stability.STILL_FILLING.equals(queue.reason());
        String what = filling ? "still filling" : hours == null ? "" : "too short to tell";
        if (hours != null && !givenRequests()) {
            what += 3600 * hours > FORESEEN * horizonSeconds()
                    ? ", and so would be a run " + FORESEEN + " times as long"
                    : " (needs about " + Quantity.TIME.plain(3600 * hours) + ")";
        }
        return what + (what.isEmpty() || finals.isEmpty() ? "" : ", ") + finals;
    }

    private double horizonSeconds() {
        return runs.stream().mapToDouble(RunRow::horizonSeconds).max().orElse(Double.POSITIVE_INFINITY);
    }

    /** Whether these are the requests of a trace: there are no more of them, so a longer run is no advice. */
    private boolean givenRequests() {
        return metrics.values().stream()
                        .anyMatch(each -> each.method().equals(Intervals.ONE_TRACE)
                                || each.method().equals(Intervals.EXACT))
                || (runs.size() == 1
                        && metrics.values().stream()
                                .noneMatch(each -> each.method().equals(Intervals.BATCH_MEANS)));
    }

    /**
     * How the replications of an undecided queue ended: {@code 5 of 8 runs end with nothing waiting, the others with
     * 260, 303, 995 requests}; empty for another verdict, or if that is not known.
     */
    String ends() {
        if (stability == null || !stability.verdict().equals("undecided") || stability.finalQueues() != null) {
            return "";
        }
        List<Long> waiting = finalQueues();
        List<Long> some = waiting.stream().filter(each -> each > 0).toList();
        int empty = waiting.size() - some.size();
        if (waiting.size() <= 1) {
            return empty == 1 ? "ends with nothing waiting" : "";
        }
        return some.isEmpty()
                ? "all runs end with nothing waiting"
                : empty == 0
                        ? "the runs end with " + numbers(some) + " waiting"
                        : empty + " of " + waiting.size() + " runs end with nothing waiting, the others with "
                                + numbers(some);
    }

    /** Whether there are several runs, and none differs from another in anything that was decided. */
    boolean repeated() {
        return runs.size() > 1
                && runs.stream()
                                .map(run -> List.of(run.digest(), run.metrics()))
                                .distinct()
                                .count()
                        == 1;
    }

    /** How many requests wait at the end of each run; of one, if all are the same. */
    private List<Long> finalQueues() {
        return runs.stream()
                .limit(repeated() ? 1 : runs.size())
                .map(run -> run.metrics().get("queue_length_final"))
                .flatMap(Stream::ofNullable)
                .map(Math::round)
                .sorted()
                .toList();
    }

    /**
     * How many requests the mean wait leaves out, because they have no place at the end: {@code 118 under fifo-ff};
     * empty if that is none, if there is no such mean, or if runs of a stable queue are many.
     */
    String leftWaiting() {
        List<Long> waiting = finalQueues();
        boolean stable = stability != null && stability.verdict().equals("stable") && waiting.size() > 1;
        long all = waiting.stream().mapToLong(Long::longValue).sum();
        String place = describe(point);
        return all == 0 || stable || inventory() || unstable()
                ? ""
                : String.format(Locale.ROOT, "%,d", all)
                        + (waiting.size() > 1 ? " in " + waiting.size() + " runs" : "")
                        + " under " + policy + (place.isEmpty() ? "" : " at " + place);
    }

    /**
     * Whether the runs differ so much, or are so few, that an interval of their mean would say nothing, reach below
     * zero, or above the whole.
     */
    boolean skewed(MetricName name) {
        Estimate estimate = metrics.get(name);
        return estimate != null
                && estimate.halfWidth() != null
                && !Metric.of(name).has(Metric.Trait.SIGNED)
                && (estimate.halfWidth() > (isPair() ? ROUNDING : SKEWED) * estimate.mean() || isTopped(name))
                && !voided(name)
                && range(name) != null;
    }

    /** Whether there are two runs: too few for an interval, however alike they are. */
    boolean isPair() {
        return runs.size() == 2;
    }

    /** Whether the interval of a single run would reach below zero, where no value is. */
    boolean isCut(MetricName name) {
        Estimate estimate = metrics.get(name);
        return estimate != null
                && !Metric.of(name).has(Metric.Trait.SIGNED)
                && upper(estimate) > 2 * estimate.mean()
                && !voided(name)
                && range(name) == null;
    }

    /** Whether the interval would reach above the whole, where no value is. */
    boolean isTopped(MetricName name) {
        Estimate estimate = metrics.get(name);
        return estimate != null
                && estimate.halfWidth() != null
                && Metric.of(name).has(Metric.Trait.SHARE)
                && upper(estimate) > 1 + ROUNDING;
    }

    private static double upper(Estimate estimate) {
        Double half = estimate.halfWidth();
        return estimate.mean() + (half == null ? 0 : half);
    }

    /** Between two proven numbers, which is not an interval of sampling: {@code 65.3 to 65.7 %}. */
    private static String proven(Quantity quantity, Estimate estimate) {
        String least = quantity.format(2 * estimate.mean() - upper(estimate), null);
        String most = quantity.format(upper(estimate), null);
        return least.equals(most) ? most : quantity.formatRange(2 * estimate.mean() - upper(estimate), upper(estimate));
    }

    /**
     * An estimate of its own for people: with an interval, the range of runs that are too unlike for one, or the upper
     * end of an interval that would reach below zero. A longest wait is "at least" so long if requests still wait.
     */
    String text(MetricName name, Estimate estimate) {
        boolean least = name.base().equals("wait_max_s") && !leftWaiting().isEmpty();
        return (least ? "at least " : "") + number(name, estimate);
    }

    private String number(MetricName name, Estimate estimate) {
        Quantity quantity = Metric.of(name).quantity();
        double[] range = range(name);
        if (name.base().equals(Metric.SIZE_BOUND) && range != null) {
            return quantity.formatRange(range[0], range[1]);
        }
        if (name.base().equals(Metric.LOAD)) {
            Estimate least = metrics.get(MetricName.parse(Metric.LOAD + "_least"));
            Estimate most = metrics.get(MetricName.parse(Metric.LOAD + "_most"));
            return least == null || most == null
                    ? proven(quantity, estimate)
                    : quantity.formatRange(estimate.mean(), least.mean(), most.mean());
        }
        if (isCut(name)) {
            return quantity.formatMost(estimate.mean(), upper(estimate));
        }
        if (isTopped(name) && range == null) {
            return quantity.formatLeast(estimate.mean(), 2 * estimate.mean() - upper(estimate));
        }
        return skewed(name) && range != null
                ? quantity.formatRange(estimate.mean(), range[0], range[1])
                : quantity.format(estimate.mean(), estimate.halfWidth());
    }

    /** Ends of an error bar: what {@link #text} shows beside the value; twice the value if it is alone. */
    double[] bar(MetricName name, Estimate estimate) {
        double[] range = range(name);
        if (skewed(name) && range != null) {
            return range;
        }
        double half = Math.max(0, upper(estimate) - estimate.mean());
        if (!Double.isFinite(half)) {
            half = 0;
        }
        double high = estimate.mean() + half;
        return new double[] {
            estimate.mean() - half,
            Metric.of(name).has(Metric.Trait.SHARE) ? Math.max(estimate.mean(), Math.min(1, high)) : high
        };
    }

    /** The least and the greatest value of the replications; null with fewer than two. */
    double @Nullable [] range(MetricName name) {
        DoubleSummaryStatistics values = runsWith(name).stream()
                .mapToDouble(run -> run.metrics().getOrDefault(name.toString(), Double.NaN))
                .summaryStatistics();
        return values.getCount() < 2 ? null : new double[] {values.getMin(), values.getMax()};
    }

    private static String numbers(List<Long> numbers) {
        return String.join(
                ", ",
                numbers.stream()
                        .map(number -> String.format(Locale.ROOT, "%,d", number))
                        .toList());
    }

    /** {@code load = 0.9, servers = 100}; empty without a sweep. */
    static String describe(Map<String, String> point) {
        return String.join(
                ", ",
                point.entrySet().stream()
                        .map(e -> e.getKey() + " = " + e.getValue())
                        .toList());
    }
}
