package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.ForwardingPolicy;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.View;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A policy that is made when it starts or is restored, because only then is there a view to build its indexes from. The
 * number of its queues and its capabilities are needed earlier, so they are declared here.
 */
public final class AtStart extends ForwardingPolicy {
    private final ToIntFunction<View> queues;
    private final Function<View, Policy> maker;
    private final Set<Capability> capabilities;
    private @Nullable Policy policy;

    /**
     * A policy to be made later, with a fixed number of queues.
     *
     * @param queues number of queues it uses
     * @param maker makes it
     * @param capabilities what it can do
     */
    public AtStart(int queues, Function<View, Policy> maker, Capability... capabilities) {
        this(view -> queues, maker, capabilities);
    }

    /**
     * A policy to be made later.
     *
     * @param queues number of queues it uses
     * @param maker makes it
     * @param capabilities what it can do
     */
    public AtStart(ToIntFunction<View> queues, Function<View, Policy> maker, Capability... capabilities) {
        this.queues = queues;
        this.maker = maker;
        Set<Capability> declared = EnumSet.noneOf(Capability.class);
        Collections.addAll(declared, capabilities);
        this.capabilities = Collections.unmodifiableSet(declared);
    }

    @Override
    protected Policy policy() {
        return Objects.requireNonNull(policy, "the policy was not started");
    }

    private Policy make(View view) {
        Policy made = maker.apply(view);
        if (!capabilities.containsAll(made.capabilities())) {
            throw new IllegalStateException("the policy made at the start has " + made.capabilities() + ", but only "
                    + capabilities + " is declared: declare the rest where AtStart is made");
        }
        policy = made;
        return made;
    }

    @Override
    public int queues(View view) {
        return queues.applyAsInt(view);
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public void started(View view, Actions actions) {
        make(view).started(view, actions);
    }

    @Override
    public void restore(StateReader in, View view) {
        make(view).restore(in, view);
    }
}
