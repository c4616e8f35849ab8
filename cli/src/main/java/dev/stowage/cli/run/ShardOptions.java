package dev.stowage.cli.run;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ProgramOptions.Rare;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code stowage run} that choose the part of the units to run here. */
final class ShardOptions {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    @Rare
    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Run part I of N only, e.g. 3/40, into DIR/units; 'stowage merge DIR' makes the results.")
    @Nullable
    String shard;

    @Rare
    @Option(
            names = "--shard-index",
            paramLabel = "I",
            description =
                    "The same counted from 0, with --shards: the index of an indexed job, as Kubernetes gives it.")
    @Nullable
    Integer index;

    @Rare
    @Option(names = "--shards", paramLabel = "N", description = "Number of parts, with --shard-index.")
    @Nullable
    Integer shards;

    @Rare
    @Option(
            names = "--resume",
            description = "Continue in DIR if it has results of this experiment; if they are complete, do nothing."
                    + " Finished runs are never repeated, even without this option.")
    boolean resume;

    /** A part of an experiment: {@code number} of {@code of}, from 1. */
    record Shard(int number, int of) {
        /** As in {@code --shard}. */
        String text() {
            return number + "/" + of;
        }
    }

    /** The requested part; null for all. */
    @Nullable
    Shard shard() {
        String part = shard;
        if (part != null) {
            if (index != null || shards != null) {
                throw new BadInputException("--shard " + part + " is enough; leave --shard-index and --shards out");
            }
            Matcher matcher = PART.matcher(part.strip());
            if (!matcher.matches()) {
                throw new BadInputException("--shard '" + part + "' must be I/N, e.g. 3/40");
            }
            return checked("--shard " + part, Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }
        if (index == null && shards == null) {
            return null;
        }
        if (index == null || shards == null) {
            throw new BadInputException("--shard-index and --shards belong together, e.g. --shard-index 0 --shards 40");
        }
        return checked("--shard-index " + index + " of --shards " + shards, index + 1, shards);
    }

    private static Shard checked(String given, int number, int of) {
        if (of < 1) {
            throw new BadInputException(given + ": there must be at least 1 shard");
        }
        if (number < 1 || number > of) {
            throw new BadInputException(given + ": there are shards 1/" + of + " to " + of + "/" + of
                    + " (--shard-index 0 to " + (of - 1) + ")");
        }
        return new Shard(number, of);
    }
}
