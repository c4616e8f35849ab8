package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plans carried out on clusters that live: a scheduler that spreads finds places for what is evicted, budgets refuse,
 * evictions fail, jobs come and go. What was done is judged by {@link PlanChecker}, which shares nothing with it.
 */
final class ConsolidationRunTest {
    /** Random clusters; the night has more. */
    private static final int CASES = Integer.getInteger("stowage.cases", 120);

    private static final ConsolidationSettings SETTINGS = new ConsolidationSettings(10, 200, 4, 1000, true, false);

    /** A cluster that lives; its time is that of the pace. */
    private static final class Living implements LiveCluster, JobEvictor, Pace {
        private final ClusterState start;
        private final Random random;
        private final List<ClusterJob> jobs;
        private final Set<String> closed = new LinkedHashSet<>();
        private final List<Long> moves = new ArrayList<>();
        private final List<String> wrong = new ArrayList<>();
        private final int[] spent;
        private int refuseOneOf;
        /** After so many evictions nothing comes back. */
        private int replaces = Integer.MAX_VALUE;

        /** Of a controller that wants no more than there are then. */
        private boolean scaledDown;

        private String missing = "";
        private int comesOneOf;
        private long now;
        private long stopAt = Long.MAX_VALUE;
        private int born;
        private @Nullable ClusterJob comesWithEviction;

        Living(ClusterState start, long seed) {
            this.start = start;
            random = new Random(seed);
            jobs = new ArrayList<>(start.jobs());
            spent = new int[start.budgets().size()];
        }

        @Override
        public ClusterState look() {
            List<ClusterServer> servers = new ArrayList<>();
            for (ClusterServer one : start.servers()) {
                servers.add(
                        closed.contains(one.name())
                                ? new ClusterServer(one.name(), one.capacity(), one.labels(), "is closed")
                                : one);
            }
            List<DisruptionBudget> budgets = new ArrayList<>();
            for (int b = 0; b < spent.length; b++) {
                DisruptionBudget one = start.budgets().get(b);
                budgets.add(new DisruptionBudget(one.name(), Math.max(0, one.most() - spent[b])));
            }
            return new ClusterState(start.resources(), servers, jobs, start.rules(), budgets);
        }

        @Override
        public boolean close(String server) {
            if (!start.servers().get(number(server)).open()) {
                return false;
            }
            assertThat(closed.add(server)).isTrue();
            return true;
        }

        @Override
        public void open(String server) {
            assertThat(closed.remove(server)).isTrue();
        }

        private int number(String server) {
            return start.servers().stream().map(ClusterServer::name).toList().indexOf(server);
        }

        @Override
        public Said evict(String name, String server) {
            if (refuseOneOf > 0 && random.nextInt(refuseOneOf) == 0) {
                return new Said(Fate.NOT_NOW, "not now");
            }
            int job = jobs.stream().map(ClusterJob::name).toList().indexOf(name);
            ClusterJob one = jobs.get(job);
            if (!start.servers().get(one.server()).name().equals(server) || one.stay() != ClusterJob.Hold.MOVABLE) {
                wrong.add(name + " may not be evicted from " + server);
            }
            for (int budget : one.budgets()) {
                if (++spent[budget] > start.budgets().get(budget).most()) {
                    wrong.add(name + " breaks budget " + budget);
                }
            }
            moves.add(now);
            if (moves.size() > replaces) {
                jobs.remove(job);
                missing = scaledDown ? "" : name + " was not created again";
                return new Said(Fate.LEAVES, "");
            }
            jobs.set(job, one.on(ClusterJob.WAITS));
            if (comesWithEviction != null) {
                jobs.add(comesWithEviction);
                comesWithEviction = null;
            }
            return new Said(Fate.LEAVES, "");
        }

        @Override
        public String missing() {
            return missing;
        }

        @Override
        public boolean isNotReplaced() {
            return scaledDown && moves.size() > replaces;
        }

        void stop() {
            stopAt = now;
        }

        /** As a spreading scheduler: the emptiest that takes it, as the checker judges. */
        private void schedule() {
            for (int j = 0; j < jobs.size(); j++) {
                if (jobs.get(j).waits()) {
                    int best = -1;
                    double most = -1;
                    ClusterState seen = look();
                    long[][] free = free();
                    int[][] counts = counts();
                    for (int s = 0; s < free.length; s++) {
                        double left =
                                (double) free[s][0] / start.servers().get(s).capacity()[0];
                        if (left > most
                                && PlanChecker.takes(seen.servers(), start.rules(), free, counts, jobs.get(j), s)) {
                            most = left;
                            best = s;
                        }
                    }
                    jobs.set(j, jobs.get(j).on(best));
                }
            }
        }

