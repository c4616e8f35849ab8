package dev.stowage.kube.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica whose calls to a real API server take long: it binds, and its log names the cause where it cannot. */
@Tag("nightly")
final class SlowServerTest {
    private static final int PODS = 40;

    /** The client closes the connection itself, or gives the call up; which comes first is not certain. */
    private static final Pattern WHY = Pattern.compile(
            "the lease cannot be renewed, [0-9]{4} ms after the call: .*\\((HttpTimeoutException: request timed out"
                    + "|IOException: connection closed locally)\\)");

    @TempDir
    Path directory;

    @Test
    void podsAreBoundThoughEachCallTakesASecondAndTheLogNamesTheCauseWhereTheyAreNot() throws IOException {
        try (RealCluster cluster = new RealCluster(directory);
                ApiProxy proxy = new ApiProxy(cluster.port())) {
            TestObjects.applyManifests(cluster.client());
            TestObjects.node(cluster.client(), "n1", "64");
            TestObjects.node(cluster.client(), "n2", "64");
            create(cluster, "a");
            proxy.delay(request -> true, 1000);
            Path log = directory.resolve("slow.log");
            try (PodHistory history = new PodHistory(cluster.client(), 64);
                    ReplicaProcess replica = new ReplicaProcess(proxy.kubeconfig(cluster.kubeconfigOfStowage()), log)) {
                TestObjects.until("those that waited are bound", () -> history.bindings() == PODS);
                create(cluster, "b");
                TestObjects.until("those that came are bound", () -> history.bindings() == 2 * PODS);
                proxy.delay(request -> request.contains("/leases"), 60_000);
                TestObjects.until(
                        "the log says why the lease is not renewed",
                        () -> WHY.matcher(read(log)).find());
                create(cluster, "c");
                proxy.delay(request -> false, 0);
                TestObjects.until("it goes on", () -> history.bindings() == 3 * PODS);
                assertThat(history.wrong()).isEmpty();
            }
            System.out.println(read(log));
        }
    }

    private static void create(RealCluster cluster, String prefix) {
        for (int i = 0; i < PODS; i++) {
            TestObjects.create(cluster.client(), TestObjects.pod(prefix + i, "stowage", "1", ""));
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
