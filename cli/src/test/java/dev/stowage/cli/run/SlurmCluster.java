package dev.stowage.cli.run;

import dev.stowage.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Slurm on this machine alone, from Debian's {@code slurm-wlm}: a controller and a node, as docs/scale.md says. */
final class SlurmCluster implements AutoCloseable {
    private static final long POLL_MILLIS = 50;

    private final Path directory;
    private final Path settings;
    private final Process controller;
    private final Process node;

    /** In a directory, with the lines of slurm.conf that a page shows and those that only a test needs. */
    SlurmCluster(Path directory, String shown) throws IOException, InterruptedException {
        this.directory = directory;
        Files.createDirectories(directory.resolve("state"));
        Files.createDirectories(directory.resolve("spool"));
        String host = InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
        String user = System.getProperty("user.name");
        settings = Files.writeString(
                directory.resolve("slurm.conf"),
                shown + """
                ClusterName=here
                SlurmctldHost=%1$s(127.0.0.1)
                SlurmctldPort=%2$d
                SlurmdPort=%3$d
                SlurmUser=%4$s
                SlurmdUser=%4$s
                MpiDefault=none
                StateSaveLocation=%5$s/state
                SlurmdSpoolDir=%5$s/spool
                SlurmctldPidFile=%5$s/slurmctld.pid
                SlurmdPidFile=%5$s/slurmd.pid
                # Larger than it is: the node is to take what the script asks for.
                SlurmdParameters=config_overrides
                NodeName=%1$s NodeAddr=127.0.0.1 CPUs=32 RealMemory=64000
                PartitionName=all Nodes=ALL Default=YES
                # What is requeued waits for so long; 5 is the least, and 120 usual.
                AuthInfo=cred_expire=5
                """.formatted(host, FreePorts.one(), FreePorts.one(), user, directory));
        controller = daemon("slurmctld");
        node = daemon("slurmd");
        until(() -> !isAlive() || output("sinfo", "-h", "-o", "%T").contains("idle"));
        if (!isAlive()) {
            throw new AssertionError("Slurm did not start:\n" + logs());
        }
    }

    /** Whether its programs are here. */
    static boolean isInstalled() {
        return Stream.of("slurmctld", "slurmd", "sbatch", "srun").allMatch(SlurmCluster::isOnPath);
    }

    private static boolean isOnPath(String program) {
        return Stream.of(path().split(File.pathSeparator, -1))
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }

    /** Debian has the daemons where users do not look. */
    private static String path() {
        return System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
    }

    /** Waits for as long as it takes; the limit on tests ends what never comes. */
    static void until(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    private boolean isAlive() {
        return controller.isAlive() && node.isAlive();
    }

    private Process daemon(String program) throws IOException {
        return builder(program, "-D")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(program + ".txt").toFile())
                .start();
    }

    private ProcessBuilder builder(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("SLURM_CONF", settings.toString());
        builder.environment().put("PATH", path());
        return builder;
    }

    /** What a command prints, standard error with it. */
    String output(String... command) {
        try {
            Process process = builder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until no job waits or runs. */
    void await() throws InterruptedException {
        until(() -> output("squeue", "-h", "-o", "%i").isBlank());
    }

    /** What the daemons said. */
    String logs() throws IOException {
        return Files.readString(directory.resolve("slurmctld.txt")) + Files.readString(directory.resolve("slurmd.txt"));
    }

    @Override
    public void close() throws InterruptedException {
        if (isAlive()) {
            output("scancel", "--user", System.getProperty("user.name"));
            await();
        }
        node.destroy();
        controller.destroy();
        node.waitFor();
        controller.waitFor();
    }
}
