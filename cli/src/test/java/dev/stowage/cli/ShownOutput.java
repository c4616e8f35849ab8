package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A block of output in documentation. It is all that the command prints, line by line without gaps: a line of three
 * points stands for one or more lines that are left out, also at its beginning and end. What goes to the standard error
 * output stands below the rest, as on a terminal: notes on how the input was read, and which files were written.
 */
final class ShownOutput {
    private ShownOutput() {}

    /** Compares a block with what a command prints. */
    static void isOf(String block, String out, String err, String command) {
        String pattern = block.lines()
                .map(String::stripTrailing)
                .map(line -> line.equals("...") ? "(?:.*\n)+?" : Pattern.quote(line) + "\n")
                .collect(Collectors.joining());
        assertThat(stripped(out) + stripped(err))
                .as("%s%nprints, in place of%n%s", command, block)
                .matches(Pattern.compile(pattern));
    }

    private static String stripped(String text) {
        return text.lines().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
    }
}
