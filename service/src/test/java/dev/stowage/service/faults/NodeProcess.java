package dev.stowage.service.faults;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node as a process of its own. What it prints goes to a file beside its data. */
final class NodeProcess {
    private static final String CALLS = "dev.stowage.service.calls";
    private static final int LONGEST_LINE = 400;

    private final List<String> command;
    private final Path configuration;
    private final Path data;
    private final String id;
    private @Nullable Process process;

    NodeProcess(List<String> command, Path configuration, Path data, String id) {
        this.command = command;
        this.configuration = configuration;
        this.data = data;
        this.id = id;
    }

    String id() {
        return id;
    }

    Path data() {
        return data;
    }

    boolean runs() {
        Process present = process;
        return present != null && present.isAlive();
    }

    void start() throws IOException {
        File log = data.resolveSibling(id + ".log").toFile();
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("serve", "--config", configuration.toString(), "--node", id));
        if (id.equals("n1")) {
            // Left there for ever, as in a unit file: it must do nothing after the first start.
            words.add("--bootstrap");
        }
        process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    /** {@code kill -9}. */
    void kill() throws InterruptedException {
        Process present = process;
        if (present != null) {
            present.destroyForcibly();
            present.waitFor();
        }
    }

    /** SIGTERM, until it has ended. */
    void end() throws IOException, InterruptedException {
        signal("TERM");
        ends();
    }

    /** {@code kill -9}, and all that it had is gone. */
    void wipe() throws IOException, InterruptedException {
        kill();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Runs another command. Returns what it printed. */
    String command(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(words));
        Process run = new ProcessBuilder(all).redirectErrorStream(true).start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + " (exit code " + run.waitFor() + ")";
    }

    /** Stops it in the middle of whatever it does: to the others it is cut off, and it does not know. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process present = process;
        if (present != null) {
            new ProcessBuilder("kill", "-" + name, Long.toString(present.pid()))
                    .start()
                    .waitFor();
        }
    }

    /** Waits until it ends by itself; its exit code. */
    int ends() throws InterruptedException {
        return Objects.requireNonNull(process).waitFor();
    }

    /** The last line it printed with that in it. */
    String said(String what) throws IOException {
        Path log = data.resolveSibling(id + ".log");
        return Files.exists(log)
                ? Files.readAllLines(log).stream()
                        .filter(line -> line.contains(what))
                        .reduce("", (before, line) -> line)
                : "";
    }

    /** The last lines it printed, but for those about calls that failed; long ones cut. */
    String lastLines() throws IOException {
        Path log = data.resolveSibling(id + ".log");
        if (!Files.exists(log)) {
            return "";
        }
        List<String> lines = Files.readAllLines(log).stream()
                .filter(line -> !line.contains(CALLS))
                .map(line -> line.substring(0, Math.min(line.length(), LONGEST_LINE)))
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }
}
