package dev.stowage.sim.trace;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How to read a trace or server list.
 *
 * @param format key of the format; null to recognise it from the file
 * @param strict stop at the first bad row instead of counting it
 * @param settings settings of the format by name ({@link TableFormat#settings()}); a name the format does not have is
 *     an error
 */
public record ReadOptions(@Nullable String format, boolean strict, Map<String, String> settings) {
    public ReadOptions {
        settings = Map.copyOf(settings);
    }

    /** Recognise the format, count bad rows, no settings. */
    public static ReadOptions defaults() {
        return new ReadOptions(null, false, Map.of());
    }

    public ReadOptions withFormat(String key) {
        return new ReadOptions(key, strict, settings);
    }

    public ReadOptions withStrict(boolean on) {
        return new ReadOptions(format, on, settings);
    }

    public ReadOptions withSetting(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new ReadOptions(format, strict, more);
    }
}
