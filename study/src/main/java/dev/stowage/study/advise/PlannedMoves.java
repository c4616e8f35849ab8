package dev.stowage.study.advise;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Empties servers by the plan's own moves, several of a round at once. Before a move begins the cluster is looked at:
 * nobody may wait for a place, and the server that the plan names must take the job by all rules, beside what is on its
 * way there. Where it does not, this server is given up. The first move that fails stops the run: what makes one fail
 * may make all fail.
 */
public final class PlannedMoves implements ServerEmptier {
    private static final String STOPPED = "the run was told to stop";
    private static final long LONGEST_POLL = 1_000_000_000L;
    private static final long SHORTEST_POLL = 100_000_000L;

    private final LiveCluster cluster;
    private final JobMover mover;
    private final ConsolidationSettings settings;
    private final int atOnce;
    private final Pace pace;
    private final Runnable stop;
    private final NewlyWaiting waiting;
    private final ConsolidationListener tell;
    private final List<AdviceView.Move> moving = new ArrayList<>();
    private String failure = "";
    private long begun;

    /**
     * With what it shares with the run.
     *
     * @param atOnce moves under way at one time, at most
     * @param stop makes the pace stop
     */
    public PlannedMoves(
            LiveCluster cluster,
            JobMover mover,
            ConsolidationSettings settings,
            int atOnce,
            Pace pace,
            Runnable stop,
            NewlyWaiting waiting,
            ConsolidationListener tell) {
        this.cluster = cluster;
        this.mover = mover;
        this.settings = settings;
        this.atOnce = atOnce;
        this.pace = pace;
        this.stop = stop;
        this.waiting = waiting;
        this.tell = tell;
        begun = pace.now() - settings.gapNanos();
    }

    /** Why the move failed that stopped the run; empty if none did. */
    public String failure() {
        return failure;
    }

    @Override
    public String empty(String server, List<AdviceView.Move> moves) {
        Deque<AdviceView.Move> left = new ArrayDeque<>(moves);
        String why = "";
        while (!moving.isEmpty() || (why.isEmpty() && !left.isEmpty())) {
            settle();
            if (pace.stopped()) {
                why = why.isEmpty() ? STOPPED : why;
            }
            while (why.isEmpty() && mayBegin(left.peek())) {
                why = begin(left.remove());
            }
            if (!moving.isEmpty() || (why.isEmpty() && !left.isEmpty())) {
                poll();
            }
        }
        return why.isEmpty() ? stillThere(server) : why;
    }

    /** What has been begun is waited for, also where it is to stop. */
    private void poll() {
        long nanos = Math.max(SHORTEST_POLL, Math.min(settings.gapNanos(), LONGEST_POLL));
        if (pace.stopped()) {
            pace.rest(nanos);
        } else {
            boolean unused = pace.pause(nanos);
        }
    }

    private void settle() {
        for (AdviceView.Move move : List.copyOf(moving)) {
            JobMover.Said said = mover.ask(move.job());
            if (said.fate() == JobMover.Fate.MOVES) {
                continue;
            }
            moving.remove(move);
            if (said.fate() == JobMover.Fate.ARRIVED) {
                tell.moved(move.job(), move.from(), move.to());
            } else {
                fail(move, said.why());
            }
        }
    }

    private void fail(AdviceView.Move move, String why) {
        failure = move.job() + " to " + move.to() + ": " + why;
        tell.notMoved(move.job(), move.from(), "to " + move.to() + ": " + why);
        stop.run();
    }

    private boolean mayBegin(AdviceView.@org.jspecify.annotations.Nullable Move next) {
        return next != null
                && moving.size() < atOnce
                && pace.now() - begun >= settings.gapNanos()
                && moving.stream().allMatch(one -> one.round() == next.round());
    }

    private String begin(AdviceView.Move move) {
        ClusterState now = cluster.look();
        String waits = waiting.first(now);
        if (!waits.isEmpty()) {
            return waits + " waits for a place";
        }
        Optional<String> obstacle = obstacle(now, move);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        begun = pace.now();
        String refused = mover.begin(move.job(), move.to());
        if (refused.isEmpty()) {
            moving.add(move);
            return "";
        }
        fail(move, refused);
        return refused;
    }

    private static Optional<String> obstacle(ClusterState now, AdviceView.Move move) {
        int job = number(now.jobs().stream().map(ClusterJob::name).toList(), move.job());
        int to = number(now.servers().stream().map(ClusterServer::name).toList(), move.to());
        if (job < 0 || to < 0) {
            return Optional.of((job < 0 ? move.job() : move.to()) + " is no longer there");
        }
        ClusterJob one = now.jobs().get(job);
        if (one.waits() || !now.servers().get(one.server()).name().equals(move.from())) {
            return Optional.of(move.job() + " is no longer on " + move.from());
        }
        if (!now.mayMove(one)) {
            return Optional.of(move.job() + " " + one.stayReason());
        }
        if (!new ClusterBooks(now).takes(job, to)) {
            WaitingReasons.Reason first = WaitingReasons.whyNot(now, job, to).get(0);
            return Optional.of(move.to() + " no longer accepts " + move.job() + ": it " + first.text());
        }
        return Optional.empty();
    }

    private static int number(List<String> names, String name) {
        return names.indexOf(name);
    }

    /** What came meanwhile; empty if the server is empty. */
    private String stillThere(String server) {
        ClusterState now = cluster.look();
        for (ClusterJob job : now.jobs()) {
            if (!job.waits()
                    && job.stay() != ClusterJob.Hold.WITH_SERVER
                    && now.servers().get(job.server()).name().equals(server)) {
                return job.name() + " is still there";
            }
        }
        return "";
    }
}
