package dev.stowage.service.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.service.state.ChangedRequests;
import dev.stowage.service.state.Life;
import dev.stowage.service.state.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is forgotten by age, by bytes and for damage; entries have one change each, at ten times their position. */
final class HistoryFilesTest {
    private static final long FILE = 1000;

    @TempDir
    private Path directory;

    private HistoryFiles files;

    @AfterEach
    void close() throws IOException {
        files.close();
    }

    private void open(long keepNanos, long mostBytes) throws IOException {
        files = new HistoryFiles(directory, new HistoryFiles.Extent(keepNanos, mostBytes, FILE, 1 << 20));
        files.begin(-1);
    }

    private static Request request(long position) {
        return new Request(
                "acme",
                "r" + position,
                position,
                7,
                "small",
                new long[] {1},
                List.of(),
                ConstraintWords.NONE,
                Request.State.RUNNING,
                3,
                -1,
                1,
                2,
                Long.MAX_VALUE,
                "",
                position,
                null,
                Life.NONE,
                0,
                null);
    }

    private void append(long position) throws IOException {
        files.append(List.of(new ChangedRequests(position, 10 * position, List.of(request(position)))));
    }

    /** Positions of all entries behind one; null if some are forgotten. */
    private List<Long> behind(long position) {
        List<Long> all = new ArrayList<>();
        HistoryFiles.Place place = new HistoryFiles.Place();
        long at = position;
        while (true) {
            List<ChangedRequests> some = files.after(at, place, 7);
            if (some == null) {
                return null;
            }
            if (some.isEmpty()) {
                assertThat(place.through()).isEqualTo(files.covered());
                return all;
            }
            for (ChangedRequests entry : some) {
                at = entry.position();
                all.add(at);
                assertThat(entry.at()).isEqualTo(10 * at);
                assertThat(entry.requests().get(0).id()).isEqualTo("r" + at);
            }
        }
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private List<Path> paths() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList();
        }
    }

    @Test
    void allIsThereInOrder() throws IOException {
        open(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        for (long position = 0; position < 100; position++) {
            append(position);
        }
        assertThat(paths()).hasSizeGreaterThan(5);
        assertThat(behind(-1)).isEqualTo(range(0, 99));
        assertThat(behind(41)).isEqualTo(range(42, 99));
        assertThat(behind(99)).isEmpty();
        assertThat(files.since()).isZero();
    }

    /** Entry number p has the time 10 p, and the request "rp". */
    @Test
    void aTimeAndAWordLeadToTheirEntries() throws IOException {
        open(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        for (long position = 0; position < 100; position++) {
            append(position);
        }
        for (long position = 0; position < 100; position++) {
            assertThat(files.before(10 * position)).isLessThan(position).isGreaterThanOrEqualTo(position - 20);
            HistoryFiles.Place place = new HistoryFiles.Place();
            byte[] word = ("r" + position).getBytes(StandardCharsets.US_ASCII);
            List<ChangedRequests> found = files.after(-1, place, 1000, word);
            assertThat(found).isNotNull();
            assertThat(found.stream().map(ChangedRequests::position))
                    .contains(position)
                    .hasSizeLessThanOrEqualTo(11);
        }
        assertThat(files.before(-1)).isEqualTo(-1);
    }

    /** Behind 500 every file whose successor begins before 500 - 200 is gone. */
    @Test
    void whatIsOldGoesByFiles() throws IOException {
        open(200, Long.MAX_VALUE);
        for (long position = 0; position <= 50; position++) {
            append(position);
        }
        assertThat(files.floor()).isBetween(20L, 30L);
        assertThat(behind(files.floor())).isEqualTo(range(files.floor() + 1, 50));
        assertThat(behind(files.floor() - 1)).isNull();
    }

    @Test
    void bytesAreBounded() throws IOException {
        open(Long.MAX_VALUE / 2, 5 * FILE);
        for (long position = 0; position < 300; position++) {
            append(position);
            assertThat(files.bytes()).isLessThan(7 * FILE);
        }
        long onDisk = 0;
        for (Path path : paths()) {
            onDisk += Files.size(path);
        }
        assertThat(files.bytes()).isEqualTo(onDisk);
        assertThat(behind(files.floor())).isEqualTo(range(files.floor() + 1, 299));
        assertThat(files.floor()).isBetween(240L, 290L);
    }

    /** A bit that turned: what is up to the end of its file is forgotten, and nothing is made up. */
    @Test
    void aDamagedFileIsForgottenWithAllBefore() throws IOException {
        open(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        for (long position = 0; position < 100; position++) {
            append(position);
        }
        Path second = paths().get(1);
        byte[] bytes = Files.readAllBytes(second);
        bytes[bytes.length / 2] ^= 4;
        Files.write(second, bytes);
        assertThat(behind(-1)).isNull();
        String third = paths().get(0).getFileName().toString();
        assertThat(files.floor()).isEqualTo(Long.parseLong(third.replace(".changes", "")) - 1);
        assertThat(behind(files.floor())).isEqualTo(range(files.floor() + 1, 99));
    }

    /** Taken up at 60: what was behind is told again. At 200 there is a gap: nothing is left. */
    @Test
    void itIsTakenUpOrBeginsAnew() throws IOException {
        open(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        for (long position = 0; position < 100; position++) {
            append(position);
        }
        files.begin(60);
        assertThat(behind(-1)).isEqualTo(range(0, 60));
        append(61);
        assertThat(behind(58)).isEqualTo(range(59, 61));
        files.sync(80, 800);
        files.close();
        files.begin(80);
        assertThat(behind(58)).isEqualTo(range(59, 61));
        files.begin(200);
        assertThat(files.floor()).isEqualTo(200);
        assertThat(behind(100)).isNull();
        assertThat(paths()).hasSize(1);
    }

    /** The end of the last file is cut in the middle of a record: what is whole stays, if it goes as far as it must. */
    @Test
    void aTornEndIsCut() throws IOException {
        open(Long.MAX_VALUE / 2, Long.MAX_VALUE);
        for (long position = 0; position < 5; position++) {
            append(position);
        }
        files.close();
        Path only = paths().get(0);
        byte[] bytes = Files.readAllBytes(only);
        Files.write(only, java.util.Arrays.copyOf(bytes, bytes.length - 3));
        files.begin(3);
        assertThat(behind(-1)).isEqualTo(range(0, 3));
        append(4);
        files.close();
        Files.write(only, java.util.Arrays.copyOf(Files.readAllBytes(only), bytes.length - 3));
        files.begin(4);
        assertThat(files.floor()).isEqualTo(4);
        assertThat(behind(3)).isNull();
    }
}
