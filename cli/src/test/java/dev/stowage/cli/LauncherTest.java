package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a fake Java that only records its arguments. */
@DisabledOnOs(OS.WINDOWS)
final class LauncherTest {
    /** Preparing waits for the service at most two minutes, so a failure takes no longer. */
    private static final String JAVA = """
            #!/bin/sh
            here=${0%/bin/java}
            case "$*" in
                *AOTMode=create*) ;;
                *AOTMode=record*)
                    tries=0
                    until [ -e "$here/served" ] || [ $tries -ge 120 ]; do
                        tries=$((tries + 1))
                        sleep 1
                    done
                    [ -e "$here/served" ] && echo "beside the service" >"$here/prepared.next" \
                            || echo "before the service" >"$here/prepared.next"
                    mv "$here/prepared.next" "$here/prepared"
                    ;;
                *)
                    echo "$*" >"$here/served"
                    tries=0
                    until [ -e "$here/prepared" ] || [ $tries -ge 120 ]; do
                        tries=$((tries + 1))
                        sleep 1
                    done
                    ;;
            esac
            """;

    @TempDir
    private Path directory;

    /** When preparing, it makes a cache that names its purpose; it records the order of calls. */
    private static final String LEARNING_JAVA = """
            #!/bin/sh
            here=${0%/bin/java}
            case "$*" in
                *AOTMode=record*)
                    output=${2#*=}
                    while [ $# -gt 0 ] && [ "$1" != --trial ]; do shift; done
                    echo "prepared for $2" >>"$here/order"
                    echo "$2" >"$output"
                    ;;
                *AOTMode=create*) mv "${2#*=}" "${3#*=}" ;;
                *)
                    echo "served" >>"$here/order" && echo "$*" >"$here/served"
                    tries=0
                    until [ ! -e "$here/waits" ] || [ -e "$(cat "$here/waits")" ] || [ $tries -ge 120 ]; do
                        tries=$((tries + 1))
                        sleep 1
                    done
                    ;;
            esac
            """;

