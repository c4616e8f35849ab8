package dev.stowage.service.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that runs one stay, without an agent. */
final class RunnerScriptTest {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    @TempDir
    private Path directory;

    @BeforeEach
    void isOfLinux() {
        assumeTrue(Files.exists(Path.of("/proc/uptime")), "skipped: agents are for Linux");
        assumeTrue(Files.exists(Path.of("/bin/bash")), "skipped: agents need bash");
        assumeTrue(Files.exists(SETPRIV), "skipped: needs setpriv of util-linux");
    }

    private ProcessBuilder runner(String... words) throws IOException {
        Path lease = Files.writeString(directory.resolve("lease"), Long.MAX_VALUE + "\n");
        List<String> all = new ArrayList<>(List.of(
                "bash",
                "src/main/resources/dev/stowage/service/agent/runner.sh",
                directory.resolve("record").toString(),
                lease.toString(),
                directory.toString(),
                "vm~1",
                Long.toString(Long.MAX_VALUE)));
        all.addAll(List.of(words));
        return new ProcessBuilder(all).inheritIO();
    }

    /** Killed before the kernel knew to kill the process too: this setpriv does that, and goes on when it holds. */
    @Test
    void whatItWrapsDoesNotBeginAfterItsDeath() throws Exception {
        Path pid = directory.resolve("orphan");
        Path setpriv = Files.writeString(directory.resolve("setpriv"), """
                #!/bin/sh
                echo $$ >'%s'
                kill -KILL $PPID
                while kill -0 $PPID 2>/dev/null; do sleep 0.01; done
                exec %s "$@"
                """.formatted(pid, SETPRIV));
        assertThat(setpriv.toFile().setExecutable(true)).isTrue();
        Path begun = directory.resolve("begun");
        ProcessBuilder runner = runner("touch", begun.toString());
        runner.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
        assertThat(runner.start().waitFor()).isEqualTo(128 + 9);
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                .ifPresent(orphan -> orphan.onExit().join());
        assertThat(begun).doesNotExist();
    }

    /** Names that no shell has for a variable of its own, as {@code docker run -e} takes them. */
    @Test
    void theEnvironmentArrivesWhole() throws Exception {
        Path environment = directory.resolve("environment");
        ProcessBuilder runner = runner("cp", "/proc/self/environ", environment.toString());
        runner.environment().put("db.host", "a");
        runner.environment().put("x-y", "b");
        assertThat(runner.start().waitFor()).isZero();
        assertThat(Files.readString(environment).split("\0")).contains("db.host=a", "x-y=b");
    }
}
