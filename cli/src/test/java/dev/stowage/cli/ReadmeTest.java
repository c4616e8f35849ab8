package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every line of README.md's {@code sh} blocks that begins with {@code ./stowage} or {@code curl}, in order and in
 * one directory, where {@code ./stowage} is this build, {@code experiments} are the real ones, and {@code
 * requests.csv} and {@code servers.csv} are small samples. A service is started on a free port and goes on until the
 * next one is; before {@code get} it is killed with -9 and started again, as README says.
 *
 * <p>A block without a language shows what the command before it prints: these words, in this order, and nothing
 * between them.
 * The rule of what is masked: a number with its digits, commas and points counts as any number, and blanks, ends of
 * lines and
 * rules of a table as one blank, since they follow the numbers' widths. The numbers themselves are tested where they
 * are computed.
 */
final class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(sh)?\\R(.*?)^```");

    /** By command, what README shows of its output. */
    private static final Map<String, String> SHOWN = new HashMap<>();

    @TempDir
    private static Path directory;

    private static Process service;
    private static String served;
    private static int port;

    @BeforeAll
    static void prepare() throws IOException {
        assumeTrue(File.separatorChar == '/', "needs a POSIX shell");
        Path script = Files.writeString(
                directory.resolve("stowage"),
                "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -cp '"
                        + System.getProperty("java.class.path") + "' dev.stowage.cli.StowageCommand \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(
                directory.resolve("experiments"), Path.of("..", "experiments").toRealPath());
        StringBuilder requests = new StringBuilder("arrival_s,duration_s,cpu_milli,mem_mib\n");
        for (int i = 0; i < 200; i++) {
            requests.append(30 * i)
                    .append(",3600,")
                    .append(1000 << (i % 4))
                    .append(',')
                    .append(2048 << (i % 4))
                    .append('\n');
        }
        Files.writeString(directory.resolve("requests.csv"), requests);
        Files.writeString(directory.resolve("servers.csv"), "site,count,cpu_milli,mem_mib\neast,10,48000,131072\n");
    }

    static Stream<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
        while (blocks.find()) {
            if (blocks.group(1) != null) {
                blocks.group(2)
                        .lines()
                        .filter(line -> line.startsWith("./stowage") || line.startsWith("curl "))
                        .forEach(commands::add);
            } else if (!blocks.group(2).startsWith("mvn ")) {
                SHOWN.put(commands.get(commands.size() - 1), masked(blocks.group(2)));
            }
        }
        assertThat(commands).as("commands in README.md").isNotEmpty();
        assertThat(SHOWN).as("what they print").containsKey("./stowage run");
        return commands.stream();
    }

    private static String masked(String text) {
        return text.replaceAll("\\d[\\d,.]*", "#").replaceAll("[\\s-]+", " ").strip();
    }

    @AfterAll
    static void end() throws InterruptedException {
        kill();
    }

    private static void kill() throws InterruptedException {
        if (service != null) {
            service.descendants().forEach(ProcessHandle::destroyForcibly);
            service.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theCommandWorks(String command) throws IOException, InterruptedException {
        if (command.startsWith("./stowage serve")) {
            serve(command);
            return;
        }
        if (command.startsWith("./stowage get")) {
            serve(served);
        }
        Path out = directory.resolve("output.txt");
        Process process = start(
                command.replace("127.0.0.1:7411", "127.0.0.1:" + port).replaceFirst("^curl ", "curl --silent --fail "),
                out);

        assertThat(process.waitFor())
                .as("%s%n%s", command, Files.readString(out))
                .isZero();
        String shown = SHOWN.get(command);
        if (shown != null) {
            assertThat(masked(Files.readString(out)))
                    .as("what README shows of %s", command)
                    .contains(shown);
        }
    }

    private static Process start(String command, Path out) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("STOWAGE_AT", "127.0.0.1:" + port);
        return builder.start();
    }

    /** Starts it in place of the one that runs, and waits until it (all of its nodes) serves. */
    private static void serve(String command) throws IOException, InterruptedException {
        kill();
        served = command;
        port = freePorts();
        Path out = directory.resolve("service.txt");
        service = start(command + " --port " + port, out);
        int nodes = command.contains("--nodes 3") ? 3 : 1;
        while (Files.readString(out).split(" serves at ", -1).length <= nodes) {
            assertThat(service.isAlive()).as(Files.readString(out)).isTrue();
            Thread.sleep(50);
        }
    }

    /** A port that is free, with those that a group of three needs. */
    private static int freePorts() throws IOException {
        while (true) {
            List<ServerSocket> open = new ArrayList<>();
            try {
                ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                open.add(first);
                int from = first.getLocalPort();
                for (int offset : new int[] {1, 2, 100, 101, 102}) {
                    open.add(new ServerSocket(from + offset, 1, InetAddress.getLoopbackAddress()));
                }
                return from;
            } catch (IOException | IllegalArgumentException e) {
                // One of them is taken: again.
            } finally {
                for (ServerSocket socket : open) {
                    socket.close();
                }
            }
        }
    }
}
