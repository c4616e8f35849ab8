package dev.stowage.cli.trace;

import dev.stowage.cli.text.ConsoleCommand;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stowage trace convert}: a trace in Stowage's own format. */
@Command(
        name = "convert",
        description = "Write a trace, or a part of it, in Stowage's own format (see docs/traces.md).",
        abbreviateSynopsis = true,
        footer = {
            "",
            "Changes are applied in this order: window, sample, shift to time 0, traffic scaling, single resource,"
                    + " expected lifetimes.",
            "",
            "Examples:",
            "  stowage trace convert vmtable.csv.gz day.parquet --from 24h --to 48h",
            "  stowage trace convert vms.csv.gz predicted.parquet --predict \"learned 2 d\"",
            "  stowage trace convert stowage-data requests.csv.gz"
        })
final class TraceConvertCommand extends ConsoleCommand implements Runnable {
    @Parameters(
            index = "0",
            paramLabel = "IN",
            description =
                    "A trace, a directory of files of one trace, or the data directory of a service, whose log has the"
                            + " requests.")
    private Path in;

    @Parameters(index = "1", paramLabel = "OUT", description = "A file that ends in .csv, .csv.gz or .parquet.")
    private Path out;

    @Mixin
    private TraceOptions options;

    @Override
    public void run() {
        TraceInput input = options.of(List.of(in), console());
        input.refuseToReplace(out);
        Trace trace = input.read();
        TraceWriter.write(trace, out);
        console().note(String.format(Locale.ROOT, "%s: %,d requests", out, trace.size()));
    }
}
