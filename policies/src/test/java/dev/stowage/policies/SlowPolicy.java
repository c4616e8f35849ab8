package dev.stowage.policies;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The reference implementations: no index and no memory but the servers that changed; every step looks at everything.
 */
final class SlowPolicy implements Policy {
    private final String kind;
    private final SlowScore score;
    private final Set<Integer> changed = new LinkedHashSet<>();
    private final Set<Integer> changedSites = new LinkedHashSet<>();
    private int madeOn;
    private boolean looked;
    private boolean smallerGang;

    /** Servers that somebody was evicted from in this look at the queue. */
    private final Set<Integer> evictedFrom = new LinkedHashSet<>();

    /** Servers that lower requests are leaving, each with the request that waits for it. */
    private final Map<Integer, Integer> held = new TreeMap<>();

    private final double stalling;
    final SlowDue due = new SlowDue();
    private final Set<Integer> stalled = new LinkedHashSet<>();

    SlowPolicy(String kind, SlowScore score, double stalling) {
        this.kind = kind;
        this.score = score;
        this.stalling = stalling;
    }

    @Override
    public Set<Capability> capabilities() {
        return kind.startsWith("first-fit") || kind.startsWith("best-fit")
                ? EnumSet.allOf(Capability.class)
                : EnumSet.complementOf(
                        kind.equals("bf-s") || kind.startsWith("vqs")
                                ? EnumSet.of(Capability.PRIORITIES, Capability.PENALTIES)
                                : EnumSet.of(Capability.PRIORITIES));
    }

    private boolean fits(View view, int job, int server) {
        return !stalled.contains(server) && server != due.server && view.fits(job, server);
    }

    private void stall(View view) {
        for (int server = 0; server < view.servers() && view.queueLength(0) > 0; server++) {
            boolean loose = true;
            for (int r = 0; r < view.resources(); r++) {
                double capacity = view.capacity(server, r);
                loose &= capacity == 0 || (capacity - view.free(server, r)) / capacity < stalling;
            }
            if (loose && view.firstOn(server) >= 0 && view.status(server) == ServerStatus.UP) {
                stalled.add(server);
            }
        }
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        due.arrived(view, job);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        if (server >= 0) {
            changed.add(server);
            reopen(view, server);
            if (usesPool(view, job)) {
                changedSites.add(view.site(server));
            }
        } else {
            smallerGang |= view.gang(job) >= 0;
            changed.addAll(release(job));
            if (job == due.job && due.server >= 0) {
                reopenHeld(view);
            }
        }
    }

    /** The request waits for no server any more; the server that it waited for, if there was one. */
    private Set<Integer> release(int job) {
        Set<Integer> servers = new LinkedHashSet<>(held.keySet());
        servers.removeIf(server -> held.get(server) != job);
        held.keySet().removeAll(servers);
        return servers;
    }

    private boolean admits(View view, int server, int job) {
        return !held.containsKey(server) || SlowGangs.order(view).compare(job, held.get(server)) <= 0;
    }

    private void place(View view, Actions actions, int job, int server) {
        actions.place(job, server, score.devices(view, job, server), "slow");
        release(job).stream().filter(one -> one != server).forEach(evictedFrom::add);
    }

    private void lookAfterHeld(View view, Actions actions) {
        for (int server : List.copyOf(held.keySet())) {
            int job = held.get(server);
            if (view.status(server) == ServerStatus.UP && view.fits(job, server)) {
                continue;
            }
            SlowGangs.Room room = SlowGangs.rooms(view, actions, job, true).stream()
                    .filter(one -> one.server() == server)
                    .findFirst()
                    .orElse(null);
            if (room == null || (room.waits() && room.victims().stream().anyMatch(view::hasAgent))) {
                release(job);
                evictedFrom.add(server);
            } else if (!room.waits()) {
                make(view, actions, room, job);
                place(view, actions, job, server);
            }
        }
        changed.addAll(evictedFrom);
        evictedFrom.forEach(server -> changedSites.add(view.site(server)));
        evictedFrom.clear();
    }

