package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;

/**
 * Reads traces. CSV (plain or gz, seen by its magic number), Parquet, SQLite or SWF; the format is named in the options
 * or recognised from the file. Bad rows are counted and reported, or stop the reading if it is strict; everything else
 * that is wrong with the file is a {@link TraceException}.
 */
public final class TraceReader {
    /** Key of the format whose columns the user names. */
    public static final String OWN = OwnFormat.KEY;

    private TraceReader() {}

    /** The report of reading only the first rows: how the format and the columns are understood. */
    public static LoadReport look(List<Path> paths, ReadOptions options, long mostRows) {
        return read(paths, new TableReader<>(TraceFormats.all(), options, mostRows))
                .report();
    }

    /** Reads a file, or all files of a directory in order of their names. */
    public static LoadedTrace read(Path path, ReadOptions options) {
        return read(List.of(path), options);
    }

    /** Reads several files of one format, in this order, as one trace. */
    public static LoadedTrace read(List<Path> paths, ReadOptions options) {
        return read(paths, new TableReader<>(TraceFormats.all(), options));
    }

    private static LoadedTrace read(List<Path> paths, TableReader<TraceFormat, TraceFormat.Mapper> reader) {
        var result = reader.read(
                paths, TraceFormat::mapper, mapper -> mapper.requests().size());
        Trace trace = result.mapper().trace();
        long first = trace.firstArrivalNanos();
        LoadReport report = result.report();
        return new LoadedTrace(
                trace,
                first == 0
                        ? report
                        : report.with("the first arrival, at " + Seconds.text(first)
                                + " s of the trace's clock, is time 0 (from = 0 s keeps that clock)"));
    }
}
