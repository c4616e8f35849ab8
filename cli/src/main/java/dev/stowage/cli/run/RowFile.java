package dev.stowage.cli.run;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.sim.result.ResultRow;
import dev.stowage.sim.result.ResultWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a run that may replace those of one that stopped. Existing rows are replaced only when the first new one
 * is known, because problems with kept units are found before.
 */
final class RowFile implements AutoCloseable {
    private final Path file;
    private @Nullable ResultWriter writer;

    /** Rows of a new run if the file does not exist, else of a continued one. */
    RowFile(Path file) {
        this.file = file;
        writer = Files.exists(file) ? null : ResultWriter.open(file);
    }

    void write(ResultRow row) {
        ResultWriter open = writer;
        if (open == null) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new BadInputException(file + ": cannot be replaced: " + e, e);
            }
            open = ResultWriter.open(file);
            writer = open;
        }
        open.write(row);
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
