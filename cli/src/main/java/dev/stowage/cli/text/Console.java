package dev.stowage.cli.text;

import dev.stowage.report.TextStyle;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a command writes: what was asked for to standard output, everything else to standard error.
 *
 * @param out standard output
 * @param err standard error
 * @param terminal what they are connected to
 * @param colour when to write in colours
 */
public record Console(PrintWriter out, PrintWriter err, Terminal terminal, ColourMode colour) {
    /** The console of a command. */
    public static Console of(CommandSpec spec) {
        ProgramOptions program = (ProgramOptions) spec.root().userObject();
        return new Console(
                spec.commandLine().getOut(), spec.commandLine().getErr(), program.terminal(), program.colour());
    }

    /** Style of tables on standard output. */
    public TextStyle style() {
        boolean coloured = colour.on(terminal.out(), terminal);
        return terminal.out()
                ? new TextStyle(terminal.unicode(), coloured, terminal.width())
                : new TextStyle(false, coloured, Integer.MAX_VALUE);
    }

    /** Something worth knowing that was not asked for. */
    public void note(String text) {
        err.println(text);
        err.flush();
    }
}
