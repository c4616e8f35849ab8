package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.translate.PodBudget;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.kube.translate.PodSelector;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/** The engine of a cluster without a cluster: two nodes of 4 cores, each full of pods of low priority. */
abstract class TwoFullNodes {
    static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    final Map<String, String> bound = new LinkedHashMap<>();
    final List<String> evicted = new ArrayList<>();
    final TreeSet<String> notNominated = new TreeSet<>();
    long nanos = 1000 * SECOND;
    ClusterEngine engine = engine("bf-js");

    ClusterEngine engine(String policy) {
        return new ClusterEngine(
                "stowage",
                PolicySpec.of(policy),
                new Policies(),
                10,
                () -> nanos,
                new Decisions() {
                    @Override
                    public void bind(PodFacts pod, String node, String reason) {
                        assertThat(bound.put(pod.name(), node)).as(pod.name()).isNull();
                    }

                    @Override
                    public void evict(PodFacts pod, String reason) {
                        throw new AssertionError(pod.path() + " was evicted");
                    }

                    @Override
                    public void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
                        victims.forEach(victim -> evicted.add(victim.name() + " for " + pod.name() + " on " + node));
                        assertThat(victims).allMatch(victim -> victim.node().equals(node));
                    }

                    @Override
                    public void notNominated(PodFacts pod) {
                        notNominated.add(pod.name());
                    }

                    @Override
                    public void waits(PodFacts pod) {}
                },
                CommandLogs.NONE);
    }

    @BeforeEach
    void twoFullNodes() {
        fill(engine);
        engine.budgets(new DisruptionBudgets(List.of()));
        engine.start();
    }

    static void fill(ClusterEngine engine) {
        engine.node(Yaml.node("n1", "kubernetes.io/hostname: n1"));
        engine.node(Yaml.node("n2", "kubernetes.io/hostname: n2"));
        engine.pod(pod("a", 1, "cpu: 2", "").boundTo("n1"));
        engine.pod(pod("b", 2, "cpu: 2", "").boundTo("n1"));
        engine.pod(pod("c", 3, "cpu: 4", "").boundTo("n2"));
    }

    static PodFacts pod(String name, int priority, String requests, String spec) {
        return PodReader.read(object(name, priority, requests, spec));
    }

    static Pod object(String name, int priority, String requests, String spec) {
        Pod pod = Yaml.pod(name, "app: " + name, requests, spec);
        pod.getSpec().setPriority(priority);
        return pod;
    }

    static PodFacts leaving(String name, int priority, String requests, String node) {
        Pod pod = object(name, priority, requests, "nodeName: " + node);
        pod.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        return PodReader.read(pod);
    }

    static PodBudget budget(String app, int allowed) {
        LabelSelector selector =
                new LabelSelectorBuilder().addToMatchLabels("app", app).build();
        return new PodBudget("default", "of-" + app, PodSelector.of(selector), allowed, true);
    }

    void look() {
        nanos += SECOND;
        engine.preempt(nanos, 60 * SECOND);
        engine.bindNominated();
    }
}
