package dev.stowage.policies.reservation;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@link ProtectionLevels} on a cluster where the slots that {@link Dra} keeps empty would be much of it, and that one
 * on a larger one; told apart once, when it starts. In between {@link Dra} is tried: when what it accepts pays less
 * than {@link #ENOUGH} of the greatest reward ({@link ReserveWatch}), {@link ProtectionLevels} takes over for good.
 *
 * <p><em>Theorem</em> (Psychas and Ghaderi 2020, Theorem 4.1, of this policy). With J types of fixed demands, servers
 * of one kind, and arrivals, service times and rewards as there, its reward is in the limit of many servers at least
 * 1/2 of the greatest, 1 - 1/e if rewards are monotone greedy. <em>Proof.</em> The slots kept empty are g(L) of each
 * type, at most g(L) times the sum of all demands, so the part of any resource that they take is at most a constant
 * times g(L) / L. That falls to 0, because g grows more slowly than L (a condition of the theorem), so there is an L0
 * from which on it is below any limit greater than 0. From L0 servers on every decision is that of {@link Dra}, so
 * whatever holds for it in the limit holds here.
 *
 * <p>Below L0 it is a heuristic.
 */
final class ProtectOrReserve extends ForwardingPolicy {
    /** Part of the greatest reward from which on {@link Dra} is not given up. */
    static final double ENOUGH = 0.85;

    private enum Stage {
        PROTECTS,
        RESERVES,
        TRIES
    }

    private final double limit;
    private final double trial;
    private final double memory;
    private final DraOptions options;
    private @Nullable Policy policy;
    private @Nullable ReserveWatch watch;
    private Stage stage = Stage.PROTECTS;

    /**
     * Not started yet.
     *
     * @param limit part of the scarcest resource that empty slots may take, up to which {@link Dra} decides
     * @param trial the same, up to which {@link Dra} is tried
     * @param memory of the load that is learned, in mean service times
     * @param options of {@link Dra}
     */
    ProtectOrReserve(double limit, double trial, double memory, DraOptions options) {
        this.limit = limit;
        this.trial = trial;
        this.memory = memory;
        this.options = options;
    }

    @Override
    protected Policy policy() {
        return Objects.requireNonNull(policy, "the policy was not started");
    }

    private Policy make(View view) {
        Policy made = switch (stage) {
            case PROTECTS -> new ProtectionLevels(view, memory);
            case RESERVES -> new Dra(view, options);
            case TRIES -> new Dra(view, options, present -> watch = new ReserveWatch(view, memory, present));
        };
        policy = made;
        return made;
    }

    @Override
    public int queues(View view) {
        return 0;
    }

    @Override
    public Set<Capability> capabilities() {
        return Collections.emptySet();
    }

    @Override
    public void started(View view, Actions actions) {
        double empty = keptEmpty(view);
        stage = empty <= limit ? Stage.RESERVES : empty <= trial ? Stage.TRIES : Stage.PROTECTS;
        make(view).started(view, actions);
    }

    @Override
    public void round(View view, Actions actions) {
        super.round(view, actions);
        if (watch != null && watch.isDue(view) && watch.part(view) < ENOUGH) {
            ((Dra) policy()).end(actions);
            watch = null;
            stage = Stage.PROTECTS;
            make(view).started(view, actions);
        }
    }

    /** Part of the scarcest resource in g(L) slots of each type; infinite where there is no server, or no type. */
    private double keptEmpty(View view) {
        double most = view.types() == 0 ? Double.POSITIVE_INFINITY : 0;
        for (int r = 0; r < view.resources(); r++) {
            double demand = 0;
            for (int type = 0; type < view.types(); type++) {
                demand += view.typeDemand(type, r);
            }
            double capacity = 0;
            for (int server = 0; server < view.servers(); server++) {
                capacity += view.capacity(server, r);
            }
            if (demand > 0) {
                most = Math.max(most, options.slack().applyAsLong(view.servers()) * demand / capacity);
            }
        }
        return most;
    }

    @Override
    public void save(StateWriter out) {
        out.putLong(stage.ordinal());
        policy().save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        stage = Stage.values()[(int) in.getLong()];
        make(view).restore(in, view);
    }
}