        private long[][] free() {
            long[][] free =
                    start.servers().stream().map(ClusterServer::capacity).toArray(long[][]::new);
            for (ClusterJob job : jobs) {
                for (int r = 0; !job.waits() && r < free[0].length; r++) {
                    free[job.server()][r] -= job.demand()[r];
                }
            }
            return free;
        }

        private int[][] counts() {
            int[][] counts = new int[start.rules().size()][];
            for (int k = 0; k < counts.length; k++) {
                int[] domain = start.rules().get(k).domain();
                counts[k] = new int[Arrays.stream(domain).reduce(0, Math::max) + 1];
                for (ClusterJob job : jobs) {
                    if (!job.waits() && job.countedBy().contains(k) && domain[job.server()] >= 0) {
                        counts[k][domain[job.server()]]++;
                    }
                }
            }
            return counts;
        }

        @Override
        public boolean pause(long nanos) {
            now += nanos;
            // What was disrupted runs again.
            Arrays.fill(spent, 0);
            schedule();
            if (comesOneOf > 0 && random.nextInt(comesOneOf) == 0) {
                ClusterJob like = start.jobs().get(random.nextInt(start.jobs().size()));
                jobs.add(ClusterJob.movable("new" + born++, like.demand(), ClusterJob.WAITS, like.admission()));
            }
            if (comesOneOf > 0 && random.nextInt(comesOneOf) == 0) {
                jobs.remove(random.nextInt(jobs.size()));
            }
            return !stopped();
        }

        @Override
        public void rest(long nanos) {
            boolean unused = pause(nanos);
        }

        @Override
        public boolean stopped() {
            return now >= stopAt;
        }

        @Override
        public long now() {
            return now;
        }

        int used() {
            return new LinkedHashSet<>(PlanChecker.used(
                            look(), jobs.stream().mapToInt(ClusterJob::server).toArray()))
                    .size();
        }
    }

    private static ConsolidationRun.Summary run(Living living, ConsolidationSettings settings) {
        return run(living, settings, new ConsolidationListener() {});
    }

    private static ConsolidationRun.Summary run(
            Living living, ConsolidationSettings settings, ConsolidationListener tell) {
        Closed closed = new Closed(living);
        NewlyWaiting waiting = new NewlyWaiting();
        return new ConsolidationRun(
                        living,
                        new JobEvictions(living, living, settings, living, living::stop, closed, waiting, tell),
                        settings,
                        Restraint.NONE,
                        living,
                        closed,
                        waiting,
                        tell)
                .run();
    }

    @Test
    void aQuietClusterIsEmptiedAsFarAsThePlanSays() {
        int planned = 0;
        int freed = 0;
        for (int seed = 0; seed < CASES / 10; seed++) {
            Living living = new Living(RandomState.large(seed, 10 + seed, .5), seed);
            int before = living.used();
            ConsolidationRun.Summary summary = run(living, SETTINGS);
            assertThat(living.wrong).as("seed " + seed).isEmpty();
            assertThat(living.closed).as("seed " + seed).isEmpty();
            assertThat(living.jobs).noneMatch(ClusterJob::waits);
            assertThat(summary.inUseBefore()).isEqualTo(before);
            assertThat(summary.inUseAfter()).isEqualTo(living.used());
            assertThat(before - living.used()).isEqualTo(summary.emptied().size());
            for (int m = 1; m < living.moves.size(); m++) {
                assertThat(living.moves.get(m) - living.moves.get(m - 1)).isGreaterThanOrEqualTo(10);
            }
            planned += MovePlan.of(living.start, LeastServers.of(living.start).prices())
                    .freed()
                    .size();
            freed += before - living.used();
        }
        System.out.println("freed " + freed + " of " + planned + " planned");
        // The scheduler chooses other servers than the plan, so a little less than planned may be had.
        assertThat(freed).isGreaterThan(planned * 8 / 10);
    }

