package dev.stowage.cli.kube;

import dev.stowage.cli.advise.AddedJobs;
import dev.stowage.cli.advise.AdviceWords;
import dev.stowage.cli.advise.WallPace;
import dev.stowage.cli.text.Console;
import dev.stowage.kube.consolidate.ControllerLease;
import dev.stowage.kube.consolidate.LiveNodes;
import dev.stowage.kube.snapshot.SnapshotException;
import dev.stowage.study.advise.Closed;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterState;
import dev.stowage.study.advise.ConsolidationRun;
import dev.stowage.study.advise.ConsolidationSettings;
import dev.stowage.study.advise.JobEvictions;
import dev.stowage.study.advise.NewlyWaiting;
import dev.stowage.study.advise.NextServers;
import dev.stowage.study.advise.Pace;
import dev.stowage.study.advise.Restraint;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * Empties nodes for as long as it runs: a run at a time, of as many nodes as the budget still admits. All that another
 * replica or a later start needs to know is on the nodes: which were cordoned, emptied, and asked to be removed.
 */
final class ConsolidationWatch {
    private static final long LONGEST_COMMAND_SECONDS = 60;

    private final LiveNodes nodes;
    private final ControllerLease lease;
    private final WatchOptions options;
    private final ConsolidationSettings settings;
    private final boolean carriesOut;
    private final ToIntFunction<Integer> atOnce;
    private final WallPace wall;
    private final Pace pace = new Turns();
    private final KubeLiveCluster cluster;
    private final WatchProgress tell;
    private final Restraint restraint;
    private final Clock clock = Clock.systemUTC();
    private final Map<String, Long> waitingSince = new HashMap<>();
    private final Map<String, Long> removalTried = new HashMap<>();
    private Set<String> staying = Set.of();
    private long restUntil;
    private String restReason = "";
    /** Whether what was evicted did not come back in the present run. */
    private boolean halted;

    /**
     * @param carriesOut whether nodes are changed, not only the ConfigMap
     * @param atOnce of a number of nodes, how many may be cordoned at one time
     */
    ConsolidationWatch(
            LiveNodes nodes,
            ControllerLease lease,
            WatchOptions options,
            ConsolidationSettings settings,
            boolean carriesOut,
            ToIntFunction<Integer> atOnce,
            WallPace wall,
            Console console,
            AdviceWords words,
            boolean json) {
        this.nodes = nodes;
        this.lease = lease;
        this.options = options;
        this.settings = settings;
        this.carriesOut = carriesOut;
        this.atOnce = atOnce;
        this.wall = wall;
        restUntil = wall.now();
        cluster = new KubeLiveCluster(nodes, "", settings, pace, lease::holds);
        tell = new WatchProgress(console, words, json, lease, node -> nodes.mark(node, LiveNodes.EMPTIED));
        AddedJobs room = options.room();
        restraint = new Restraint(
                server -> staying.contains(server.name()) ? "the cluster-autoscaler is told not to remove it" : "",
                server -> options.price(server.name(), server.labels()),
                job -> cluster.cost(job.name()),
                options.leastScore(),
                options.spare(),
                state -> room == null ? null : cluster.addition(room));
    }

    /** What it tells. */
    WatchProgress tells() {
        return tell;
    }

    /** Goes on until it is to stop. */
    void run() {
        while (!wall.stopped()) {
            try {
                boolean leads = lease.holds();
                tell.leads(leads);
                if (leads) {
                    turn();
                } else if (!lease.other().isEmpty()) {
                    tell.idles("waits: replica " + lease.other() + " holds the lease");
                }
                tell.write();
            } catch (KubernetesClientException | SnapshotException e) {
                tell.idles("the API server does not answer, or refuses: " + e.getMessage());
            }
            boolean unused = wall.pause(Math.max(1, settings.gapNanos()));
        }
    }

    private void turn() {
        ClusterState now = cluster.look();
        Map<String, String> marks = nodes.marked();
        Set<String> inUse = inUse(now);
        String why = waits(now, marks.keySet());
        if (why.isEmpty()) {
            why = filledAgain(marks, inUse);
        }
        Set<String> held = new TreeSet<>(marks.keySet());
        held.removeIf(nodesLeft(marks)::contains);
        tell.held(held.size());
        if (why.isEmpty()) {
            remove(marks, inUse);
            why = mayNot();
        }
        int may = atOnce.applyAsInt(now.servers().size()) - held.size();
        if (why.isEmpty() && may <= 0) {
            why = "waits until nodes are removed: " + held.size() + " emptied nodes still exist, the most allowed at"
                    + " one time";
        }
        if (why.isEmpty() && !carriesOut) {
            if (wall.now() - restUntil >= 0) {
                staying = nodes.staying();
                tell.planned(inUse.size(), NextServers.of(now, Map.of(), restraint, may));
                rest("");
            }
            String nothing = tell.whyNothing();
            why = "without --carry-out nothing is changed"
                    + (nothing.isEmpty() ? ", the plan is here" : "; " + nothing);
        }
        if (why.isEmpty()) {
            empty(nodesLeft(marks), held, may);
        } else {
            open(nodesLeft(marks));
            tell.idles(why);
        }
    }

    /** Nodes that an earlier process had cordoned when it ended. */
    private static List<String> nodesLeft(Map<String, String> marks) {
        return marks.keySet().stream()
                .filter(node -> LiveNodes.CORDONED.equals(marks.get(node)))
                .toList();
    }

    private static Set<String> inUse(ClusterState now) {
        Set<String> inUse = new HashSet<>();
        for (ClusterJob job : now.jobs()) {
            if (!job.waits() && job.stay() != ClusterJob.Hold.WITH_SERVER) {
                inUse.add(now.servers().get(job.server()).name());
            }
        }
        return inUse;
    }

