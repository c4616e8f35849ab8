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
        private int ids;

        @Override
        public CloudFacts read() {
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
                        "",
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
            return new CloudFacts(hosts, new TreeMap<>(), all, groups, List.of(), List.of());
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
            servers.forEach((id, one) -> all.add(
                    new Made(one.request(), id, one.fails() ? "ERROR" : "ACTIVE", one.fails() ? "No valid host" : "")));
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
            String id = "id-" + ids++;
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
        HostEngine engine = new HostEngine(PolicySpec.of("bf-js"), new Policies(), () -> clock, 120 * SECOND);
        return new ServerQueue(
                file, engine, cloud, () -> clock, () -> Instant.ofEpochMilli(clock / 1_000_000), told::add);
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
            assertThat(told).anyMatch(words -> words.startsWith("p4 waits: no host may take it"));
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

    /** Killed before, in and after calls, with replies lost and calls carried out late: each is made exactly once. */
    @Test
    void nothingIsMadeTwice() throws Exception {
        List<String> faults =
                List.of("killed before", "killed after", "lost", "late", "killed, late", "busy", "quota", "", "");
        int kills = 0;
        for (int seed = 0; seed < Integer.getInteger("stowage.seeds", 6); seed++) {
            told.clear();
            Random random = new Random(seed);
            Cloud cloud = new Cloud();
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                lines.add(request("r" + i, 1 + random.nextInt(8), "", ""));
            }
            Path file = Files.write(directory.resolve("random-" + seed), lines);
            ServerQueue queue = queue(cloud, file);
            for (int step = 0; step < 400 && queue.isBusy(); step++) {
                clock += 5 * SECOND;
                cloud.next = faults.get(random.nextInt(faults.size()));
                if (random.nextInt(4) == 0 && !cloud.servers.isEmpty()) {
                    List<String> ids = List.copyOf(cloud.servers.keySet());
                    String id = ids.get(random.nextInt(ids.size()));
                    if (!cloud.servers.get(id).fails()
                            && queue.isBusy()
                            && told.stream().anyMatch(words -> words.contains("is server " + id + ","))) {
                        cloud.delete(id);
                    }
                }
                try {
                    queue.step();
                } catch (Killed e) {
                    kills++;
                    queue.close();
                    queue = queue(cloud, file);
                }
                for (String host : List.of("a", "b", "c")) {
                    assertThat(cloud.used(host)).isLessThanOrEqualTo(16);
                }
                assertThat(cloud.good.values()).as("seed " + seed).allMatch(count -> count == 1);
            }
            assertThat(queue.isBusy()).as("seed " + seed).isFalse();
            assertThat(cloud.good).as("seed " + seed).hasSize(25);
            queue.close();
        }
        assertThat(kills).isPositive();
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
                        "hint 'same_host' is not kept",
                "{\"server\": {\"name\": \"x\", \"flavorRef\": \"1\", \"availability_zone\": \"nova:a\"}}",
                        "availability_zone with a host",
                "nonsense", "no JSON");
        wrong.forEach((line, words) -> {
            Path file = directory.resolve("wrong");
            assertThatThrownBy(() -> queue(cloud, Files.write(file, List.of("", line))))
                    .as(line)
                    .hasMessageContaining("line 2: ")
                    .hasMessageContaining(words);
        });
        String twice = request("x", 1, "", "");
        assertThatThrownBy(() -> queue(cloud, requests(twice, twice))).hasMessageContaining("a second server");
        Path file = requests(twice);
        try (ServerQueue queue = queue(cloud, file)) {
            assertThat(queue.isBusy()).isTrue();
            assertThatThrownBy(() -> queue(cloud, file)).hasMessageContaining("is in use");
        }
    }
}
