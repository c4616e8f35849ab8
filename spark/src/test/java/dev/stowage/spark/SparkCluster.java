package dev.stowage.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A standalone cluster: a master and workers of one core each in JVMs of their own, without Spark's scripts. */
final class SparkCluster implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    private static final Pattern ADDRESS = Pattern.compile("spark://127\\.0\\.0\\.1:\\d+");

    private final Path directory;
    private final String address;
    private final Process master;
    private final List<Process> workers = new ArrayList<>();
    private final List<ProcessHandle> orphans = new ArrayList<>();

    SparkCluster(Path directory, int size) throws IOException, InterruptedException {
        this.directory = directory;
        // Any free port; its log says which.
        master = start("master", "org.apache.spark.deploy.master.Master", "--port", "0");
        until(() -> ADDRESS.matcher(read(log("master"))).find() || !master.isAlive());
        Matcher said = ADDRESS.matcher(read(log("master")));
        address = said.find() ? said.group() : "no master: " + read(log("master"));
        for (int i = 0; i < size; i++) {
            workers.add(start(
                    "worker-" + i,
                    "org.apache.spark.deploy.worker.Worker",
                    "--cores",
                    "1",
                    "--memory",
                    "2g",
                    "--work-dir",
                    directory.resolve("work-" + i).toString(),
                    address));
        }
        for (int i = 0; i < size; i++) {
            Path log = log("worker-" + i);
            until(() -> read(log).contains("Successfully registered with master") || !isAlive());
        }
        if (!isAlive()) {
            throw new AssertionError("the cluster did not start: " + read(log("master")));
        }
    }

    private boolean isAlive() {
        return master.isAlive() && workers.stream().allMatch(Process::isAlive);
    }

    private Process start(String name, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                StowageOnSpark.java(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                StowageOnSpark.SPARK_HOME.resolve("jars") + File.separator + "*",
                program,
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().put("SPARK_HOME", StowageOnSpark.SPARK_HOME.toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        return builder.start();
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }

    String address() {
        return address;
    }

    /** The executors that run on a worker. */
    List<ProcessHandle> executors(int worker) {
        try (Stream<ProcessHandle> children = workers.get(worker).descendants()) {
            return children.filter(ProcessHandle::isAlive).toList();
        }
    }

    /** kill -9 */
    void killExecutor(int worker) {
        until(() -> !executors(worker).isEmpty());
        executors(worker).forEach(ProcessHandle::destroyForcibly);
    }

    /** kill -9 */
    void killWorker(int worker) {
        orphans.addAll(executors(worker));
        workers.get(worker).destroyForcibly();
    }

    /** Waits for as long as it takes; the time limit of tests ends a wait that never succeeds. */
    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("waited in vain", e);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(orphans);
        for (Process process : workers) {
            try (Stream<ProcessHandle> children = process.descendants()) {
                children.forEach(all::add);
            }
            process.destroyForcibly();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        master.destroyForcibly().waitFor();
        for (Process process : workers) {
            process.waitFor();
        }
    }
}