    /** While a pod waits nothing is emptied, and what was is opened; unless it has waited in vain for long. */
    private String waits(ClusterState now, Set<String> marked) {
        Map<String, Long> still = new LinkedHashMap<>();
        for (ClusterJob job : now.jobs()) {
            if (job.waits()) {
                still.put(job.name(), waitingSince.getOrDefault(job.name(), wall.now()));
            }
        }
        waitingSince.clear();
        waitingSince.putAll(still);
        long retry = options.retryNanos();
        for (Map.Entry<String, Long> one : still.entrySet()) {
            long since = wall.now() - one.getValue();
            if (since < retry) {
                if (since >= settings.gapNanos() && !marked.isEmpty() && carriesOut) {
                    tell.openedForWaiting(one.getKey());
                    open(marked);
                }
                return since < settings.gapNanos()
                        ? "a pod waits for a place: nothing is emptied"
                        : one.getKey() + " waits for a place: nothing is emptied until it has one, for at most"
                                + " --retry-after";
            }
        }
        return "";
    }

    private String filledAgain(Map<String, String> marks, Set<String> inUse) {
        List<String> filled = marks.keySet().stream()
                .filter(node -> inUse.contains(node) && !LiveNodes.CORDONED.equals(marks.get(node)))
                .toList();
        if (filled.isEmpty() || !carriesOut) {
            return "";
        }
        open(filled);
        filled.forEach(node -> tell.says("filled_again", node + " was emptied and is in use again: opened it", node));
        rest("after " + filled.get(0) + ", which was emptied, was filled again");
        return mayNot();
    }

    private void open(Iterable<String> some) {
        if (carriesOut) {
            some.forEach(cluster::open);
        }
    }

    private void rest(String reason) {
        restUntil = wall.now() + options.retryNanos();
        restReason = reason;
    }

    private String mayNot() {
        Instant now = clock.instant();
        if (!isWithinHours(now)) {
            ZonedDateTime next = options.hours().stream()
                    .map(hours -> hours.next(now))
                    .min(Comparator.comparing(ZonedDateTime::toInstant))
                    .orElseThrow();
            return "waits for its hours, which begin at " + next;
        }
        return restUntil - wall.now() > 0 && carriesOut ? "pauses " + restReason : "";
    }

    private boolean isWithinHours(Instant now) {
        return options.hours().isEmpty() || options.hours().stream().anyMatch(hours -> hours.contains(now));
    }

    private void empty(List<String> left, Set<String> held, int may) {
        staying = nodes.staying();
        Closed closed = new Closed(cluster);
        closed.takeOver(left);
        cluster.emptiedBefore(held);
        cluster.startsAnew();
        halted = false;
        NewlyWaiting waiting = new NewlyWaiting();
        ConsolidationSettings its =
                new ConsolidationSettings(settings.gapNanos(), settings.patienceNanos(), may, may, true, true);
        JobEvictions evictions =
                new JobEvictions(cluster, cluster, its, pace, () -> halted = true, closed, waiting, tell);
        ConsolidationRun.Summary summary =
                new ConsolidationRun(cluster, evictions, its, restraint, pace, closed, waiting, tell).run();
        if (!summary.emptied().isEmpty() || !summary.givenUp().isEmpty() || summary.stopped()) {
            tell.ended(summary);
        }
        if (!evictions.failure().isEmpty()) {
            rest("because " + evictions.failure());
        } else if (!summary.givenUp().isEmpty()) {
            rest("after " + summary.givenUp().keySet().iterator().next() + " could not be emptied");
        } else if (summary.emptied().isEmpty()) {
            String nothing = tell.whyNothing();
            rest(nothing.isEmpty() ? "after a run that emptied nothing" : nothing);
        }
    }

    /** Asks for the removal of nodes that were emptied. */
    private void remove(Map<String, String> marks, Set<String> inUse) {
        removalTried.keySet().retainAll(marks.keySet());
        for (Map.Entry<String, String> one : marks.entrySet()) {
            String node = one.getKey();
            Long tried = removalTried.get(node);
            boolean due = tried == null || wall.now() - tried >= options.retryNanos();
            if (options.remove().isEmpty()
                    || !carriesOut
                    || !one.getValue().equals(LiveNodes.EMPTIED)
                    || inUse.contains(node)
                    || !due) {
                continue;
            }
            removalTried.put(node, wall.now());
            String failed = command(node);
            if (failed.isEmpty()) {
                nodes.mark(node, LiveNodes.REMOVAL);
                tell.says("removal", "asked for the removal of " + node, node);
            } else {
                tell.says("removal_failed", "the removal of " + node + " failed: " + failed, node);
            }
        }
    }

    private String command(String node) {
        List<String> words = new ArrayList<>(options.remove());
        words.add(node);
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(LONGEST_COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "'" + words.get(0) + "' did not end within " + LONGEST_COMMAND_SECONDS + " s";
            }
            return process.exitValue() == 0 ? "" : "'" + words.get(0) + "' ended with " + process.exitValue();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** A run goes on as long as this replica holds the lease, within its hours. */
    private final class Turns implements Pace {
        @Override
        public boolean pause(long nanos) {
            return wall.pause(nanos) && !stopped();
        }

        @Override
        public void rest(long nanos) {
            wall.rest(nanos);
        }

        @Override
        public boolean stopped() {
            return halted || wall.stopped() || !lease.holds() || !isWithinHours(clock.instant());
        }

        @Override
        public long now() {
            return wall.now();
        }
    }
}
