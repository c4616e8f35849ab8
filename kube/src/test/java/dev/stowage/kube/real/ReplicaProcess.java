package dev.stowage.kube.real;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.kube.schedule.CommandLogs;
import dev.stowage.kube.schedule.HealthServer;
import dev.stowage.kube.schedule.KubeSettings;
import dev.stowage.kube.schedule.Replica;
import dev.stowage.policies.Policies;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A replica in a process of its own, to be stopped and killed. */
final class ReplicaProcess implements AutoCloseable {
    /** As short as a lease may be. */
    private static final int LEASE_SECONDS = 10;

    private final Process process;

    ReplicaProcess(Path kubeconfig, Path log) throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReplicaProcess.class.getName(),
                        kubeconfig.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
                .start();
    }

    /** The program of the process: with a second argument, it answers there for its metrics. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        Replica replica = new Replica(
                Path.of(arguments[0]),
                KubeSettings.of("stowage", PolicySpec.of("bf-js")),
                new Policies(),
                new Replica.LeaseSettings("kube-system", "stowage", Duration.ofSeconds(LEASE_SECONDS)),
                CommandLogs.NONE);
        if (arguments.length > 1) {
            new HealthServer(
                    new InetSocketAddress(Integer.parseInt(arguments[1])),
                    () -> true,
                    replica::isReady,
                    replica::metrics);
        }
        replica.run();
    }

    void pause() {
        signal("-STOP");
    }

    void goOn() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill " + signal + " " + process.pid() + " ended with " + code);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
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
