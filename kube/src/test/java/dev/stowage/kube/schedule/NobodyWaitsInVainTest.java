package dev.stowage.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.Yaml;
import dev.stowage.kube.preempt.DisruptionBudgets;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodReader;
import dev.stowage.policies.Policies;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster's engine with a simulated API server: its events come late, bindings take effect or are refused in any
 * order, a rival binds to the same nodes, pods come and go, another replica takes over. A guard holds room for a minute
 * for bindings that a replica sent before it ended and that never take effect. When all events have been delivered, no
 * pod that fits (by an independent count) waits for half a minute. (Under fifo-ff one may, behind one that does not
 * fit.) With priorities, no pod waits either for which pods of lower priority could be evicted; evicted pods leave
 * late, and some evictions are refused.
 */
final class NobodyWaitsInVainTest {
    private static final int SEEDS = Integer.getInteger("stowage.seeds", 4);
    /** Seeds that found faults. */
    private static final long[] FOUND = {164, 621, 907};

    private static final int TURNS = 300;
    private static final int NODES = 4;
    private static final long CORES = 8000;
    private static final long TURN_MILLIS = 100;
    private static final long PATIENCE = 20_000;
    private static final long GUARD_HOLDS = 60_000;
    private static final long TRIED_AGAIN_AFTER = 1000;
    /**
     * The time for which the guard holds room, plus that after which a partly bound group is undone, plus some turns.
     */
    private static final long LONGEST_WAIT = GUARD_HOLDS + PATIENCE + 10_000;

    private static final String[] SIZES = {"500m", "1", "1500m", "2", "3"};

    /** A binding that the API server has received and not answered. */
    private record Sent(ClusterEngine by, PodFacts pod, String node) {}

    /** Room that the guard holds for a binding that it allowed. */
    private record GuardedRoom(PodFacts pod, String node, long until) {}

    /** Pods whose eviction was requested and not answered yet. */
    private record Evicting(ClusterEngine by, PodFacts pod, List<PodFacts> victims) {}

    /** A pod that is not retried until then. */
    private record Later(String uid, long until) {}

