package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.study.advise.ClusterJob.Hold;
import dev.stowage.study.advise.ClusterJob.Together;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What waits has its place in a plan: by hand, and in random clusters by {@link PlanChecker}. */
final class WaitingPlacesTest {
    private static ClusterServer server(String name) {
        return new ClusterServer(name, new long[] {8}, new TreeMap<>(), "");
    }

    private static ClusterJob job(String name, long demand, int server) {
        return ClusterJob.movable(name, new long[] {demand}, server, ServerAdmission.everywhere(3));
    }

    private static ClusterJob together(String name, long demand, int jobs) {
        ClusterJob one = job(name, demand, ClusterJob.WAITS);
        return new ClusterJob(
                name,
                one.demand(),
                ClusterJob.WAITS,
                one.admission(),
                Hold.MOVABLE,
                "",
                List.of(),
                List.of(),
                List.of(),
                new Together("group", jobs));
    }

    /** Three servers of 8 with four jobs of 1, four of 1 and one of 2, and what waits. */
    private static ClusterState state(ClusterJob... waiting) {
        List<ClusterJob> jobs = new ArrayList<>();
        for (int j = 0; j < 8; j++) {
            jobs.add(job("j" + j, 1, j / 4));
        }
        jobs.add(job("two", 2, 2));
        jobs.addAll(List.of(waiting));
        return new ClusterState(
                List.of("cpu"), List.of(server("a"), server("b"), server("c")), jobs, List.of(), List.of());
    }

    private static ClusterAdvice checked(ClusterState state) {
        ClusterAdvice advice = ClusterAdvice.of(state, "zone", null);
        PlanChecker checker = new PlanChecker(state);
        assertThat(checker.problems(advice.plan())).isEmpty();
        assertThat(checker.problemsOfWaiting(advice.after(), advice.off())).isEmpty();
        return advice;
    }

    /** Nothing has room for 7; when the 2 has left c, c has, and is not switched off. */
    @Test
    void theServerThatTheFirstMoveEmptiesStaysOn() {
        ClusterAdvice advice = checked(state(job("w", 7, ClusterJob.WAITS)));
        assertThat(advice.plan().steps()).hasSize(1);
        assertThat(advice.off()).isEmpty();
        assertThat(advice.onForWaiting()).containsExactly(2);
        assertThat(advice.waiting())
                .singleElement()
                .satisfies(one -> assertThat(one.after())
                        .isEqualTo(new WaitingReasons.After(
                                List.of(new WaitingReasons.Place("c", 1, true)), List.of(), 0)));
        // Without it, c can be off.
        assertThat(checked(state()).off()).containsExactly(2);
        // What fits nowhere, even then, keeps nothing on.
        ClusterAdvice large = checked(state(job("w", 9, ClusterJob.WAITS)));
        assertThat(large.off()).containsExactly(2);
        assertThat(large.waiting().get(0).after().places()).isEmpty();
    }

    /** 6 fits beside the 2 on c, so c is kept and another is emptied. */
    @Test
    void aPlaceThatIsFreeNowIsKept() {
        ClusterAdvice advice = checked(state(job("w", 6, ClusterJob.WAITS)));
        assertThat(advice.off()).containsExactly(0);
        assertThat(advice.onForWaiting()).isEmpty();
    }

    /** Of two of 7 that are placed together or not at all one would have room, so none is placed. */
    @Test
    void aGroupIsPlacedTogether() {
        assertThat(checked(state(together("v", 7, 2), together("w", 7, 2))).off())
                .containsExactly(2);
        ClusterAdvice advice = checked(state(together("v", 4, 2), together("w", 4, 2)));
        assertThat(advice.waiting())
                .allSatisfy(one -> assertThat(one.after().places()).isNotEmpty());
    }

    private static ClusterJob daemon(long demand, int of) {
        List<List<String>> forbidden = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            forbidden.add(s == of ? List.of() : List.of("is another server"));
        }
        return new ClusterJob(
                "daemon",
                new long[] {demand},
                ClusterJob.WAITS,
                new ServerAdmission(forbidden),
                Hold.WITH_SERVER,
                "belongs to a daemon set",
                List.of(),
                List.of(),
                List.of());
    }

    /** Without the daemon, what is on c goes to a or b, and c is off; each daemon needs that room on its server. */
    @Test
    void theRoomOfWhatBelongsToAServerIsKept() {
        ClusterAdvice advice = checked(state(daemon(4, 0), daemon(4, 1)));
        assertThat(advice.off()).hasSize(1).doesNotContain(2);
        assertThat(advice.after().jobs()).noneMatch(ClusterJob::waits);
        // It keeps no server on, and takes none.
        ClusterAdvice itsServerIsOff = checked(state(daemon(6, 2)));
        assertThat(itsServerIsOff.off()).hasSize(1);
        assertThat(itsServerIsOff.onForWaiting()).isEmpty();
        assertThat(itsServerIsOff.after().jobs()).noneMatch(ClusterJob::waits);
    }

    @Test
    void randomClusters() {
        int keptOn = 0;
        int off = 0;
        int without = 0;
        for (int seed = 0; seed < 400; seed++) {
            ClusterState state = withWaiting(RandomState.small(seed), new Random(seed));
            ClusterAdvice advice = ClusterAdvice.of(state, "zone", null, seed % 2);
            PlanChecker checker = new PlanChecker(state);
            String repeat = "seed " + seed;
            assertThat(checker.problems(advice.plan())).as(repeat).isEmpty();
            assertThat(checker.problemsOfWaiting(advice.after(), advice.off()))
                    .as(repeat)
                    .isEmpty();
            int[] now = WaitingPlaces.of(state, advice.off());
            assertThat(advice.after().jobs().stream().filter(ClusterJob::waits).count())
                    .as(repeat)
                    .isLessThanOrEqualTo(
                            Arrays.stream(now).filter(server -> server < 0).count());
            keptOn += advice.onForWaiting().size();
            off += advice.off().size();
            without += (int)
                    advice.after().jobs().stream().filter(ClusterJob::waits).count();
        }
        assertThat(List.of(keptOn, off, without))
                .allSatisfy(count -> assertThat(count).isGreaterThan(30));
    }

    private static ClusterState withWaiting(ClusterState state, Random random) {
        int servers = state.servers().size();
        List<ClusterJob> jobs = new ArrayList<>(state.jobs());
        int count = 1 + random.nextInt(4);
        int needed = random.nextInt(3) == 0 ? 2 : 0;
        for (int w = 0; w < count; w++) {
            int only = random.nextInt(servers);
            List<List<String>> forbidden = new ArrayList<>();
            for (int s = 0; s < servers; s++) {
                forbidden.add(w % 2 == 0 || s == only ? List.of() : List.of("has a taint"));
            }
            List<Integer> rules = random.nextInt(3) > 0
                    ? List.of()
                    : List.of(random.nextInt(state.rules().size()));
            jobs.add(new ClusterJob(
                    "w" + w,
                    new long[] {1 + random.nextInt(7), 1 + random.nextInt(7)},
                    ClusterJob.WAITS,
                    new ServerAdmission(forbidden),
                    w % 2 == 1 && needed == 0 && only % 2 == 0 ? Hold.WITH_SERVER : Hold.MOVABLE,
                    "",
                    rules,
                    rules,
                    List.of(),
                    needed == 0 ? Together.NONE : new Together("group", needed)));
        }
        return new ClusterState(state.resources(), state.servers(), jobs, state.rules(), state.budgets());
    }
}
