package dev.stowage.kube.real;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * Which nodes the real kube-scheduler allows for a pod: an extender that gets the nodes that have passed all of
 * kube-scheduler's own filters, and allows none. So every pod stays unscheduled, and the whole set is known at once.
 */
final class KubeSchedulerOracle implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Set<String>> allowed = new ConcurrentHashMap<>();

    KubeSchedulerOracle(RealCluster cluster) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/filter", this::filter);
        server.start();
        cluster.startScheduler("apiVersion: kubescheduler.config.k8s.io/v1beta1\n"
                + "kind: KubeSchedulerConfiguration\n"
                + "clientConnection: {kubeconfig: \"" + cluster.kubeconfig() + "\", qps: 10000, burst: 10000}\n"
                + "leaderElection: {leaderElect: false}\n"
                + "percentageOfNodesToScore: 100\n"
                + "profiles: [{schedulerName: default-scheduler, plugins: {postFilter: {disabled: [{name: \"*\"}]}}}]\n"
                + "extenders: [{urlPrefix: \"http://127.0.0.1:"
                + server.getAddress().getPort()
                + "\", filterVerb: filter, weight: 1, nodeCacheCapable: true, httpTimeout: 60s}]\n");
    }

    private void filter(HttpExchange call) throws IOException {
        try (call) {
            String text = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Map<?, ?> asked = Serialization.unmarshal(text, Map.class);
            Map<?, ?> metadata = (Map<?, ?>) ((Map<?, ?>) get(asked, "Pod")).get("metadata");
            Set<String> names = new TreeSet<>();
            for (Object name : (List<?>) get(asked, "NodeNames")) {
                names.add((String) name);
            }
            allowed.put((String) metadata.get("uid"), names);
            byte[] answer =
                    "{\"NodeNames\": [], \"FailedNodes\": {}, \"Error\": \"\"}".getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().set("Content-Type", "application/json");
            call.sendResponseHeaders(200, answer.length);
            call.getResponseBody().write(answer);
        }
    }

    private static Object get(Map<?, ?> map, String key) {
        Object exact = map.get(key);
        return exact != null
                ? exact
                : map.get(key.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + key.substring(1));
    }

    /** The nodes that a pod was allowed, once it is known to be unschedulable; none if the extender was never asked. */
    Set<String> allowed(String uid) {
        return allowed.getOrDefault(uid, Set.of());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
