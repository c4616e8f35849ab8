package dev.stowage.service.state;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.PolicyFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicated state: batches in, outcomes out, the same on every node that applied the same batches. Not
 * thread-safe.
 *
 * <p>A state that cannot go on (it differs from the leader's, the log needs another version, a policy broke a rule) is
 * <em>halted</em>: it says why, and applies nothing more.
 */
public final class ServiceState {
    /** Version of the log entries that this release reads and writes. */
    public static final int VERSION = 6;
    /** Digests that are kept to compare with the leader's. */
    private static final int DIGESTS = 1 << 14;

    private final PolicyFactory policies;
    private final int changesKept;
    private final long[] digests = new long[DIGESTS];
    private final long[] digestPositions = new long[DIGESTS];
    private final RecentRequests recent = new RecentRequests();
    private @Nullable World world;
    private long position = -1;
    private long now = Long.MIN_VALUE;
    private long lastChecked = -1;
    private boolean diverged;
    private boolean withoutPolicy;
    private @Nullable String halted;

    /** A state before its first entry. */
    public ServiceState(PolicyFactory policies) {
        this(policies, Listing.changesKept());
    }

    /** The same, with another number of remembered changes of requests. */
    ServiceState(PolicyFactory policies, int changesKept) {
        this.policies = policies;
        this.changesKept = changesKept;
        java.util.Arrays.fill(digestPositions, -1);
    }

    /** The world, or null before the first entry. */
    public @Nullable World world() {
        return world;
    }

    /** Position of the last entry applied, or -1. */
    public long position() {
        return position;
    }

    /** Time of the last entry applied. */
    public long now() {
        return now;
    }

    /** Hash of all that was decided. */
    public long digest() {
        return world == null ? 0 : world.digest();
    }

    /** Position of the last entry for which this node is known to have had the leader's digest, or -1. */
    public long lastChecked() {
        return lastChecked;
    }

    /** When something is due, or {@link Long#MAX_VALUE}. */
    public long nextDeadline() {
        return world == null ? Long.MAX_VALUE : world.nextDeadline();
    }

    /** Why nothing more is applied, or null. */
    public @Nullable String halted() {
        return halted;
    }

    /** Whether the state halted because it differs from the leader's: a snapshot of the leader's heals it. */
    public boolean diverged() {
        return diverged;
    }

    /**
     * Whether the state halted because this node lacks a policy that the others have switched to; the log is fine.
     */
    public boolean withoutPolicy() {
        return withoutPolicy;
    }

    /**
     * Applies a log entry.
     *
     * @return an outcome for each operation; none if the state is or becomes halted
     */
    public List<Outcome> apply(long newPosition, Batch batch) {
        if (halted != null) {
            return List.of();
        }
        long at = Math.max(now, batch.at());
        List<Outcome> outcomes = new ArrayList<>(batch.operations().size());
        try {
            if (world != null) {
                if (!batch.operations().isEmpty() && batch.operations().get(0) instanceof Operation.ClockSet) {
                    world.renewLeases(at);
                }
                world.passTime(at, newPosition);
            }
            for (Operation operation : batch.operations()) {
                outcomes.add(apply(operation, at, newPosition));
                if (world != null) {
                    world.heldRoom().free(at, newPosition);
                }
                if (halted != null) {
                    return List.of();
                }
            }
        } catch (MissingPolicyException e) {
            withoutPolicy = true;
            halt("entry " + newPosition + ": " + e.getMessage());
            return List.of();
        } catch (RuntimeException e) {
            halt("entry " + newPosition + " cannot be applied: " + e);
            return List.of();
        }
        now = at;
        position = newPosition;
        int slot = (int) (newPosition & (DIGESTS - 1));
        digests[slot] = digest();
        digestPositions[slot] = newPosition;
        recent.arrived(at, batch, outcomes);
        return outcomes;
    }

    /** The requests that changed since the last call, as they were after each change, in order. */
    public List<Request> takeChanges() {
        List<Request> changes = world == null ? List.of() : world.takeChanges();
        recent.changed(changes);
        return changes;
    }

    /** The recent load that this node has seen; not replicated. */
    public RecentRequests recent() {
        return recent;
    }

    /** Applies nothing more. */
    public void halt(String why) {
        if (halted == null) {
            halted = why;
        }
    }

    private Outcome apply(Operation operation, long at, long newPosition) {
        if (operation instanceof Operation.Begin begin) {
            // Two successive leaders may both have written this entry.
            if (world == null) {
                world = World.begin(begin.setting(), policies, at, changesKept);
            }
            return Outcome.NOTHING;
        }
        if (operation instanceof Operation.Check check) {
            compare(check);
            return Outcome.NOTHING;
        }
        if (operation instanceof Operation.Activate activate) {
            if (activate.version() != VERSION) {
                halt(new VersionException(activate.version()).getMessage() + "");
            }
            return Outcome.NOTHING;
        }
        World present = world;
        if (present == null) {
            return Outcome.refused(null, "the service has not started yet");
        }
        if (operation instanceof Operation.Submit submit) {
            return present.submit(submit, at, newPosition);
        } else if (operation instanceof Operation.Adopt adopt) {
            return present.adopt(adopt, at, newPosition);
        } else if (operation instanceof Operation.Gang gang) {
            return present.gang(gang, at, newPosition);
        } else if (operation instanceof Operation.Told told) {
            return present.agents().told(told, at, newPosition);
        } else if (operation instanceof Operation.Heartbeat heartbeat) {
            return present.agents().heartbeat(heartbeat, at, newPosition);
        } else if (operation instanceof Operation.Report report) {
            return present.agents().report(report, at, newPosition);
        } else if (operation instanceof Operation.Release release) {
            return present.release(release, at, newPosition);
        } else if (operation instanceof Operation.Confirm confirm) {
            return present.confirm(confirm, newPosition);
        } else if (operation instanceof Operation.Note note) {
            return present.note(note, at, newPosition);
        } else if (operation instanceof Operation.Change change) {
            return present.change(change, at, newPosition);
        } else if (operation instanceof Operation.SetQuota set) {
            return present.setQuota(set, at, newPosition);
        }
        return Outcome.NOTHING;
    }

    private void compare(Operation.Check check) {
        int slot = (int) (check.position() & (DIGESTS - 1));
        if (digestPositions[slot] != check.position()) {
            return;
        }
        if (digests[slot] != check.digest()) {
            diverged = true;
            halt("this node's state differs from the leader's: digest after entry " + check.position() + " is "
                    + Long.toHexString(digests[slot]) + ", the leader has " + Long.toHexString(check.digest()));
            return;
        }
        lastChecked = check.position();
    }

    /** A copy of the state at this moment, which is written while the state goes on. */
    public Snapshot capture() {
        return new Snapshot(position, now, digest(), world == null ? null : world.capture());
    }

    /** The state of a snapshot. */
    static ServiceState restore(Snapshot snapshot, PolicyFactory policies) {
        ServiceState state = new ServiceState(policies);
        state.position = snapshot.position();
        state.now = snapshot.now();
        Captured captured = snapshot.captured();
        if (captured != null) {
            state.world = World.restore(captured, snapshot.position(), policies, state.changesKept);
        }
        if (state.digest() != snapshot.digest()) {
            throw new IllegalArgumentException("snapshot is damaged: digest " + Long.toHexString(state.digest())
                    + " instead of " + Long.toHexString(snapshot.digest()));
        }
        return state;
    }

    /** Changes this state as damaged memory would, for tests. */
    public void damageForTest() {
        now++;
        World present = world;
        if (present != null) {
            present.submit(
                    new Operation.Submit(
                            "",
                            "damage",
                            "",
                            new long[present.resources().size()],
                            new long[0],
                            0,
                            -1,
                            List.of(),
                            ConstraintWords.NONE,
                            0,
                            false,
                            0),
                    now,
                    position);
        }
    }
}
