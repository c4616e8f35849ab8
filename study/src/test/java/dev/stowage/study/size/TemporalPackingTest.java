package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.stowage.optimize.lp.LinearSolvers;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.LabelledPolicy;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bounds, the schedule in hindsight and policies beside an exact solver (CP-SAT of OR-Tools), on instances of temporal
 * bin packing: items with a start, an end and a size; the fewest bins, and the fewest hours of bins in use until the
 * last item begins. docs/lifetimes.md has the figures.
 */
final class TemporalPackingTest {
    private static final String POLICIES =
            "first-fit, {policy: best-fit, score: even}, {policy: lifetime-classes, rule: nilas}, lifetime-classes";

    @TempDir
    private Path directory;

    /**
     * An item.
     *
     * @param start minutes
     * @param end minutes; at this moment it is gone
     * @param size of {@link Instance#capacity}
     */
    private record Item(int start, int end, int size) {}

    private record Instance(String name, int capacity, List<Item> items) {
        static Instance of(String name) throws IOException {
            Path file = Path.of("..", "..", "shared", "data", name + ".txt");
            if (!Files.exists(file)) {
                System.out.println("skipped: no ../shared/data/" + name + ".txt");
            }
            assumeTrue(Files.exists(file), "skipped: no ../shared/data/" + name + ".txt");
            List<int[]> rows = Files.readAllLines(file).stream()
                    .map(line -> Stream.of(line.split("\t"))
                            .mapToInt(Integer::parseInt)
                            .toArray())
                    .toList();
            List<Item> items = rows.stream()
                    .skip(1)
                    .map(row -> new Item(row[1], row[2], row[3]))
                    .sorted(Comparator.comparingInt(Item::start))
                    .toList();
            assertThat(items).hasSize(rows.get(0)[0]);
            return new Instance(name, rows.get(0)[1], items);
        }

        /** When the last item begins: the end of a run. */
        int end() {
            return items.get(items.size() - 1).start();
        }

        /** Moments at which something changes, ascending. */
        int[] moments(int until) {
            return items.stream()
                    .flatMap(item -> Stream.of(item.start(), item.end()))
                    .mapToInt(at -> at)
                    .filter(at -> at <= until)
                    .sorted()
                    .distinct()
                    .toArray();
        }

        List<Integer> presentAt(int moment) {
            List<Integer> present = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                if (items.get(i).start() <= moment && moment < items.get(i).end()) {
                    present.add(i);
                }
            }
            return present;
        }

        /** Bins that the items of a moment need at least. */
        int load(int moment) {
            int sum = presentAt(moment).stream()
                    .mapToInt(i -> items.get(i).size())
                    .sum();
            return (sum + capacity - 1) / capacity;
        }

