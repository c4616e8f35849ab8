package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Empties servers by evicting their jobs one after the other, not more often than once a gap. Before each eviction the
 * cluster is looked at: nobody may wait for a place, the budget must allow it, and a server that is open and in use
 * must take the job by all rules. What is not so now is waited for; where there is no such server, this one is given
 * up. A job that was evicted and does not run again in time stops the run: others may fare likewise.
 */
public final class JobEvictions implements ServerEmptier {
    private static final String STOPPED = "the run was told to stop";
    private static final long LONGEST_END = 10_000_000_000L;

    /** A step that cannot be made, and whether it may be later. */
    private record Hindrance(String why, boolean passes) {}

    private final LiveCluster cluster;
    private final JobEvictor evictor;
    private final ConsolidationSettings settings;
    private final Pace pace;
    private final Runnable stop;
    private final Closed closed;
    private final NewlyWaiting waiting;
    private final ConsolidationListener tell;
    /** The job that was evicted last and its server, until it runs again; empty for none. */
    private String evicted = "";

    private String evictedFrom = "";
    private String failure = "";
    /** Jobs whose eviction was refused since one left. */
    private final Set<String> refused = new HashSet<>();

    /**
     * With what it shares with the run.
     *
     * @param stop makes the pace stop
     */
    public JobEvictions(
            LiveCluster cluster,
            JobEvictor evictor,
            ConsolidationSettings settings,
            Pace pace,
            Runnable stop,
            Closed closed,
            NewlyWaiting waiting,
            ConsolidationListener tell) {
        this.cluster = cluster;
        this.evictor = evictor;
        this.settings = settings;
        this.pace = pace;
        this.stop = stop;
        this.closed = closed;
        this.waiting = waiting;
        this.tell = tell;
    }

    /** Why an eviction stopped the run; empty if none did. */
    public String failure() {
        return failure;
    }

    @Override
    public String empty(String server, List<AdviceView.Move> moves) {
        for (AdviceView.Move move : moves) {
            if (move.from().equals(server)) {
                continue;
            }
            boolean wasOpen = !closed.has(move.from());
            // What is evicted might come back to a server that is open.
            closed.close(move.from());
            String why = evict(
                    move.from(),
                    state -> on(state, move.from()).stream()
                            .filter(job -> state.jobs().get(job).name().equals(move.job()))
                            .toList());
            if (wasOpen) {
                closed.open(move.from(), tell);
            }
            if (!why.isEmpty()) {
                return why;
            }
        }
        return evict(server, state -> on(state, server));
    }

    /** Jobs that keep a server in use; none if it is not there any more. */
    private static List<Integer> on(ClusterState state, String server) {
        List<Integer> jobs = new ArrayList<>();
        for (int j = 0; j < state.jobs().size(); j++) {
            ClusterJob job = state.jobs().get(j);
            if (!job.waits()
                    && job.stay() != ClusterJob.Hold.WITH_SERVER
                    && state.servers().get(job.server()).name().equals(server)) {
                jobs.add(j);
            }
        }
        return jobs;
    }

    private String evict(String server, Function<ClusterState, List<Integer>> left) {
        long since = pace.now();
        String told = "";
        refused.clear();
        while (!pace.stopped()) {
            ClusterState now = cluster.look();
            String missing = settled();
            List<Integer> jobs = left.apply(now);
            String waits = waiting.first(now);
            if (jobs.isEmpty() && waits.isEmpty() && missing.isEmpty()) {
                return "";
            }
            if (!missing.isEmpty() && pace.now() - since > settings.patienceNanos()) {
                return fail(missing);
            }
            Optional<Hindrance> obstacle;
            if (!waits.isEmpty()) {
                obstacle = Optional.of(new Hindrance(waits + " waits for a place", true));
            } else if (!missing.isEmpty()) {
                obstacle = Optional.of(new Hindrance(missing, true));
            } else {
                obstacle = step(now, server, jobs);
                since = obstacle.isEmpty() ? pace.now() : since;
            }
            if (obstacle.isPresent()) {
                String why = obstacle.get().why();
                if (!obstacle.get().passes() || pace.now() - since > settings.patienceNanos()) {
                    return why;
                }
                if (!why.equals(told)) {
                    told = why;
                    tell.waits(server, why);
                }
            }
            pace.pause(Math.max(1, settings.gapNanos()));
        }
        lastOneRunsAgain();
        return STOPPED;
    }

