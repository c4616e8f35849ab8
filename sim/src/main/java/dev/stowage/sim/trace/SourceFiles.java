package dev.stowage.sim.trace;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Finds, opens and inspects the files of a source. gz is recognised by its magic number, not by the file name. */
final class SourceFiles {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int HEAD_BYTES = 1 << 15;
    private static final int HEAD_LINES = 50;
    private static final int TAR_MAGIC_AT = 257;
    /** Files up to this size are looked at whole to tell their characters. */
    private static final long LOOKED_AT = 64L << 20;

    private static final Charset WESTERN = Charset.forName("windows-1252");
    private static final Charset CENTRAL = Charset.forName("windows-1250");
    /** Bytes that are not western characters, or among letters central European ones. */
    private static final Pattern CENTRAL_ONLY = Pattern.compile(
            "[\\x81\\x8D\\x8F\\x90\\x9D]|(?<=\\p{Alpha})[\\xA3\\xB3\\xB9\\xBF](?=[\\p{Alpha}\\xB3\\xB9\\xBF\\xC0-\\xFF])");

    private SourceFiles() {}

    /** The source at these paths; a directory stands for its files in order of their names. */
    static Source find(List<Path> paths, Documents.Purpose purpose, @Nullable String sheet) {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                files.addAll(filesIn(path));
            } else {
                files.add(path);
            }
        }
        if (files.isEmpty()) {
            throw new TraceException("no file given; give a file, or a directory with files");
        }
        byte[] first = firstBytes(files.get(0));
        if (!Documents.isDocument(first)) {
            return new Source(List.copyOf(files), head(files.get(0), first), null);
        }
        if (files.size() > 1) {
            throw TraceException.of(files.get(0), "is read whole: give one such file at a time");
        }
        DocumentTable table = Documents.table(files.get(0), first, purpose, sheet);
        FileHead head = new FileHead(
                String.valueOf(files.get(0).getFileName()), FileHead.Kind.DOCUMENT, List.of(), 0, table.columns());
        return new Source(List.copyOf(files), head, table);
    }

    private static List<Path> filesIn(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> files = entries.filter(Files::isRegularFile)
                    .filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw TraceException.of(directory, "the directory has no files");
            }
            return files;
        } catch (IOException e) {
            throw explain(directory, e);
        }
    }

    /** Opens a file; gz is unpacked, a byte order mark of UTF-8 is skipped, and UTF-16 with a mark becomes UTF-8. */
    static InputStream open(Path file) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            return startsWith(raw, 0x1f, 0x8b)
                    ? withoutMark(new BufferedInputStream(new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES))
                    : withoutMark(raw);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private static InputStream withoutMark(InputStream in) throws IOException {
        if (startsWith(in, 0xef, 0xbb, 0xbf)) {
            in.skipNBytes(3);
        }
        if (startsWith(in, 0xff, 0xfe) || startsWith(in, 0xfe, 0xff)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_16);
            in.close();
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }
        return in;
    }

    private static boolean startsWith(InputStream in, int... bytes) throws IOException {
        in.mark(bytes.length);
        boolean same = true;
        for (int n = 0; same && n < bytes.length; n++) {
            same = in.read() == bytes[n];
        }
        in.reset();
        return same;
    }

    /** The characters of tables: UTF-8, or where a file is not that Windows-1252 or 1250. */
    static Charset charset(List<Path> files) {
        for (Path file : files) {
            try (InputStream in = open(file)) {
                int most = Files.size(file) > LOOKED_AT ? HEAD_BYTES : Integer.MAX_VALUE;
                if (!isUtf8(in, most)) {
                    return western(file, most);
                }
            } catch (IOException e) {
                throw explain(file, e);
            }
        }
        return StandardCharsets.UTF_8;
    }

    private static Charset western(Path file, int most) throws IOException {
        try (InputStream in = open(file)) {
            String bytes = new String(in.readNBytes(most), StandardCharsets.ISO_8859_1);
            return CENTRAL_ONLY.matcher(bytes).find() ? CENTRAL : WESTERN;
        }
    }

    /** The same of the first bytes of a stream, which need not fit into memory. */
    private static boolean isUtf8(InputStream in, int most) throws IOException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES);
        CharBuffer out = CharBuffer.allocate(BUFFER_BYTES);
        int left = most;
        while (left > 0) {
            int read = in.read(bytes.array(), bytes.position(), Math.min(left, bytes.remaining()));
            if (read < 0) {
                return true;
            }
            left -= read;
            bytes.position(bytes.position() + read).flip();
            if (decoder.decode(bytes, out.clear(), false).isError()) {
                return false;
            }
            bytes.compact();
        }
        return true;
    }

    /** Whether bytes are text in UTF-8; the last character may be cut. */
    private static boolean isUtf8(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        return !StandardCharsets.UTF_8.newDecoder().decode(in, out, false).isError();
    }

    /** Explains an I/O problem (or an exception wrapped around one) to the user. */
    static TraceException explain(Path file, Exception e) {
        Exception its = e.getCause() instanceof IOException inner ? inner : e;
        return its instanceof NoSuchFileException
                ? new TraceException.Missing(file, e)
                : TraceException.of(file, meaning(its), e);
    }

    private static String meaning(Exception e) {
        if (e instanceof AccessDeniedException) {
            return "not readable; check its permissions";
        }
        if (e instanceof EOFException) {
            return "the gz data ends too early: the file is truncated; fetch it again";
        }
        if (e instanceof ZipException) {
            return "the gz data is damaged (" + e.getMessage() + "); fetch it again";
        }
        if (e instanceof CharacterCodingException) {
            return "not UTF-8 text; convert it (for example with iconv -t UTF-8)";
        }
        return "cannot be read: " + e.getMessage();
    }

    private static byte[] firstBytes(Path file) {
        try (InputStream in = open(file)) {
            return in.readNBytes(HEAD_BYTES);
        } catch (IOException e) {
            throw explain(file, e);
        }
    }

    private static FileHead head(Path file, byte[] bytes) {
        if (bytes.length == 0) {
            throw TraceException.of(file, "the file is empty; expected a trace (formats: docs/traces.md)");
        }
        String name = String.valueOf(file.getFileName());
        if (startsWith(bytes, 0, "SQLite format 3\0")) {
            return new FileHead(name, FileHead.Kind.SQLITE, List.of(), 0, List.of());
        }
        if (startsWith(bytes, 0, "PAR1")) {
            try (Rows rows = JdbcRows.parquet(List.of(file))) {
                return new FileHead(name, FileHead.Kind.PARQUET, List.of(), 0, rows.header());
            }
        }
        String archive = archive(bytes);
        if (archive != null) {
            throw TraceException.of(file, "is a " + archive + " archive; unpack it and give the file inside");
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                throw TraceException.of(
                        file,
                        "is not text: byte " + i + " is 0; give CSV, gz, Parquet or SQLite (formats: docs/traces.md)");
            }
        }
        return textHead(name, bytes);
    }

    private static @Nullable String archive(byte[] bytes) {
        return startsWith(bytes, 0, "PK\3\4") ? "zip" : startsWith(bytes, TAR_MAGIC_AT, "ustar") ? "tar" : null;
    }

    private static boolean startsWith(byte[] bytes, int at, String magic) {
        byte[] wanted = magic.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.length >= at + wanted.length
                && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
    }

    private static FileHead textHead(String name, byte[] bytes) {
        String read = new String(bytes, isUtf8(bytes) ? StandardCharsets.UTF_8 : WESTERN);
        String text = read.startsWith(BYTE_ORDER_MARK) ? read.substring(1) : read;
        int end = bytes.length < HEAD_BYTES ? text.length() : Math.max(text.lastIndexOf('\n'), 0);
        List<String> lines = text.substring(0, end).lines().limit(HEAD_LINES).toList();
        return FileHead.ofText(name, lines);
    }
}
