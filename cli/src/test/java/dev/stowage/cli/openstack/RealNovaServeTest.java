package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.cli.Program;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.CloudSettings;
import dev.stowage.openstack.place.HostEngine;
import dev.stowage.openstack.place.HostServer;
import dev.stowage.openstack.place.HostService;
import dev.stowage.openstack.place.LiveServers;
import dev.stowage.openstack.place.ServerCalls;
import dev.stowage.openstack.place.ServerQueue;
import dev.stowage.openstack.snapshot.RoomReader;
import dev.stowage.policies.Policies;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** What {@code stowage openstack serve} is made of decides for the scheduler of a real Nova, through its plug-in. */
@EnabledIfEnvironmentVariable(named = "OPENSTACK_KIT", matches = ".+")
final class RealNovaServeTest {
    private static final int HOSTS = 6;
    private static final String SECRET = "a-secret-of-the-test-0123456789";

    @TempDir
    private Path directory;

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private record Serving(HostService service, HostServer server) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
        }
    }

    private static Serving serve(RealCloud cloud, int port, PolicySpec policy) throws IOException {
        HostEngine engine = HostEngine.ofOne(policy, new Policies(), System::nanoTime, 5_000_000_000L);
        CloudSession session = new CloudSession(CloudSettings.read("kit", List.of(cloud.clouds())));
        HostService service = new HostService(engine, new RoomReader(session), System::nanoTime, Long.MAX_VALUE);
        assertThat(service.read()).isTrue();
        return new Serving(service, new HostServer(at(port), SECRET, service));
    }

    /** Something else on the port of Stowage: it answers so, or to an empty text not at all. */
    private static HttpServer standIn(int port, Supplier<String> says) throws IOException {
        HttpServer server = HttpServer.create(at(port), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", call -> {
            call.getRequestBody().readAllBytes();
            String text = says.get();
            if (!text.isEmpty()) {
                byte[] body = text.getBytes(StandardCharsets.UTF_8);
                call.sendResponseHeaders(200, body.length);
                call.getResponseBody().write(body);
                call.close();
            }
        });
        server.start();
        return server;
    }

    /** Servers asked for at once; how many are on each host. */
    private static Map<String, Integer> burst(RealCloud cloud, String name, int count, String flavor, String group)
            throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            ids.add(cloud.boot(name + "-" + i, flavor, "", "", group));
        }
        Map<String, Integer> hosts = new TreeMap<>();
        for (String id : ids) {
            String host;
            try {
                host = cloud.settled(id);
            } catch (IllegalStateException e) {
                // Nova's own calls ran out of time, on a busy machine.
                cloud.delete(id);
                host = cloud.settled(cloud.boot(name + "-" + id, flavor, "", "", group));
            }
            hosts.merge(host, 1, Integer::sum);
        }
        return hosts;
    }

    private static void nothingIsOverfull(RealCloud cloud, double held) {
        Map<String, double[]> allocated = cloud.allocated("VCPU");
        assertThat(allocated.values()).allMatch(one -> one[0] <= one[1]);
        assertThat(allocated.values().stream().mapToDouble(one -> one[0]).sum()).isEqualTo(held);
    }

    /** Lines of nova.conf. */
    private static String plugIn(int port, Path token, int timeout) {
        return "[filter_scheduler]\\navailable_filters = nova.scheduler.filters.all_filters\\n"
                + "available_filters = stowage_nova.StowageFilter\\n"
                + "enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,"
                + "ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,StowageFilter\\n"
                + "weight_classes = nova.scheduler.weights.all_weighers,stowage_nova.StowageWeigher\\n"
                + "[stowage]\\nurl = http://127.0.0.1:" + port + "\\ntimeout = " + timeout + "\\ntoken_file = "
                + token + "\\n";
    }

    @Test
    @Tag("nightly")
    void policiesDecide() throws Exception {
        Map<String, int[]> hosts = new LinkedHashMap<>();
        for (int i = 1; i <= HOSTS; i++) {
            hosts.put("host-" + i, new int[] {16, 65_536, 1000});
        }
        int port = FreePorts.one();
        Path token = Files.writeString(directory.resolve("token"), SECRET + "\n");
        try (RealCloud cloud = new RealCloud(directory, hosts, plugIn(port, token, 20))) {
            cloud.flavor("four", 4, 4096, 10, Map.of());
            cloud.flavor("eight", 8, 4096, 10, Map.of());
            packs(cloud, port);
            spreads(cloud, port);
            withoutAnAnswer(cloud, port);
            nothingIsOverfull(cloud, 4 * cloud.servers().size());
            assertThat(cloud.log()).doesNotContain(SECRET);
        }
    }

    /** Nine servers of 4 vCPUs need three hosts of 16; Nova alone would use all six. */
    private void packs(RealCloud cloud, int port) throws Exception {
        try (Serving serving = serve(cloud, port, PolicySpec.of("best-fit"))) {
            assertThat(serving.service().isReady()).isTrue();
            Map<String, Integer> used = burst(cloud, "pack", 9, "four", "");
            assertThat(new TreeSet<>(used.values())).containsExactly(1, 4);
            assertThat(used).hasSize(3);
            nothingIsOverfull(cloud, 36);
        }
        // A new service finds the same in Placement: it fills the third host first.
        try (Serving serving = serve(cloud, port, PolicySpec.of("best-fit"))) {
            assertThat(serving.service().isReady()).isTrue();
            assertThat(burst(cloud, "more", 3, "four", "")).hasSize(1);
            assertThat(new TreeSet<>(cloud.servers().values())).hasSize(3);

            // A host that somebody names is taken, whatever the policy says.
            String named = cloud.boot("named", "four", "host-6", "", "");
            assertThat(cloud.settled(named)).isEqualTo("host-6");
            // Resized it goes where it fits best, and all is counted once.
            String where = cloud.act(named, Map.of("resize", Map.of("flavorRef", cloud.flavorId("eight"))));
            assertThat(where).startsWith("host-");
            JsonNode unused =
                    cloud.done(cloud.nova("POST", "/servers/" + named + "/action", Map.of("revertResize", Map.of())));
            assertThat(cloud.settled(named)).isEqualTo("host-6");
            cloud.delete(named);
        }
    }

    /** On three empty hosts and three full ones. */
    private void spreads(RealCloud cloud, int port) throws Exception {
        try (Serving serving = serve(cloud, port, PolicySpec.of("best-fit", Map.of("score", "available")))) {
            assertThat(serving.service().isReady()).isTrue();
            assertThat(burst(cloud, "spread", 6, "four", "").values()).containsExactly(2, 2, 2);
            assertThat(serving.service().read()).isTrue();
            deleteAll(cloud, "spread");
            assertThat(burst(cloud, "again", 6, "four", "").values()).containsExactly(2, 2, 2);
            assertThat(serving.service().read()).isTrue();
            assertThat(burst(cloud, "full", 6, "four", "").values()).containsExactly(2, 2, 2);
            assertThat(serving.service().read()).isTrue();
            deleteAll(cloud, "again");
            deleteAll(cloud, "full");
            // By what was read last all hosts are full: those that Nova names are read anew.
            String apart = cloud.group("apart", "anti-affinity", 1);
            assertThat(burst(cloud, "apart", 3, "four", apart).values()).containsExactly(1, 1, 1);
            String together = cloud.group("together", "affinity", 0);
            assertThat(burst(cloud, "together", 3, "four", together)).hasSize(1);
        }
    }

    private static void deleteAll(RealCloud cloud, String prefix) {
        cloud.servers().keySet().stream()
                .filter(name -> name.startsWith(prefix + "-"))
                .forEach(name -> cloud.delete(cloud.id(name)));
    }

    /** Nova decides by itself, and no server fails, while Stowage is away, wrong or slow. */
    private void withoutAnAnswer(RealCloud cloud, int port) throws Exception {
        assertThat(cloud.run("away", "four", "")).isNotEmpty();
        List<String> wrong = List.of("no JSON", "{\"hosts\": [\"host-99\"]}", "[]");
        int[] asked = new int[1];
        HttpServer standIn = standIn(port, () -> wrong.get(asked[0]++ % wrong.size()));
        for (int i = 0; i < wrong.size(); i++) {
            assertThat(cloud.run("wrong-" + i, "four", "")).isNotEmpty();
        }
        standIn.stop(0);
        assertThat(asked[0]).isEqualTo(wrong.size());
        HttpServer silent = standIn(port, () -> "");
        assertThat(cloud.run("silent", "four", "")).isNotEmpty();
        silent.stop(0);
    }

    private static ServerQueue queue(RealCloud cloud, Path file, List<String> told) throws IOException {
        HostEngine engine = new HostEngine(
                PolicySpec.of("bf-js"), new Policies(), System::nanoTime, 120_000_000_000L, List.of("kit"));
        CloudSession session = new CloudSession(CloudSettings.read("kit", List.of(cloud.clouds())));
        return new ServerQueue(
                file,
                engine,
                Map.of("kit", new LiveServers(session)),
                System::nanoTime,
                InstantSource.system(),
                told::add);
    }

    /** Nine servers of 4 vCPUs on two hosts of 16: one waits until another has gone, whoever is asked meanwhile. */
    @Test
    @Tag("nightly")
    void aQueueInFront() throws Exception {
        Map<String, int[]> hosts = new LinkedHashMap<>();
        hosts.put("host-1", new int[] {16, 65_536, 1000});
        hosts.put("host-2", new int[] {16, 65_536, 1000});
        try (RealCloud cloud = new RealCloud(directory, hosts, "")) {
            cloud.flavor("four", 4, 4096, 10, Map.of());
            String apart = cloud.group("apart", "anti-affinity", 1);
            List<String> lines = new ArrayList<>();
            for (int i = 1; i <= 9; i++) {
                lines.add("{\"server\": {\"name\": \"q-" + i + "\", \"imageRef\": \"" + RealCloud.IMAGE
                        + "\", \"flavorRef\": \"" + cloud.flavorId("four") + "\", \"networks\": \"none\"}"
                        + (i <= 2 ? ", \"os:scheduler_hints\": {\"group\": \"" + apart + "\"}" : "") + "}");
            }
            Path file = Files.write(directory.resolve("servers.jsonl"), lines);
            List<String> told = new ArrayList<>();
            try (ServerQueue queue = queue(cloud, file, told)) {
                while (queue.made() < 3) {
                    queue.step();
                    RealCloud.pause();
                }
            }
            try (ServerQueue queue = queue(cloud, file, told)) {
                while (queue.made() < 8) {
                    queue.step();
                    RealCloud.pause();
                }
                assertThat(cloud.servers()).hasSize(8);
                nothingIsOverfull(cloud, 32);
                assertThat(cloud.servers().get("q-1"))
                        .isNotEqualTo(cloud.servers().get("q-2"));
                String waits = told.stream()
                        .filter(words -> words.contains("waits for room"))
                        .reduce((first, last) -> last)
                        .orElseThrow();
                assertThat(waits).contains("on 2 hosts");
                queue.step();
                assertThat(queue.isBusy()).isTrue();
                cloud.delete(cloud.id("q-3"));
                while (queue.isBusy()) {
                    queue.step();
                    RealCloud.pause();
                }
                assertThat(queue.failed()).isZero();
            }
            assertThat(cloud.servers().keySet())
                    .containsExactly("q-1", "q-2", "q-4", "q-5", "q-6", "q-7", "q-8", "q-9");
            nothingIsOverfull(cloud, 32);
            Program again = Program.run(cloud.arguments("submit", file.toString()));
            assertThat(again.code()).as(again.out() + again.err()).isZero();
            assertThat(again.out()).contains("q-3 was created, and no longer exists");
            assertThat(cloud.servers()).hasSize(8);
        }
    }

    /** Ten servers of 4 vCPUs, balanced over two clouds by a policy that routes; stopped and begun again on the way. */
    @Test
    @Tag("nightly")
    void twoClouds() throws Exception {
        Map<String, int[]> hosts =
                Map.of("host-1", new int[] {16, 65_536, 1000}, "host-2", new int[] {16, 65_536, 1000});
        try (RealCloud east = new RealCloud(Files.createDirectories(directory.resolve("east")), hosts, "");
                RealCloud west = new RealCloud(Files.createDirectories(directory.resolve("west")), hosts, "")) {
            east.flavor("four", 4, 4096, 10, Map.of());
            west.flavor("four", 4, 4096, 10, Map.of());
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                lines.add("{\"server\": {\"name\": \"q-" + i + "\", \"imageRef\": \"" + RealCloud.IMAGE
                        + "\", \"flavorRef\": \"" + east.flavorId("four") + "\", \"networks\": \"none\"}, \"clouds\":"
                        + " {\"east\": {}, \"west\": {\"flavorRef\": \"" + west.flavorId("four") + "\"}}}");
            }
            Path file = Files.write(directory.resolve("servers.jsonl"), lines);
            Map<String, ServerCalls> clouds = new LinkedHashMap<>();
            for (Map.Entry<String, RealCloud> one :
                    Map.of("east", east, "west", west).entrySet()) {
                clouds.put(
                        one.getKey(),
                        new LiveServers(new CloudSession(
                                CloudSettings.read("kit", List.of(one.getValue().clouds())))));
            }
            HostEngine engine = new HostEngine(
                    PolicySpec.of("load-balancing"),
                    new Policies(),
                    System::nanoTime,
                    120_000_000_000L,
                    List.copyOf(clouds.keySet()));
            try (ServerQueue queue =
                    new ServerQueue(file, engine, clouds, System::nanoTime, InstantSource.system(), words -> {})) {
                queue.step();
            }
            Path both = Files.writeString(
                    directory.resolve("both.yaml"),
                    Files.readString(east.clouds()).replace("  kit:", "  east:")
                            + Files.readString(west.clouds()).replace("clouds:\n  kit:", "  west:"));
            Program again = Program.run(
                    "openstack",
                    "submit",
                    "--clouds",
                    both.toString(),
                    "--cloud",
                    "east",
                    "--cloud",
                    "west",
                    "--policy",
                    "load-balancing",
                    file.toString());
            assertThat(again.code()).as(again.out() + again.err()).isZero();
            assertThat(again.out()).contains("10 servers created, 0 requests failed");
            nothingIsOverfull(east, 20);
            nothingIsOverfull(west, 20);
        }
    }

    /**
     * Servers come and go, some at once, while Stowage is killed, started, and replaced by something that answers
     * nonsense or nothing, one of two schedulers is killed and started, Placement refuses half of all claims, and hosts
     * go down and come up: by Placement's tables nothing is above what there is, and each server that runs is allocated
     * once, where it runs; nothing else is.
     */
    @Test
    @Tag("nightly")
    void whateverFailsNothingIsOverfullLostOrTwice() throws Exception {
        Random random = new Random(Long.getLong("stowage.seed", 1));
        int rounds = Integer.getInteger("stowage.rounds", 40);
        // With "memory" all of Nova is one process: the scheduler is not killed.
        String bus = System.getProperty("stowage.bus", "rabbit");
        Map<String, int[]> hosts = new LinkedHashMap<>();
        for (int i = 1; i <= 4; i++) {
            hosts.put("host-" + i, new int[] {16, 65_536, 1000});
        }
        int port = FreePorts.one();
        Path token = Files.writeString(directory.resolve("token"), SECRET + "\n");
        Map<String, String> live = new LinkedHashMap<>();
        Map<String, Integer> done = new TreeMap<>();
        AutoCloseable answers = () -> {};
        String down = "";
        try (PlacementProxy placement = new PlacementProxy(directory.resolve("cloud"));
                RealCloud cloud =
                        new RealCloud(directory, hosts, plugIn(port, token, 3) + placement.configuration(), bus)) {
            cloud.flavor("four", 4, 4096, 10, Map.of());
            if (bus.equals("rabbit")) {
                cloud.another("scheduler");
            }
            for (int round = 0; round < rounds; round++) {
                int what = random.nextInt(13);
                if (what < 6) {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        live.put(cloud.boot("s-" + round + "-" + i, "four", "", "", ""), "s-" + round);
                        done.merge("booted", 1, Integer::sum);
                    }
                } else if (what < 8 && !live.isEmpty()) {
                    String id = List.copyOf(live.keySet()).get(random.nextInt(live.size()));
                    cloud.ended(id);
                    cloud.delete(id);
                    live.remove(id);
                    done.merge("deleted", 1, Integer::sum);
                } else if (what < 10) {
                    answers.close();
                    int kind = random.nextInt(5);
                    if (kind == 0) {
                        answers = serve(cloud, port, PolicySpec.of("best-fit"));
                    } else if (kind == 1) {
                        HttpServer wrong = standIn(port, () -> "{\"hosts\": [\"host-9\"]}");
                        answers = () -> wrong.stop(0);
                    } else if (kind == 2) {
                        HttpServer slow = standIn(port, () -> "");
                        answers = () -> slow.stop(0);
                    } else {
                        answers = kind == 3 ? () -> {} : serve(cloud, port, PolicySpec.of("best-fit"));
                    }
                    done.merge(
                            List.of("served", "wrong", "slow", "away", "served").get(kind), 1, Integer::sum);
                } else if (what == 10 && bus.equals("rabbit")) {
                    cloud.restart("scheduler");
                    done.merge("scheduler restarted", 1, Integer::sum);
                } else if (what == 11) {
                    placement.refuses = !placement.refuses;
                    done.merge("Placement refuses, or not", 1, Integer::sum);
                } else {
                    cloud.forcedDown(down.isEmpty() ? "host-1" : down, down.isEmpty());
                    down = down.isEmpty() ? "host-1" : "";
                    done.merge("host down or up", 1, Integer::sum);
                }
            }
            for (String id : live.keySet()) {
                cloud.ended(id);
            }
            answers.close();
            assertThat(live.size()).isLessThanOrEqualTo(cloud.servers().size());
            Map<String, double[]> allocated = cloud.allocated("VCPU");
            assertThat(allocated.values()).allMatch(one -> one[0] <= one[1]);
            Map<String, Map<String, Integer>> running = new TreeMap<>();
            int failed = 0;
            for (String id : live.keySet()) {
                JsonNode server =
                        cloud.done(cloud.nova("GET", "/servers/" + id, null)).path("server");
                if (server.path("status").asText().equals("ACTIVE")) {
                    running.put(id, Map.of(server.path("OS-EXT-SRV-ATTR:host").asText(), 4));
                } else {
                    failed++;
                }
            }
            System.out.println(done + ", claims refused " + placement.refused() + ", running " + running.size()
                    + ", without a host " + failed);
            assertThat(cloud.allocations()).as(done.toString()).isEqualTo(running);
            assertThat(running).isNotEmpty();
        }
    }
}
