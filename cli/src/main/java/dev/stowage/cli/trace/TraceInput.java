package dev.stowage.cli.trace;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.sim.experiment.Units;
import dev.stowage.sim.trace.LoadedTrace;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceTransforms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a trace and changes it, in this order: window, sample, rebase, traffic scaling, single resource. */
final class TraceInput {
    private final TraceOptions options;
    private final List<Path> files;
    private final Console console;

    TraceInput(TraceOptions options, List<Path> files, Console console) {
        this.options = options;
        this.files = files;
        this.console = console;
    }

    Trace read() {
        long from = time("--from", options.from, 0);
        long to = time("--to", options.to, Long.MAX_VALUE);
        LoadedTrace loaded = TraceReader.read(files, readOptions());
        if (!options.quiet) {
            loaded.report().lines().forEach(console::note);
        }
        Trace trace = loaded.trace();
        if (options.from != null || options.to != null) {
            trace = TraceTransforms.window(trace, from, to, options.keepRunning);
        }
        if (options.sample != null) {
            trace = TraceTransforms.sampleBatches(trace, options.sample, options.sampleSeed);
        }
        if (options.rebase) {
            trace = TraceTransforms.rebase(trace);
        }
        if (options.trafficScaling != null) {
            trace = TraceTransforms.scaleTraffic(trace, options.trafficScaling);
        }
        return options.singleResource.isEmpty()
                ? trace
                : TraceTransforms.singleResource(
                        trace,
                        options.singleResource.stream()
                                .mapToLong(Long::longValue)
                                .toArray());
    }

    private ReadOptions readOptions() {
        ReadOptions read = ReadOptions.defaults().withStrict(options.strict);
        read = options.format == null ? read : read.withFormat(options.format);
        for (Map.Entry<String, String> setting : options.settings.entrySet()) {
            read = read.withSetting(setting.getKey(), setting.getValue());
        }
        return read;
    }

    private static long time(String option, @Nullable String text, long otherwise) {
        try {
            return text == null ? otherwise : Units.durationNanos(text, 0);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(option + " '" + text + "' " + e.getMessage(), e);
        }
    }
}
