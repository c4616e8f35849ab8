package dev.stowage.kube.schedule;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.View;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which nodes the engine allows a pod: the whole way through translation, vocabulary and constraints, up to what a
 * policy sees in {@link View#fits}. The policy here notes them and turns the pod away.
 */
public final class Asked {
    private final Set<String> fitting = new TreeSet<>();
    private final ClusterEngine engine;

    /** An engine with these nodes, and these pods running on them. */
    public Asked(Collection<NodeFacts> nodes, Collection<PodFacts> running, String scheduler) {
        engine = new ClusterEngine(
                scheduler,
                PolicySpec.of("asked"),
                new Noting(),
                0,
                () -> 1,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        throw new AssertionError(pod.path() + " was placed");
                    }

                    @Override
                    public void evict(PodFacts pod, String reason) {
                        throw new AssertionError(pod.path() + " was evicted");
                    }

                    @Override
                    public void waits(PodFacts pod) {}
                },
                CommandLogs.NONE);
        nodes.forEach(engine::node);
        running.forEach(engine::pod);
        engine.start();
    }

    /** The nodes that a pod is allowed. */
    public Set<String> allowed(PodFacts pod) {
        fitting.clear();
        engine.pod(pod);
        PodState state = engine.state(pod.uid());
        if (state != PodState.FITS_NOWHERE) {
            throw new AssertionError(pod.path() + " is " + state + ": " + engine.explain(pod.uid()));
        }
        Set<String> allowed = new TreeSet<>(fitting);
        engine.podGone(pod.uid());
        return allowed;
    }

    private final class Noting implements PolicyFactory {
        @Override
        public Policy create(PolicySpec spec) {
            return new Policy() {
                @Override
                public Set<Capability> capabilities() {
                    return Set.of(Capability.CONSTRAINTS, Capability.OVERCOMMITMENT);
                }

                @Override
                public void round(View view, Actions actions) {
                    for (int job = view.pendingHead(); job != View.NONE; job = view.pendingHead()) {
                        for (int server = 0; server < view.servers(); server++) {
                            if (view.fits(job, server)) {
                                fitting.add(view.serverName(server));
                            }
                        }
                        actions.reject(job, "asked only");
                    }
                }

                @Override
                public void arrived(int job, View view, Actions actions) {}

                @Override
                public void adopted(int job, int server, View view, Actions actions) {}
            };
        }

        @Override
        public List<String> names() {
            return List.of("asked");
        }
    }
}