    /** What {@link JobEvictor#missing} says; where it says nothing, the job that was evicted has moved or ended. */
    private String settled() {
        String missing = evictor.missing();
        if (missing.isEmpty() && !evicted.isEmpty()) {
            if (evictor.isNotReplaced()) {
                tell.notReplaced(evicted, evictedFrom);
            } else {
                tell.moved(evicted, evictedFrom, "");
            }
            evicted = "";
        }
        return missing;
    }

    private String fail(String missing) {
        failure = missing;
        tell.notMoved(evicted, evictedFrom, missing);
        evicted = "";
        stop.run();
        return missing;
    }

    /** Where it is to stop, what was evicted last is given some time. */
    private void lastOneRunsAgain() {
        long until = pace.now() + Math.min(settings.patienceNanos(), LONGEST_END);
        while (!evicted.isEmpty()) {
            pace.rest(Math.max(1, Math.min(settings.gapNanos(), LONGEST_END / 5)));
            ClusterState unused = cluster.look();
            String missing = settled();
            if (!missing.isEmpty() && pace.now() - until >= 0) {
                tell.notMoved(evicted, evictedFrom, missing);
                evicted = "";
            }
        }
    }

    /** Evicts the first job that can be now, those last that were refused; asks for one at most. */
    private Optional<Hindrance> step(ClusterState now, String server, List<Integer> jobs) {
        ClusterBooks books = new ClusterBooks(now);
        List<Integer> order = new ArrayList<>(jobs);
        order.sort(
                Comparator.comparing(job -> refused.contains(now.jobs().get(job).name())));
        Hindrance first = null;
        for (int job : order) {
            Optional<Hindrance> obstacle = obstacle(now, books, job);
            if (obstacle.isEmpty()) {
                return ask(now.jobs().get(job).name(), server);
            }
            if (!obstacle.get().passes()) {
                return obstacle;
            }
            first = first == null ? obstacle.get() : first;
        }
        return Optional.ofNullable(first);
    }

    private Optional<Hindrance> ask(String job, String server) {
        JobEvictor.Said answer = evictor.evict(job, server);
        if (answer.outcome() == JobEvictor.Fate.LEAVES) {
            refused.clear();
            evicted = job;
            evictedFrom = server;
            return Optional.empty();
        }
        if (!refused.add(job)) {
            refused.clear();
        }
        return Optional.of(
                new Hindrance(job + " is not evicted: " + answer.why(), answer.outcome() == JobEvictor.Fate.NOT_NOW));
    }

    private Optional<Hindrance> obstacle(ClusterState now, ClusterBooks books, int number) {
        ClusterJob job = now.jobs().get(number);
        if (job.stay() == ClusterJob.Hold.FIXED || job.stay() == ClusterJob.Hold.KEPT) {
            return Optional.of(new Hindrance(job.name() + " " + job.stayReason(), false));
        }
        if (!now.mayMove(job)) {
            return Optional.of(new Hindrance("the budget of " + job.name() + " allows no disruption now", true));
        }
        for (int s = 0; s < books.servers(); s++) {
            String name = now.servers().get(s).name();
            if (books.inUse(s) && s != job.server() && !closed.has(name) && books.takes(number, s)) {
                return Optional.empty();
            }
        }
        return Optional.of(new Hindrance("no server in use has room for " + job.name(), false));
    }
}
