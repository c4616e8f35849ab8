package dev.stowage.kube.schedule;

import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.kube.evict.ServerWords;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that schedules, alone or as one of several replicas of which one leads. It starts anew, with a list of the
 * whole cluster, whenever it becomes the leader.
 */
public final class Replica implements AutoCloseable {
    /**
     * The lease that replicas share.
     *
     * @param namespace namespace of the lease
     * @param name name of the lease
     * @param duration how long the lease holds
     */
    public record LeaseSettings(String namespace, String name, Duration duration) {}

    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    /** A list of many pods may take long, above all where processor time is short. */
    private static final int READ_MILLIS = 60_000;
    /** Watches, lists, and checks of them. */
    private static final int READS = 8;
    /** A binding is answered or counts as lost within this time; the margin of the lease is larger. */
    private static final int REQUEST_MILLIS = 3000;

    private static final int ALONE_MILLIS = 10_000;
    private static final int TURNS_PER_LEASE = 8;
    private static final int MARGINS_PER_LEASE = 3;
    private static final long WATCHING_MILLIS = 200;

    private final KubeSettings settings;
    private final PolicyFactory policies;
    private final CommandLogs logs;
    private final SchedulerFigures figures = new SchedulerFigures();
    /** For bindings, evictions and events. */
    private final KubernetesClient client;
    /** For what is read. On the connection of another, a list that takes long would hold up the lease and bindings. */
    private final KubernetesClient reads;

    private final @Nullable KubernetesClient leases;
    private final @Nullable Election election;
    private final long turnMillis;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean standsBy;
    private final String identity = host() + "-" + UUID.randomUUID();

    /**
     * A replica that has not been started.
     *
     * @param kubeconfig credentials; null for those of the pod that it runs in
     * @param lease the lease of the replicas, null if it is alone
     * @param logs where the commands of its engines are recorded
     * @throws IllegalArgumentException if the policy cannot schedule pods, the kubeconfig cannot be used, or the lease
     *     is too short
     */
    public Replica(
            @Nullable Path kubeconfig,
            KubeSettings settings,
            PolicyFactory policies,
            @Nullable LeaseSettings lease,
            CommandLogs logs) {
        ClusterEngine.policy(settings.policy(), policies);
        this.logs = logs;
        this.settings = settings;
        this.policies = policies;
        client = ClusterApi.client(kubeconfig, lease == null ? ALONE_MILLIS : REQUEST_MILLIS, 2 * settings.bindings());
        reads = ClusterApi.client(kubeconfig, READ_MILLIS, READS);
        if (lease == null) {
            election = null;
            leases = null;
            turnMillis = WATCHING_MILLIS;
        } else {
            Duration margin = lease.duration().dividedBy(MARGINS_PER_LEASE);
            if (margin.toMillis() <= REQUEST_MILLIS) {
                throw new IllegalArgumentException(
                        "a lease of " + lease.duration().toSeconds()
                                + " s is too short: a third of it must be longer than a call may take, "
                                + REQUEST_MILLIS / 1000 + " s");
            }
            // A renewal that is answered later than that would be of no use.
            leases = ClusterApi.client(
                    kubeconfig, (int) lease.duration().minus(margin).toMillis(), 1);
            election = new Election(
                    leases,
                    lease.namespace(),
                    lease.name(),
                    identity,
                    lease.duration(),
                    margin,
                    System::nanoTime,
                    Clock.systemUTC());
            turnMillis = lease.duration().toMillis() / TURNS_PER_LEASE;
        }
    }

    private static String host() {
        String host = System.getenv("HOSTNAME");
        return host == null || host.isEmpty() ? "stowage" : host;
    }

    /** Its counters. */
    public SchedulerFigures figures() {
        return figures;
    }

    /** Whether it decides, or is a standby of another replica that does. */
    public boolean isReady() {
        return figures.isReady() || standsBy;
    }

    /** The metrics, in the text form of Prometheus. */
    public String metrics() {
        return figures.exposition(settings.name());
    }

    /**
     * Schedules until {@link #close}, or until it cannot go on.
     *
     * @throws IllegalStateException if the deciding thread ended; the cause says why
     */
    public void run() throws InterruptedException {
        KubeScheduler scheduler = null;
        try {
            while (true) {
                boolean leads = leads();
                if (leads && scheduler == null) {
                    LOG.info("{} leads, and lists the cluster", identity);
                    scheduler = new KubeScheduler(
                            client, reads, settings, policies, election == null ? Fence.NONE : election, figures, logs);
                    scheduler.start();
                } else if (!leads && scheduler != null) {
                    LOG.warn("{} no longer leads", identity);
                    scheduler.close();
                    scheduler = null;
                }
                if (scheduler != null && scheduler.failure() != null) {
                    throw new IllegalStateException("the scheduler cannot continue", scheduler.failure());
                }
                if (stop.await(turnMillis, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } finally {
            try (client;
                    reads;
                    leases) {
                end(scheduler);
            }
        }
    }

    private void end(@Nullable KubeScheduler scheduler) throws InterruptedException {
        if (scheduler != null) {
            try {
                scheduler.close();
            } finally {
                giveUp();
            }
        }
    }

    private boolean leads() {
        if (election == null) {
            return true;
        }
        long asked = System.nanoTime();
        try {
            boolean leads = election.turn();
            standsBy = !leads && !election.leader().isEmpty();
            return leads;
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "the lease cannot be {}, {} ms after the call: {}",
                    election.isLeader() ? "renewed" : "read",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked),
                    ServerWords.message(e));
            standsBy = false;
            return election.isLeader();
        }
    }

    private void giveUp() throws InterruptedException {
        if (election != null && election.isLeader()) {
            // By now the last requests have been answered or count as lost.
            Thread.sleep(REQUEST_MILLIS);
            try {
                election.giveUp();
            } catch (KubernetesClientException e) {
                LOG.info("the lease was not released and will expire: {}", ServerWords.message(e));
            }
        }
    }

    @Override
    public void close() {
        stop.countDown();
    }
}
