package dev.stowage.openstack.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostRoom;
import dev.stowage.openstack.translate.Inventory;
import dev.stowage.policies.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HostEngineTest {
    private static final long PROMISED = 5;
    private static final PolicySpec PACK = PolicySpec.of("best-fit");
    private static final PolicySpec SPREAD = PolicySpec.of("best-fit", Map.of("score", "available"));

    private long clock = 100;

    private HostEngine engine(PolicySpec policy, HostRoom... rooms) {
        HostEngine engine = HostEngine.ofOne(policy, new Policies(), () -> clock, PROMISED);
        engine.read(List.of(rooms), true, clock);
        return engine;
    }

    private static SortedMap<String, Long> amounts(long vcpus) {
        return new TreeMap<>(Map.of("VCPU", vcpus, "MEMORY_MB", vcpus * 1024));
    }

    /** A host of 16 vCPUs; what it holds is by consumer. */
    private static HostRoom room(String node, Map<String, Long> held) {
        SortedMap<String, Inventory> inventories = new TreeMap<>();
        inventories.put("VCPU", new Inventory(8, 0, 2, 1, 8, 1));
        inventories.put("MEMORY_MB", new Inventory(66_048, 512, 1, 1, 66_048, 1));
        SortedMap<String, SortedMap<String, Long>> all = new TreeMap<>();
        held.forEach((consumer, vcpus) -> all.put(consumer, amounts(vcpus)));
        return new HostRoom(node, inventories, all);
    }

    private static HostQuestion ask(String server, long vcpus, String... nodes) {
        return new HostQuestion(server, amounts(vcpus), List.of(nodes), false, null, Map.of());
    }

    private static HostQuestion inGroup(String server, GroupFacts group, Map<String, String> members, String... nodes) {
        return new HostQuestion(server, amounts(1), List.of(nodes), false, group, members);
    }

    private static GroupFacts group(String policy, int most) {
        return new GroupFacts("g", "", policy, most, List.of());
    }

    /** Six servers of 4 vCPUs need two hosts of 16; under the other policy each host gets two. */
    @Test
    void aBurstGoesWhereThePolicySays() {
        Map<PolicySpec, Map<String, Integer>> counts = new HashMap<>();
        for (PolicySpec policy : List.of(PACK, SPREAD)) {
            HostEngine engine = engine(policy, room("a", Map.of()), room("b", Map.of()), room("c", Map.of()));
            Map<String, Integer> count = new TreeMap<>();
            for (int i = 0; i < 6; i++) {
                HostAnswer answer = engine.ask(ask("s" + i, 4, "a", "b", "c"));
                assertThat(answer.nodes()).doesNotHaveDuplicates().hasSize(3);
                count.merge(answer.nodes().get(0), 1, Integer::sum);
            }
            counts.put(policy, count);
        }
        assertThat(counts.get(PACK)).isEqualTo(Map.of("a", 4, "b", 2));
        assertThat(counts.get(SPREAD)).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
    }

    /** The same question again is the same decision, unless its host is no longer possible. */
    @Test
    void aQuestionAskedAgainCountsOnce() {
        HostEngine engine = engine(PACK, room("a", Map.of()), room("b", Map.of("x", 2L)));
        assertThat(engine.ask(ask("s", 4, "a", "b")).nodes()).containsExactly("b", "a");
        assertThat(engine.ask(ask("s", 4, "a", "b")).nodes()).containsExactly("b", "a");
        assertThat(engine.free("b", "VCPU")).isEqualTo(16 - 2 - 4);
        assertThat(engine.ask(ask("s", 4, "a")).nodes()).containsExactly("a");
        assertThat(engine.free("b", "VCPU")).isEqualTo(16 - 2);
        assertThat(engine.free("a", "VCPU")).isEqualTo(16 - 4);
    }

    @Test
    void onlyHostsThatNovaNamesAreChosen() {
        HostEngine engine = engine(PACK, room("a", Map.of("x", 12L)), room("b", Map.of()), room("c", Map.of()));
        // a fits best, but Nova does not name it.
        assertThat(engine.ask(ask("s", 4, "c", "b")).nodes()).containsExactlyInAnyOrder("b", "c");
        assertThat(engine.free("a", "VCPU")).isEqualTo(4);
        // Where nothing fits, nothing is answered; where a host was named by somebody, it is.
        assertThat(engine.ask(ask("t", 5, "a")).nodes()).isEmpty();
        assertThat(engine.ask(new HostQuestion("t", amounts(5), List.of("a"), true, null, Map.of()))
                        .nodes())
                .containsExactly("a");
        assertThat(engine.free("a", "VCPU")).isEqualTo(-1);
    }

    /** A decision is counted until Placement shows it, elsewhere too, or should have. */
    @Test
    void placementIsTheTruth() {
        HostEngine engine = engine(PACK, room("a", Map.of()), room("b", Map.of("x", 2L)));
        assertThat(engine.ask(ask("s", 4, "a", "b")).nodes().get(0)).isEqualTo("b");
        engine.read(List.of(room("b", Map.of("x", 2L, "s", 4L))), false, ++clock);
        assertThat(engine.free("b", "VCPU")).isEqualTo(10);
        assertThat(engine.promised()).isZero();

        assertThat(engine.ask(ask("t", 4, "a", "b")).nodes().get(0)).isEqualTo("b");
        clock += PROMISED;
        engine.read(List.of(room("b", Map.of("x", 2L, "s", 4L))), false, clock);
        assertThat(engine.free("b", "VCPU")).isEqualTo(6);
        engine.read(List.of(room("b", Map.of("x", 2L, "s", 4L))), false, ++clock);
        assertThat(engine.free("b", "VCPU")).isEqualTo(10);

        // What was read before the last reading began says nothing.
        engine.read(List.of(room("b", Map.of())), false, clock - 1);
        assertThat(engine.free("b", "VCPU")).isEqualTo(10);
        // x is resized, s has gone, and a host has vanished with a promise on it.
        assertThat(engine.ask(ask("u", 1, "a")).nodes()).containsExactly("a");
        engine.read(List.of(room("b", Map.of("x", 8L))), true, ++clock);
        assertThat(engine.free("b", "VCPU")).isEqualTo(8);
        assertThat(engine.hosts()).isEqualTo(1);
        assertThat(engine.promised()).isZero();
        // It comes back.
        engine.read(List.of(room("a", Map.of("y", 1L)), room("b", Map.of("x", 8L))), true, ++clock);
        assertThat(engine.free("a", "VCPU")).isEqualTo(15);
    }

    /** A resize holds the old room under the migration's id, and the new one under the server's. */
    @Test
    void aResizeHoldsBoth() {
        HostEngine engine = engine(PACK, room("a", Map.of("s", 4L)), room("b", Map.of()));
        engine.read(List.of(room("a", Map.of("migration", 4L)), room("b", Map.of())), true, ++clock);
        assertThat(engine.ask(ask("s", 8, "a", "b")).nodes().get(0)).isEqualTo("a");
        engine.read(List.of(room("a", Map.of("migration", 4L, "s", 8L)), room("b", Map.of())), true, ++clock);
        assertThat(engine.free("a", "VCPU")).isEqualTo(4);
        engine.read(List.of(room("a", Map.of("s", 8L)), room("b", Map.of())), true, ++clock);
        assertThat(engine.free("a", "VCPU")).isEqualTo(8);
        assertThat(engine.promised()).isZero();
    }

    /** Servers of a group that are asked for at the same time do not see each other in Nova. */
    @Test
    void groupsAreKept() {
        HostRoom[] rooms = {room("a", Map.of()), room("b", Map.of()), room("c", Map.of())};
        String[] nodes = {"a", "b", "c"};
        HostEngine apart = engine(PACK, rooms);
        assertThat(apart.ask(inGroup("s0", group("anti-affinity", 1), Map.of("old", "c"), nodes))
                        .nodes())
                .containsExactly("a", "b");
        assertThat(apart.ask(inGroup("s1", group("anti-affinity", 1), Map.of("old", "c"), nodes))
                        .nodes())
                .containsExactly("b");
        HostAnswer none = apart.ask(inGroup("s2", group("anti-affinity", 1), Map.of("old", "c"), nodes));
        assertThat(none.nodes()).isEmpty();
        assertThat(none.reason()).contains("server group");
        assertThat(apart.ask(inGroup("s2", group("anti-affinity", 2), Map.of("s1", "b"), nodes))
                        .nodes()
                        .get(0))
                .isEqualTo("a");

        HostEngine together = engine(SPREAD, rooms);
        assertThat(together.ask(inGroup("s0", group("affinity", 1), Map.of(), nodes))
                        .nodes())
                .hasSize(3);
        assertThat(together.ask(inGroup("s1", group("affinity", 1), Map.of(), nodes))
                        .nodes())
                .containsExactly("a");

        HostEngine soft = engine(PACK, rooms);
        for (String expected : List.of("a", "b", "c", "a")) {
            int n = soft.promised();
            HostAnswer answer = soft.ask(inGroup("s" + n, group("soft-anti-affinity", 1), Map.of(), nodes));
            assertThat(answer.nodes()).hasSize(3).startsWith(expected);
        }
        HostEngine softly = engine(SPREAD, rooms);
        for (int n = 0; n < 3; n++) {
            assertThat(softly.ask(inGroup("s" + n, group("soft-affinity", 1), Map.of(), nodes))
                            .nodes())
                    .startsWith("a");
        }
    }

    @Test
    void aPolicyThatCannotLeaveOutHostsIsRefused() {
        assertThatThrownBy(() -> HostEngine.ofOne(PolicySpec.of("dra"), new Policies(), () -> clock, PROMISED))
                .hasMessageContaining("dra")
                .hasMessageContaining("best-fit");
    }

    /**
     * Against an obvious count: whatever is asked, claimed, lost, deleted and read in parts, what is free is what the
     * last reading of a host says less what was promised there since; and no first host lacks room.
     */
    @Test
    void whatIsFreeIsWhatIsReadLessPromises() {
        for (int seed = 0; seed < Integer.getInteger("stowage.seeds", 40); seed++) {
            Random random = new Random(seed);
            List<String> nodes = List.of("a", "b", "c", "d");
            Map<String, Map<String, Long>> truth = new TreeMap<>();
            Map<String, Map<String, Long>> seen = new TreeMap<>();
            Map<String, Map<String, Long>> promised = new TreeMap<>();
            Map<String, Long> since = new HashMap<>();
            nodes.forEach(node -> {
                truth.put(node, new TreeMap<>());
                seen.put(node, new TreeMap<>());
                promised.put(node, new TreeMap<>());
            });
            HostEngine engine = engine(
                    random.nextBoolean() ? PACK : SPREAD,
                    nodes.stream().map(node -> room(node, Map.of())).toArray(HostRoom[]::new));
            for (int step = 0; step < 200; step++) {
                clock++;
                String node = nodes.get(random.nextInt(nodes.size()));
                if (random.nextInt(3) > 0) {
                    String server = "s" + step;
                    long vcpus = 1L + random.nextInt(6);
                    HostAnswer answer = engine.ask(ask(server, vcpus, nodes.toArray(String[]::new)));
                    if (!answer.nodes().isEmpty()) {
                        String first = answer.nodes().get(0);
                        assertThat(engine.free(first, "VCPU"))
                                .as("seed " + seed)
                                .isNotNegative();
                        promised.get(first).put(server, vcpus);
                        since.put(server, clock);
                        // Most are claimed where we say, some elsewhere, some nowhere.
                        int fate = random.nextInt(10);
                        if (fate > 1) {
                            truth.get(fate == 2 ? node : first).put(server, vcpus);
                        }
                    }
                } else if (random.nextBoolean()) {
                    List<String> here = new ArrayList<>(truth.get(node).keySet());
                    if (!here.isEmpty()) {
                        truth.get(node).remove(here.get(random.nextInt(here.size())));
                    }
                } else {
                    engine.read(List.of(room(node, truth.get(node))), false, clock);
                    seen.put(node, new TreeMap<>(truth.get(node)));
                    promised.get(node)
                            .keySet()
                            .removeIf(server ->
                                    truth.get(node).containsKey(server) || clock - since.get(server) > PROMISED);
                }
                for (String one : nodes) {
                    long held =
                            seen.get(one).values().stream().mapToLong(v -> v).sum()
                                    + promised.get(one).values().stream()
                                            .mapToLong(v -> v)
                                            .sum();
                    assertThat(engine.free(one, "VCPU"))
                            .as("seed %s step %s host %s", seed, step, one)
                            .isEqualTo(16 - held);
                }
            }
        }
    }

    /** Dynamic reservation moves servers when one leaves; a queue would say that they are where they are not. */
    @Test
    void aPolicyThatMovesServersIsStopped() {
        HostEngine engine =
                new HostEngine(PolicySpec.of("dra"), new Policies(), () -> clock, PROMISED, List.of("cloud"));
        List<String> hosts = IntStream.range(0, 12).mapToObj(i -> "h-" + i).toList();
        engine.read(hosts.stream().map(host -> room(host, Map.of())).toList(), true, clock);
        Random random = new Random(1);
        List<String> running = new ArrayList<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2000; i++) {
                        clock += 1_000_000_000L;
                        SortedMap<String, Long> amounts = amounts(1L << random.nextInt(4));
                        engine.expect(List.of(amounts));
                        engine.offer("r-" + i, amounts, hosts);
                        for (HostEngine.Placed placed = engine.next(); placed != null; placed = engine.next()) {
                            running.add(placed.name());
                        }
                        if (running.size() > 10 + 8 * (i / 100 % 2)) {
                            engine.takeBack(running.remove(random.nextInt(running.size())));
                        }
                    }
                })
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("policy dra moves running servers");
    }
}
