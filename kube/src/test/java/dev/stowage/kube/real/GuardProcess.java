package dev.stowage.kube.real;

import dev.stowage.kube.guard.BindingGuard;
import dev.stowage.kube.schedule.KubeClients;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A guard in a process of its own, to be ended and killed. */
final class GuardProcess implements AutoCloseable {
    private static final String PORT = "port ";
    private static final long DRAIN_MILLIS = 2000;

    private final Process process;
    private final Path log;

    /** Returns when it judges. */
    GuardProcess(RealCluster cluster, Path directory, Duration longestRequest, String name) throws IOException {
        log = directory.resolve(name + ".log");
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuardProcess.class.getName(),
                        cluster.kubeconfigOfGuard().toString(),
                        directory.toString(),
                        String.valueOf(longestRequest.toSeconds())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
                .start();
        TestObjects.until(name + " judges", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("it ended: " + log());
            }
            return log().contains("and checks bindings") && log().contains(PORT);
        });
    }

    /** The program of the process, as the command does it. */
    public static void main(String[] arguments) throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (KubernetesClient client = KubeClients.open(Path.of(arguments[0]));
                BindingGuard guard = new BindingGuard(
                        client,
                        GuardOnServer.settings(
                                Path.of(arguments[1]), Duration.ofSeconds(Long.parseLong(arguments[2]))))) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                guard.drain();
                stop.countDown();
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            System.out.println(PORT + guard.port());
            stop.await();
            Thread.sleep(DRAIN_MILLIS);
            System.out.println(guard.metrics());
        } finally {
            ended.countDown();
        }
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    int port() {
        return log().lines()
                .filter(line -> line.startsWith(PORT))
                .map(line -> Integer.parseInt(line.substring(PORT.length())))
                .findFirst()
                .orElseThrow();
    }

    /** SIGTERM. */
    void end() {
        process.destroy();
    }

    /** Waits for its end. */
    void join() throws InterruptedException {
        process.waitFor();
    }

    /** Kill -9. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