    /** The launcher beside a Java, in a directory of its own. */
    private Path launcher(String java) throws IOException {
        Path home = Files.createDirectories(directory.resolve("jdk"));
        executable(home.resolve("bin/java"), java);
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Files.createDirectories(directory.resolve("packaging"));
        Files.copy(Path.of("..", "packaging", "java-options"), directory.resolve("packaging/java-options"));
        return Files.copy(Path.of("..", "stowage"), directory.resolve("stowage"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private void run(Path launcher, String... arguments) throws Exception {
        ProcessBuilder command = new ProcessBuilder(Stream.concat(Stream.of(launcher.toString()), Stream.of(arguments))
                .toList());
        command.environment().put("STOWAGE_JAVA_HOME", directory.resolve("jdk").toString());
        command.environment().merge("PATH", directory.resolve("tools").toString(), (path, own) -> own + ":" + path);
        command.environment().remove("STOWAGE_TRAINING");
        command.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        assertThat(command.start().waitFor())
                .as(Files.readString(directory.resolve("log")))
                .isZero();
    }

    /** Hole: the first start after a build took twice as long as the later ones. */
    @Test
    void aBuildPreparesTheFirstStart() throws Exception {
        Path launcher = launcher(LEARNING_JAVA);
        executable(directory.resolve("jdk/bin/javac"), "#!/bin/sh\n");
        executable(
                directory.resolve("tools/mvn"),
                "#!/bin/sh\ntouch -t 197001020000 cli/target/launcher/begun\ntouch cli/target/launcher/stowage.jar\n");
        Path cache = directory.toRealPath().resolve("cli/target/launcher/start/25.0.1-jdk-start");
        // It serves until all is prepared, which else would end with it.
        Path next = cache.resolveSibling("25.0.1-jdk-group");
        Files.writeString(directory.resolve("jdk/waits"), next.toString());
        run(launcher, "serve", "--port", "0");
        assertThat(Files.readAllLines(directory.resolve("jdk/order")))
                .startsWith("prepared for start")
                .contains("served");
        assertThat(Files.readString(directory.resolve("jdk/served"))).contains("-XX:AOTCache=" + cache + " ");
        assertThat(Files.readString(cache)).isEqualTo("start\n");
        prepared(next);
        assertThat(Files.readAllLines(directory.resolve("jdk/order"))).contains("prepared for group");
    }

    /** DuckDB takes its native code from beside its jar, if the jar has none; else it unpacks it in every process. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aBuildUnpacksNativeCode() throws Exception {
        Path launcher = launcher(LEARNING_JAVA);
        executable(directory.resolve("jdk/bin/javac"), "#!/bin/sh\n");
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jar");
        executable(directory.resolve("jdk/bin/jar"), "#!/bin/sh\nexec '" + tool + "' \"$@\"\n");
        String program = "cli/target/launcher/";
        executable(directory.resolve("tools/mvn"), """
                #!/bin/sh
                mkdir -p cli/target/launcher/lib
                cp made.jar cli/target/launcher/lib/duckdb_jdbc-9.jar
                touch cli/target/launcher/stowage.jar
                """);
        try (ZipOutputStream made = new ZipOutputStream(Files.newOutputStream(directory.resolve("made.jar")))) {
            for (String name : List.of(
                    "META-INF/services/java.sql.Driver",
                    "org/duckdb/DuckDBDriver.class",
                    "libduckdb_java.so_linux_amd64",
                    "libduckdb_java.so_linux_arm64",
                    "libduckdb_java.so_osx_universal")) {
                made.putNextEntry(new ZipEntry(name));
                made.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }

        run(launcher, "serve", "--port", "0");

        Path jar = directory.resolve(program + "lib/duckdb_jdbc-9.jar");
        try (ZipFile left = new ZipFile(jar.toFile())) {
            assertThat(left.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
                    .containsExactlyInAnyOrder("META-INF/services/java.sql.Driver", "org/duckdb/DuckDBDriver.class");
        }
        try (Stream<Path> beside = Files.list(jar.getParent())) {
            Path code = beside.filter(file -> !file.equals(jar)).findFirst().orElseThrow();
            assertThat(code.getFileName().toString()).startsWith("libduckdb_java.so_linux_");
            assertThat(code).content().isEqualTo(code.getFileName().toString());
        }
    }

    /** Hole: the first start prepared the later ones for a minute and more, and served then. */
    @Test
    void theFirstStartServesFirst() throws Exception {
        Path launcher = launcher(JAVA);
        Path home = directory.resolve("jdk");
        Path jar = directory.resolve("cli/target/launcher/stowage.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        // The cache that all commands share, made after the jar.
        Path shared = directory.resolve("cli/target/launcher/start/25.0.1-jdk-start");
        Files.createDirectories(shared.getParent());
        Files.writeString(shared, "cache");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        run(launcher, "serve", "--port", "0");
        assertThat(Files.readString(home.resolve("served")))
                .contains("-XX:AOTCache=" + shared.toRealPath())
                .contains("serve --port 0");
        assertThat(prepared(home.resolve("prepared"))).isEqualTo("beside the service\n");
    }

    /** Hole: a service that ended left the run behind that prepared quick starts, for a minute and more. */
    @Test
    void whatIsPreparedBesideAServiceEndsWithIt() throws Exception {
        Path launcher = launcher("""
                #!/bin/sh
                here=${0%/bin/java}
                case "$*" in
                    *AOTMode=record*) echo $$ >"$here/pid.next" && mv "$here/pid.next" "$here/pid" && exec sleep 600 ;;
                    *) until [ -e "$here/pid" ]; do sleep 1; done ;;
                esac
                """);
        Path jar = directory.resolve("cli/target/launcher/stowage.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        run(launcher, "serve", "--port", "0");
        long pid = Long.parseLong(Files.readString(directory.resolve("jdk/pid")).strip());
        Optional<ProcessHandle> preparing = ProcessHandle.of(pid);
        if (preparing.isPresent()) {
            preparing.get().onExit().get();
        }
        Path underWay = directory.resolve("cli/target/launcher/start/25.0.1-jdk-group.under-way");
        while (Files.exists(underWay)) {
            Thread.sleep(20);
        }
    }

    /** What needs no service neither links the classes of one at each start, nor unpacks its native code anew. */
    @Test
    void aRunHasACacheWithoutTheService() throws Exception {
        Path launcher = launcher(LEARNING_JAVA);
        Path program = Files.createDirectories(directory.toRealPath().resolve("cli/target/launcher"));
        Files.createFile(program.resolve("stowage.jar"));
        Files.setLastModifiedTime(program.resolve("stowage.jar"), FileTime.fromMillis(1));
        Path code = Files.createDirectories(program.resolve("native/platform"));
        run(launcher, "run");
        Path cache = program.resolve("start/25.0.1-jdk-run");
        assertThat(prepared(cache)).isEqualTo("run\n");
        run(launcher, "run");
        assertThat(Files.readString(directory.resolve("jdk/served")))
                .contains("-XX:AOTCache=" + cache + " ")
                .contains("-Djava.library.path=" + code + " ");
        run(launcher, "status");
        assertThat(prepared(program.resolve("start/25.0.1-jdk-start"))).isEqualTo("start\n");
    }

    /** A page of help comes from a JVM once for a build, and not from one that failed. */
    @Test
    void helpIsKeptUntilTheNextBuild() throws Exception {
        Path launcher = launcher("""
                #!/bin/sh
                echo "$*" >>"${0%/bin/java}/calls"
                echo "help $(grep -c . "${0%/bin/java}/calls")"
                """);
        Path program = Files.createDirectories(directory.resolve("cli/target/launcher/start"));
        Path jar = Files.createFile(program.resolveSibling("stowage.jar"));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        Path cache = Files.createFile(program.resolve("25.0.1-jdk-run"));
        for (int time = 0; time < 2; time++) {
            assertThat(shown(launcher, "run", "--help")).isEqualTo("help 1\n");
        }
        assertThat(shown(launcher, "run", "--help-all")).isEqualTo("help 2\n");
        assertThat(shown(launcher, "run", "x.yaml", "--help")).isEqualTo("help 3\n");
        assertThat(shown(launcher, "run", "x.yaml", "--help")).isEqualTo("help 4\n");
        assertThat(shown(launcher, "run")).isEqualTo("help 5\n");
        long now = System.currentTimeMillis();
        Files.setLastModifiedTime(
                jar, FileTime.fromMillis(now + Duration.ofDays(1).toMillis()));
        // Else a training run begins beside the command, and is counted with it.
        Files.setLastModifiedTime(
                cache, FileTime.fromMillis(now + Duration.ofDays(2).toMillis()));
        assertThat(shown(launcher, "run", "--help")).isEqualTo("help 6\n");
    }

    private String shown(Path launcher, String... arguments) throws Exception {
        run(launcher, arguments);
        return Files.readString(directory.resolve("log"));
    }

    /** What a backup or a restored directory has is for nobody else on the machine, as what a service writes is. */
    @Test
    void whatHoldsAStateIsForItsOwnerAlone() throws Exception {
        Path launcher = launcher("""
                #!/bin/sh
                umask >"${0%/bin/java}/mask"
                """);
        Path program = Files.createDirectories(directory.resolve("cli/target/launcher/start"));
        Path jar = Files.createFile(program.resolveSibling("stowage.jar"));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        for (String cache : List.of("25.0.1-jdk-start", "25.0.1-jdk-group")) {
            Files.createFile(program.resolve(cache));
        }
        for (String command : List.of("serve", "backup", "restore", "salvage")) {
            run(launcher, command);
            assertThat(directory.resolve("jdk/mask")).as(command).content().isEqualTo("0077\n");
        }
    }

    /** This project's launcher and the packages'. */
    @Test
    void optionsMayStandBeforeTheCommand() throws Exception {
        String java = """
                #!/bin/sh
                echo "$(umask) $*" >'%s'
                """.formatted(directory.resolve("called"));
        Path program = Files.createDirectories(directory.resolve("cli/target/launcher/start"));
        Path jar = Files.createFile(program.resolveSibling("stowage.jar"));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1));
        for (String cache : List.of("25.0.1-jdk-run", "25.0.1-jdk-group")) {
            Files.createFile(program.resolve(cache));
        }
        Path home = directory.resolve("package");
        executable(home.resolve("runtime/bin/java"), java);
        for (String file : List.of("bin/stowage", "lib/java-options")) {
            Path name = Path.of(file).getFileName();
            Files.createDirectories(home.resolve(file).getParent());
            Files.copy(
                    Path.of("..", "packaging").resolve(name), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (Path launcher : List.of(launcher(java), home.resolve("bin/stowage"))) {
            for (String options : List.of("", "-q ", "--color never ", "--color=never --quiet ")) {
                assertThat(called(launcher, options + "serve --port 0"))
                        .startsWith("0077 ")
                        .contains(" -XX:+UseG1GC ", "-XX:+ExitOnOutOfMemoryError ");
                assertThat(called(launcher, options + "run x.yaml")).contains(" -XX:+UseParallelGC ");
                assertThat(called(launcher, options + "version")).contains(" -XX:+UseSerialGC ");
            }
            assertThat(called(launcher, "--color")).contains(" -XX:+UseSerialGC ");
        }
    }

    private String called(Path launcher, String arguments) throws Exception {
        run(launcher, arguments.split(" ", -1));
        String called = Files.readString(directory.resolve("called"));
        assertThat(called).endsWith(" " + arguments + "\n");
        return called;
    }

    private static String prepared(Path file) throws IOException, InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(20);
        }
        return Files.readString(file);
    }
}
