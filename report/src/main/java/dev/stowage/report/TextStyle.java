package dev.stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a table is written as text.
 *
 * @param unicode box-drawing characters; plain ASCII otherwise
 * @param colour ANSI colours
 * @param width columns of the terminal; a wider table is broken into several below each other
 */
public record TextStyle(boolean unicode, boolean colour, int width) {
    /** For a pipe or a file: ASCII, no colour, never broken. */
    public static final TextStyle PLAIN = new TextStyle(false, false, Integer.MAX_VALUE);

    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*[ =]\"[^\"]*\"");
    /** A number and its unit. */
    private static final Pattern AMOUNT =
            Pattern.compile("(?<=\\d) (?=(?:%|vCPU|[KMGTP]iB|cores?|GPUs?|ms|s|min|h|d|days?)" + "(?![\\w/]))");
    /** In place of a blank at which a line may not be broken. */
    private static final char KEPT = '\0';

    /**
     * The text in lines of at most so many characters, broken at blanks; a longer word has a line of its own, as has an
     * option with its value in quotation marks, which is to be copied. A number stays with its unit.
     */
    public static List<String> wrapped(String text, int width) {
        if (text.length() <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        String whole = OPTION.matcher(text)
                .replaceAll(option -> Matcher.quoteReplacement(option.group().replace(' ', KEPT)));
        whole = AMOUNT.matcher(whole).replaceAll(String.valueOf(KEPT));
        for (String each : whole.split(" ", -1)) {
            String word = each.replace(KEPT, ' ');
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** Checks the width. */
    public TextStyle {
        if (width < 20) {
            throw new IllegalArgumentException("width " + width + "; at least 20 columns are needed");
        }
    }
}
