package dev.stowage.study.advise;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out plans on a cluster that runs: makes a plan of what is there, closes the next servers of it, has them
 * emptied one after the other, and makes the plan anew. A server that cannot be emptied is opened again and given up
 * for this run. Where a job waits that did not at the start, all servers that were closed are opened first. Ends when
 * there is nothing more to empty, when jobs wait again and again, or when it is to stop. Whatever happens, at the end
 * each server that it closed is open, but those emptied that are to stay closed: of these none that what waited needs.
 */
public final class ConsolidationRun {
    private static final int MOST_WAITS = 10;
    private static final long LONGEST_END = 10_000_000_000L;

    /**
     * What came of it.
     *
     * @param inUseBefore servers in use at the start
     * @param inUseAfter at the end
     * @param emptied servers that were emptied, in order
     * @param givenUp why servers were given up, by server
     * @param closed servers that are closed by this run still
     * @param stopped whether it was to stop
     */
    public record Summary(
            int inUseBefore,
            int inUseAfter,
            List<String> emptied,
            Map<String, String> givenUp,
            List<String> closed,
            boolean stopped) {}

    private final LiveCluster cluster;
    private final ServerEmptier emptier;
    private final ConsolidationSettings settings;
    private final Restraint restraint;
    private final Pace pace;
    private final ConsolidationListener tell;
    private final Closed closed;
    private final NewlyWaiting waiting;
    private final Set<String> emptied = new LinkedHashSet<>();

    /** Of those that may be emptied, the ones that what waits needs then; null where that is to be found out. */
    private @Nullable Set<String> needed;

    private final Map<String, String> givenUp = new LinkedHashMap<>();

    /** Times in a row that jobs waited, without a server emptied between them. */
    private int waits;

    /**
     * A run, not yet begun.
     *
     * @param restraint which servers are worth emptying, and what room must remain
     * @param closed the servers that are closed by the run, shared with the emptier
     * @param waiting the jobs that wait, shared with the emptier
     */
    public ConsolidationRun(
            LiveCluster cluster,
            ServerEmptier emptier,
            ConsolidationSettings settings,
            Restraint restraint,
            Pace pace,
            Closed closed,
            NewlyWaiting waiting,
            ConsolidationListener tell) {
        this.cluster = cluster;
        this.emptier = emptier;
        this.settings = settings;
        this.restraint = restraint;
        this.pace = pace;
        this.closed = closed;
        this.waiting = waiting;
        this.tell = tell;
    }

    /** Goes on until there is nothing more to do, or it is to stop. */
    public Summary run() {
        ClusterState before = cluster.look();
        waiting.startWith(before);
        try {
            ClusterState now = before;
            while (!pace.stopped() && emptied.size() < settings.most() && nextServers(now)) {
                now = cluster.look();
            }
            lastOnesFindAPlace();
        } finally {
            closed.openAllBut(staysClosed(), tell);
        }
        ClusterState after = cluster.look();
        return new Summary(
                new ClusterBooks(before).serversInUse(),
                new ClusterBooks(after).serversInUse(),
                List.copyOf(emptied),
                Map.copyOf(givenUp),
                closed.names(),
                pace.stopped());
    }

    /** None if a server that what waits would need was not emptied: what waits may need another one, then. */
    private Set<String> staysClosed() {
        Set<String> on = needed == null ? Set.of() : needed;
        if (!settings.keepsClosed() || !emptied.containsAll(on)) {
            return Set.of();
        }
        Set<String> keep = new LinkedHashSet<>(emptied);
        keep.removeAll(on);
        return keep;
    }

    private static Set<String> neededByWaiting(ClusterState now) {
        Set<String> names = new LinkedHashSet<>();
        if (now.jobs().stream().anyMatch(ClusterJob::waits)) {
            Shutdown may = Shutdown.of(now, LeastServers.of(now).prices(), 0);
            may.onForWaiting(now).forEach(s -> names.add(now.servers().get(s).name()));
        }
        return names;
    }

    /** Where it is to stop, what was moved last does not go to a server that is closed only until then. */
    private void lastOnesFindAPlace() {
        long until = pace.now() + Math.min(settings.patienceNanos(), LONGEST_END);
        long rest = Math.max(1, Math.min(settings.gapNanos(), LONGEST_END / 5));
        if (pace.stopped()) {
            do {
                pace.rest(rest);
            } while (!waiting.first(cluster.look()).isEmpty() && pace.now() - until < 0);
        }
    }

    /** Empties the next servers of a plan; false if there is none. */
    private boolean nextServers(ClusterState now) {
        if (!waitingHaveAPlace(now)) {
            return ++waits < MOST_WAITS && !pace.stopped();
        }
        NextServers plan =
                NextServers.of(now, givenUp, restraint, Math.min(settings.atOnce(), settings.most() - emptied.size()));
        tell.planned(new ClusterBooks(now).serversInUse(), plan);
        if (plan.next().isEmpty()) {
            return false;
        }
        Map<String, List<AdviceView.Move>> next = plan.next();
        if (settings.keepsClosed() && needed == null) {
            needed = neededByWaiting(now);
        }
        if (settings.closesEmpty()) {
            ClusterBooks books = new ClusterBooks(now);
            for (int s = 0; s < books.servers(); s++) {
                if (!books.inUse(s)) {
                    closed.close(now.servers().get(s).name());
                }
            }
        }
        for (ClusterServer server : now.servers()) {
            if (next.containsKey(server.name())) {
                closed.close(server.name());
            }
        }
        for (Map.Entry<String, List<AdviceView.Move>> one : next.entrySet()) {
            if (pace.stopped()) {
                return false;
            }
            String why = emptier.empty(one.getKey(), one.getValue());
            if (!why.isEmpty()) {
                if (!pace.stopped()) {
                    givenUp.put(one.getKey(), why);
                    tell.givenUp(one.getKey(), why);
                }
                // Those of the batch that have not been begun may not be in the next plan.
                next.keySet().stream()
                        .filter(server -> !emptied.contains(server))
                        .forEach(server -> closed.open(server, tell));
                return !pace.stopped();
            }
            emptied.add(one.getKey());
            waits = 0;
            tell.emptied(one.getKey());
        }
        return true;
    }

    /** Opens everything if a job waits, and gives it time; false if it was not tried to do anything else. */
    private boolean waitingHaveAPlace(ClusterState now) {
        String job = waiting.first(now);
        if (job.isEmpty()) {
            return true;
        }
        tell.openedForWaiting(job);
        closed.openAllBut(Set.of(), tell);
        needed = null;
        long until = pace.now() + settings.patienceNanos();
        ClusterState seen = now;
        while (!waiting.first(seen).isEmpty() && pace.now() - until < 0) {
            if (!pace.pause(Math.max(1, settings.gapNanos()))) {
                return false;
            }
            seen = cluster.look();
        }
        // With all open it still waits: that is not for what is closed here.
        waiting.startWith(seen);
        return false;
    }
}
