package dev.stowage.study.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plans carried out by moves to named servers, which take time: a job on its way holds room on both, as in Nova. Judged
 * by sums made here.
 */
final class PlannedMovesTest {
    /** A cluster whose moves take three ticks; its time is that of the pace. */
    private static final class Slow implements LiveCluster, JobMover, Pace {
        private final ClusterState start;
        private final List<ClusterJob> jobs;
        private final Set<String> closed = new LinkedHashSet<>();
        private final Map<String, long[]> moving = new LinkedHashMap<>();
        private final Set<String> ended = new LinkedHashSet<>();
        private final List<String> began = new ArrayList<>();
        private String fails = "";
        private String refuses = "";
        private int most;
        private long now;
        private boolean stop;
        /** Comes with the first move. */
        private @Nullable ClusterJob comes;

        private long stopAt = Long.MAX_VALUE;

        Slow(ClusterState start) {
            this.start = start;
            jobs = new ArrayList<>(start.jobs());
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
            List<ClusterJob> seen = new ArrayList<>(jobs);
            moving.forEach((job, move) -> {
                ClusterJob one = jobs.get(index(job));
                seen.add(one.on((int) move[0]).staying("is a move under way"));
                seen.set(index(job), one.staying("is being moved"));
            });
            return new ClusterState(start.resources(), servers, seen, start.rules(), start.budgets());
        }

        private int index(String job) {
            return jobs.stream().map(ClusterJob::name).toList().indexOf(job);
        }

        @Override
        public boolean close(String server) {
            return closed.add(server);
        }

        @Override
        public void open(String server) {
            assertThat(closed.remove(server)).isTrue();
        }

        @Override
        public String begin(String job, String to) {
            began.add(job);
            if (job.equals(refuses)) {
                return "no";
            }
            int server =
                    start.servers().stream().map(ClusterServer::name).toList().indexOf(to);
            assertThat(closed).doesNotContain(to);
            moving.put(job, new long[] {server, now + 3_000_000_000L});
            most = Math.max(most, moving.size());
            noneIsOverfilled();
            if (comes != null) {
                jobs.add(comes);
                comes = null;
            }
            return "";
        }

        private void noneIsOverfilled() {
            ClusterState seen = look();
            long[] used = new long[start.servers().size()];
            seen.jobs().forEach(job -> used[job.server()] += job.demand()[0]);
            for (int s = 0; s < used.length; s++) {
                assertThat(used[s]).isLessThanOrEqualTo(start.servers().get(s).capacity()[0]);
            }
        }

        @Override
        public Said ask(String job) {
            if (moving.containsKey(job)) {
                return new Said(Fate.MOVES, "");
            }
            assertThat(ended.remove(job)).isTrue();
            return job.equals(fails) ? new Said(Fate.FAILED, "broke") : new Said(Fate.ARRIVED, "");
        }

        @Override
        public boolean pause(long nanos) {
            rest(nanos);
            return !stopped();
        }

        @Override
        public void rest(long nanos) {
            now += Math.max(1, nanos);
            moving.entrySet().removeIf(one -> {
                boolean over = now >= one.getValue()[1];
                if (over) {
                    ended.add(one.getKey());
                    if (!one.getKey().equals(fails)) {
                        int job = index(one.getKey());
                        jobs.set(job, jobs.get(job).on((int) one.getValue()[0]));
                    }
                }
                return over;
            });
        }

        @Override
        public boolean stopped() {
            return stop || now >= stopAt;
        }

        @Override
        public long now() {
            return now;
        }

        void stop() {
            stop = true;
        }
    }

    private final List<String> told = new ArrayList<>();
    private final List<String> moved = new ArrayList<>();
    private String failure = "";

    /** Servers of 8 with jobs of the sizes that are given. */
    private static ClusterState state(int[]... sizes) {
        SortedMap<String, String> none = new TreeMap<>();
        List<ClusterServer> servers = new ArrayList<>();
        List<ClusterJob> jobs = new ArrayList<>();
        ServerAdmission all = ServerAdmission.everywhere(sizes.length);
        for (int s = 0; s < sizes.length; s++) {
            servers.add(new ClusterServer("s" + s, new long[] {8}, none, ""));
            for (int size : sizes[s]) {
                jobs.add(ClusterJob.movable("j" + jobs.size(), new long[] {size}, s, all));
            }
        }
        return new ClusterState(List.of("cpu"), servers, jobs, List.of(), List.of());
    }

