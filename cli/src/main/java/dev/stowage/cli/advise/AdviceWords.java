package dev.stowage.cli.advise;

import dev.stowage.core.model.ResourceWords;
import java.util.function.BiFunction;

/**
 * Words for servers and jobs, and the format of amounts.
 *
 * @param server as in {@code node}
 * @param job as in {@code pod}
 * @param amount the text of a resource and a whole amount of it
 */
public record AdviceWords(String server, String job, BiFunction<String, Long, String> amount) {
    /** An amount in words that say of what it is: {@code 2 vCPU}, {@code memory 16 GiB}. */
    String of(String resource, long amount) {
        String text = this.amount.apply(resource, amount);
        boolean says = text.chars().anyMatch(Character::isLetter) && !text.endsWith("B") && !text.endsWith("bytes");
        return says ? text : ResourceWords.resource(resource) + " " + text;
    }

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
