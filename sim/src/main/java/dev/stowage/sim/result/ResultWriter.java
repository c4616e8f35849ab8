package dev.stowage.sim.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Appends rows to a results file, one JSON object per line, UTF-8.
 *
 * <p>Each row is handed to the operating system whole before {@link #write} returns, so that the file has complete rows
 * however the process ends, except perhaps a cut-off last line. If a write fails (disk full), the partly written row is
 * removed. Not thread-safe.
 */
public final class ResultWriter implements Closeable {
    private static final ObjectMapper JSON = ResultJson.mapper();
    private static final int BLOCK = 1 << 16;

    private final Path path;
    private final RandomAccessFile file;
    private long rows;
    /** End of the last complete row. */
    private long safeLength;

    private ResultWriter(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Starts a results file, or continues one: a cut-off last line of an interrupted run is removed. The directory must
     * exist.
     *
     * @throws ResultWriteException if the file cannot be opened for writing
     */
    public static ResultWriter open(Path path) {
        try {
            return open(path, new RandomAccessFile(path.toFile(), "rw"));
        } catch (IOException e) {
            throw new ResultWriteException(path, 0, e);
        }
    }

    /** Continues an open file, which is closed if that fails. */
    static ResultWriter open(Path path, RandomAccessFile file) throws IOException {
        ResultWriter writer = new ResultWriter(path, file);
        try {
            writer.skipCompleteRows();
            return writer;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Appends a row.
     *
     * @throws ResultWriteException if it cannot be written; the rows before it stay valid
     */
    public void write(ResultRow row) {
        try {
            byte[] json = JSON.writeValueAsBytes(row);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            file.write(line);
            rows++;
            safeLength += line.length;
        } catch (IOException e) {
            takeBack(e);
            throw new ResultWriteException(path, rows, e);
        }
    }

    /** Complete rows in the file, those of earlier runs included. */
    public long rows() {
        return rows;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new ResultWriteException(path, rows, e);
        }
    }

    private void takeBack(IOException cause) {
        try {
            file.setLength(safeLength);
            file.seek(safeLength);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void skipCompleteRows() throws IOException {
        byte[] block = new byte[BLOCK];
        long position = 0;
        for (int n = file.read(block); n > 0; n = file.read(block)) {
            for (int i = 0; i < n; i++) {
                if (block[i] == '\n') {
                    rows++;
                    safeLength = position + i + 1;
                }
            }
            position += n;
        }
        file.setLength(safeLength);
        file.seek(safeLength);
    }
}
