package dev.stowage.openstack.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import dev.stowage.openstack.translate.GroupFacts;
import dev.stowage.openstack.translate.HostFacts;
import dev.stowage.openstack.translate.Inventory;
import dev.stowage.openstack.translate.ServerFacts;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerQueueTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private long clock = 1;
    private final List<String> told = new ArrayList<>();

    /** The process dies here. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private record Server(String request, String host, long vcpus, String group, boolean fails) {}

    /** Hosts of 16 vCPUs that take what fits, unless something goes wrong with the next call. */
    private final class Cloud implements ServerCalls {
        private final Map<String, Server> servers = new LinkedHashMap<>();
        private final Map<Long, JsonNode> late = new TreeMap<>();
        private final Map<String, Integer> good = new TreeMap<>();
        private final List<String> order = new ArrayList<>();
        private String next = "";
        private String shunned = "";
        private String closed = "";
        private String prefix = "id-";
        private boolean away;
        private int ids;

        @Override
        public CloudFacts read() {
            if (away) {
                throw new CloudException("no reply");
            }
            late.entrySet().removeIf(one -> {
                if (one.getKey() <= clock) {
                    String unused = make(one.getValue());
                    return true;
                }
                return false;
            });
            List<HostFacts> hosts = new ArrayList<>();
            for (String host : List.of("a", "b", "c")) {
                hosts.add(new HostFacts(
                        host,
                        host,
                        "",
                        host.equals("c") ? "west" : "east",
                        host.equals(closed) ? "is disabled" : "",
                        "",
                        "QEMU",
                        1,
                        new TreeMap<>(Map.of("VCPU", new Inventory(16, 0, 1, 1, 16, 1))),
                        Set.of(),
                        List.of()));
            }
            List<ServerFacts> all = new ArrayList<>();
            servers.forEach((id, one) -> {
                if (!one.fails()) {
                    all.add(new ServerFacts(
                            id,
                            one.request(),
                            "",
                            "ACTIVE",
                            "",
                            one.host(),
                            "",
                            flavor("" + one.vcpus()),
                            true,
                            new TreeMap<>(Map.of("VCPU", one.vcpus())),
                            List.of(),
                            ""));
                }
            });
            List<GroupFacts> groups = new ArrayList<>();
            for (String policy : List.of("affinity", "anti-affinity")) {
                List<String> members = new ArrayList<>();
                servers.forEach((id, one) -> {
                    if (one.group().equals(policy)) {
                        members.add(id);
                    }
                });
                groups.add(new GroupFacts(policy, policy, policy, 1, members));
            }
            return new CloudFacts(hosts, new TreeMap<>(), all, groups, List.of(), new TreeMap<>(), List.of());
        }

        @Override
        public FlavorFacts flavor(String id) {
            if (!id.matches("\\d+")) {
                throw new CloudException("404 no flavor " + id, 404);
            }
            return new FlavorFacts(id, Long.parseLong(id), 0, 0, 0, 0, new TreeMap<>());
        }

        @Override
        public List<Made> made(String key) {
            assertThat(key).isEqualTo("stowage_request");
            List<Made> all = new ArrayList<>();
            servers.forEach((id, one) -> all.addAll(
                    one.request().isEmpty()
                            ? List.of()
                            : List.of(new Made(
                                    one.request(),
                                    id,
                                    one.fails() ? "ERROR" : "ACTIVE",
                                    one.fails() ? "No valid host" : ""))));
            return all;
        }

        private long used(String host) {
            return servers.values().stream()
                    .filter(one -> one.host().equals(host) && !one.fails())
                    .mapToLong(Server::vcpus)
                    .sum();
        }

        private String make(JsonNode body) {
            JsonNode server = body.path("server");
            String request = server.path("metadata").path("stowage_request").asText();
            String host = server.path("host").asText();
            long vcpus = server.path("flavorRef").asLong();
            boolean fails = used(host) + vcpus > 16 || host.equals(shunned);
            String id = prefix + ids++;
            String group = body.path("os:scheduler_hints").path("group").asText();
            servers.put(id, new Server(request, host, vcpus, group, fails));
            if (!fails) {
                good.merge(request, 1, Integer::sum);
                order.add(request);
            }
            return id;
        }

        @Override
        public String create(JsonNode body) {
            String how = next;
            next = "";
            return switch (how) {
                case "killed before" -> throw new Killed();
                case "killed after" -> {
                    String unused = make(body);
                    throw new Killed();
                }
                case "lost" -> {
                    String unused = make(body);
                    throw new CloudException("no reply");
                }
                case "late" -> {
                    late.put(clock + 40 * SECOND + ids, body);
                    throw new CloudException("no reply");
                }
                case "killed, late" -> {
                    late.put(clock + 40 * SECOND + ids, body);
                    throw new Killed();
                }
                case "busy" -> throw new CloudException("too many", 429);
                case "quota" -> throw new CloudException("403 Quota exceeded for cores", 403);
                case "bad" -> throw new CloudException("400 bad", 400);
                default -> make(body);
            };
        }

        @Override
        public void delete(String id) {
            servers.remove(id);
        }
    }

    private ServerQueue queue(Cloud cloud, Path file) throws IOException {
        return queue("bf-js", Map.of("one", cloud), file);
    }

    private ServerQueue queue(String policy, Map<String, ServerCalls> clouds, Path file) throws IOException {
        HostEngine engine = new HostEngine(
                PolicySpec.of(policy), new Policies(), () -> clock, 120 * SECOND, List.copyOf(clouds.keySet()));
        return new ServerQueue(
                file, engine, clouds, () -> clock, () -> Instant.ofEpochMilli(clock / 1_000_000), told::add);
    }

    private static Map<String, ServerCalls> eastAndWest(Cloud east, Cloud west) {
        west.prefix = "west-";
        return new TreeMap<>(Map.of("east", east, "west", west));
    }

    private Path requests(String... lines) throws IOException {
        return Files.write(directory.resolve("requests.jsonl"), List.of(lines));
    }

    private static String request(String name, int vcpus, String more, String hints) {
        return "{\"server\": {\"name\": \"" + name + "\", \"flavorRef\": \"" + vcpus + "\"" + more + "}"
                + (hints.isEmpty() ? "" : ", \"os:scheduler_hints\": {\"group\": \"" + hints + "\"}") + "}";
    }

    private void steps(ServerQueue queue, int count) {
        for (int i = 0; i < count; i++) {
            clock += 5 * SECOND;
            queue.step();
        }
    }

    /** 48 vCPUs hold four servers of 12 and 4 or 12; what has no room waits until something has gone. */
    @Test
    void requestsWaitUntilThereIsRoom() throws Exception {
        Cloud cloud = new Cloud();
        Path file = requests(
                request("x", 12, "", ""), request("y", 12, "", ""), request("z", 12, "", ""), request("w", 12, "", ""));
        try (ServerQueue queue = queue(cloud, file)) {
            steps(queue, 3);
            assertThat(cloud.order).containsExactly("x", "y", "z");
            assertThat(queue.isBusy()).isTrue();
            cloud.delete("id-1");
            steps(queue, 2);
            assertThat(cloud.order).containsExactly("x", "y", "z", "w");
            assertThat(queue.isBusy()).isFalse();
            assertThat(queue.made()).isEqualTo(4);
        }
        // What ran and was deleted is not made again.
        cloud.delete("id-0");
        try (ServerQueue queue = queue(cloud, file)) {
            steps(queue, 2);
            assertThat(queue.isBusy()).isFalse();
            assertThat(cloud.good.values()).containsOnly(1);
        }
    }

    @Test
    void zonesAndGroupsAreKept() throws Exception {
        Cloud cloud = new Cloud();
        Path file = requests(
                request("w1", 1, ", \"availability_zone\": \"west\"", ""),
                request("t1", 1, "", "affinity"),
                request("t2", 1, "", "affinity"),
                request("p1", 1, "", "anti-affinity"),
                request("p2", 1, "", "anti-affinity"),
                request("p3", 1, "", "anti-affinity"),
                request("p4", 1, "", "anti-affinity"),
                request("u", 1, "", "unknown"));
        try (ServerQueue queue = queue(cloud, file)) {
            steps(queue, 4);
            Map<String, String> hosts = new TreeMap<>();
            cloud.servers.values().forEach(one -> hosts.put(one.request(), one.host()));
            assertThat(hosts).containsOnlyKeys("w1", "t1", "t2", "p1", "p2", "p3");
            assertThat(hosts.get("w1")).isEqualTo("c");
            assertThat(hosts.get("t1")).isEqualTo(hosts.get("t2"));
            assertThat(Set.of(hosts.get("p1"), hosts.get("p2"), hosts.get("p3")))
                    .hasSize(3);
            assertThat(told).anyMatch(words -> words.startsWith("p4 waits: no host may take it: its server group"));
        }
    }

    @Test
    void whatNovaRefusesGoesElsewhereOrFails() throws Exception {
        Cloud cloud = new Cloud();
        cloud.shunned = "a";
        Path file = requests(request("x", 4, "", ""), request("y", 4, "", ""), request("z", 1, "", ""));
        try (ServerQueue queue = queue(cloud, file)) {
            steps(queue, 6);
            assertThat(cloud.good).isEqualTo(Map.of("x", 1, "y", 1, "z", 1));
            assertThat(cloud.servers.values()).noneMatch(one -> one.fails());
            assertThat(queue.isBusy()).isFalse();
        }
        Path more = Files.write(
                directory.resolve("more.jsonl"), List.of(request("bad", 4, "", ""), request("good", 4, "", "")));
        cloud.next = "bad";
        try (ServerQueue queue = queue(cloud, more)) {
            steps(queue, 6);
            assertThat(queue.failed()).isEqualTo(1);
            assertThat(queue.isBusy()).isFalse();
        }
        try (ServerQueue queue = queue(cloud, more)) {
            assertThat(queue.failed()).isEqualTo(1);
            steps(queue, 2);
            assertThat(cloud.good).containsOnlyKeys("x", "y", "z", "good");
        }
    }

    /** Of two equal clouds balancing takes the one with less in it; east has 12 vCPUs already. */
    @Test
    void aRoutingPolicyChoosesTheCloud() throws Exception {
        for (String policy : List.of("load-balancing", "priced-balancing", "shadow")) {
            told.clear();
            Cloud east = new Cloud();
            Cloud west = new Cloud();
            east.servers.put("other", new Server("", "a", 12, "", false));
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                lines.add(request("r" + i, 4, "", ""));
            }
            Path file = Files.write(directory.resolve(policy), lines);
            try (ServerQueue queue = queue(policy, eastAndWest(east, west), file)) {
                steps(queue, 3);
                assertThat(queue.made()).as(policy + told).isEqualTo(6);
            }
            if (policy.equals("load-balancing")) {
                // 12 in east and 0 in west: three go west, and then they take turns.
                assertThat(west.order).containsExactly("r0", "r1", "r2", "r4");
                assertThat(east.order).containsExactly("r3", "r5");
            }
            assertThat(told).anyMatch(words -> words.contains(" of cloud west as server west-0"));
            // Begun again nothing is made; somebody else's servers are counted, and a lost cloud is asked for.
            try (ServerQueue queue = queue(policy, eastAndWest(east, west), file)) {
                steps(queue, 2);
                assertThat(queue.isBusy()).isFalse();
                assertThat(east.good.size() + west.good.size()).isEqualTo(6);
            }
            assertThatThrownBy(() -> queue(policy, Map.of("east", east), file))
                    .hasMessageContaining("cloud 'west' was asked for server");
        }
    }

    /** Clouds that a request names, flavors that differ by cloud, groups of one cloud, hosts left out, a cloud away. */
    @Test
    void requestsGoWhereTheyMay() throws Exception {
        Cloud east = new Cloud();
        Cloud west = new Cloud();
        Path file = requests(
                "{\"server\": {\"name\": \"w\", \"flavorRef\": \"1\"}, \"clouds\": {\"west\": {}}}",
                "{\"server\": {\"name\": \"f\", \"flavorRef\": \"none\"}, \"clouds\": {\"east\": {}, \"west\":"
                        + " {\"flavorRef\": \"2\"}}}",
                "{\"server\": {\"name\": \"d\", \"flavorRef\": \"1\"}, \"clouds\": {\"east\": {}, \"west\":"
                        + " {\"flavorRef\": \"2\"}}}",
                request("n", 1, "", "").replace("\"1\"", "\"none\""),
                request("z", 4, ", \"availability_zone\": \"west\"", ""));
        try (ServerQueue queue = queue("load-balancing", eastAndWest(east, west), file)) {
            steps(queue, 4);
            assertThat(west.order).startsWith("w", "f");
            assertThat(told)
                    .anyMatch(words -> words.startsWith("d fails: ") && words.contains("in cloud west"))
                    .anyMatch(words -> words.startsWith("n fails: 404"));
            assertThat(east.order.size() + west.order.size()).isEqualTo(3);
            assertThat(queue.isBusy()).isFalse();
        }
        // Shadow routing knows sites only: a zone is a part of each cloud, and a disabled host none.
        Path more = Files.write(
                directory.resolve("more"),
                List.of(request("z2", 4, ", \"availability_zone\": \"west\"", ""), request("p", 4, "", "")));
        east.closed = "a";
        west.away = true;
        try (ServerQueue queue = queue("shadow", eastAndWest(east, west), more)) {
            steps(queue, 2);
            assertThat(told).anyMatch(words -> words.startsWith("cloud west was not read"));
            assertThat(east.good).as("west may have made it").doesNotContainKey("p");
            west.away = false;
            steps(queue, 1);
            west.away = true;
            steps(queue, 2);
            assertThat(east.good.containsKey("p") || west.good.containsKey("p")).isTrue();
            assertThat(told)
                    .anyMatch(words -> words.startsWith("z2 waits: policy shadow cannot leave out individual hosts"));
            assertThat(east.used("a")).isZero();
        }
        assertThatThrownBy(() -> queue("bf-js", Map.of("east", east), file)).hasMessageContaining("names cloud 'west'");
    }

    /** Killed before, in and after calls, with replies lost and calls carried out late: each is made exactly once. */
    @Test
    void nothingIsMadeTwice() throws Exception {
        int kills = 0;
        for (int seed = 0; seed < Integer.getInteger("stowage.seeds", 8); seed++) {
            List<String> policies = List.of(
                    "bf-js",
                    "load-balancing",
                    "shadow",
                    "bf-js",
                    "priced-balancing",
                    "max-weight",
                    "trunk-reservation",
                    "vqs-bf");
            kills += nothingIsMadeTwice(seed, policies.get(seed % policies.size()), seed % 5 == 0 ? 1 : 2);
        }
        assertThat(kills).isPositive();
    }

    private int nothingIsMadeTwice(int seed, String policy, int count) throws Exception {
        List<String> faults =
                List.of("killed before", "killed after", "lost", "late", "killed, late", "busy", "quota", "", "");
        told.clear();
        Random random = new Random(seed);
        Map<String, ServerCalls> clouds = new TreeMap<>();
        List<Cloud> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Cloud cloud = new Cloud();
            cloud.prefix = "c" + i + "-";
            clouds.put("cloud-" + i, cloud);
            all.add(cloud);
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            lines.add(request("r" + i, 1 + random.nextInt(8), "", ""));
        }
        Path file = Files.write(directory.resolve("random-" + seed), lines);
        ServerQueue queue = queue(policy, clouds, file);
        int kills = 0;
        for (int step = 0; step < 400 && queue.isBusy(); step++) {
            clock += 5 * SECOND;
            for (Cloud cloud : all) {
                cloud.next = faults.get(random.nextInt(faults.size()));
                cloud.away = count > 1 && random.nextInt(5) == 0;
                cloud.closed = List.of("", "", "a", "c").get(random.nextInt(4));
                cloud.servers.keySet().removeIf(id -> id.startsWith("other") && random.nextInt(20) == 0);
                if (random.nextInt(10) == 0) {
                    long room = Math.min(4, 16 - cloud.used("b"));
                    cloud.servers.put("other-" + cloud.prefix + step, new Server("", "b", room, "", false));
                }
                if (random.nextInt(4) == 0 && !cloud.servers.isEmpty()) {
                    List<String> ids = List.copyOf(cloud.servers.keySet());
                    String id = ids.get(random.nextInt(ids.size()));
                    if (!cloud.servers.get(id).fails()
                            && queue.isBusy()
                            && told.stream().anyMatch(words -> words.contains("is server " + id + ","))) {
                        cloud.delete(id);
                    }
                }
            }
            try {
                queue.step();
            } catch (Killed e) {
                kills++;
                queue.close();
                queue = queue(policy, clouds, file);
            } catch (CloudException e) {
                assertThat(all).allMatch(cloud -> cloud.away);
            }
            Map<String, Integer> good = new TreeMap<>();
            for (Cloud cloud : all) {
                for (String host : List.of("a", "b", "c")) {
                    assertThat(cloud.used(host)).isLessThanOrEqualTo(16);
                }
                cloud.good.forEach((name, times) -> good.merge(name, times, Integer::sum));
            }
            assertThat(good.values()).as("seed " + seed).allMatch(times -> times == 1);
        }
        assertThat(queue.isBusy()).as("seed " + seed + " " + policy + told).isFalse();
        assertThat(all.stream().mapToInt(cloud -> cloud.good.size()).sum())
                .as("seed " + seed)
                .isEqualTo(25);
        queue.close();
        return kills;
    }

    @Test
    void whatIsNotUnderstoodIsRefused() throws Exception {
        Cloud cloud = new Cloud();
        Map<String, String> wrong = Map.of(
                "{\"server\": {\"name\": \"x\", \"flavorRef\": \"1\", \"host\": \"a\"}}", "'host' is what the policy",
                "{\"server\": {\"name\": \"x\", \"flavorRef\": \"1\", \"max_count\": 3}}", "a line for each server",
                "{\"server\": {\"name\": \"x\"}}", "no flavorRef",
                "{\"server\": {\"flavorRef\": \"1\"}}", "no name",
                "{\"server\": {\"name\": \"x\", \"flavorRef\": \"1\"}, \"os:scheduler_hints\": {\"same_host\": \"s\"}}",
                        "hint 'same_host' is not supported",
                "{\"server\": {\"name\": \"x\", \"flavorRef\": \"1\", \"availability_zone\": \"nova:a\"}}",
                        "availability_zone must not name a host",
                "nonsense", "is not JSON");
        wrong.forEach((line, words) -> {
            Path file = directory.resolve("wrong");
            assertThatThrownBy(() -> queue(cloud, Files.write(file, List.of("", line))))
                    .as(line)
                    .hasMessageContaining("line 2: ")
                    .hasMessageContaining(words);
        });
        String twice = request("x", 1, "", "");
        assertThatThrownBy(() -> queue(cloud, requests(twice, twice)))
                .hasMessageContaining("server 'x' is listed twice");
        Path file = requests(twice);
        try (ServerQueue queue = queue(cloud, file)) {
            assertThat(queue.isBusy()).isTrue();
            assertThatThrownBy(() -> queue(cloud, file)).hasMessageContaining("is in use");
        }
    }
}
