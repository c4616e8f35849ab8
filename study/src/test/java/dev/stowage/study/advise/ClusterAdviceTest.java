package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.study.advise.ClusterJob.Hold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Advice against brute force, against an independent replay, and by hand. */
final class ClusterAdviceTest {
    private static final int[] SIZES = {10, 20, 50, 100, 200, 500, 1000, 2000};
    /** For larger clusters the replay, which recomputes everything at each step, takes hours. */
    private static final int LARGEST_REPLAYED = 200;

    @Test
    void smallClustersAgainstBruteForce() {
        small(150);
    }

    @Tag("nightly")
    @Test
    void thousandSmallClustersAgainstBruteForce() {
        small(1000);
    }

    private static void small(int count) {
        int optimal = 0;
        int freed = 0;
        int proven = 0;
        for (int seed = 0; seed < count; seed++) {
            ClusterState state = RandomState.small(seed);
            ClusterAdvice advice = ClusterAdvice.of(state, "zone", null);
            String repeat = "seed " + seed;
            assertThat(new PlanChecker(state).problems(advice.plan()))
                    .as(repeat)
                    .isEmpty();
            int truth = FewestServers.of(state);
            assertThat(advice.bound()).as(repeat).isLessThanOrEqualTo(truth);
            assertThat(advice.planEnd()).as(repeat).isGreaterThanOrEqualTo(truth);
            optimal += advice.planEnd() == truth ? 1 : 0;
            proven += advice.optimal() ? 1 : 0;
            freed += advice.plan().freed().size();
        }
        assertThat(freed).isGreaterThan(count / 4);
        assertThat(proven).isGreaterThan(count / 3).isLessThanOrEqualTo(optimal);
        assertThat(optimal).as("plans that end at the optimum").isGreaterThan(count * 3 / 4);
    }

    @Test
    void largerClustersAgainstTheBound() throws IOException {
        assertThat(parts(10, 5)).allSatisfy(part -> assertThat(part).isBetween(0.8, 1.0));
    }

    @Tag("nightly")
    @Test
    void twoHundredClustersAgainstTheBound() throws IOException {
        List<Double> parts = parts(200, SIZES.length);
        parts.sort(Double::compare);
        assertThat(parts.get(100)).as("median").isGreaterThan(0.95);
    }