    private ConsolidationRun.Summary run(Slow cluster, int atOnce, long gap) {
        ConsolidationSettings settings = new ConsolidationSettings(gap, 1_000_000_000L, 1, 100, false, false);
        NewlyWaiting waiting = new NewlyWaiting();
        ConsolidationListener tell = new ConsolidationListener() {
            @Override
            public void moved(String job, String server, String to) {
                moved.add(job + " off " + server + " to " + to);
            }

            @Override
            public void notMoved(String job, String server, String why) {
                told.add(job + " off " + server + " " + why);
            }
        };
        PlannedMoves moves =
                new PlannedMoves(cluster, cluster, settings, atOnce, cluster, cluster::stop, waiting, tell);
        ConsolidationRun.Summary summary = new ConsolidationRun(
                        cluster, moves, settings, Restraint.NONE, cluster, new Closed(cluster), waiting, tell)
                .run();
        failure = moves.failure();
        assertThat(cluster.closed).isEmpty();
        assertThat(cluster.moving).isEmpty();
        return summary;
    }

    /** 4 + 2 + 2 fill one server of 8, so that of three in use one is left; jobs are never two on their way at once. */
    @Test
    void serversAreEmptiedOneMoveAtATime() {
        Slow cluster = new Slow(state(new int[] {4}, new int[] {2}, new int[] {2}));
        ConsolidationRun.Summary summary = run(cluster, 1, 0);
        assertThat(summary.inUseBefore()).isEqualTo(3);
        assertThat(summary.inUseAfter()).isEqualTo(1);
        assertThat(summary.emptied()).hasSize(2);
        assertThat(moved).containsExactly("j1 off s1 to s0", "j2 off s2 to s0");
        assertThat(cluster.most).isEqualTo(1);
        assertThat(failure).isEmpty();
    }

    @Test
    void movesOfARoundGoTogetherUpToTheirNumber() {
        Slow cluster = new Slow(state(new int[] {1, 1, 1, 1}, new int[] {4}));
        ConsolidationRun.Summary summary = run(cluster, 3, 0);
        assertThat(summary.inUseAfter()).isEqualTo(1);
        assertThat(cluster.most).isBetween(1, 3);
        Slow other = new Slow(state(new int[] {1, 1, 1, 1}, new int[] {5}, new int[] {5}, new int[] {5}));
        assertThat(run(other, 3, 0).inUseAfter()).isEqualTo(3);
        assertThat(other.most).isEqualTo(3);
    }

    /** With 10 s from one to the next, four moves take at least 30 s. */
    @Test
    void movesKeepTheGap() {
        Slow cluster = new Slow(state(new int[] {1, 1, 1, 1}, new int[] {5}, new int[] {5}, new int[] {5}));
        assertThat(run(cluster, 3, 10_000_000_000L).inUseAfter()).isEqualTo(3);
        assertThat(cluster.now).isGreaterThanOrEqualTo(30_000_000_000L);
        assertThat(cluster.most).isEqualTo(1);
    }

    @Test
    void theFirstFailureStopsTheRun() {
        for (boolean refused : new boolean[] {false, true}) {
            told.clear();
            Slow cluster = new Slow(state(new int[] {1, 1, 1, 1}, new int[] {5}, new int[] {5}, new int[] {5}));
            String job = "j" + 1;
            cluster.fails = refused ? "" : job;
            cluster.refuses = refused ? job : "";
            ConsolidationRun.Summary summary = run(cluster, 1, 0);
            assertThat(summary.stopped()).isTrue();
            assertThat(summary.emptied()).isEmpty();
            assertThat(told).hasSize(1);
            assertThat(told.get(0)).startsWith("j1 off s0 to s").endsWith(refused ? ": no" : ": broke");
            assertThat(failure).startsWith("j1 to s");
            assertThat(cluster.began.get(cluster.began.size() - 1)).isEqualTo("j1");
        }
    }

    /** Whenever it is to stop, what was begun has ended, nothing is closed, and no more servers are in use. */
    @Test
    void whatWasBegunIsWaitedFor() {
        for (long at = 0; at < 15; at++) {
            Slow cluster = new Slow(state(new int[] {1, 1, 1, 1}, new int[] {5}, new int[] {5}, new int[] {5}));
            cluster.stopAt = at * 1_000_000_000L;
            ConsolidationRun.Summary summary = run(cluster, 2, 0);
            assertThat(summary.inUseAfter()).isLessThanOrEqualTo(4);
            assertThat(cluster.jobs).hasSize(7);
        }
    }

    /** What the plan did not know of: the named server is filled meanwhile, and so the server to empty is given up. */
    @Test
    void aPlanThatDoesNotHoldIsGivenUp() {
        Slow cluster = new Slow(state(new int[] {2, 2}, new int[] {4}));
        cluster.comes = ClusterJob.movable("late", new long[] {4}, 1, ServerAdmission.everywhere(2));
        ConsolidationRun.Summary summary = run(cluster, 1, 0);
        assertThat(summary.emptied()).isEmpty();
        assertThat(summary.givenUp().values())
                .allMatch(why -> why.contains(" no longer accepts ") && why.endsWith(": it lacks cpu"));
        assertThat(summary.givenUp()).isNotEmpty();
        assertThat(failure).isEmpty();
    }
}
