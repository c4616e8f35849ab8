package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** What to say about a file that is not there. */
public final class MissingFile {
    /** Letters in which a name may differ and still be the one that was probably meant: a third of them, at least 2. */
    private static final int PART = 3;

    private MissingFile() {}

    /** {@code no such file; did you mean hosts.csv?}, with the nearest name in its directory if one is near. */
    public static String why(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        String name = String.valueOf(file.getFileName());
        if (directory == null || !Files.isDirectory(directory)) {
            return "no such file; there is no directory " + (file.getParent() == null ? file : file.getParent());
        }
        try (Stream<Path> others = Files.list(directory)) {
            return others.map(other -> String.valueOf(other.getFileName()))
                    .filter(other -> Spelling.distance(name, other) <= Math.max(2, name.length() / PART))
                    .min(Comparator.comparingInt((String other) -> Spelling.distance(name, other))
                            .thenComparing(Comparator.naturalOrder()))
                    .map(other -> "no such file; did you mean " + file.resolveSibling(other) + "?")
                    .orElse("no such file; check the path");
        } catch (IOException e) {
            return "no such file; check the path";
        }
    }
}
