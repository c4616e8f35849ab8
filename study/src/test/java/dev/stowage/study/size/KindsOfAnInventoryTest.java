package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.Workload;
import dev.stowage.study.TestExperiments;
import dev.stowage.study.load.LoadGrowth;
import dev.stowage.study.load.MoreLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How few of the hosts that are there hold what runs, of several kinds: beside trying every choice of them. */
final class KindsOfAnInventoryTest {
    private static final int CASES = Integer.getInteger("stowage.cases", 40);

    private static final SizeQuestion QUESTION = new SizeQuestion(SizeTarget.parse("waited <= 0 %"));

    @TempDir
    private Path directory;

    private @org.jspecify.annotations.Nullable PolicySpec policy;
    private @org.jspecify.annotations.Nullable Experiment experiment;

    /** Twenty hosts of 64 cores and 17 of 32: the load of 1,000 cores fits 16 of the large ones. */
    @Test
    void theLargeOnesAreEnough() throws IOException {
        Sizing sizing = sizing(
                List.of(new int[] {17, 32, 256}, new int[] {20, 64, 512}),
                Collections.nCopies(250, new int[] {4, 16}),
                0);
        assertThat(sizing.need(policy).servers()).containsExactly(16L);
        assertThat(sizing.least()).containsExactly(16L);
        assertThat(sizing.kinds(16)).containsExactly(Map.entry("64 vCPU, 512 GiB", 16L));
        // More than there are: the list again.
        assertThat(sizing.kinds(38).values()).containsExactly(17L, 21L);
    }

    /**
     * What needs memory and what needs cores: a plan puts each on a kind of its own. Best fit puts some on the others'
     * kind, where they leave much unused.
     */
    @Test
    void aMixOfBothKinds() throws IOException {
        List<int[]> vms = new ArrayList<>(Collections.nCopies(64, new int[] {4, 4}));
        vms.addAll(Collections.nCopies(64, new int[] {1, 64}));
        Sizing sizing = sizing(List.of(new int[] {9, 64, 128}, new int[] {9, 16, 1024}), vms, 0);
        assertThat(sizing.need(policy).servers()).containsExactly(21L);
        assertThat(sizing.least()).containsExactly(8L);
        assertThat(sizing.hindsight(21))
                .contains(new Sizing.Schedule(9, Map.of("64 vCPU, 128 GiB", 4L, "16 vCPU, 1024 GiB", 5L)));
    }

