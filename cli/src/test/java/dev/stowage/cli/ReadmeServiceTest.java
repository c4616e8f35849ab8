package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs README's commands from the first service on, in order and in one directory. A service is a process that goes on
 * until the next one is started; before {@code get} it is killed with -9 and started again, as README says.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
final class ReadmeServiceTest {
    @TempDir
    private static Path directory;

    private static Process service;
    private static ProgramElsewhere programs;
    private static String served;
    private static int port;

    /**
     * Each service takes the ports of the one before, as README says: with those that a group of three needs, the next
     * two and the same a hundred higher.
     */
    @BeforeAll
    static void prepare() throws IOException {
        port = FreePorts.inRow(103);
        programs = new ProgramElsewhere(directory, Map.of("STOWAGE_AT", "127.0.0.1:" + port));
    }

    static Stream<String> commands() throws IOException {
        return new Readme().withService().stream();
    }

    @AfterAll
    static void end() throws IOException, InterruptedException {
        programs.close();
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
        Program program = command.startsWith("curl ") ? curl(command) : programs.run(Readme.arguments(command));
        assertThat(program.code())
                .as("%s%n%s%s", command, program.out(), program.err())
                .isZero();
    }

    private static Program curl(String command) throws IOException, InterruptedException {
        Path out = directory.resolve("output.txt");
        String there = command.replace("127.0.0.1:7411", "127.0.0.1:" + port);
        Process process = new ProcessBuilder("sh", "-c", there.replaceFirst("^curl ", "exec curl --silent --fail "))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        return new Program(process.waitFor(), Files.readString(out), "");
    }

    /** Starts it in place of the one that runs, and waits until it (all of its nodes) serves. */
    private static void serve(String command) throws IOException, InterruptedException {
        kill();
        served = command;
        Path out = directory.resolve("service.txt");
        List<String> words = new ArrayList<>(Readme.arguments(command));
        words.addAll(List.of("--port", Integer.toString(port)));
        service = ProgramElsewhere.process(words.toArray(String[]::new))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        int nodes = command.contains("--nodes 3") ? 3 : 1;
        while (Files.readString(out).split(" serves at ", -1).length <= nodes) {
            assertThat(service.isAlive()).as(Files.readString(out)).isTrue();
            Thread.sleep(50);
        }
    }
}
