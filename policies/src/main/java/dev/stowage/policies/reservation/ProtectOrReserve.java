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
 * on a larger one; decided once, when it starts.
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
    private final double limit;
    private final double memory;
    private final DraOptions options;
    private @Nullable Policy policy;
    private boolean reserves;

    /**
     * Not started yet.
     *
     * @param limit part of the scarcest resource that empty slots may take, up to which {@link Dra} decides
     * @param memory of the load that protection levels learn, in mean service times
     * @param options of {@link Dra}
     */
    ProtectOrReserve(double limit, double memory, DraOptions options) {
        this.limit = limit;
        this.memory = memory;
        this.options = options;
    }

    @Override
    protected Policy policy() {
        return Objects.requireNonNull(policy, "the policy was not started");
    }

    private Policy make(View view) {
        Policy made = reserves ? new Dra(view, options) : new ProtectionLevels(view, memory);
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
        reserves = keptEmpty(view) <= limit;
        make(view).started(view, actions);
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
        out.putLong(reserves ? 1 : 0);
        policy().save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        reserves = in.getLong() == 1;
        make(view).restore(in, view);
    }
}
