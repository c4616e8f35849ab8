package dev.stowage.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Digests pinned in a resource beside a test class, so that all JDKs, machines and later versions must give the same
 * results. Pin an intended change of results by running the test with {@code -Dstowage.digests=write}.
 */
public final class LawDigests {
    private LawDigests() {}

    /**
     * Compares lines, e.g. of {@link Fuzz#digest}, with the resource {@code TestClass.digests}.
     *
     * @throws AssertionError if a line differs or the resource is absent
     */
    public static void check(Class<?> test, List<String> actual) {
        String name = test.getSimpleName() + ".digests";
        if ("write".equals(System.getProperty("stowage.digests"))) {
            write(test, name, actual);
            return;
        }
        List<String> pinned = read(test, name);
        for (int i = 0; i < Math.max(pinned.size(), actual.size()); i++) {
            String expected = i < pinned.size() ? pinned.get(i) : "nothing";
            String found = i < actual.size() ? actual.get(i) : "nothing";
            if (!expected.equals(found)) {
                throw new AssertionError(
                        "line " + (i + 1) + " of " + name + " says '" + expected + "', this run '" + found
                                + "': results differ from what they were. If that is wanted, pin them anew with"
                                + " -Dstowage.digests=write and note it in the CHANGELOG");
            }
        }
    }

    private static List<String> read(Class<?> test, String name) {
        try (InputStream in = test.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError(
                        "resource " + name + " is absent: make it by running the test with -Dstowage.digests=write");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Class<?> test, String name, List<String> lines) {
        Path directory = Path.of("src", "test", "resources")
                .resolve(test.getPackageName().replace('.', '/'));
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
