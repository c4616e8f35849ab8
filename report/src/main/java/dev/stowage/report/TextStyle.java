package dev.stowage.report;

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

    /** Checks the width. */
    public TextStyle {
        if (width < 20) {
            throw new IllegalArgumentException("width " + width + "; at least 20 columns are needed");
        }
    }
}
