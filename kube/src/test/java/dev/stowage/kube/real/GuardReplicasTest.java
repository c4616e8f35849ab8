package dev.stowage.kube.real;

import static dev.stowage.kube.real.TestObjects.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two guards behind a Service on a real API server, with no rights but those of deploy/kubernetes/guard.yaml: of
 * bindings sent at once to both as many take effect as there is room for; while both are replaced no binding fails; and
 * whatever is killed, no node is overfilled.
 */
@Tag("nightly")
final class GuardReplicasTest {
    private static final int CORES = 4;
    private static final int THREADS = 8;
    private static final Duration REQUEST = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final List<GuardProcess> guards = new ArrayList<>();
    private KubernetesClient client;
    /** Sends a binding once: the other client tries again what failed. */
    private KubernetesClient once;

    private RealCluster cluster;
    private final Set<String> refusals = ConcurrentHashMap.newKeySet();
    private final AtomicInteger pods = new AtomicInteger();

    @Test
    void neitherOverfillsANodeAndTheyAreReplacedWithoutAFailedBinding() throws Exception {
        try (RealCluster started =
                        new RealCluster(directory, List.of("--request-timeout=" + REQUEST.toSeconds() + "s"));
                SmallService service = new SmallService()) {
            cluster = started;
            client = cluster.client();
            for (int i = 1; i <= 6; i++) {
                TestObjects.node(client, "n" + i, String.valueOf(CORES));
            }
            try (KubernetesClient sends = KubeClients.open(cluster.kubeconfig());
                    PodHistory history = new PodHistory(client, CORES)) {
                once = sends;
                var webhook = GuardOnServer.install(cluster, directory);
                GuardProcess one = guard("one");
                GuardProcess two = guard("two");
                service.endpoints(one.port(), two.port());
                GuardOnServer.point(cluster, webhook, service.port());
                assertThat(bindAtOnce("n1", 40)).as(refusals.toString()).isEqualTo(CORES);
                assertThat(refusals).allMatch(why -> why.contains("node n1 lacks cpu: 1 core short"));
                assertThat(one.log()).contains("REFUSED");
                assertThat(two.log()).contains("REFUSED");
                replaced(service, one, two);
                killed(service);
                assertThat(history.wrong()).isEmpty();
            } finally {
                guards.forEach(GuardProcess::close);
            }
        }
    }

    private GuardProcess guard(String name) throws Exception {
        GuardProcess guard = new GuardProcess(cluster, directory, REQUEST, name);
        guards.add(guard);
        return guard;
    }

    /** How many of so many pods of one core are bound to a node. */
    private int bindAtOnce(String node, int count) throws Exception {
        List<Callable<Boolean>> bindings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = create("1");
            bindings.add(() -> binds(name, node));
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        int bound = 0;
        for (Future<Boolean> binding : threads.invokeAll(bindings)) {
            bound += binding.get() ? 1 : 0;
        }
        threads.shutdown();
        return bound;
    }

    private String create(String cpu) {
        String name = "p" + pods.getAndIncrement();
        TestObjects.create(client, TestObjects.pod(name, "nobody", cpu, ""));
        return name;
    }

    private boolean binds(String name, String node) {
        try {
            TestObjects.bind(once, name, node);
            return true;
        } catch (KubernetesClientException e) {
            refusals.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** One after the other, as a rolling update does it; the Service knows of the end a while after it began. */
    private void replaced(SmallService service, GuardProcess one, GuardProcess two) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        refusals.clear();
        Runnable binder = () -> {
            while (!over.get()) {
                boolean unused = binds(create("1m"), "n" + List.of(2, 4, 5, 6).get(sent.getAndIncrement() % 4));
            }
        };
        List<Thread> binders = List.of(new Thread(binder), new Thread(binder), new Thread(binder));
        binders.forEach(Thread::start);
        GuardProcess three = guard("three");
        service.endpoints(one.port(), two.port(), three.port());
        ends(one);
        service.endpoints(two.port(), three.port());
        one.join();
        int between = sent.get();
        GuardProcess four = guard("four");
        service.endpoints(two.port(), three.port(), four.port());
        ends(two);
        service.endpoints(three.port(), four.port());
        two.join();
        over.set(true);
        for (Thread thread : binders) {
            thread.join();
        }
        System.out.println(between + " bindings until the first had ended, " + sent + " in all");
        System.out.println(two.log().substring(two.log().indexOf("# HELP stowage_guard_review")));
        assertThat(refusals).isEmpty();
        assertThat(between).isGreaterThan(10);
        assertThat(sent.get()).isGreaterThan(between + 10);
    }

    /** The Service goes on sending for a second. */
    private static void ends(GuardProcess guard) {
        guard.end();
        for (int i = 0; i < 10; i++) {
            RealCluster.sleep();
        }
    }

    private void killed(SmallService service) throws Exception {
        GuardProcess dies = guards.get(2);
        GuardProcess stays = guards.get(3);
        Thread killer = new Thread(() -> {
            until(
                    "some of it is promised",
                    () -> client.pods().inNamespace("default").list().getItems().stream()
                            .anyMatch(pod -> "n3".equals(pod.getSpec().getNodeName())));
            dies.close();
            service.endpoints(stays.port());
        });
        killer.start();
        int bound = bindAtOnce("n3", 40);
        killer.join();
        System.out.println(bound + " of 40 at once while one was killed");
        assertThat(bound).isBetween(1, CORES);
        // What the dead one promised in vain holds no room for ever.
        int all = bound;
        while (all < CORES) {
            all += binds(create("1"), "n3") ? 1 : 0;
            RealCluster.sleep();
        }
        assertThat(binds(create("1"), "n3")).isFalse();
    }
}
