package dev.stowage.cli.kube;

import dev.stowage.cli.text.Data;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An invented cluster of 200 nodes in three zones, as {@code kubectl get nodes,pods,pdb -A -o json} would write it:
 * half full, spread as by kube-scheduler, with daemon sets, budgets, anti-affinity, topology spread, a volume claim and
 * waiting pods. Always the same.
 */
final class ExampleCluster {
    private static final int NODES = 200;
    private static final int ZONES = 3;
    private static final int[] CORES = {16, 32, 8};
    private static final int[] MILLIS = {250, 500, 1000, 2000, 4000};
    private static final int[] GIB_PER_CORE = {2, 4, 4, 8};
    private static final int DEPLOYMENTS = 135;
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";

    private final List<Map<String, Object>> items = new ArrayList<>();
    private final double[] freeCpu = new double[NODES];
    private final double[] freeMemory = new double[NODES];
    private final int[] cores = new int[NODES];
    private final java.util.Set<Integer> taken = new java.util.TreeSet<>();
    private long state = 1;

    private ExampleCluster() {}

    static String text() {
        ExampleCluster cluster = new ExampleCluster();
        cluster.nodes();
        for (int d = 0; d < DEPLOYMENTS; d++) {
            cluster.deployment(d);
        }
        cluster.waiting();
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("apiVersion", "v1");
        list.put("kind", "List");
        list.put("metadata", Map.of("resourceVersion", ""));
        list.put("items", cluster.items);
        return Data.json(list);
    }

    /** A generator of its own, so that the example is the same everywhere: Lehmer, 2^31 - 1 and 48271. */
    private int next(int end) {
        state = state * 48_271 % 2_147_483_647L;
        return (int) (state % end);
    }

    private static String zone(int node) {
        return "zone-" + (char) ('a' + node % ZONES);
    }

    private static String name(int node) {
        return String.format(java.util.Locale.ROOT, "node-%03d", node);
    }

    private void nodes() {
        for (int n = 0; n < NODES; n++) {
            cores[n] = CORES[n / ZONES % CORES.length];
            freeCpu[n] = cores[n] * 1000 - 300;
            freeMemory[n] = cores[n] * 4 - 1.5;
            Map<String, Object> spec = new LinkedHashMap<>();
            if (n % 67 == 5) {
                spec.put("unschedulable", true);
                freeCpu[n] = 0;
            }
            if (n % 25 == 7) {
                spec.put("taints", List.of(Map.of("key", "dedicated", "value", "batch", "effect", "NoSchedule")));
                freeCpu[n] = 0;
            }
            Map<String, String> labels = Map.of(ZONE, zone(n), HOST, name(n));
            Map<String, String> amounts =
                    Map.of("cpu", (cores[n] * 1000 - 100) + "m", "memory", (cores[n] * 4 - 1) + "Gi", "pods", "110");
            items.add(object("v1", "Node", metadata(name(n), "", labels), spec, Map.of("allocatable", amounts)));
            pod("kube-system", "agent-" + n, Map.of("app", "agent"), "DaemonSet", n, 200, 512, Map.of());
        }
    }

