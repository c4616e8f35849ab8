package dev.stowage.sim.result;

import java.util.Locale;

/**
 * One thing that is said of how an input was read, or of an answer.
 *
 * @param kind what it does to the answer
 * @param of what it is about, as the server list of a name; empty for the requests, or all
 * @param text without its mark
 * @param rows how many rows it is about that are not part of the answer
 */
public record Remark(Kind kind, String of, String text, long rows) {
    /** What a remark does to the answer. */
    public enum Kind {
        /** Nothing. */
        PLAIN,
        /** Nothing; it begins with the name of a file or a column, and so with no capital. */
        NAMED,
        /** The answer depends least on it: what was not used, or was rounded. */
        DETAIL,
        /** What each column means; the option says so, too. */
        COLUMNS,
        /** The same where no option says it. */
        GUESSED,
        /** An option to be copied. */
        OPTION,
        /** Servers that are nearly alike are taken as one kind. */
        ALIKE,
        /** The answer is wrong if it is so. */
        WARNING,
        /** A warning that a resource is not looked at, which decides more than all else. */
        UNSEEN,
        /** Rows that a rule leaves out. */
        NOT_COUNTED,
        /** Rows that cannot be read. */
        BAD,
        /** One of these, below them. */
        EXAMPLE,
        /** Servers are left out as if they had failed. */
        LOST,
        /** Something else is left out. */
        LEFT_OUT
    }

    private static final String MARK = "warning: ";

    /** A remark about nothing else. */
    public Remark(Kind kind, String text) {
        this(kind, "", text, 0);
    }

    /** A remark that does nothing to the answer. */
    public static Remark plain(String text) {
        return new Remark(Kind.PLAIN, text);
    }

    /** A remark that must not be overlooked. */
    public static Remark warning(String text) {
        return new Remark(Kind.WARNING, text);
    }

    /** Whether it must not be overlooked. */
    public boolean warns() {
        return kind == Kind.WARNING || kind == Kind.UNSEEN;
    }

    /** Whether an answer without it would mislead. */
    public boolean misleads() {
        return switch (kind) {
            case WARNING, UNSEEN, NOT_COUNTED, BAD, LOST, LEFT_OUT -> true;
            case PLAIN, NAMED, DETAIL, COLUMNS, GUESSED, OPTION, ALIKE, EXAMPLE -> false;
        };
    }

    /** The same about something. */
    public Remark about(String what) {
        return new Remark(kind, what, text, rows);
    }

    /** The same with another text. */
    public Remark saying(String other) {
        return new Remark(kind, of, other, rows);
    }

    /** With a capital, and what it is about before it, for the list of a page. */
    public String listed() {
        return before() + (kind == Kind.NAMED ? marked() : capital(marked()));
    }

    /** The same without a mark, for a list that is of warnings alone. */
    public String unmarked() {
        return before() + text;
    }

    /** A sentence, begun with a capital, without a mark. */
    public String sentence() {
        String all = before() + text;
        return (kind == Kind.NAMED ? all : capital(all)) + (all.endsWith(".") || all.endsWith("?") ? "" : ".");
    }

    private String before() {
        return of.isEmpty() ? "" : of + ": ";
    }

    private String marked() {
        return (warns() ? MARK : "") + text;
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** The line that the console and JSON have. */
    @Override
    public String toString() {
        return before() + marked();
    }
}
