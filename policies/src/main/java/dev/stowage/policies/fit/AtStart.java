package dev.stowage.policies.fit;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A policy that is made when it starts or is restored, because only then is there a view to build its indexes from. */
public final class AtStart implements Policy {
    private final ToIntFunction<View> queues;
    private final Function<View, Policy> maker;
    private final boolean keepsSiteLimits;
    private @Nullable Policy policy;

    /**
     * A policy to be made later, with a fixed number of queues.
     *
     * @param queues number of queues it uses
     * @param maker makes it
     */
    public AtStart(int queues, Function<View, Policy> maker) {
        this(view -> queues, maker);
    }

    /**
     * A policy to be made later.
     *
     * @param queues number of queues it uses
     * @param maker makes it
     */
    public AtStart(ToIntFunction<View> queues, Function<View, Policy> maker) {
        this(queues, maker, false);
    }

    private AtStart(ToIntFunction<View> queues, Function<View, Policy> maker, boolean keepsSiteLimits) {
        this.queues = queues;
        this.maker = maker;
        this.keepsSiteLimits = keepsSiteLimits;
    }

    /** The same, of a policy that keeps site limits. */
    public AtStart keepingSiteLimits() {
        return new AtStart(queues, maker, true);
    }

    @Override
    public boolean keepsSiteLimits() {
        return keepsSiteLimits;
    }

    private Policy policy() {
        return Objects.requireNonNull(policy, "the policy was not started");
    }

    @Override
    public int queues(View view) {
        return queues.applyAsInt(view);
    }

    @Override
    public void started(View view, Actions actions) {
        policy = maker.apply(view);
        policy.started(view, actions);
    }

    @Override
    public void restore(StateReader in, View view) {
        policy = maker.apply(view);
        policy.restore(in, view);
    }

    @Override
    public void save(StateWriter out) {
        policy().save(out);
    }

    @Override
    public void arrived(int job, View view, Actions actions) {
        policy().arrived(job, view, actions);
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        policy().left(job, server, view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        policy().displaced(job, server, view, actions);
    }

    @Override
    public void dummyEnded(int dummy, int server, View view, Actions actions) {
        policy().dummyEnded(dummy, server, view, actions);
    }

    @Override
    public void timer(long tag, View view, Actions actions) {
        policy().timer(tag, view, actions);
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        policy().serverChanged(server, view, actions);
    }

    @Override
    public void round(View view, Actions actions) {
        policy().round(view, actions);
    }
}