    @Override
    public void moveOff(int job, View view, Actions actions) {
        int from = view.server(job);
        actions.assumeLeft(job);
        int target = open(view, job);
        actions.assumeNothing();
        if (target >= 0) {
            actions.migrate(job, target, "slow");
            left(job, from, view, actions);
            reopen(view, target);
        }
    }

    private void reopenHeld(View view) {
        changed.add(due.server);
        if (view.pooledResources() > 0) {
            changedSites.add(view.site(due.server));
        }
        due.end(view);
    }

    private void placeDue(View view, Actions actions) {
        int job = due.job;
        int server = view.fits(job, due.server) ? due.server : open(view, job);
        if (server >= 0 || !due.couldHold(view, job, due.server)) {
            reopenHeld(view);
            if (server >= 0) {
                actions.place(job, server, score.devices(view, job, server), "slow");
            }
        }
    }

    private void reopen(View view, int server) {
        if (view.firstOn(server) < 0) {
            stalled.remove(server);
        }
    }

    @Override
    public void adopted(int job, int server, View view, Actions actions) {
        reopen(view, server);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        changed.add(server);
        reopen(view, server);
        if (view.pooledResources() > 0) {
            changedSites.add(view.site(server));
        }
    }

    @Override
    public void round(View view, Actions actions) {
        boolean again = true;
        if (due.server >= 0) {
            placeDue(view, actions);
        }
        lookAfterHeld(view, actions);
        while (again) {
            boolean room = !changed.isEmpty();
            if (!kind.equals("fifo-ff")) {
                gangs(view, actions, room || smallerGang);
            }
            smallerGang = false;
            evictedFrom.clear();
            decide(view, actions);
            boolean anew = kind.endsWith("-queue") && !evictedFrom.isEmpty();
            boolean line = kind.endsWith("-queue") && view.prioritized() && !anew && (room || looked);
            if (line) {
                undecided(view).stream()
                        .filter(job -> view.state(job) == JobState.WAITING && !held.containsValue(job))
                        .min(SlowGangs.order(view))
                        .filter(job -> makesRoom(view, actions, job))
                        .ifPresent(job -> place(view, actions, job, madeOn));
            }
            looked = true;
            if (!anew) {
                changed.clear();
                changedSites.clear();
            }
            changed.addAll(evictedFrom);
            evictedFrom.forEach(server -> changedSites.add(view.site(server)));
            again = !changed.isEmpty() || view.pending() > 0;
        }
        looked = false;
        changed.clear();
        changedSites.clear();
        stall(view);
        if (kind.equals("bf-due")) {
            due.look(view);
        }
    }

    private void gangs(View view, Actions actions, boolean room) {
        List<Integer> waiting = new ArrayList<>();
        for (int job = view.queues() > 0 ? view.queueHead(0) : -1; job >= 0; job = view.next(job)) {
            if (view.gang(job) >= 0 && view.gangMember(view.gang(job), 0) == job) {
                waiting.add(view.gang(job));
            }
        }
        if (room) {
            waiting.forEach(gang -> SlowGangs.place(view, actions, gang, job -> open(view, job)));
        }
        for (int gang : SlowGangs.gangs(view, allPending(view))) {
            if (!SlowGangs.place(view, actions, gang, job -> open(view, job))) {
                if (isLoss()) {
                    actions.rejectGang(gang, "slow");
                } else {
                    actions.enqueueGang(gang, 0, "slow");
                }
            }
        }
    }

    private boolean isLoss() {
        return kind.equals("first-fit") || kind.equals("best-fit");
    }