    /** Freed servers as a fraction of the most that the bound allows; written to a file as well. */
    private static List<Double> parts(int count, int sizes) throws IOException {
        List<Double> parts = new ArrayList<>();
        StringBuilder rows = new StringBuilder("seed,servers,jobs,in_use,bound,freed,by_set,part,how\n");
        for (int seed = 0; seed < count; seed++) {
            double utilisation = 0.25 + 0.6 * (seed * 37 % 100) / 100;
            ClusterState state = RandomState.large(seed, SIZES[seed % sizes], utilisation);
            int used = new ClusterBooks(state).serversInUse();
            LeastServers.Bound bound = LeastServers.of(state);
            MovePlan plan = MovePlan.of(state, bound.prices());
            if (state.servers().size() <= LARGEST_REPLAYED) {
                assertThat(new PlanChecker(state).problems(plan))
                        .as("seed " + seed)
                        .isEmpty();
            }
            int most = used - bound.servers();
            double part = most == 0 ? 1 : (double) plan.freed().size() / most;
            parts.add(part);
            rows.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%d,%d,%d,%d,%d,%.4f,\"%s\"%n",
                    seed,
                    state.servers().size(),
                    state.jobs().size(),
                    used,
                    bound.servers(),
                    plan.freed().size(),
                    plan.bySet(),
                    part,
                    plan.how()));
        }
        Path file = Path.of("target", "advice-quality-" + count + ".csv");
        Files.createDirectories(file.getParent());
        Files.writeString(file, rows.toString());
        return parts;
    }

    /** The checker finds faults: each plan is damaged in some way. */
    @Test
    void damagedPlansAreFound() {
        ClusterState state = RandomState.large(3, 50, 0.4);
        MovePlan plan = MovePlan.of(state, new double[3]);
        assertThat(new PlanChecker(state).problems(plan)).isEmpty();
        assertThat(plan.steps()).hasSizeGreaterThan(20);
        for (int i = 0; i < plan.steps().size(); i += 10) {
            MovePlan.Step step = plan.steps().get(i);
            List<MovePlan.Step> wrong = new ArrayList<>(plan.steps());
            wrong.set(
                    i,
                    new MovePlan.Step(step.job(), step.from(), step.from(), step.round(), step.empties(), step.last()));
            assertThat(new PlanChecker(state).problems(new MovePlan(wrong, plan.freed(), 0, "")))
                    .isNotEmpty();
            wrong = new ArrayList<>(plan.steps());
            wrong.remove(i);
            assertThat(new PlanChecker(state).problems(new MovePlan(wrong, plan.freed(), 0, "")))
                    .isNotEmpty();
        }
    }

    private static ClusterServer server(String name, long cpu) {
        return new ClusterServer(name, new long[] {cpu}, new TreeMap<>(), "");
    }

    private static ClusterState state(List<ClusterServer> servers, List<ClusterJob> jobs) {
        return new ClusterState(List.of("cpu"), servers, jobs, List.of(), List.of());
    }

    /** 3 servers of 10 with 4, 4 and 2: all 10 fit on one, by moving the 2 and a 4. */
    @Test
    void everythingOnOneServer() {
        ServerAdmission all = ServerAdmission.everywhere(3);
        ClusterState state = state(
                List.of(server("a", 10), server("b", 10), server("c", 10)),
                List.of(
                        ClusterJob.movable("x", new long[] {4}, 0, all),
                        ClusterJob.movable("y", new long[] {4}, 1, all),
                        ClusterJob.movable("z", new long[] {2}, 2, all),
                        ClusterJob.movable("w", new long[] {12}, ClusterJob.WAITS, all)));
        ClusterAdvice advice = ClusterAdvice.of(state, "zone", new ClusterAdvice.Addition(8, new long[] {3}, all));
        assertThat(advice.bound()).isEqualTo(1);
        assertThat(advice.planEnd()).isEqualTo(1);
        assertThat(advice.optimal()).isTrue();
        assertThat(advice.plan().steps()).hasSize(2);
        assertThat(advice.plan().rounds()).isEqualTo(1);
        assertThat(advice.waiting())
                .containsExactly(new WaitingReasons(
                        "w",
                        1,
                        0,
                        List.of(new WaitingReasons.Reason(
                                "has too little cpu even when empty", 3, "a", "cpu", 2, true)),
                        "",
                        null,
                        new WaitingReasons.After(
                                List.of(),
                                List.of(new WaitingReasons.Reason(
                                        "has too little cpu even when empty", 3, "a", "cpu", 2, true)),
                                0)));
        // Free now 6, 6, 8: two jobs of 3 on each. After: 0, 10, 10: three on each of two, and none with
        // these off. One more server holds 3.
        assertThat(advice.room()).isEqualTo(new DeploymentRoom(8, 6, 6, 0, 3, 1, "a", Map.of(), ""));
        assertThat(advice.lossOfServers()).isEmpty();
    }

    /**
     * Two servers of 4, on each of which 1 belongs to it, and one of 8 that does not take the jobs: of 2 one fits
     * beside what belongs to a server, of 3.5 (here 4 of 4) none, though it would on an empty one.
     */
    @Test
    void newServersHoldWhatBelongsToEach() {
        ServerAdmission all = ServerAdmission.everywhere(3);
        ServerAdmission small = new ServerAdmission(List.of(List.of(), List.of(), List.of("has a taint")));
        List<ClusterJob> jobs = new ArrayList<>();
        for (int s = 0; s < 2; s++) {
            jobs.add(new ClusterJob(
                    "daemon" + s,
                    new long[] {1},
                    s,
                    all,
                    ClusterJob.Hold.WITH_SERVER,
                    "belongs to a daemon set",
                    List.of(),
                    List.of(),
                    List.of()));
            jobs.add(ClusterJob.movable("r" + s, new long[] {1}, s, all));
        }
        ClusterState state = state(List.of(server("a", 4), server("b", 4), server("big", 8)), jobs);
        // Free are 2 and 2, so two fit; by the plan 1 and 3, so one; a new one holds one beside its daemon.
        assertThat(room(state, 4, 2, small))
                .isEqualTo(new DeploymentRoom(4, 2, 1, 0, 2, 2, "a", Map.of("has a taint", 1), ""));
        assertThat(room(state, 4, 4, small))
                .isEqualTo(new DeploymentRoom(4, 0, 0, 0, 0, -1, "", Map.of("has a taint", 1), ""));
        // On the large one four, if it takes them, and a new one like it four more.
        assertThat(room(state, 10, 2, all)).isEqualTo(new DeploymentRoom(10, 6, 5, 0, 3, 1, "big", Map.of(), ""));
    }

    private static DeploymentRoom room(ClusterState state, long jobs, long demand, ServerAdmission admission) {
        return java.util.Objects.requireNonNull(
                ClusterAdvice.of(state, "zone", new ClusterAdvice.Addition(jobs, new long[] {demand}, admission))
                        .room());
    }

    /** A budget of none, a fixed job, a closed server: each alone keeps its server from being emptied. */
    @Test
    void whatMayNotBeMovedStays() {
        ServerAdmission all = ServerAdmission.everywhere(2);
        long[] one = {1};
        ClusterJob plain = ClusterJob.movable("x", one, 0, all);
        ClusterJob guarded = new ClusterJob("y", one, 1, all, Hold.MOVABLE, "", List.of(), List.of(), List.of(0));
        for (int most = 0; most < 2; most++) {
            ClusterState state = new ClusterState(
                    List.of("cpu"),
                    List.of(server("a", 10), server("b", 10)),
                    List.of(plain.on(0), guarded),
                    List.of(),
                    List.of(new DisruptionBudget("pdb", most)));
            MovePlan plan = ClusterAdvice.of(state, "zone", null).plan();
            // x goes to b where y must stay; where both may go the least loaded with the lowest number is emptied.
            assertThat(plan.steps())
                    .singleElement()
                    .satisfies(step -> assertThat(step.job()).isZero());
        }
        ClusterJob fixed = new ClusterJob("y", one, 1, all, Hold.FIXED, "has a disk", List.of(), List.of(), List.of());
        ClusterState both = state(
                List.of(server("a", 10), new ClusterServer("b", new long[] {10}, new TreeMap<>(), "is cordoned")),
                List.of(plain, fixed));
        ClusterAdvice advice = ClusterAdvice.of(both, "zone", null);
        assertThat(advice.plan().steps()).isEmpty();
        // The program accounts for b staying in use, and for x staying or moving to a server without its neighbours: 2
        // servers are the fewest.
        assertThat(advice.bound()).isEqualTo(2);
        assertThat(WaitingReasons.whyNot(both, 0, 1))
                .singleElement()
                .satisfies(reason -> assertThat(reason.text()).isEqualTo("is cordoned"));
    }

    /** 10 and 10, 9 and 5 in use: the 9 finds 5 elsewhere, so a lacks 4 at least; the 5 finds 1. */
    @Test
    void serversThatCannotBeLost() {
        ServerAdmission all = ServerAdmission.everywhere(2);
        ClusterState state = state(
                List.of(server("a", 10), server("b", 10)),
                List.of(
                        ClusterJob.movable("x", new long[] {9}, 0, all),
                        ClusterJob.movable("y", new long[] {5}, 1, all)));
        List<ServerLoss> losses = ServerLoss.ofServers(state, 1);
        assertThat(losses).extracting(ServerLoss::what).containsExactly("a", "b");
        assertThat(losses.get(0).shortOf()).containsEntry("cpu", 9L);
        assertThat(losses).allSatisfy(loss -> assertThat(loss.proven()).isTrue());
        assertThat(PolicyNeed.of(state, new double[1]))
                .extracting(PolicyNeed::servers)
                .containsOnly(2);
    }

    /**
     * Four servers of 10, with 4, 4, 2 and nothing: all 10 fit on one, but then it cannot be lost. With one to spare
     * two stay on; with two at once, 4 and 4 need the third.
     */
    @Test
    void headRoom() {
        ServerAdmission all = ServerAdmission.everywhere(5);
        ClusterServer own = new ClusterServer(
                "control", new long[] {10}, new TreeMap<>(Map.of("node-role.kubernetes.io/control-plane", "")), "full");
        ClusterState state = state(
                List.of(server("a", 10), server("b", 10), server("c", 10), server("d", 10), own),
                List.of(
                        ClusterJob.movable("x", new long[] {4}, 0, all),
                        ClusterJob.movable("y", new long[] {4}, 1, all),
                        ClusterJob.movable("z", new long[] {2}, 2, all)));
        ClusterAdvice bare = ClusterAdvice.of(state, "zone", null);
        assertThat(bare.planEnd()).isEqualTo(1);
        // d is empty, and so is the server that runs the cluster itself, which stays on.
        assertThat(bare.off()).contains(3).doesNotContain(4);
        assertThat(bare.fullAfter()).containsExactly(new AdviceView.Full("b", List.of("cpu")));
        assertThat(bare.lossAfter())
                .singleElement()
                .satisfies(loss -> assertThat(loss.without()).isEqualTo(3));
        assertThat(bare.lossOfServers()).isEmpty();
        ClusterAdvice one = ClusterAdvice.of(state, "zone", null, 1);
        assertThat(one.planEnd()).isEqualTo(2);
        assertThat(one.off()).contains(3).doesNotContain(4);
        assertThat(one.lossAfter()).isEmpty();
        assertThat(new PlanChecker(state).problems(one.plan())).isEmpty();
        ClusterAdvice two = ClusterAdvice.of(state, "zone", null, 2);
        assertThat(two.planEnd()).isEqualTo(3);
        assertThat(two.lossAfter()).isEmpty();
        for (int seed = 0; seed < 60; seed++) {
            ClusterState random = RandomState.small(seed);
            ClusterAdvice spared = ClusterAdvice.of(random, "zone", null, 1);
            assertThat(new PlanChecker(random).problems(spared.plan())).isEmpty();
            assertThat(spared.planEnd())
                    .isGreaterThanOrEqualTo(
                            ClusterAdvice.of(random, "zone", null).planEnd());
            // By another way: what would be lost then was lost before, too.
            assertThat(spared.lossOfServers())
                    .extracting(ServerLoss::what)
                    .containsAll(
                            spared.lossAfter().stream().map(ServerLoss::what).toList());
        }
    }
}
