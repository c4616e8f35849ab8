package dev.stowage.cli.text;

import dev.stowage.report.TextStyle;
import dev.stowage.sim.result.Remark;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command writes: its result to standard output, everything else to standard error. What is still buffered at
 * the end of the command is written then.
 *
 * @param out standard output
 * @param err standard error
 * @param terminal what they are connected to
 * @param colour when to write in colours
 * @param quiet whether only warnings and errors are wanted beside the result
 * @param command the arguments of the program
 */
public record Console(
        PrintWriter out, PrintWriter err, Terminal terminal, ColourMode colour, boolean quiet, List<String> command) {
    private static final Pattern BEFORE_MEANING = Pattern.compile("(?<=,)(?=[^,=]*=)");

    private static final int PIPED_WIDTH = 100;
    /** Before the further lines of a message. */
    private static final String CONTINUED = "    ";

    /** The console of a command. */
    public static Console of(CommandSpec spec) {
        ProgramOptions program = (ProgramOptions) spec.root().userObject();
        return new Console(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                program.terminal(),
                program.colour(),
                program.quiet(),
                spec.root().commandLine().getParseResult().originalArgs());
    }

    /** The same, whose result goes elsewhere. */
    public Console writing(PrintWriter elsewhere) {
        return new Console(elsewhere, err, terminal, colour, quiet, command);
    }

    /** Style of tables on standard output: as wide as the terminal, or 100 columns without one. */
    public TextStyle style() {
        boolean coloured = colour.on(terminal.out(), terminal);
        return terminal.out()
                ? new TextStyle(terminal.unicode(), coloured, terminal.width())
                : new TextStyle(false, coloured, PIPED_WIDTH);
    }

    /**
     * A text in lines as wide as {@link #style} allows: the first begins with the head, the others with blanks.
     */
    public String wrapped(String head, String text) {
        StringBuilder out = new StringBuilder();
        for (String line : TextStyle.wrapped(text, Math.max(1, style().width() - head.length()))) {
            out.append(out.isEmpty() ? head : " ".repeat(head.length()))
                    .append(line)
                    .append('\n');
        }
        return out.toString();
    }

    /** Prints below a table what its columns mean, unless all is to be quiet. */
    public void legend(String text) {
        if (!quiet) {
            out.print("\n" + wrapped("", text));
        }
    }

    /** What must be known beside an answer, at its end: one text a line; empty where there is none. */
    public String warnings(List<Remark> warnings) {
        StringBuilder out = new StringBuilder(warnings.isEmpty() ? "" : "\n");
        warnings.forEach(each -> out.append(wrapped("", each.toString())));
        return out.toString();
    }

    /** Prints a remark, after what was written to standard output, unless all is to be quiet. */
    public void note(String text) {
        if (!quiet) {
            warn(text);
        }
    }

    /** The same, but a warning is printed even if all is to be quiet. */
    public void note(Remark note) {
        note("", note);
    }

    /** The same after a word. */
    public void note(String before, Remark note) {
        if (!quiet || note.warns()) {
            toCopy(broken(before, note));
        }
    }

    /** Prints what went wrong, even if all is to be quiet, after what was written to standard output. */
    public void warn(String text) {
        toCopy(broken(text));
    }

    /** Prints a line that is to be copied as it is, however long, after what was written to standard output. */
    public void toCopy(String line) {
        out.flush();
        err.println(line);
        err.flush();
    }

    /** The same, unless all is to be quiet. */
    public void noteToCopy(String line) {
        if (!quiet) {
            toCopy(line);
        }
    }

    /** A message in lines of at most 100 columns. */
    public static String broken(String text) {
        return text.lines()
                .map(line -> line.replaceFirst("\\S.*", "")
                        + String.join(
                                "\n" + CONTINUED,
                                TextStyle.wrapped(line.stripLeading(), PIPED_WIDTH - CONTINUED.length())))
                .collect(Collectors.joining("\n"));
    }

    /** The same of a note; what is to be copied is broken only where it can still be. */
    public static String broken(String before, Remark note) {
        return note.kind() == Remark.Kind.OPTION ? copied(before + note) : broken(before + note);
    }

    /** An option with what many columns mean, broken between these: so it can still be copied into a command. */
    private static String copied(String line) {
        int option = Math.max(0, line.indexOf("--"));
        StringBuilder out = new StringBuilder(broken(line.substring(0, option)).stripTrailing());
        String gap = out.isEmpty() ? "" : " ";
        int width = out.length() - out.lastIndexOf("\n") - 1 + gap.length();
        for (String item : BEFORE_MEANING.splitAsStream(line.substring(option)).toList()) {
            boolean next = width > 0 && width + item.length() > PIPED_WIDTH;
            out.append(next ? "\n" + CONTINUED : gap).append(item);
            gap = "";
            width = item.length() + (next ? CONTINUED.length() : width);
        }
        return out.toString();
    }
}
