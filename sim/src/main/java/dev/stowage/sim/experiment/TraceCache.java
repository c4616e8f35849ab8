package dev.stowage.sim.experiment;

import dev.stowage.sim.predict.Prediction;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.LoadedTrace;
import dev.stowage.sim.trace.ReadOptions;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceException;
import dev.stowage.sim.trace.TracePart;
import dev.stowage.sim.trace.TraceReader;
import dev.stowage.sim.trace.TraceWorkload;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code workload.trace}; a file that several sweep points read in the same way is read once. */
final class TraceCache {
    private final InputFiles inputs;
    private final Map<CacheKey, LoadedTrace> loaded = new LinkedHashMap<>();

    private record CacheKey(List<Path> files, ReadOptions options) {}

    TraceCache(InputFiles inputs) {
        this.inputs = inputs;
    }

    @Nullable
    TraceWorkload read(YamlFields at, List<Remark> notes) {
        if (!at.isObject("{file: requests.csv.gz}")) {
            return null;
        }
        int before = at.problems();
        List<Path> files = at.at("file").elements().stream()
                .map(file -> inputs.find(file.requiredText("name of a trace file")))
                .toList();
        if (files.isEmpty()) {
            at.at("file").problem("is missing: name of a trace file");
        }
        String format = at.at("format").text("");
        ReadOptions options = ReadOptions.defaults().withStrict(at.at("strict").flag(false));
        options = format.isEmpty() ? options : options.withFormat(format);
        for (String name : at.at("settings").keys()) {
            String value = at.at("settings").at(name).text("");
            boolean file = name.equals(TraceReader.SIZES) && !value.isEmpty();
            options = options.withSetting(name, file ? inputs.find(value).toString() : value);
        }
        options = options.withMostBad(at.at("max-bad").number(ReadOptions.USUAL_MOST_BAD, 0, 1));
        double scaling = at.at("traffic-scaling").number(1, 1e-6, 1e6);
        Long from = time(at, "from");
        Long to = time(at, "to");
        boolean keepRunning = at.at("keep-running").flag(false);
        double part = at.at("sample").number(1, 0, 1);
        long sampleSeed = at.at("sample-seed").whole(1, Long.MIN_VALUE, Long.MAX_VALUE);
        List<Long> single = at.at("single-resource").elements().stream()
                .map(capacity -> capacity.whole(1, 1, Long.MAX_VALUE))
                .toList();
        Prediction prediction = at.has("predict")
                ? at.at("predict")
                        .parsed(
                                new Prediction(Prediction.Kind.TRUE, 0, 0),
                                text -> Prediction.parse(text, time -> Units.durationNanos(time, 0)))
                : null;
        at.rejectUnknown();
        if (at.problems() > before) {
            return null;
        }
        try {
            Trace trace = new TracePart(from, to, keepRunning, part, sampleSeed, scaling, single)
                    .of(load(new CacheKey(files, options), notes));
            return new TraceWorkload(prediction == null ? trace : prediction.of(trace, notes::add));
        } catch (TraceException | IllegalArgumentException e) {
            at.problem(e);
            return null;
        }
    }

    private static @Nullable Long time(YamlFields at, String name) {
        return at.has(name) ? at.at(name).parsed(0L, text -> Units.durationNanos(text, 0)) : null;
    }

    private Trace load(CacheKey source, List<Remark> notes) {
        LoadedTrace trace = loaded.get(source);
        if (trace == null) {
            trace = TraceReader.read(source.files(), source.options());
            notes.addAll(trace.report().all());
            loaded.put(source, trace);
        }
        return trace.trace();
    }
}