        Experiment experiment(Path directory) throws IOException {
            StringBuilder rows = new StringBuilder("arrival_s,duration_s,slots\n");
            for (Item item : items) {
                rows.append(60 * item.start())
                        .append(',')
                        .append(60 * (item.end() - item.start()))
                        .append(',')
                        .append(item.size())
                        .append('\n');
            }
            Files.writeString(directory.resolve("items.csv"), rows);
            return TestExperiments.of(
                    "cluster: {servers: {count: 1, slots: " + capacity
                            + "}}\nworkload: {trace: {file: items.csv, predict: true}}\npolicies: [" + POLICIES + "]\n",
                    directory);
        }
    }

    /**
     * The fewest minutes of bins in use, by the solver; whenever no item is there the problem falls apart into two.
     * With more than so many bins in use nothing is gained: so many items are there at a time.
     */
    private static long fewestMinutes(Instance its) {
        int last = its.end();
        long sum = 0;
        List<Item> together = new ArrayList<>();
        int end = 0;
        for (Item item : its.items()) {
            if (item.start() >= end) {
                sum += together.isEmpty() ? 0 : fewestMinutes(new Instance(its.name(), its.capacity(), together), last);
                together = new ArrayList<>();
            }
            together.add(item);
            end = Math.max(end, item.end());
        }
        return sum + fewestMinutes(new Instance(its.name(), its.capacity(), together), last);
    }

    private static long fewestMinutes(Instance its, int last) {
        int[] moments = its.moments(last);
        int bins =
                IntStream.of(moments).map(at -> its.presentAt(at).size()).max().orElseThrow();
        CpModel model = new CpModel();
        BoolVar[][] in = new BoolVar[its.items().size()][bins];
        for (BoolVar[] item : in) {
            Arrays.setAll(item, bin -> model.newBoolVar(""));
            model.addExactlyOne(item);
        }
        LinearExprBuilder minutes = LinearExpr.newBuilder();
        for (int m = 0; m + 1 < moments.length; m++) {
            for (int bin = 0; bin < bins; bin++) {
                BoolVar inUse = model.newBoolVar("");
                LinearExprBuilder held = LinearExpr.newBuilder();
                for (int i : its.presentAt(moments[m])) {
                    held.addTerm(in[i][bin], its.items().get(i).size());
                    model.addImplication(in[i][bin], inUse);
                }
                model.addLessOrEqual(held, LinearExpr.term(inUse, its.capacity()));
                minutes.addTerm(inUse, moments[m + 1] - moments[m]);
            }
        }
        model.minimize(minutes);
        CpSolver solver = new CpSolver();
        solver.getParameters().setNumWorkers(1).setRandomSeed(1);
        assertThat(solver.solve(model)).isEqualTo(CpSolverStatus.OPTIMAL);
        return Math.round(solver.objectiveValue());
    }

    /**
     * What was found of an instance.
     *
     * @param bound bins of any schedule
     * @param hindsight bins of the schedule in hindsight
     * @param least minutes of bins in use of any schedule, by docs/sizing.md
     * @param bins by policy
     * @param minutes of bins in use by policy
     */
    private record Found(long bound, long hindsight, long least, Map<String, Long> bins, Map<String, Long> minutes) {}

    private Found find(Instance its) throws IOException {
        Experiment point = its.experiment(directory);
        Sizing sizing = new Sizing(point, SizeTarget.parse("rejected <= 0"), new Policies());
        Map<String, Long> bins = new LinkedHashMap<>();
        Map<String, Long> minutes = new LinkedHashMap<>();
        double least = 0;
        for (LabelledPolicy policy : point.policies()) {
            long needed = sizing.need(policy.spec()).servers().get(0);
            SizedRuns.Hours hours = Objects.requireNonNull(sizing.runs().hours(policy.spec(), 2 * needed));
            bins.put(policy.label(), needed);
            minutes.put(policy.label(), Math.round(60 * hours.occupied()));
            least = 60 * hours.least();
        }
        long hindsight =
                sizing.hindsight(Collections.max(bins.values())).orElseThrow().servers();
        long bound = sizing.least().get(0);
        Found found = new Found(bound, hindsight, Math.round(least), bins, minutes);
        System.out.println(its.name() + ": " + found);
        int[] moments = its.moments(its.end());
        assertThat(found.least())
                .as("a bin for each full one of the sum of sizes")
                .isEqualTo(IntStream.range(0, moments.length - 1)
                        .mapToLong(m -> (long) its.load(moments[m]) * (moments[m + 1] - moments[m]))
                        .sum());
        assertThat(found.bins().values()).allMatch(needed -> needed >= found.hindsight());
        return found;
    }

    @Test
    void aHundredItems() throws IOException {
        assumeTrue(LinearSolvers.GLOP.available(), "OR-Tools has no native code for this platform");
        Instance its = Instance.of("tbpp_d1_100_inf_1");
        Found found = find(its);
        long fewest = fewestMinutes(its);
        System.out.println("exact: " + fewest + " minutes");
        // As a program over the ways to share bins, moment by moment, has it too.
        assertThat(fewest).isEqualTo(11_205);
        assertThat(found.least()).isBetween(fewest * 99 / 100, fewest);
        assertThat(found.minutes().values()).allMatch(minutes -> minutes >= fewest && minutes <= fewest * 1.005);
        assertThat(found.hindsight()).as("so no schedule has fewer").isEqualTo(found.bound());
    }

    @Test
    void aThousandItems() throws IOException {
        Found found = find(Instance.of("tbpp_d1_1000_inf_1"));
        assertThat(found.hindsight()).as("so no schedule has fewer").isEqualTo(found.bound());
    }

    @Test
    void tenThousandItems() throws IOException {
        Found found = find(Instance.of("tbpp_d2_10000_inf_1"));
        assertThat(found.hindsight()).as("so no schedule has fewer").isEqualTo(found.bound());
    }
}
