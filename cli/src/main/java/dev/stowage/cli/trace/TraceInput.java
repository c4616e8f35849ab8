package dev.stowage.cli.trace;

import dev.stowage.cli.experiment.PipedFile;
import dev.stowage.cli.log.LoggedLoad;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.predict.Prediction;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadReport;
import dev.stowage.sim.trace.LoadedTrace;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TracePart;
import dev.stowage.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace and changes it, in this order: window, sample, time 0, traffic scaling, single resource, expected
 * lifetimes.
 */
final class TraceInput {
    private final TraceOptions options;
    private final List<Path> files;
    private final Console console;
    private List<Remark> warnings = List.of();

    TraceInput(TraceOptions options, List<Path> files, Console console) {
        this.options = options;
        this.files = files.stream().map(PipedFile::of).toList();
        this.console = console;
    }

    /** Refuses to overwrite a file that is read. */
    void refuseToReplace(Path out) {
        for (Path file : files) {
            try {
                if (Files.exists(out) && Files.isSameFile(out, file)) {
                    throw new BadInputException(out + " is the file that is being read; write to another one");
                }
            } catch (IOException e) {
                throw new BadInputException(out + ": cannot be read: " + e.getMessage(), e);
            }
        }
    }

    Trace read() {
        Trace trace = new TracePart(
                        time("--from", options.from),
                        time("--to", options.to),
                        options.keepRunning,
                        options.sample,
                        options.sampleSeed,
                        options.trafficScaling,
                        options.singleResource)
                .of(load());
        String predict = options.predict;
        return predict == null ? trace : prediction(predict).of(trace, console::note);
    }

    private static Prediction prediction(String text) {
        return BadInputException.saying(
                "--predict '" + text + "' ", () -> Prediction.parse(text, time -> Units.durationNanos(time, 0)));
    }

    private Trace load() {
        LoggedLoad logged = files.size() == 1 ? LoggedLoad.read(files.get(0)) : null;
        if (logged != null) {
            logged.notes().forEach(console::note);
            return logged.requests();
        }
        LoadedTrace loaded = StatusLine.during(
                console, "stowage: reading " + files.get(0), () -> TraceReader.read(files, readOptions()));
        List<Remark> said = loaded.report().all();
        warnings = LoadReport.warnings(said);
        said.forEach(console::note);
        return loaded.trace();
    }

    /** What {@link #read} has found that an answer would mislead without. */
    List<Remark> warnings() {
        return warnings;
    }

    /** How to read the files. */
    ReadOptions readOptions() {
        ReadOptions read = options.readOptions();
        read = options.mostBad == null ? read : read.withMostBad(options.mostBad);
        for (Map.Entry<String, String> setting : options.settings.entrySet()) {
            read = read.withSetting(setting.getKey(), setting.getValue());
        }
        return read;
    }

    /** The report of reading only the first rows. */
    LoadReport look(long rows) {
        return TraceReader.look(files, readOptions(), rows);
    }

    private static @Nullable Long time(String option, @Nullable String text) {
        return text == null
                ? null
                : BadInputException.saying(option + " '" + text + "' ", () -> Units.durationNanos(text, 0));
    }
}
