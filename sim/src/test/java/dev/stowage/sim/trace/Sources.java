package dev.stowage.sim.trace;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Files for tests. */
final class Sources {
    private Sources() {}

    static Path text(Path directory, String name, String... lines) {
        try {
            return Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gz(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Reads a file, however many of its rows are bad. */
    static LoadedTrace read(Path file) {
        return TraceReader.read(file, ReadOptions.defaults().withMostBad(1));
    }

    /** The lines that must not be overlooked. */
    static List<String> warnings(LoadReport report) {
        return report.lines().stream()
                .filter(line -> line.startsWith("warning: "))
                .toList();
    }

    /** A file of the real data; the test is skipped if it is absent. */
    static Path real(String name) {
        for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
            Path file = dir.resolveSibling("shared").resolve("data").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        System.out.println("skipped: no ../shared/data/" + name);
        assumeTrue(false, "skipped: no ../shared/data/" + name);
        throw new IllegalStateException("not reached");
    }

    /** A trace as text, one request per line: equal for equal traces. */
    static String dump(Trace trace) {
        StringBuilder text = new StringBuilder(trace.resources() + " " + trace.types() + "\n");
        for (int i = 0; i < trace.size(); i++) {
            text.append(trace.arrivalNanos(i)).append(' ').append(trace.durationNanos(i));
            for (int r = 0; r < trace.resources().size(); r++) {
                text.append(' ').append(trace.demand(i, r));
            }
            text.append(' ').append(trace.type(i)).append(' ').append(trace.batch(i));
            text.append(' ').append(trace.id(i)).append('\n');
        }
        return text.toString();
    }
}