    /** Pods whose controller does not create them again were evicted one after the other, and said to have moved. */
    @Test
    void nothingMoreIsEvictedAfterAJobThatDoesNotComeBack() {
        for (int comeBack = 0; comeBack < 3; comeBack++) {
            Living living = new Living(RandomState.large(1, 20, .5), 1);
            living.replaces = comeBack;
            List<String> moved = new ArrayList<>();
            List<String> notMoved = new ArrayList<>();
            ConsolidationRun.Summary summary = run(living, SETTINGS, new ConsolidationListener() {
                @Override
                public void moved(String job, String server, String to) {
                    moved.add(job);
                }

                @Override
                public void notMoved(String job, String server, String why) {
                    notMoved.add(why);
                }
            });
            assertThat(living.moves).hasSize(comeBack + 1);
            assertThat(moved).hasSize(comeBack);
            assertThat(notMoved).containsExactly(living.missing);
            assertThat(summary.stopped()).isTrue();
            assertThat(living.closed).isEmpty();
            assertThat(living.now - living.moves.get(comeBack)).isGreaterThan(SETTINGS.patienceNanos());
        }
    }

    /** One of a controller that was scaled down meanwhile was said to have moved. */
    @Test
    void whatIsNotWantedAnyMoreHasEnded() {
        Living living = new Living(RandomState.large(1, 20, .5), 1);
        living.replaces = 2;
        living.scaledDown = true;
        List<String> moved = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        ConsolidationRun.Summary summary = run(living, SETTINGS, new ConsolidationListener() {
            @Override
            public void moved(String job, String server, String to) {
                moved.add(job);
            }

            @Override
            public void notReplaced(String job, String server) {
                ended.add(job);
            }
        });
        assertThat(summary.stopped()).isFalse();
        assertThat(moved).hasSize(2);
        assertThat(ended).isNotEmpty().hasSize(living.moves.size() - 2);
    }

    /** What had waited for all of the emptied server waited on for a server that was kept closed. */
    @Test
    void whatWaitsIsNotKeptFromAnEmptiedServer() {
        for (long waits : new long[] {4, 5}) {
            ServerAdmission all = ServerAdmission.everywhere(3);
            List<ClusterServer> servers = new ArrayList<>();
            List<ClusterJob> jobs = new ArrayList<>();
            for (int s = 0; s < 3; s++) {
                servers.add(new ClusterServer("s" + s, new long[] {4}, new TreeMap<>(), ""));
                jobs.add(ClusterJob.movable("j" + s, new long[] {s == 1 ? 1 : 3}, s, all));
            }
            jobs.add(ClusterJob.movable("w", new long[] {waits}, ClusterJob.WAITS, all));
            Living living = new Living(new ClusterState(List.of("cpu"), servers, jobs, List.of(), List.of()), 1);
            ConsolidationRun.Summary summary = run(living, new ConsolidationSettings(10, 200, 4, 1000, true, true));
            assertThat(summary.emptied()).containsExactly("s1");
            assertThat(summary.closed()).isEqualTo(waits == 4 ? List.of() : List.of("s1"));
            assertThat(living.closed).hasSameElementsAs(summary.closed());
        }
    }

    /** Two servers are emptied, one after the other, and what waits needs one of them: the other one stays closed. */
    @Test
    void oneServerAtATimeOpensNoMoreThanWhatWaitsNeeds() {
        assertThat(afterOneAtATime(10).closed()).hasSize(1);
        ConsolidationRun.Summary first = afterOneAtATime(1);
        assertThat(first.emptied()).hasSize(1);
        assertThat(first.closed()).isEmpty();
    }

