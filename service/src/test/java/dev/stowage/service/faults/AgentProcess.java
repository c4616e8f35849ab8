package dev.stowage.service.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An agent of a server as a process of its own, which outlives neither this test nor its directory. */
final class AgentProcess {
    private final List<String> words;
    private final Path directory;
    private @Nullable Process process;

    /**
     * An agent that does not run yet.
     *
     * @param command what starts Stowage, before its arguments
     */
    AgentProcess(List<String> command, int server, Path directory, String lease, String grace, List<String> nodes) {
        this.directory = directory;
        words = new ArrayList<>(command);
        words.addAll(List.of("agent", "--server", Integer.toString(server), "--directory", directory.toString()));
        words.addAll(List.of("--lease", lease, "--grace", grace, "--at", String.join(",", nodes)));
    }

    void start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
        builder.environment().put("STOWAGE_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m");
        process = builder.start();
    }

    boolean runs() {
        Process present = process;
        return present != null && present.isAlive();
    }

    /** {@code kill -9}; what it runs goes on without it. */
    void kill() throws InterruptedException {
        Process present = process;
        if (present != null) {
            present.destroyForcibly();
            present.waitFor();
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        Process present = process;
        if (present != null) {
            new ProcessBuilder("kill", "-" + name, Long.toString(present.pid()))
                    .start()
                    .waitFor();
        }
    }

    /** What it noted of each start and stop of a process. */
    List<String> record() throws IOException {
        Path file = directory.resolve("record");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Ends it, and all that it runs. */
    void end() throws IOException, InterruptedException {
        kill();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path lease : files.filter(
                            file -> String.valueOf(file.getFileName()).startsWith("lease-"))
                    .toList()) {
                Files.writeString(lease, "0\n");
            }
        }
    }
}