    /** Evicts what is in the way; whether there is room at once. */
    private boolean makesRoom(View view, Actions actions, int job) {
        boolean preempts = kind.startsWith("first-fit") || kind.startsWith("best-fit");
        List<SlowGangs.Room> rooms =
                preempts && view.prioritized() ? SlowGangs.rooms(view, actions, job, !isLoss()) : List.of();
        return rooms.stream()
                .filter(room -> admits(view, room.server(), job))
                .findFirst()
                .map(room -> make(view, actions, room, job))
                .orElse(false);
    }

    private boolean make(View view, Actions actions, SlowGangs.Room room, int job) {
        madeOn = room.server();
        for (int victim : room.victims()) {
            if (!room.waits() || view.hasAgent(victim)) {
                actions.evict(victim, "slow");
            }
            if (!room.waits()) {
                evictedFrom.add(madeOn);
            }
        }
        if (room.waits()) {
            held.put(madeOn, job);
        } else {
            held.remove(madeOn);
        }
        if (!isLoss()) {
            score.look(view);
        }
        return !room.waits();
    }

    private void decide(View view, Actions actions) {
        switch (kind) {
            case "first-fit", "best-fit" -> lossOfEach(view, actions);
            case "first-fit-queue", "best-fit-queue", "bf-j" -> eachJob(view, actions);
            case "fifo-ff" -> fifo(view, actions);
            case "bf-s" -> {
                eachServer(view, actions, true);
                enqueueRest(view, actions);
            }
            case "bf-js", "bf-due" -> {
                eachServer(view, actions, false);
                eachNewJob(view, actions);
            }
            default -> throw new IllegalArgumentException(kind);
        }
    }

    private void lossOfEach(View view, Actions actions) {
        for (int job : pending(view)) {
            int server = server(view, job);
            if (server < 0 && makesRoom(view, actions, job)) {
                server = madeOn;
            }
            if (server >= 0) {
                actions.place(job, server, score.devices(view, job, server), "slow");
            } else {
                actions.reject(job, "slow");
            }
        }
    }

    private void eachJob(View view, Actions actions) {
        List<Integer> all = queued(view);
        all.addAll(pending(view));
        all.sort(SlowGangs.order(view));
        for (int job : all) {
            if (evictedFrom.isEmpty()) {
                placeOrQueue(view, actions, job);
            }
        }
    }

    private void eachNewJob(View view, Actions actions) {
        pending(view).forEach(job -> placeOrQueue(view, actions, job));
    }

    private void placeOrQueue(View view, Actions actions, int job) {
        int server = server(view, job);
        if (server < 0 && view.state(job) == JobState.PENDING && makesRoom(view, actions, job)) {
            server = madeOn;
        }
        if (server >= 0) {
            place(view, actions, job, server);
        } else if (view.state(job) == JobState.PENDING) {
            actions.enqueue(job, 0, "slow");
        }
    }

    private void fifo(View view, Actions actions) {
        List<Integer> heads = new ArrayList<>();
        for (int job = view.queueHead(0); job >= 0; job = view.next(job)) {
            heads.add(job);
        }
        List<Integer> fresh = allPending(view);
        fresh.sort(Comparator.comparingLong(view::order));
        heads.addAll(fresh);
        heads.removeIf(job -> view.gang(job) >= 0 && view.gangMember(view.gang(job), 0) != job);
        boolean blocked = false;
        for (int job : heads) {
            int gang = view.gang(job);
            boolean wasPending = view.state(job) == JobState.PENDING;
            if (gang >= 0) {
                blocked |= !SlowGangs.place(view, actions, gang, blocked ? member -> -1 : one -> server(view, one));
            } else {
                int server = blocked ? -1 : server(view, job);
                blocked = server < 0;
                if (server >= 0) {
                    actions.place(job, server, score.devices(view, job, server), "slow");
                }
            }
            if (blocked && wasPending) {
                if (gang >= 0) {
                    actions.enqueueGang(gang, 0, "slow");
                } else {
                    actions.enqueue(job, 0, "slow");
                }
            }
        }
    }

