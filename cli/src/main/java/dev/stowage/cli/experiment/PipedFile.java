package dev.stowage.cli.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stowage.cli.text.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Files that can be read only once: standard input, {@code -}, and pipes. What comes is kept in a file until the
 * program ends.
 */
public final class PipedFile {
    private static final String STANDARD_INPUT = "-";
    /** How an experiment begins: comments, and a key. */
    private static final Pattern YAML = Pattern.compile("((#[^\\n]*|---)?\\r?\\n)*+[a-z][a-z-]*:(\\s|$)");

    private static final int LOOKED_AT = 65_536;
    private static final Map<String, Path> COPIES = new ConcurrentHashMap<>();

    private PipedFile() {}

    /** The name itself, or that of a file with what came through the pipe that it names. */
    public static String of(String name) {
        return isPipe(name) ? COPIES.computeIfAbsent(name, PipedFile::copy).toString() : name;
    }

    /** The same of a path. */
    public static Path of(Path file) {
        return isPipe(file.toString()) ? Path.of(of(file.toString())) : file;
    }

    /** A message with what came through a pipe under the name that was given. */
    static String named(String message) {
        String named = message;
        for (Map.Entry<String, Path> copy : COPIES.entrySet()) {
            String name = copy.getKey().equals(STANDARD_INPUT) ? "- (standard input)" : copy.getKey();
            named = named.replace(copy.getValue().toString(), name);
        }
        return named;
    }

    /** How many pipes were read, which cannot be read again later. */
    public static int count() {
        return COPIES.size();
    }

    /** Whether a file holds what came through a pipe: names in it are relative to the working directory. */
    static boolean isCopy(Path file) {
        return COPIES.containsValue(file);
    }

    private static boolean isPipe(String name) {
        if (name.equals(STANDARD_INPUT)) {
            return true;
        }
        Path file = Path.of(name);
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static Path copy(String name) {
        boolean input = name.equals(STANDARD_INPUT);
        try (InputStream in = input ? System.in : Files.newInputStream(Path.of(name))) {
            Path directory = Files.createTempDirectory("stowage");
            String called = input ? "stdin" : String.valueOf(Path.of(name).getFileName());
            Path file = directory.resolve(called.matches("\\d+") ? "pipe" + called : called);
            if (Files.copy(in, file) == 0) {
                throw new BadInputException((input ? "- (standard input)" : name)
                        + ": nothing came through the pipe; did the command before it fail?");
            }
            Path copy = isExperiment(file) ? Files.move(file, directory.resolve(file.getFileName() + ".yaml")) : file;
            directory.toFile().deleteOnExit();
            copy.toFile().deleteOnExit();
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether a file begins as an experiment does. */
    static boolean isExperiment(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return YAML.matcher(new String(in.readNBytes(LOOKED_AT), UTF_8)).lookingAt();
        }
    }
}
