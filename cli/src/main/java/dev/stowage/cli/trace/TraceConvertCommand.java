package dev.stowage.cli.trace;

import dev.stowage.cli.text.Console;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage trace convert}: a trace in Stowage's own format. */
@Command(
        name = "convert",
        description = "Write a trace, or a part of it, in Stowage's own format (see docs/traces.md).",
        sortOptions = false,
        abbreviateSynopsis = true,
        footer = {
            "",
            "Changes are made in this order: window, sample, time 0, traffic scaling, single resource, expected"
                    + " lifetimes.",
            "",
            "Examples:",
            "  stowage trace convert vmtable.csv.gz day.parquet --from 24h --to 48h",
            "  stowage trace convert vms.csv.gz predicted.parquet --predict \"learned 2 d\"",
            "  stowage trace convert stowage-data requests.csv.gz"
        })
final class TraceConvertCommand implements Runnable {
    @Spec
    private CommandSpec spec;

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
        Console console = Console.of(spec);
        new TraceConversion(options.of(List.of(in), console), console).write(out, !options.quiet);
    }
}
