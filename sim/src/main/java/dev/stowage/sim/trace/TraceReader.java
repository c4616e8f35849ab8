package dev.stowage.sim.trace;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads traces. CSV (plain or gz, seen by its magic number), Parquet, SQLite or SWF; the format is named in the options
 * or recognised from the file. Bad rows are counted and reported, or stop the reading if it is strict; everything else
 * that is wrong with the file is a {@link TraceException}.
 */
public final class TraceReader {
    /** Key of the format whose columns the user names. */
    public static final String OWN = OwnFormat.KEY;

    /** Setting of that format with the name of a catalogue of sizes. */
    public static final String SIZES = OwnFormat.SIZES;

    /** Setting of that format that counts machines that are powered off. */
    public static final String POWERED_OFF = PowerStates.COUNTED.name();

    private static final int IDS_LOOKED_AT = 1_000_000;
    /** 4 TiB and 1,024 cores: more than one server of a fleet has. */
    private static final long MUCH_MIB = 4L << 20;

    private static final long MANY_MILLI = 1_024_000;

    private TraceReader() {}

    /** The report of reading only the first rows: how the format and the columns are understood. */
    public static LoadReport look(List<Path> paths, ReadOptions options, long mostRows) {
        return read(paths, new TableReader<>(TraceFormats.all(), options, Documents.Purpose.REQUESTS, mostRows))
                .report();
    }

    /** Whether some format recognises the file. */
    public static boolean recognises(Path file) {
        try {
            Source source = SourceFiles.find(List.of(file), Documents.Purpose.REQUESTS, null);
            FileHead head = source.head();
            return TraceFormats.all().stream().anyMatch(format -> format.recognises(head))
                    || (source.document() != null && OwnColumns.sufficeForMachines(head.columns(), List.of("cpu")));
        } catch (TraceException e) {
            return false;
        }
    }

    /** Whether a file is what {@code kubectl get -o json} prints, which is not a table. */
    public static boolean isKubernetes(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Documents.isKubernetes(new String(in.readNBytes(4096), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads a file, or all files of a directory in order of their names. */
    public static LoadedTrace read(Path path, ReadOptions options) {
        return read(List.of(path), options);
    }

    /** Reads several files of one format, in this order, as one trace. */
    public static LoadedTrace read(List<Path> paths, ReadOptions options) {
        return read(paths, new TableReader<>(TraceFormats.all(), options, Documents.Purpose.REQUESTS));
    }

    private static LoadedTrace read(List<Path> paths, TableReader<TraceFormat, TraceFormat.Mapper> reader) {
        var result = reader.read(
                paths, TraceFormat::mapper, mapper -> mapper.requests().size());
        Trace trace = result.mapper().trace();
        long first = trace.firstArrivalNanos();
        LoadReport report = result.report();
        List<Remark> notes = new ArrayList<>();
        if (first != 0) {
            notes.add(Remark.plain("the first arrival, at " + Seconds.text(first)
                    + " s of the trace's clock, is time 0 unless 'from' says otherwise (from: 0 s keeps the"
                    + " trace's clock)"));
        }
        notes.addAll(repeated(trace));
        if (report.format().equals(OWN)) {
            notes.addAll(implausible(trace));
        }
        return new LoadedTrace(trace, notes.isEmpty() ? report : report.with(notes));
    }

    /** Ids that occur more than once among the first requests. */
    private static List<Remark> repeated(Trace trace) {
        if (!trace.hasIds()) {
            return List.of();
        }
        Set<String> seen = new HashSet<>();
        Set<String> twice = new TreeSet<>();
        for (int i = 0; i < Math.min(trace.size(), IDS_LOOKED_AT); i++) {
            String id = trace.id(i);
            if (id != null && !seen.add(id)) {
                twice.add(id);
            }
        }
        return twice.isEmpty()
                ? List.of()
                : List.of(Remark.warning(String.format(
                        Locale.ROOT,
                        "ids that occur more than once: %,d, the first %s; each row is a request of its own",
                        twice.size(),
                        twice.iterator().next())));
    }

    /** What a wrongly guessed unit looks like. */
    private static List<Remark> implausible(Trace trace) {
        List<Remark> found = new ArrayList<>();
        for (int r = 0; r < trace.resources().size(); r++) {
            String name = trace.resources().get(r);
            // Beside processors, what is too much is reported by the reader of the columns.
            boolean alone = !trace.resources().contains("cpu_milli");
            long most =
                    name.equals("mem_mib") && alone ? MUCH_MIB : name.equals("cpu_milli") ? MANY_MILLI : Long.MAX_VALUE;
            for (int i = 0; i < trace.size(); i++) {
                if (trace.demand(i, r) >= most) {
                    found.add(Remark.warning(String.format(
                            Locale.ROOT,
                            "%s of a request is %s, more than machines have: if that is not so, give the unit, as in"
                                    + " --columns %s",
                            name.equals("mem_mib") ? "memory" : "the CPU",
                            ResourceWords.amount(name, trace.demand(i, r)),
                            name.equals("mem_mib") ? "mem=COLUMN:MiB" : "cpu=COLUMN:milli")));
                    break;
                }
            }
        }
        return found;
    }
}