    private void eachServer(View view, Actions actions, boolean all) {
        for (int server = 0; server < view.servers(); server++) {
            boolean listed = all || changed.contains(server);
            if (listed || needed(view, server)) {
                for (int job = job(view, server); job >= 0; job = job(view, server)) {
                    actions.place(job, server, score.devices(view, job, server), "slow");
                }
            }
        }
    }

    /**
     * Whether a pool gave back room and the server fits somebody who uses a pool; or somebody left anywhere, and it
     * fits
     * somebody who is spread over the values of a label.
     */
    private boolean needed(View view, int server) {
        boolean pool = changedSites.contains(view.site(server));
        return !changed.isEmpty()
                && undecided(view).stream()
                        .filter(job -> (pool && usesPool(view, job)) || view.spreadsOverLabels(view.constraint(job)))
                        .anyMatch(job -> fits(view, job, server));
    }

    private static boolean usesPool(View view, int job) {
        return IntStream.range(0, view.pooledResources()).anyMatch(p -> view.pooledDemand(job, p) > 0);
    }

    private void enqueueRest(View view, Actions actions) {
        pending(view).forEach(job -> actions.enqueue(job, 0, "slow"));
    }

    private static List<Integer> undecided(View view) {
        List<Integer> all = queued(view);
        all.addAll(pending(view));
        return all;
    }

    private static List<Integer> queued(View view) {
        List<Integer> jobs = new ArrayList<>();
        if (view.queues() > 0) {
            for (int job = view.queueHead(0); job >= 0; job = view.next(job)) {
                if (view.gang(job) < 0) {
                    jobs.add(job);
                }
            }
        }
        return jobs;
    }

    private static List<Integer> pending(View view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        jobs.removeIf(job -> view.gang(job) >= 0);
        jobs.sort(SlowGangs.order(view));
        return jobs;
    }

    private static List<Integer> allPending(View view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.pendingHead(); job >= 0; job = view.next(job)) {
            jobs.add(job);
        }
        return jobs;
    }

    /** The server for a job, or else one that is held for somebody that goes after it. */
    private int server(View view, int job) {
        int server = open(view, job);
        return server >= 0
                ? server
                : held.keySet().stream()
                        .filter(one -> fits(view, job, one) && admits(view, one, job))
                        .findFirst()
                        .orElse(-1);
    }

    /** The server for a job among those that are not held: of the least penalty the first that fits, or the best. */
    private int open(View view, int job) {
        boolean first = kind.startsWith("first-fit") || kind.equals("fifo-ff") || kind.equals("bf-s");
        Constraints its = view.constraints(view.constraint(job));
        int best = -1;
        score.look(view);
        for (int server = 0; server < view.servers(); server++) {
            if (!held.containsKey(server) && fits(view, job, server)) {
                int less = best < 0 ? -1 : its.penalty(view.labels(server)) - its.penalty(view.labels(best));
                best = less < 0 || (less == 0 && !first && score.better(view, job, server, best)) ? server : best;
            }
        }
        return best;
    }

    /** The job for a server: the largest, or the best; ties to the largest sum, then to the earliest. */
    private int job(View view, int server) {
        int best = -1;
        if (kind.equals("bf-due")) {
            return SlowDue.earliestOrHalf(
                    view,
                    server,
                    undecided(view).stream()
                            .filter(job -> fits(view, job, server))
                            .toList());
        }
        for (int job : undecided(view)) {
            if (fits(view, job, server) && (best < 0 || betterJob(view, server, job, best))) {
                best = job;
            }
        }
        return best;
    }

    private boolean betterJob(View view, int server, int job, int best) {
        int byScore = Double.compare(score.ofJob(view, job, server), score.ofJob(view, best, server));
        int bySize = Double.compare(SlowScore.size(view, job), SlowScore.size(view, best));
        if (byScore != 0) {
            return byScore > 0;
        }
        return bySize != 0 ? bySize > 0 : view.order(job) < view.order(best);
    }
}
