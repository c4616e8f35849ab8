package dev.stowage.service.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time since the machine's start, in hundredths of a second: a clock that cannot be set, that continues while the
 * machine sleeps, and that all processes of the machine share. Linux only.
 */
final class Uptime {
    private static final Path FILE = Path.of("/proc/uptime");
    private static final long NANOS = 10_000_000;

    private Uptime() {}

    /** Now. */
    static long now() throws IOException {
        String text = Files.readString(FILE);
        return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
    }

    /** A number of nanoseconds, rounded down. */
    static long of(long nanos) {
        return nanos / NANOS;
    }
}
