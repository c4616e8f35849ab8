package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.CloudSettings;
import dev.stowage.openstack.place.HostEngine;
import dev.stowage.openstack.place.HostServer;
import dev.stowage.openstack.place.HostService;
import dev.stowage.openstack.snapshot.RoomReader;
import dev.stowage.policies.Policies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private record Serving(HostService service, HostServer server) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
        }
    }

    private static Serving serve(RealCloud cloud, int port, PolicySpec policy) throws IOException {
        HostEngine engine = new HostEngine(policy, new Policies(), System::nanoTime, 5_000_000_000L);
        CloudSession session = new CloudSession(CloudSettings.read("kit", List.of(cloud.clouds())));
        HostService service = new HostService(engine, new RoomReader(session), System::nanoTime, Long.MAX_VALUE);
        assertThat(service.read()).isTrue();
        return new Serving(service, new HostServer(at(port), SECRET, service));
    }

    /** Something else on the port of Stowage: it answers so, or not at all for null. */
    private static HttpServer standIn(int port, Supplier<String> says) throws IOException {
        HttpServer server = HttpServer.create(at(port), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", call -> {
            call.getRequestBody().readAllBytes();
            String text = says.get();
            if (text != null) {
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

    @Test
    void policiesDecide() throws Exception {
        Map<String, int[]> hosts = new LinkedHashMap<>();
        for (int i = 1; i <= HOSTS; i++) {
            hosts.put("host-" + i, new int[] {16, 65_536, 1000});
        }
        int port = freePort();
        Path token = java.nio.file.Files.writeString(directory.resolve("token"), SECRET + "\n");
        String plugIn = "[filter_scheduler]\\navailable_filters = nova.scheduler.filters.all_filters\\n"
                + "available_filters = stowage_nova.StowageFilter\\n"
                + "enabled_filters = ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,"
                + "ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,StowageFilter\\n"
                + "weight_classes = nova.scheduler.weights.all_weighers,stowage_nova.StowageWeigher\\n"
                + "[stowage]\\nurl = http://127.0.0.1:" + port + "\\ntimeout = 20\\ntoken_file = " + token + "\\n";
        try (RealCloud cloud = new RealCloud(directory, hosts, plugIn)) {
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
        HttpServer silent = standIn(port, () -> null);
        assertThat(cloud.run("silent", "four", "")).isNotEmpty();
        silent.stop(0);
    }
}