    private static Map<String, Object> object(
            String version,
            String kind,
            Map<String, Object> metadata,
            Map<String, Object> spec,
            Map<String, ?> status) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", version);
        object.put("kind", kind);
        object.put("metadata", metadata);
        object.put("spec", spec);
        object.put("status", status);
        return object;
    }

    private static Map<String, Object> metadata(String name, String namespace, Map<String, String> labels) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
            metadata.put("uid", namespace + "-" + name);
        }
        metadata.put("labels", new java.util.TreeMap<>(labels));
        return metadata;
    }

    private void deployment(int d) {
        String app = "app-" + d;
        int replicas = 2 + next(16);
        int millis = MILLIS[next(MILLIS.length)];
        int mib = millis * GIB_PER_CORE[next(GIB_PER_CORE.length)] * 1024 / 1000;
        Map<String, Object> selector = Map.of("matchLabels", Map.of("app", app));
        Map<String, Object> rules = new LinkedHashMap<>();
        int kind = next(12);
        if (kind == 0) {
            rules.put("affinity", apart(selector));
        } else if (kind == 1) {
            rules.put("topologySpreadConstraints", spread(selector));
        } else if (kind == 2) {
            rules.put("nodeSelector", Map.of(ZONE, zone(d)));
        } else if (kind == 3 && d % 4 == 0) {
            rules.put(
                    "volumes",
                    List.of(Map.of("name", "data", "persistentVolumeClaim", Map.of("claimName", "data-" + d))));
        }
        for (int i = 0; i < replicas; i++) {
            int node = spreading(millis, mib, kind == 2 ? zone(d) : "", kind == 1 ? i % ZONES : -1, kind == 0);
            if (node >= 0) {
                pod("default", app + "-" + i, Map.of("app", app), "ReplicaSet", node, millis, mib, rules);
            }
        }
        taken.clear();
        if (d % 3 == 0) {
            items.add(object(
                    "policy/v1",
                    "PodDisruptionBudget",
                    metadata(app, "default", Map.of()),
                    Map.of("maxUnavailable", 1, "selector", selector),
                    Map.of("disruptionsAllowed", d % 30 == 0 ? 0 : 1)));
        }
    }

    private static Map<String, Object> apart(Map<String, Object> selector) {
        return Map.of(
                "podAntiAffinity",
                Map.of(
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        List.of(Map.of("labelSelector", selector, "topologyKey", HOST))));
    }

    private static List<Map<String, Object>> spread(Map<String, Object> selector) {
        return List.of(Map.of(
                "maxSkew", 1, "topologyKey", ZONE, "whenUnsatisfiable", "DoNotSchedule", "labelSelector", selector));
    }

    /** The emptiest of twelve nodes that may take it, or -1. */
    private int spreading(int millis, int mib, String zone, int ofZone, boolean apart) {
        int best = -1;
        for (int i = 0; i < 12; i++) {
            int n = next(NODES);
            boolean may = freeCpu[n] >= millis
                    && freeMemory[n] * 1024 >= mib
                    && (zone.isEmpty() || zone.equals(zone(n)))
                    && (ofZone < 0 || n % ZONES == ofZone)
                    && !(apart && taken.contains(n));
            if (may && (best < 0 || freeCpu[n] / cores[n] > freeCpu[best] / cores[best])) {
                best = n;
            }
        }
        if (best >= 0) {
            freeCpu[best] -= millis;
            freeMemory[best] -= mib / 1024.0;
            taken.add(best);
        }
        return best;
    }

    private void pod(
            String namespace,
            String name,
            Map<String, String> labels,
            String owner,
            int node,
            int millis,
            int mib,
            Map<String, Object> rules) {
        Map<String, Object> metadata = metadata(name, namespace, labels);
        metadata.put(
                "ownerReferences",
                List.of(Map.of("apiVersion", "apps/v1", "kind", owner, "name", "of", "uid", "o", "controller", true)));
        Map<String, Object> spec = new LinkedHashMap<>(rules);
        if (node >= 0) {
            spec.put("nodeName", name(node));
        }
        Map<String, Object> requests = Map.of("cpu", millis + "m", "memory", mib + "Mi");
        spec.put(
                "containers",
                List.of(Map.of("name", "main", "image", "example", "resources", Map.of("requests", requests))));
        items.add(object("v1", "Pod", metadata, spec, Map.of("phase", node >= 0 ? "Running" : "Pending")));
    }

    private void waiting() {
        for (int i = 0; i < 4; i++) {
            pod("default", "big-" + i, Map.of("app", "big"), "ReplicaSet", -1, 30_000, 65_536, Map.of());
        }
        pod(
                "default",
                "far",
                Map.of("app", "far"),
                "Job",
                -1,
                500,
                512,
                Map.of("nodeSelector", Map.of(ZONE, "zone-d")));
        Map<String, Object> gpu = Map.of("nodeSelector", Map.of("gpu", "true"));
        pod("default", "trainer", Map.of("app", "trainer"), "Job", -1, 4000, 16_384, gpu);
    }
}
