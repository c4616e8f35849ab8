package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a Java that only notes what it was asked for. */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
    /** Preparing waits for the service, two minutes at most: so long it takes to fail, no longer. */
    private static final String JAVA = """
            #!/bin/sh
            here=${0%/bin/java}
            case "$*" in
                *AOTCacheOutput*)
                    tries=0
                    until [ -e "$here/served" ] || [ $tries -ge 120 ]; do
                        tries=$((tries + 1))
                        sleep 1
                    done
                    [ -e "$here/served" ] && echo "beside the service" >"$here/prepared.next" \
                            || echo "before the service" >"$here/prepared.next"
                    mv "$here/prepared.next" "$here/prepared"
                    ;;
                *) echo "$*" >"$here/served" ;;
            esac
            """;

    @TempDir
    private Path directory;

    /** Hole: the first start prepared the later ones for a minute and more, and served then. */
    @Test
    void theFirstStartServesFirst() throws Exception {
        Path home = Files.createDirectories(directory.resolve("jdk"));
        Path java =
                Files.writeString(Files.createDirectories(home.resolve("bin")).resolve("java"), JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path launcher =
                Files.copy(Path.of("..", "stowage"), directory.resolve("stowage"), StandardCopyOption.COPY_ATTRIBUTES);
        Path jar = directory.resolve("cli/target/launcher/stowage.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        // What all commands share, made after the jar.
        Path shared = directory.resolve("cli/target/launcher/start/25.0.1-jdk");
        Files.createDirectories(shared.getParent());
        Files.writeString(shared, "cache");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        ProcessBuilder serve = new ProcessBuilder(launcher.toString(), "serve", "--port", "0");
        serve.environment().put("STOWAGE_JAVA_HOME", home.toString());
        serve.environment().remove("STOWAGE_REHEARSAL");
        serve.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
        assertThat(serve.start().waitFor())
                .as(Files.readString(directory.resolve("log")))
                .isZero();
        assertThat(Files.readString(home.resolve("served")))
                .contains("-XX:AOTCache=" + shared.toRealPath())
                .contains("serve --port 0");
        assertThat(prepared(home.resolve("prepared"))).isEqualTo("beside the service\n");
    }

    private static String prepared(Path file) throws IOException, InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(20);
        }
        return Files.readString(file);
    }
}
