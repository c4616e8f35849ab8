package dev.stowage.sim.driver;

import dev.stowage.core.engine.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads a recording, one command after the other; plain or gz, whatever its name. */
public final class RecordingReader implements AutoCloseable {
    private static final int BYTE_ORDER_MARK = 0xFEFF;
    private static final int GZIP_MAGIC = 0x1f;
    private static final int SHOWN = 40;

    private final Path file;
    private final BufferedReader reader;
    private final RecordedSetup setup;
    private final List<Long> works = new ArrayList<>();
    private long line;
    private String text = "";
    private @Nullable String end;
    private @Nullable Long endNanos;

    private RecordingReader(Path file, BufferedReader reader) throws IOException {
        this.file = file;
        this.reader = reader;
        String format = reader.readLine();
        if (!CommandRecorder.FORMAT.equals(format)) {
            throw new RecordingException(file + ":1: is not a recording: it begins with '" + shortened(format)
                    + "' instead of '" + CommandRecorder.FORMAT + "'");
        }
        line = 2;
        try {
            setup = RecordedSetup.parse(String.valueOf(reader.readLine()));
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    /**
     * Begins to read.
     *
     * @throws RecordingException if the file cannot be read or is not a recording; the message has the line
     */
    public static RecordingReader open(Path file) {
        BufferedReader reader = null;
        try {
            reader = lines(file);
            return new RecordingReader(file, reader);
        } catch (RecordingException e) {
            closeQuietly(reader);
            throw e;
        } catch (IOException e) {
            closeQuietly(reader);
            throw unreadable(file, e);
        }
    }

    /** Whether a file begins as a recording does; false also where it cannot be read. */
    public static boolean isRecording(Path file) {
        try (BufferedReader reader = lines(file)) {
            return CommandRecorder.FORMAT.equals(reader.readLine());
        } catch (IOException e) {
            return false;
        }
    }

    /** What the engine was started with. */
    public RecordedSetup setup() {
        return setup;
    }

    /**
     * The next command, or null behind the last one.
     *
     * @throws RecordingException if what is there is no command
     */
    public @Nullable Command next() {
        works.clear();
        try {
            for (String read = reader.readLine(); read != null; read = reader.readLine()) {
                line++;
                if (read.startsWith(CommandRecorder.END)) {
                    end = read.substring(CommandRecorder.END.length());
                    readEndNanos();
                    return null;
                }
                if (!read.startsWith(CommandRecorder.WORK)) {
                    text = read;
                    return Command.parse(read);
                }
                works.add(nanos("work", read.substring(CommandRecorder.WORK.length())));
            }
            return null;
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (IllegalArgumentException e) {
            throw isLast() ? cut(e) : wrong(e);
        }
    }

    private void readEndNanos() throws IOException {
        String read = reader.readLine();
        if (read != null && read.startsWith(CommandRecorder.ENDED)) {
            line++;
            endNanos = nanos("ended at", read.substring(CommandRecorder.ENDED.length()));
        }
    }

    private boolean isLast() {
        try {
            return reader.readLine() == null;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private RecordingException cut(IllegalArgumentException problem) {
        return new RecordingException(
                wrong(problem).getMessage() + "; it is the last line: the run was interrupted or the"
                        + " file was cut, and without this line the rest can be replayed");
    }

    /** The command that {@link #next} gave, as it stands in the file. */
    public String text() {
        return text;
    }

    /** Work of the requests that it brings, nanoseconds, as far as it was recorded; changes with {@link #next}. */
    public List<Long> works() {
        return works;
    }

    /** The digest at the end; null before it was read, and in a recording without an end (its run was interrupted). */
    public @Nullable String end() {
        return end;
    }

    /** When it ended, on the clock of its commands; null before it was read, and if that is with its last command. */
    public @Nullable Long endNanos() {
        return endNanos;
    }

    /** What is wrong with the command that {@link #next} gave, with file and line. */
    public RecordingException wrong(IllegalArgumentException problem) {
        return new RecordingException(file + ":" + line + ": " + problem.getMessage());
    }

    @Override
    public void close() {
        closeQuietly(reader);
    }

    private static void closeQuietly(@Nullable BufferedReader reader) {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (IOException e) {
            // Nothing was written, so nothing is lost.
        }
    }

    private static RecordingException unreadable(Path file, IOException e) {
        return e instanceof NoSuchFileException
                ? new RecordingException(file + ": there is no such file")
                : new RecordingException(file + ": cannot be read: " + e.getMessage());
    }

    private static long nanos(String what, String number) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " '" + number + "' must be a whole number of nanoseconds", e);
        }
    }

    private static BufferedReader lines(Path file) throws IOException {
        PushbackInputStream in = new PushbackInputStream(Files.newInputStream(file), 1);
        try {
            int first = in.read();
            if (first >= 0) {
                in.unread(first);
            }
            BufferedReader reader = new BufferedReader(
                    new InputStreamReader(first == GZIP_MAGIC ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8));
            reader.mark(1);
            if (reader.read() != BYTE_ORDER_MARK) {
                reader.reset();
            }
            return reader;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static String shortened(@Nullable String text) {
        return text == null
                ? ""
                : text.substring(0, Math.min(SHOWN, text.length())).replaceAll("[\\p{Cntrl}\uFFFD]", "?");
    }
}
