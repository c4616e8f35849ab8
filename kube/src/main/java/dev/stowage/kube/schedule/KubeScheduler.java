package dev.stowage.kube.schedule;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.Volumes;
import dev.stowage.kube.watch.BudgetWatch;
import dev.stowage.kube.watch.ClusterWatch;
import dev.stowage.kube.watch.Daemons;
import dev.stowage.kube.watch.GroupWatch;
import dev.stowage.kube.watch.VolumeWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running scheduler: lists and watches the cluster, decides in one thread, binds and writes events in others. It
 * keeps no state when it is closed; another one lists, adopts running pods, and continues.
 */
public final class KubeScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KubeScheduler.class);
    private static final long IDLE_MILLIS = 20;
    private static final int LISTS = 2;
    /** While it lists, it says so often how far it is. */
    private static final long LISTING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** So long after a node could not have a pod's volumes it is tried again. */
    private static final long VOLUMES_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long COUNT_NANOS = 500_000_000;
    /** A pod that is bound at once, with the rest of its group, is not said to wait. */
    private static final long FIRST_WORD_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Number of explanations before new events are processed again. */
    private static final int EXPLAIN_AT_ONCE = 20;

    private final KubeSettings settings;
    private final SchedulerFigures figures;
    private final ClusterWatch watch;
    private final @Nullable BudgetWatch budgets;
    private final Volumes volumes = new Volumes();
    private final VolumeWatch volumeWatch;
    private final GroupWatch groupWatch;
    private final VolumeChanges told;
    private final ClaimBinder claims;
    private final EventWriter events;
    private final Binder binder;
    private final Evictor evictor;
    private final ClusterEngine engine;
    private final Thread thread;
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    /** Waiting pods without an event yet, by unique id, and when they get one, the next one first. */
    private final Map<String, Long> unexplained = new LinkedHashMap<>();

    /** Pods with an event, and when they get another one if the reason has changed, the next one first. */
    private final Map<String, Long> again = new LinkedHashMap<>();

    private final Map<String, String> explained = new LinkedHashMap<>();
    /** Which of nodes and pods have been listed completely. */
    private final Set<String> listed = new HashSet<>();

    /** Pods that have not been bound, by unique id. */
    private final Map<String, Unbound> unbound = new ConcurrentHashMap<>();

    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

    private record Held(String uid, long until) {}

    /** Since when a pod has been known, and how often it has been given a node. */
    private record Unbound(long since, int attempts) {}

    /**
     * A scheduler that has not been started.
     *
     * @param client for what it does
     * @param reads for lists and watches
     * @throws IllegalArgumentException if the policy cannot be used for a cluster
     */
    public KubeScheduler(
            KubernetesClient client,
            KubernetesClient reads,
            KubeSettings settings,
            PolicyFactory policies,
            Fence fence,
            SchedulerFigures figures,
            CommandLogs logs) {
        this.settings = settings;
        this.figures = figures;
        ClusterApi api = new ClusterApi(client, settings.name());
        events = new EventWriter(api, figures);
        evictor = new Evictor(api, fence, figures, events, new AfterEviction());
        volumeWatch = new VolumeWatch(reads, volumes);
        told = new VolumeChanges(volumes, volumeWatch::begin);
        claims = new ClaimBinder(api, volumes, settings.volumePatience());
        binder = new Binder(
                api,
                claims,
                new GpuBinder(api, settings.name()),
                fence,
                figures,
                settings.bindings(),
                new AfterBinding());
        engine = new ClusterEngine(
                settings.name(),
                settings.policy(),
                policies,
                settings.preferences(),
                KubeScheduler::wallNanos,
                new CarryOut(),
                logs);
        watch = new ClusterWatch(reads, new Watched());
        groupWatch = new GroupWatch(reads, size -> inbox.add(() -> engine.group(size)));
        budgets = settings.preempt()
                ? new BudgetWatch(reads, known -> inbox.add(() -> engine.budgets(new DisruptionBudgets(known))))
                : null;
        thread = Daemons.named("stowage-decide").newThread(this::run);
    }

    private static long wallNanos() {
        return System.currentTimeMillis() * 1_000_000;
    }

    /** Starts to list; decides when the whole cluster is known. */
    public void start() {
        watch.start();
        if (budgets != null) {
            budgets.start();
        }
        thread.start();
    }

    /** The exception that ended it, or null. */
    public @Nullable Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            long began = System.nanoTime();
            for (long said = began; !closed && listed.size() < LISTS; ) {
                work();
                long now = System.nanoTime();
                if (now - said > LISTING_NANOS) {
                    said = now;
                    LOG.info(
                            "listing the cluster: {} nodes and {} pods so far, after {} s",
                            engine.occupancy().nodes().size(),
                            engine.counts().values().stream()
                                    .mapToInt(count -> count)
                                    .sum(),
                            TimeUnit.NANOSECONDS.toSeconds(now - began));
                }
            }
            if (!closed) {
                engine.start();
                if (settings.preempt()) {
                    // Nominations of an earlier replica are renewed before any of their victims is gone.
                    engine.preempt(System.nanoTime(), settings.stuckAfter().toNanos());
                }
                figures.pods(engine.counts(), engine.occupancy().nodes().size());
                figures.ready(true);
                LOG.info(
                        "deciding: {} nodes, pods {}",
                        engine.occupancy().nodes().size(),
                        engine.counts());
            }
            long counted = System.nanoTime();
            while (!closed) {
                work();
                long now = System.nanoTime();
                while (!held.isEmpty() && held.peek().until() - now <= 0) {
                    engine.again(held.remove().uid());
                }
                told.tell(engine);
                engine.offerAgain();
                engine.bindNominated();
                explain(now);
                if (now - counted > COUNT_NANOS) {
                    counted = now;
                    engine.lookAfterGroups(now, settings.groupPatience().toNanos());
                    engine.lookAfterPromises(now);
                    volumes.tryAgain(now - VOLUMES_AGAIN_NANOS);
                    if (settings.preempt()) {
                        engine.preempt(now, settings.stuckAfter().toNanos());
                    }
                    figures.pods(engine.counts(), engine.occupancy().nodes().size());
                    figures.decidingNanos.add(processorNanos() - figures.decidingNanos.sum());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
            LOG.error("the scheduler has stopped", e);
        } finally {
            figures.ready(false);
        }
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Processes events that have arrived, after a short wait for them. */
    private void work() throws InterruptedException {
        Runnable task = inbox.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        for (int n = inbox.size(); task != null; task = n-- > 0 ? inbox.poll() : null) {
            task.run();
        }
    }

    private void explain(long now) {
        int left = EXPLAIN_AT_ONCE;
        while (left > 0) {
            String uid = nextToExplain(now);
            if (uid == null) {
                return;
            }
            PodFacts pod = engine.known(uid);
            String why = engine.explain(uid);
            if (pod == null || why.isEmpty()) {
                explained.remove(uid);
                continue;
            }
            left--;
            if (!why.equals(explained.put(uid, why))) {
                events.waits(pod, why);
            }
            again.put(uid, now + settings.explainEvery().toNanos());
        }
    }

    /** A pod without a word before one whose word is old; null if nothing is due. */
    private @Nullable String nextToExplain(long now) {
        String first = takeDue(unexplained, now);
        return first == null ? takeDue(again, now) : first;
    }

    private static @Nullable String takeDue(Map<String, Long> pods, long now) {
        Iterator<Map.Entry<String, Long>> soonest = pods.entrySet().iterator();
        if (!soonest.hasNext()) {
            return null;
        }
        Map.Entry<String, Long> entry = soonest.next();
        if (entry.getValue() - now > 0) {
            return null;
        }
        soonest.remove();
        return entry.getKey();
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        volumeWatch.close();
        groupWatch.close();
        if (budgets != null) {
            budgets.close();
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        binder.close();
        evictor.close();
        events.close();
        // This comes last, because it fails if the disk is full.
        engine.endLog();
    }

    private final class Watched implements ClusterWatch.Listener {
        @Override
        public void node(NodeFacts node) {
            inbox.add(() -> engine.node(told.node(node)));
        }

        @Override
        public void nodeGone(String name) {
            inbox.add(() -> {
                told.nodeGone(name);
                engine.nodeGone(name);
            });
        }

        @Override
        public void pod(PodFacts pod) {
            if (!pod.isBound() && pod.scheduler().equals(settings.name())) {
                unbound.putIfAbsent(pod.uid(), new Unbound(System.nanoTime(), 0));
            }
            inbox.add(() -> {
                if (engine.needsGroup(pod)) {
                    groupWatch.begin();
                }
                engine.pod(told.pod(pod));
            });
        }

        @Override
        public void podGone(String uid) {
            unbound.remove(uid);
            inbox.add(() -> {
                told.podGone(uid);
                engine.podGone(uid);
            });
        }

        @Override
        public void listed(String what) {
            inbox.add(() -> listed.add(what));
        }
    }

    private final class CarryOut implements Decisions {
        @Override
        public void bind(PodFacts pod, String node, String reason) {
            NodeFacts facts = engine.occupancy().node(node);
            if (facts != null) {
                claims.chosen(pod, facts);
            }
            unbound.computeIfPresent(pod.uid(), (uid, known) -> new Unbound(known.since, known.attempts + 1));
            binder.bind(pod, node, reason);
        }

        @Override
        public void evict(PodFacts pod, String reason) {
            evictor.evict(pod, reason);
        }

        @Override
        public void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
            figures.victims.add(victims.size());
            evictor.makeRoom(pod, node, victims, reason);
        }

        @Override
        public void notNominated(PodFacts pod) {
            evictor.notNominated(pod);
        }

        @Override
        public void promiseEnds(PodFacts pod) {
            evictor.promiseEnds(pod);
        }

        @Override
        public void waits(PodFacts pod) {
            figures.unschedulable.increment();
            if (!again.containsKey(pod.uid())) {
                unexplained.putIfAbsent(pod.uid(), System.nanoTime() + FIRST_WORD_NANOS);
            }
        }
    }

    private final class AfterEviction implements Evictor.Listener {
        @Override
        public void notEvicted(PodFacts pod, String victim, List<String> staying, String why) {
            inbox.add(() -> engine.notEvicted(pod.uid(), victim, staying, why, System.nanoTime()));
        }
    }

    private final class AfterBinding implements Binder.Listener {
        @Override
        public void bound(PodFacts pod, String node, String reason) {
            Unbound known = unbound.remove(pod.uid());
            if (known != null) {
                figures.scheduling.addSince(known.since);
                figures.attemptsPerPod.add(known.attempts);
            }
            String ignored =
                    pod.ignored().isEmpty() ? "" : ". Ignored preferences: " + String.join(", ", pod.ignored());
            events.placed(pod, "Successfully assigned " + pod.path() + " to " + node + " by " + reason + ignored);
        }

        @Override
        public void refused(PodFacts pod, String node, String message) {
            LOG.warn("binding {} to {} was refused: {}", pod.path(), node, message);
            events.refused(pod, "binding to " + node + " was refused: " + message);
            inbox.add(() -> {
                engine.refused(pod.uid(), message);
                held.add(new Held(
                        pod.uid(), System.nanoTime() + settings.holdFor().toNanos()));
            });
        }

        @Override
        public void elsewhere(PodFacts now) {
            unbound.remove(now.uid());
            inbox.add(() -> engine.pod(told.pod(now)));
        }

        @Override
        public void gone(PodFacts pod) {
            unbound.remove(pod.uid());
            inbox.add(() -> engine.podGone(pod.uid()));
        }
    }
}
