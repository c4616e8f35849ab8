package dev.stowage.cli.trace;

import dev.stowage.cli.text.Console;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceWriter;
import java.nio.file.Path;
import java.util.Locale;

/** Carries out {@code stowage trace convert}. */
final class TraceConversion {
    private final TraceInput input;
    private final Console console;

    TraceConversion(TraceInput input, Console console) {
        this.input = input;
        this.console = console;
    }

    void write(Path file, boolean tell) {
        input.refuseToReplace(file);
        Trace trace = input.read();
        TraceWriter.write(trace, file);
        if (tell) {
            console.note(String.format(Locale.ROOT, "%s: %,d requests", file, trace.size()));
        }
    }
}