    /** What is proven is never above what an exhaustive search finds, and best fit is seldom above it. */
    @Test
    void besideEveryChoice() throws IOException {
        Random random = new Random(11);
        int cases = 0;
        int exact = 0;
        int proven = 0;
        int best = 0;
        for (int round = 0; round < CASES; round++) {
            List<int[]> kinds = new ArrayList<>();
            int different = 2 + random.nextInt(2);
            for (int l = 0; l < different; l++) {
                kinds.add(new int[] {1 + random.nextInt(3), 2 + random.nextInt(9), 2 + random.nextInt(9)});
            }
            List<int[]> vms = new ArrayList<>();
            int count = 3 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                vms.add(new int[] {1 + random.nextInt(4), 1 + random.nextInt(4)});
            }
            int fewest = fewest(kinds, vms, 0);
            if (fewest == Integer.MAX_VALUE) {
                continue;
            }
            cases++;
            Sizing sizing = sizing(kinds, vms, 0);
            long servers = sizing.need(policy).servers().get(0);
            long least = sizing.least().get(0);
            assertThat(servers).as("round %d", round).isGreaterThanOrEqualTo(fewest);
            assertThat(least).as("round %d", round).isLessThanOrEqualTo(fewest);
            exact += servers == fewest ? 1 : 0;
            proven += least == fewest ? 1 : 0;
            long planned = planned(sizing, servers);
            assertThat(planned).as("round %d", round).isBetween((long) fewest, servers);
            best += planned == fewest ? 1 : 0;
            // With a server to spare: whichever is lost, the others hold it all.
            Sizing spare = sizing(kinds, vms, 1);
            long more = spare.need(policy).servers().get(0);
            assertThat(spare.least().get(0))
                    .as("round %d", round)
                    .isGreaterThan(least)
                    .isLessThanOrEqualTo(more);
            assertThat(more).as("round %d", round).isGreaterThan(fewest);
            int fewestSpare = fewest(kinds, vms, 1);
            if (more <= spare.listed() && fewestSpare < Integer.MAX_VALUE) {
                assertThat(planned(spare, more)).as("round %d", round).isBetween((long) fewestSpare, more);
            }
        }
        assertThat(cases).isGreaterThan(CASES / 3);
        assertThat(exact).as("of %d", cases).isGreaterThan(cases * 8 / 10);
        assertThat(proven).as("of %d", cases).isGreaterThan(cases * 3 / 4);
        assertThat(best).as("of %d", cases).isGreaterThan(cases * 9 / 10);
    }

    private static long planned(Sizing sizing, long servers) {
        return sizing.hindsight(servers).orElseThrow().servers();
    }

    /**
     * In the order of this list best fit would give the small ones the room on the large hosts, and need 29 hosts.
     * Largest first it needs 17, as a plan does.
     */
    @Test
    void theLargestComeFirst() throws IOException {
        List<int[]> vms = new ArrayList<>(Collections.nCopies(20, new int[] {8, 32}));
        vms.addAll(Collections.nCopies(5, new int[] {40, 384}));
        List<int[]> kinds = List.of(new int[] {1, 64, 512}, new int[] {3, 32, 256});
        Sizing small = sizing(kinds, vms, 0);
        // Five large hosts, one in four of the list.
        assertThat(small.need(policy).servers()).containsExactly(17L);
        assertThat(planned(small, 17)).isEqualTo(17);
        // Five large ones hold the five and 15 small ones beside them; a sixth the rest. The small host never holds 40.
        assertThat(small.alone(Objects.requireNonNull(policy)))
                .isEqualTo(Map.of("64 vCPU, 512 GiB", 6L, "32 vCPU, 256 GiB", 0L));
    }

    /** Whatever the order of the rows, also where two shapes are equally large, and where load grows. */
    @Test
    void theOrderOfTheRowsDoesNotMatter() throws IOException {
        Random random = new Random(5);
        for (int round = 0; round < CASES / 4; round++) {
            List<int[]> vms = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                vms.add(new int[] {1 + random.nextInt(8), 1 + random.nextInt(8)});
            }
            List<int[]> kinds = List.of(new int[] {9, 8, 10}, new int[] {9, 12, 8});
            Sizing sizing = sizing(kinds, vms, 0);
            List<GrowthPlan.Step> plan = growth();
            Collections.shuffle(vms, random);
            Sizing shuffled = sizing(kinds, vms, 0);
            assertThat(shuffled.need(policy)).as("round %d", round).isEqualTo(sizing.need(policy));
            long servers = sizing.need(policy).servers().get(0);
            assertThat(shuffled.kinds(servers)).as("round %d", round).isEqualTo(sizing.kinds(servers));
            assertThat(growth()).as("round %d", round).isEqualTo(plan);
        }
    }

    private List<GrowthPlan.Step> growth() {
        return new GrowthPlan(Objects.requireNonNull(experiment), QUESTION, new Policies())
                .of(Objects.requireNonNull(experiment).policies().get(0), LoadGrowth.of(0.3), 2, 18);
    }

    /** The fewest more beside what is there and was bought, by trying all purchases; today at least what is needed. */
    @Test
    void growthAddsTheFewest() throws IOException {
        Random random = new Random(23);
        int steps = 0;
        int exact = 0;
        int proven = 0;
        for (int round = 0; round < CASES / 2; round++) {
            List<int[]> kinds = List.of(
                    new int[] {1 + random.nextInt(2), 5 + random.nextInt(4), 2 + random.nextInt(9)},
                    new int[] {1 + random.nextInt(2), 2 + random.nextInt(3), 5 + random.nextInt(6)});
            List<int[]> vms = new ArrayList<>();
            for (int i = 3 + random.nextInt(4); i > 0; i--) {
                vms.add(new int[] {1 + random.nextInt(4), 1 + random.nextInt(4)});
            }
            int spare = random.nextInt(2);
            if (!sizing(kinds, vms, spare).hopeless().isEmpty()) {
                continue;
            }
            Experiment point = Objects.requireNonNull(experiment);
            SizeQuestion question = QUESTION.withSpare(spare).movable(true);
            int[] owned = {kinds.get(0)[0], kinds.get(1)[0]};
            int[] today = owned.clone();
            int have = owned[0] + owned[1];
            List<GrowthPlan.Step> plan = new GrowthPlan(point, question, new Policies())
                    .of(point.policies().get(0), LoadGrowth.of(0.6), 4, have);
            Sizing given = new Sizing(point, question, new Policies());
            long needed = given.extended().need(policy).servers().get(0);
            assertThat(plan.get(0).servers()).containsExactly(have + plan.get(0).buy());
            assertThat(needed).isLessThanOrEqualTo(have + plan.get(0).buy());
            long least = have;
            for (GrowthPlan.Step step : plan) {
                List<int[]> then = demands(MoreLoad.of(point.workload())
                        .after(step.quarter() / 4.0, LoadGrowth.of(0.6), point.workload()));
                for (GrowthPlan.Bought bought : step.bought()) {
                    owned[bought.kind().startsWith(kinds.get(0)[1] + " vCPU, ") ? 0 : 1] += (int) bought.servers();
                }
                assertThat(holds(kinds, owned, then, spare))
                        .as("round %d", round)
                        .isTrue();
                int fewest = 0;
                while (!holdsWithMore(kinds, today, fewest, then, spare)) {
                    fewest++;
                }
                assertThat(step.bound().get(0)).as("round %d", round).isBetween(least, (long) have + fewest);
                least = step.bound().get(0);
                steps++;
                exact += owned[0] + owned[1] == have + fewest ? 1 : 0;
                proven += least == have + fewest ? 1 : 0;
            }
        }
        assertThat(steps).isGreaterThan(CASES);
        assertThat(exact).as("of %d", steps).isGreaterThan(steps * 9 / 10);
        assertThat(proven).as("of %d", steps).isGreaterThan(steps * 8 / 10);
    }

    private static List<int[]> demands(Workload workload) {
        List<int[]> demands = new ArrayList<>();
        RequestStream stream = workload.open(0);
        while (stream.next()) {
            demands.add(new int[] {(int) stream.demand(0) / 1000, (int) stream.demand(1) / 1024});
        }
        return demands;
    }

    private static boolean holdsWithMore(List<int[]> kinds, int[] there, int more, List<int[]> vms, int spare) {
        for (int a = 0; a <= more; a++) {
            if (holds(kinds, new int[] {there[0] + a, there[1] + more - a}, vms, spare)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all fit, whichever one is lost if one may be. */
    private static boolean holds(List<int[]> kinds, int[] counts, List<int[]> vms, int spare) {
        for (int lost = 0; lost < 2; lost++) {
            if (counts[lost] < spare) {
                continue;
            }
            List<int[]> free = new ArrayList<>();
            for (int l = 0; l < 2; l++) {
                for (int i = 0; i < counts[l] - (l == lost ? spare : 0); i++) {
                    free.add(new int[] {kinds.get(l)[1], kinds.get(l)[2]});
                }
            }
            if (!fits(vms, 0, free)) {
                return false;
            }
        }
        return true;
    }

    /** Nine VMs on a list that is enough: best fit, the largest first, fills one host more than a plan. */
    @Test
    void aPlanForAllChoosesKindsToo() throws IOException {
        List<int[]> vms = new ArrayList<>(Collections.nCopies(4, new int[] {3, 1}));
        vms.addAll(Collections.nCopies(4, new int[] {5, 1}));
        Sizing sizing = sizing(List.of(new int[] {8, 8, 8}, new int[] {2, 6, 8}), vms, 0);
        long servers = sizing.need(policy).servers().get(0);
        assertThat(servers).isEqualTo(4);
        assertThat(sizing.hindsight(servers)).contains(new Sizing.Schedule(4, Map.of("8 vCPU, 8 GiB", 4L)));
    }

    private Sizing sizing(List<int[]> kinds, List<int[]> vms, int spare) throws IOException {
        StringBuilder rows = new StringBuilder("name,cpu_milli,mem_mib\n");
        vms.forEach(vm -> rows.append("vm" + rows.length() + "," + vm[0] * 1000 + "," + vm[1] * 1024 + "\n"));
        Files.writeString(directory.resolve("vms.csv"), rows);
        StringBuilder servers = new StringBuilder();
        kinds.forEach(kind -> servers.append(servers.isEmpty() ? "" : ", ")
                .append("{count: " + kind[0] + ", cpu_milli: " + kind[1] * 1000 + ", mem_mib: " + kind[2] * 1024
                        + "}"));
        Experiment point = TestExperiments.of(
                "{cluster: {servers: [" + servers + "]}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}]}",
                directory);
        experiment = point;
        policy = point.policies().get(0).spec();
        return new Sizing(point, QUESTION.withSpare(spare), new Policies());
    }

    /** By trying every number of each kind, the fewest first, and every placement. */
    private static int fewest(List<int[]> kinds, List<int[]> vms, int spare) {
        int best = Integer.MAX_VALUE;
        int[] counts = new int[kinds.size()];
        while (true) {
            int sum = Arrays.stream(counts).sum();
            if (sum < best && sum > 0) {
                List<int[]> free = new ArrayList<>();
                for (int l = 0; l < counts.length; l++) {
                    for (int i = 0; i < counts[l]; i++) {
                        free.add(new int[] {kinds.get(l)[1], kinds.get(l)[2]});
                    }
                }
                boolean all = spare == 0 && fits(vms, 0, free);
                for (int lost = 0; spare == 1 && lost < free.size(); lost++) {
                    List<int[]> rest =
                            new ArrayList<>(free.stream().map(int[]::clone).toList());
                    rest.remove(lost);
                    all = fits(vms, 0, rest);
                    if (!all) {
                        break;
                    }
                }
                best = all ? sum : best;
            }
            int l = 0;
            while (l < counts.length && counts[l] == kinds.get(l)[0]) {
                counts[l++] = 0;
            }
            if (l == counts.length) {
                return best;
            }
            counts[l]++;
        }
    }

    /** Whether all from one on fit what is free, by trying every placement. */
    static boolean fits(List<int[]> vms, int next, List<int[]> free) {
        if (next == vms.size()) {
            return true;
        }
        int[] vm = vms.get(next);
        for (int[] host : free) {
            if (host[0] >= vm[0] && host[1] >= vm[1]) {
                host[0] -= vm[0];
                host[1] -= vm[1];
                boolean rest = fits(vms, next + 1, free);
                host[0] += vm[0];
                host[1] += vm[1];
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }
}