    private static ConsolidationRun.Summary afterOneAtATime(int most) {
        ServerAdmission all = ServerAdmission.everywhere(3);
        List<ClusterServer> servers = new ArrayList<>();
        List<ClusterJob> jobs = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            servers.add(new ClusterServer("s" + s, new long[] {4}, new TreeMap<>(), ""));
            jobs.add(ClusterJob.movable("j" + s, new long[] {s == 0 ? 2 : 1}, s, all));
        }
        jobs.add(ClusterJob.movable("w", new long[] {4}, ClusterJob.WAITS, all));
        Living living = new Living(new ClusterState(List.of("cpu"), servers, jobs, List.of(), List.of()), 1);
        return run(living, new ConsolidationSettings(10, 200, 1, most, true, true));
    }

    @Test
    void whereverItIsStoppedNoMoreAreInUse() {
        for (int seed = 0; seed < CASES / 5; seed++) {
            Living living = new Living(RandomState.large(seed, 20, .5), seed);
            int before = living.used();
            living.stopAt = seed * 7L;
            ConsolidationRun.Summary summary = run(living, SETTINGS);
            living.schedule();
            assertThat(living.wrong).as("seed " + seed).isEmpty();
            assertThat(living.closed).as("seed " + seed).isEmpty();
            assertThat(living.used()).as("seed " + seed).isLessThanOrEqualTo(before);
            assertThat(living.jobs).noneMatch(ClusterJob::waits);
            assertThat(summary.stopped() || summary.emptied().size() > 0 || living.used() == before)
                    .isTrue();
        }
    }

    @Test
    void smallClustersWithAllRulesJobsThatComeAndGoAndRefusals() {
        int emptied = 0;
        int givenUp = 0;
        for (int seed = 0; seed < CASES; seed++) {
            ClusterState state = RandomState.small(seed);
            if (state.servers().isEmpty() || state.jobs().isEmpty()) {
                continue;
            }
            Living living = new Living(state, seed);
            living.refuseOneOf = 1 + seed % 4;
            living.comesOneOf = seed % 3 == 0 ? 5 : 0;
            living.stopAt = 20_000;
            ConsolidationRun.Summary summary = run(living, SETTINGS);
            assertThat(living.wrong).as("seed " + seed).isEmpty();
            assertThat(living.closed).as("seed " + seed).isEmpty();
            emptied += summary.emptied().size();
            givenUp += summary.givenUp().size();
        }
        System.out.println("emptied " + emptied + ", given up " + givenUp);
        assertThat(emptied).isPositive();
        assertThat(givenUp).isPositive();
    }

    @Test
    void aBudgetThatAllowsNoneIsWaitedForAndThenTheServerIsGivenUp() {
        ServerAdmission anywhere = ServerAdmission.everywhere(2);
        List<ClusterJob> jobs = List.of(
                ClusterJob.movable("a", new long[] {1}, 0, anywhere),
                new ClusterJob(
                        "b",
                        new long[] {1},
                        1,
                        anywhere,
                        ClusterJob.Hold.MOVABLE,
                        "",
                        List.of(),
                        List.of(),
                        List.of(0)));
        ClusterState state = new ClusterState(
                List.of("cpu"),
                List.of(
                        new ClusterServer("s0", new long[] {1}, new TreeMap<>(), ""),
                        new ClusterServer("s1", new long[] {4}, new TreeMap<>(), "")),
                jobs,
                List.of(),
                List.of(new DisruptionBudget("one", 1)));
        Living living = new Living(state, 1);
        living.refuseOneOf = 1;
        ConsolidationRun.Summary summary = run(living, SETTINGS);
        assertThat(summary.emptied()).isEmpty();
        assertThat(summary.givenUp()).containsEntry("s0", "a is not evicted: not now");
        assertThat(living.now()).isGreaterThan(200);
        Living later = new Living(state, 1);
        assertThat(run(later, new ConsolidationSettings(10, 200, 4, 1000, true, true)))
                .isEqualTo(new ConsolidationRun.Summary(2, 1, List.of("s0"), java.util.Map.of(), List.of("s0"), false));
        assertThat(later.closed).containsExactly("s0");
    }

    @Test
    void whereAJobWaitsAllIsOpened() {
        ServerAdmission anywhere = ServerAdmission.everywhere(3);
        List<ClusterServer> servers = new ArrayList<>();
        for (int s = 0; s < 3; s++) {
            servers.add(new ClusterServer("s" + s, new long[] {4}, new TreeMap<>(), ""));
        }
        List<ClusterJob> jobs = List.of(
                ClusterJob.movable("a", new long[] {1}, 0, anywhere),
                ClusterJob.movable("b", new long[] {2}, 1, anywhere));
        ClusterState state = new ClusterState(List.of("cpu"), servers, jobs, List.of(), List.of());
        Living living = new Living(state, 1);
        // Somebody comes who needs what is closed: the empty server, or the one that is being emptied.
        living.comesWithEviction = ClusterJob.movable("urgent", new long[] {4}, ClusterJob.WAITS, anywhere);
        ConsolidationRun.Summary summary = run(living, SETTINGS);
        assertThat(living.jobs).noneMatch(ClusterJob::waits);
        assertThat(living.closed).isEmpty();
        assertThat(living.wrong).isEmpty();
        assertThat(living.used()).isEqualTo(2);
        assertThat(summary.inUseAfter()).isEqualTo(2);
    }
}
