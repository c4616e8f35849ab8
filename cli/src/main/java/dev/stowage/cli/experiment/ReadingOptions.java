package dev.stowage.cli.experiment;

import dev.stowage.cli.text.ProgramOptions.Rare;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.TraceReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how the rows of a trace are read. */
public abstract class ReadingOptions {
    @Rare
    @Option(names = "--trace-format", paramLabel = "KEY", description = "Format of the trace (default: recognized).")
    private @Nullable String format;

    @Option(
            names = "--columns",
            paramLabel = "MEANING=COLUMN,...",
            description = "Meaning of the columns of your own table: arrival=submitted_at,mem=ram_gb:GiB. Others are"
                    + " guessed and reported ('stowage trace guess FILE').")
    private @Nullable String columns;

    @Rare
    @Option(
            names = "--separator",
            paramLabel = "WORD",
            description = "Separator of your own table: comma, semicolon, tab, pipe or space (default: recognized).")
    private @Nullable String separator;

    @Rare
    @Option(
            names = "--sizes",
            paramLabel = "FILE",
            description = "File with the sizes (flavors, instance types) that your own table names: name, cores,"
                    + " memory.")
    private @Nullable String sizes;

    @Rare
    @Option(
            names = "--powered-off",
            description =
                    "Count the machines of your own table that are powered off, too (default: they are left" + " out).")
    private boolean poweredOff;

    @Rare
    @Option(names = "--strict", description = "Stop at the first bad row of the trace instead of reporting it.")
    private boolean strict;

    /** The requested format; that of a user's own table if options about its columns are given. */
    public final @Nullable String format() {
        boolean own = columns != null || separator != null || sizes != null || poweredOff;
        return format == null && own ? TraceReader.OWN : format;
    }

    public final @Nullable String columns() {
        return columns;
    }

    public final @Nullable String separator() {
        return separator;
    }

    public final @Nullable String sizes() {
        return sizes;
    }

    public final boolean poweredOff() {
        return poweredOff;
    }

    public final boolean strict() {
        return strict;
    }

    /** How to read a table with these. */
    public final ReadOptions readOptions() {
        ReadOptions read = ReadOptions.defaults().withStrict(strict);
        String format = format();
        read = format == null ? read : read.withFormat(format);
        read = columns == null ? read : read.withSetting("columns", columns);
        read = separator == null ? read : read.withSetting("separator", separator);
        read = poweredOff ? read.withSetting(TraceReader.POWERED_OFF, "true") : read;
        return sizes == null ? read : read.withSetting(TraceReader.SIZES, sizes);
    }
}
