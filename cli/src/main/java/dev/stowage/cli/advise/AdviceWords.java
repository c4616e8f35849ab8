package dev.stowage.cli.advise;

import java.util.function.BiFunction;

/**
 * Words for servers and jobs, and the format of amounts.
 *
 * @param server as in {@code node}
 * @param job as in {@code pod}
 * @param amount the text of a resource and a whole amount of it
 */
public record AdviceWords(String server, String job, BiFunction<String, Long, String> amount) {
    /** A number of servers. */
    String servers(long count) {
        return counted(count, server);
    }

    /** A number of jobs. */
    String jobs(long count) {
        return counted(count, job);
    }

    /** A number of something. */
    static String counted(long count, String what) {
        return String.format(java.util.Locale.ROOT, "%,d %s", count, what + (count == 1 ? "" : "s"));
    }
}