    private final Map<String, PodFacts> pods = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> told = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<GuardedRoom> holds = new ArrayList<>();
    private final List<Later> held = new ArrayList<>();
    private final List<String> toEvict = new ArrayList<>();
    private final List<Evicting> evicting = new ArrayList<>();
    private boolean priorities;
    private int driven;
    private Random random = new Random(0);
    private ClusterEngine engine;
    private long clock;
    private int made;
    private boolean settling;

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "bf-s", "first-fit:queue", "best-fit:queue"})
    void whenAllIsToldNobodyWaitsThatFits(String policy) {
        runAll(policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bf-js", "bf-j", "first-fit:queue", "first-fit"})
    void norOneForWhichLowerOnesCouldGo(String policy) {
        priorities = true;
        runAll(policy);
        assertThat(driven).isGreaterThan(SEEDS);
    }

    private void runAll(String policy) {
        for (long seed : LongStream.concat(LongStream.range(0, SEEDS), LongStream.of(FOUND))
                .toArray()) {
            try {
                run(policy, seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("policy " + policy + ", seed " + seed, e);
            }
        }
    }

    private void run(String policy, long seed) {
        random = new Random(seed);
        pods.clear();
        sent.clear();
        holds.clear();
        begin(policy);
        for (int turn = 0; turn < TURNS; turn++) {
            turn(policy);
        }
        long ended = clock;
        while (!left().isEmpty()) {
            assertThat(clock - ended).as(left() + " held " + holds).isLessThan(LONGEST_WAIT);
            settle();
        }
    }

    private void turn(String policy) {
        clock += TURN_MILLIS;
        switch (random.nextInt(12)) {
            case 0, 1 -> come();
            case 2, 3 -> go();
            case 4 -> rival();
            case 5, 6, 7 -> tell(random.nextInt(4));
            case 8 -> answer();
            case 9 -> {
                answer();
                answerEviction();
                List<PodFacts> leaving =
                        pods.values().stream().filter(PodFacts::terminating).toList();
                if (!leaving.isEmpty()) {
                    remove(leaving.get(random.nextInt(leaving.size())).uid());
                }
                if (priorities) {
                    engine.bindNominated();
                }
            }
            case 10 -> again();
            default -> {
                if (random.nextInt(20) == 0) {
                    begin(policy);
                } else {
                    look();
                }
            }
        }
    }

    private void look() {
        engine.offerAgain();
        engine.lookAfterGroups(clock, PATIENCE);
        evict();
        if (priorities) {
            engine.preempt(TimeUnit.MILLISECONDS.toNanos(clock), TimeUnit.MINUTES.toNanos(1));
            engine.bindNominated();
        }
    }

    /** A replica that lists the cluster; bindings sent by another one may still take effect. */
    private void begin(String policy) {
        for (Sent one : List.copyOf(sent)) {
            if (random.nextBoolean() && roomFor(one)) {
                sent.remove(one);
                holds.add(new GuardedRoom(one.pod(), one.node(), clock + GUARD_HOLDS));
            }
        }
        told.clear();
        held.clear();
        toEvict.clear();
        engine = new ClusterEngine(
                "stowage", spec(policy), new Policies(), 10, () -> clock, new Playing(), CommandLogs.NONE);
        for (int n = 1; n <= NODES; n++) {
            engine.node(node(n));
        }
        pods.values().forEach(engine::pod);
        evicting.clear();
        if (priorities) {
            engine.budgets(new DisruptionBudgets(List.of()));
        }
        engine.start();
    }

    private static PolicySpec spec(String policy) {
        return policy.endsWith(":queue")
                ? PolicySpec.of(policy.replace(":queue", ""), Map.of("when-full", "queue"))
                : PolicySpec.of(policy);
    }

    private static NodeFacts node(int number) {
        return Yaml.node("n" + number, "", "", "{cpu: " + CORES + "m, memory: 8Gi, pods: 110}");
    }

    private void come() {
        String name = "p" + made++;
        String size = SIZES[random.nextInt(SIZES.length)];
        int members = random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1;
        for (int i = 0; i < members; i++) {
            add(Yaml.facts(
                    name + "-" + i,
                    members == 1
                            ? ""
                            : "scheduling.x-k8s.io/pod-group: " + name
                                    + ", pod-group.scheduling.sigs.k8s.io/min-available: '" + members + "'",
                    "cpu: " + size,
                    priority()));
        }
    }

    private String priority() {
        return priorities ? "priority: " + random.nextInt(4) : "";
    }

    private void add(PodFacts pod) {
        pods.put(pod.uid(), pod);
        told.add(() -> engine.pod(pod));
    }

    private void go() {
        List<PodFacts> bound = pods.values().stream().filter(PodFacts::isBound).toList();
        if (bound.isEmpty()) {
            return;
        }
        PodFacts chosen = bound.get(random.nextInt(bound.size()));
        List<PodFacts> all = pods.values().stream()
                .filter(pod -> pod.uid().equals(chosen.uid())
                        || (chosen.group().isGang()
                                && pod.group().name().equals(chosen.group().name())))
                .toList();
        if (all.stream().allMatch(PodFacts::isBound)) {
            all.forEach(pod -> remove(pod.uid()));
        }
    }

    private void remove(String uid) {
        pods.remove(uid);
        told.add(() -> engine.podGone(uid));
    }

    private void rival() {
        String node = "n" + (1 + random.nextInt(NODES));
        Pod pod = Yaml.pod("r" + made++, "", "cpu: " + SIZES[random.nextInt(SIZES.length)], priority());
        pod.getSpec().setSchedulerName("another");
        PodFacts facts = PodReader.read(pod);
        if (facts.requests().get("cpu") <= free().get(node)) {
            add(facts.boundTo(node));
        }
    }

    private void tell(int most) {
        for (int i = 0; i <= most && !told.isEmpty(); i++) {
            told.remove().run();
        }
    }

    private boolean roomFor(Sent one) {
        holds.removeIf(hold -> hold.until() <= clock
                || !pods.containsKey(hold.pod().uid())
                || pods.get(hold.pod().uid()).isBound());
        long free = free().get(one.node());
        for (GuardedRoom hold : holds) {
            boolean counts = hold.node().equals(one.node())
                    && !hold.pod().uid().equals(one.pod().uid());
            free -= counts ? hold.pod().requests().get("cpu") : 0;
        }
        return one.pod().requests().get("cpu") <= free;
    }

    /** One binding takes effect if it can and the guard allows it, and perhaps is refused without reason. */
    private void answer() {
        if (sent.isEmpty()) {
            return;
        }
        Sent one = sent.remove(random.nextInt(sent.size()));
        PodFacts pod = pods.get(one.pod().uid());
        boolean heard = one.by() == engine;
        if (pod != null && !pod.isBound()) {
            if (roomFor(one) && (settling || random.nextInt(4) > 0)) {
                add(one.pod().boundTo(one.node()));
            } else if (heard) {
                engine.refused(one.pod().uid(), "no");
                held.add(new Later(one.pod().uid(), clock + TRIED_AGAIN_AFTER));
            }
        } else if (heard && pod == null) {
            engine.podGone(one.pod().uid());
        } else if (heard) {
            engine.pod(Objects.requireNonNull(pod));
        }
    }

    /** Some are evicted, from now on terminating, until perhaps one is refused. */
    private void answerEviction() {
        if (evicting.isEmpty()) {
            return;
        }
        Evicting one = evicting.remove(0);
        for (int i = 0; i < one.victims().size(); i++) {
            PodFacts victim = pods.get(one.victims().get(i).uid());
            if (victim == null) {
                continue;
            }
            if (!settling && random.nextInt(5) == 0) {
                List<String> staying = one.victims().subList(i, one.victims().size()).stream()
                        .map(PodFacts::uid)
                        .toList();
                if (one.by() == engine) {
                    engine.notEvicted(
                            one.pod().uid(), victim.uid(), staying, "no", TimeUnit.MILLISECONDS.toNanos(clock));
                }
                return;
            }
            driven++;
            add(terminating(victim));
        }
    }

    private static PodFacts terminating(PodFacts pod) {
        return new PodFacts(
                pod.uid(),
                pod.created(),
                pod.namespace(),
                pod.name(),
                pod.scheduler(),
                pod.node(),
                true,
                pod.requests(),
                pod.labels(),
                pod.nodes(),
                pod.tolerations(),
                pod.apart(),
                pod.near(),
                pod.spread(),
                pod.preferences(),
                pod.hostPorts(),
                pod.volumes(),
                pod.gpus(),
                pod.priority(),
                pod.preemption(),
                pod.group(),
                pod.expectedNanos(),
                pod.unknown(),
                pod.ignored());
    }

    private void again() {
        for (Later one : List.copyOf(held)) {
            if (one.until() <= clock) {
                held.remove(one);
                engine.again(one.uid());
            }
        }
    }

    private void evict() {
        List.copyOf(toEvict).forEach(this::remove);
        toEvict.clear();
    }

    private void settle() {
        settling = true;
        clock += TURN_MILLIS;
        tell(Integer.MAX_VALUE - 1);
        for (int n = sent.size(); n > 0; n--) {
            answer();
        }
        tell(Integer.MAX_VALUE - 1);
        again();
        while (!evicting.isEmpty()) {
            answerEviction();
        }
        List.copyOf(pods.values()).stream().filter(PodFacts::terminating).forEach(pod -> remove(pod.uid()));
        tell(Integer.MAX_VALUE - 1);
        look();
        settling = false;
    }

    private Map<String, Long> free() {
        Map<String, Long> free = new TreeMap<>();
        for (int n = 1; n <= NODES; n++) {
            free.put("n" + n, CORES);
        }
        pods.values().stream()
                .filter(PodFacts::isBound)
                .forEach(pod -> free.merge(pod.node(), -pod.requests().get("cpu"), Long::sum));
        return free;
    }

    /** The work that is left. */
    private List<String> left() {
        List<String> left = new ArrayList<>();
        Map<String, List<PodFacts>> groups = new LinkedHashMap<>();
        for (PodFacts facts : pods.values()) {
            if (facts.group().isGang()) {
                groups.computeIfAbsent(facts.group().name(), first -> new ArrayList<>())
                        .add(facts);
            } else if (!facts.isBound() && priorities && wouldFit(facts)) {
                left.add(facts.name() + " waits, and lower ones could go, and is " + engine.state(facts.uid()));
            } else if (!facts.isBound() && fits(List.of(facts))) {
                left.add(facts.name() + " waits and fits, and is " + engine.state(facts.uid()));
            }
        }
        groups.forEach((name, members) -> {
            List<PodFacts> waiting =
                    members.stream().filter(pod -> !pod.isBound()).toList();
            int least = members.get(0).group().least();
            if (!waiting.isEmpty() && waiting.size() < members.size()) {
                left.add("group " + name + " is bound in part");
            } else if (waiting.size() >= least && fits(waiting)) {
                left.add("group " + name + " waits and fits, and is "
                        + engine.state(waiting.get(0).uid()));
            }
        });
        return left;
    }

    /** The largest first where it fits. */
    private boolean fits(List<PodFacts> together) {
        Map<String, Long> free = free();
        for (PodFacts pod : together) {
            long cpu = pod.requests().get("cpu");
            String node = free.keySet().stream()
                    .filter(one -> free.get(one) >= cpu)
                    .findFirst()
                    .orElse("");
            if (node.isEmpty()) {
                return false;
            }
            free.merge(node, -cpu, Long::sum);
        }
        return true;
    }

    /** Whether it would fit somewhere without the pods of lower priority. */
    private boolean wouldFit(PodFacts facts) {
        Map<String, Long> free = free();
        pods.values().stream()
                .filter(pod -> pod.isBound() && pod.priority() < facts.priority())
                .forEach(pod -> free.merge(pod.node(), pod.requests().get("cpu"), Long::sum));
        return free.values().stream()
                .anyMatch(cores -> cores >= facts.requests().get("cpu"));
    }

    private final class Playing implements Decisions {
        @Override
        public void bind(PodFacts pod, String node, String reason) {
            if (reason.startsWith("preemption")) {
                assertThat(reallyUsed(node)).isLessThanOrEqualTo(CORES);
            }
            sent.add(new Sent(engine, pod, node));
        }

        @Override
        public void evict(PodFacts pod, String reason) {
            toEvict.add(pod.uid());
        }

        /** The used amount, without reservations for pods that are not bound yet. */
        private long reallyUsed(String node) {
            return engine.occupancy().on(node).stream()
                    .filter(pod -> engine.state(pod.uid()) != PodState.NOMINATED)
                    .mapToLong(pod -> pod.requests().get("cpu"))
                    .sum();
        }

        @Override
        public void nominate(PodFacts pod, String node, List<PodFacts> victims, String reason) {
            assertThat(victims).allMatch(victim -> victim.priority() < pod.priority() && !victim.terminating());
            evicting.add(new Evicting(engine, pod, victims));
        }

        @Override
        public void waits(PodFacts pod) {}
    }
}
