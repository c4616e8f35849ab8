package dev.stowage.kube.schedule;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which of several replicas leads, by a {@code Lease} that one of them renews. It leads only as long as its own clocks
 * say that the lease holds, with a margin: counted from before the renewal was sent, by the monotonic and by the wall
 * clock, whichever says that more time has passed. A follower takes the lease only when it has seen it unchanged for
 * its whole duration by its own clock; so clocks need not agree. Every write names the version that was read, so that
 * if two replicas try, one fails.
 *
 * <p>It has no thread: {@link #turn} must be called regularly.
 */
public final class Election implements Fence {
    private static final int MISSING = 404;
    private static final int CONFLICT = 409;

    private record Held(long monotonicNanos, long wallMillis) {}

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final String identity;
    private final Duration duration;
    private final Duration margin;
    private final LongSupplier monotonic;
    private final Clock clock;
    private final AtomicReference<@Nullable Held> held = new AtomicReference<>();
    /** The lease as this replica wrote it last, if it knows that the write took effect. */
    private @Nullable Lease own;

    private String seenVersion = "";
    private long seenAt;
    private String leader = "";

    /**
     * A replica that does not lead yet.
     *
     * @param identity a name that no other replica has, nor an earlier run of this one
     * @param duration how long a lease holds
     * @param margin how long before the end of the lease it stops acting; longer than a binding may take to be answered
     * @param monotonic nanoseconds of a clock that never goes back
     * @param clock the wall clock
     */
    public Election(
            KubernetesClient client,
            String namespace,
            String name,
            String identity,
            Duration duration,
            Duration margin,
            LongSupplier monotonic,
            Clock clock) {
        if (margin.compareTo(duration) >= 0) {
            throw new IllegalArgumentException(
                    "margin " + margin + " must be shorter than the lease's duration " + duration);
        }
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.identity = identity;
        this.duration = duration;
        this.margin = margin;
        this.monotonic = monotonic;
        this.clock = clock;
    }

    @Override
    public boolean mayAct() {
        Held since = held.get();
        return since != null && age(since) < duration.minus(margin).toNanos();
    }

    private long age(Held since) {
        long wall = Math.max(0, clock.millis() - since.wallMillis()) * 1_000_000;
        return Math.max(monotonic.getAsLong() - since.monotonicNanos(), wall);
    }

    /** Whether it held the lease at the last turn. It may have to stop acting for a while and still be the leader. */
    public boolean isLeader() {
        return held.get() != null;
    }

    /** The last known holder of the lease, empty if nobody. */
    public String leader() {
        return leader;
    }

    /**
     * Renews the lease, or tries to get it. Returns whether it leads.
     *
     * @throws KubernetesClientException if the API server does not answer; then it may act as long as {@link #mayAct}
     *     says, and remains the leader until a turn says otherwise
     */
    public boolean turn() {
        Lease mine = own;
        if (mine != null && held.get() != null) {
            // Nobody else has written it since, or this is a conflict. It is one call in place of two.
            own = null;
            return write(mine) || read();
        }
        return read();
    }

    private boolean read() {
        Lease lease = client.leases().inNamespace(namespace).withName(name).get();
        boolean mine = lease != null && identity.equals(lease.getSpec().getHolderIdentity()) && held.get() != null;
        if (lease != null && !mine && !isOver(lease)) {
            leader = Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
            held.set(null);
            return false;
        }
        if (write(lease)) {
            return true;
        }
        held.set(null);
        return false;
    }

    /** Writes the lease, or a first one. Returns false if it is not the one that was read, or written last. */
    private boolean write(@Nullable Lease lease) {
        Held before = new Held(monotonic.getAsLong(), clock.millis());
        try {
            Lease written = lease == null
                    ? client.leases()
                            .inNamespace(namespace)
                            .resource(renewed(null))
                            .create()
                    : client.leases()
                            .inNamespace(namespace)
                            .resource(renewed(lease))
                            .update();
            own = written;
            seenVersion = written.getMetadata().getResourceVersion();
            held.set(before);
            leader = identity;
            return true;
        } catch (KubernetesClientException e) {
            // It is missing if somebody has deleted it.
            if (e.getCode() == CONFLICT || (e.getCode() == MISSING && lease != null)) {
                return false;
            }
            throw e;
        }
    }

    private boolean isOver(Lease lease) {
        String holder = lease.getSpec().getHolderIdentity();
        if (holder == null || holder.isEmpty()) {
            return true;
        }
        String version = lease.getMetadata().getResourceVersion();
        if (!version.equals(seenVersion)) {
            seenVersion = version;
            seenAt = monotonic.getAsLong();
            return false;
        }
        Integer seconds = lease.getSpec().getLeaseDurationSeconds();
        long nanos = Math.max(
                duration.toNanos(),
                seconds == null ? 0 : Duration.ofSeconds(seconds).toNanos());
        return monotonic.getAsLong() - seenAt > nanos;
    }

    private Lease renewed(@Nullable Lease lease) {
        ZonedDateTime now = ZonedDateTime.now(clock.withZone(ZoneOffset.UTC));
        boolean same = lease != null && identity.equals(lease.getSpec().getHolderIdentity());
        int before = lease == null || lease.getSpec().getLeaseTransitions() == null
                ? 0
                : lease.getSpec().getLeaseTransitions();
        LeaseBuilder builder = lease == null
                ? new LeaseBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                : new LeaseBuilder(lease);
        return builder.editOrNewSpec()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds((int) Math.max(1, duration.toSeconds()))
                .withRenewTime(now)
                .withAcquireTime(same && lease != null ? lease.getSpec().getAcquireTime() : now)
                .withLeaseTransitions(lease == null ? 0 : same ? before : before + 1)
                .endSpec()
                .build();
    }

    /**
     * Gives the lease up, so that another replica need not wait for its end. All requests must have been answered
     * before.
     */
    public void giveUp() {
        if (held.getAndSet(null) == null) {
            return;
        }
        Lease lease = client.leases().inNamespace(namespace).withName(name).get();
        if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
            client.leases()
                    .inNamespace(namespace)
                    .resource(new LeaseBuilder(lease)
                            .editSpec()
                            .withHolderIdentity("")
                            .endSpec()
                            .build())
                    .update();
        }
    }
}
