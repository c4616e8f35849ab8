package dev.stowage.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The program in JVMs of its own, without Spark on its class path, as a user has it: SPARK_HOME says where Spark is.
 * Standard output and error go to one file.
 */
final class StowageOnSpark {
    static final Path SPARK_HOME = Path.of("home", "target", "spark").toAbsolutePath();

    private final Path directory;
    private final Path jar;

    /** In a directory that gets the jar of this module. */
    StowageOnSpark(Path directory) throws IOException {
        this.directory = directory;
        Path classes = Path.of("").toAbsolutePath();
        for (String entry : classPath()) {
            if (Files.exists(Path.of(entry, "dev", "stowage", "spark", "SparkMachines.class"))) {
                classes = Path.of(entry);
            }
        }
        jar = packed(
                classes,
                Files.createDirectories(directory.resolve("home/spark")).resolve("stowage-spark.jar"));
    }

    /** A directory as a jar. */
    static Path packed(Path classes, Path jar) throws IOException {
        try (Stream<Path> inside = Files.walk(classes);
                OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Path file : inside.filter(Files::isRegularFile).sorted().toList()) {
                entries.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, entries);
            }
        }
        return jar;
    }

    static List<String> classPath() {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(whole.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** The program's class path: everything except Spark, Scala and this module. */
    static List<String> programPath() {
        return classPath().stream()
                .filter(entry -> !entry.matches(".*[/\\\\](spark|scala)-[^/\\\\]*\\.jar"))
                .filter(entry -> !Files.exists(Path.of(entry, "dev", "stowage", "spark")))
                .toList();
    }

    Path jar() {
        return jar;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What a program printed, and its exit code. */
    record Ended(int code, String text) {}

    /** A program that runs. */
    record Running(Process process, Path output) {
        /** Waits for its end. */
        Ended end() {
            try {
                return new Ended(process.waitFor(), text());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }

        /** What it printed so far; a message that goes on in further lines is one. */
        String text() {
            try {
                return Files.readString(output).replace("\n    ", " ");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** {@code stowage ARGUMENTS}. */
    Ended run(String... arguments) throws IOException {
        return start(SPARK_HOME.toString(), List.of(), arguments).end();
    }

    /** {@code stowage run EXPERIMENT --out OUT --on MASTER}, which goes on meanwhile. */
    Running begin(Path experiment, Path out, String master) throws IOException {
        return start(
                SPARK_HOME.toString(),
                List.of(),
                "run",
                experiment.toString(),
                "--out",
                out.toString(),
                "--no-report",
                "--on",
                master);
    }

    Running start(String sparkHome, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dstowage.spark.jar=" + jar,
                "-Dstowage.progress.after=100000000",
                "-cp",
                String.join(File.pathSeparator, programPath())));
        command.addAll(3, options);
        command.add("dev.stowage.cli.StowageCommand");
        command.addAll(List.of(arguments));
        return start(sparkHome, command);
    }

    Running start(String sparkHome, List<String> command) throws IOException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("SPARK_HOME", sparkHome);
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        return new Running(builder.start(), output);
    }

    /** The results of the same experiment without Spark, to compare others with. */
    Path straight(Path experiment) throws IOException {
        Path out = directory.resolve("straight-" + experiment.getFileName());
        if (!Files.exists(out)) {
            assertThat(run("run", experiment.toString(), "--out", out.toString(), "--no-report", "-q")
                            .code())
                    .isZero();
        }
        return out.resolve("results.jsonl");
    }
}
