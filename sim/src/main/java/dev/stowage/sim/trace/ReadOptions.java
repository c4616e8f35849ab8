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
 * @param mostBad largest part of the rows that may be bad, from 0 to 1
 */
public record ReadOptions(@Nullable String format, boolean strict, Map<String, String> settings, double mostBad) {
    /** A limit that a few mistakes do not reach. */
    public static final double USUAL_MOST_BAD = 0.2;

    public ReadOptions {
        settings = Map.copyOf(settings);
    }

    /** Recognise the format, count bad rows, no settings. */
    public static ReadOptions defaults() {
        return new ReadOptions(null, false, Map.of(), USUAL_MOST_BAD);
    }

    public ReadOptions withFormat(String key) {
        return new ReadOptions(key, strict, settings, mostBad);
    }

    public ReadOptions withStrict(boolean on) {
        return new ReadOptions(format, on, settings, mostBad);
    }

    public ReadOptions withSetting(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new ReadOptions(format, strict, more, mostBad);
    }

    /** Fails if a larger part of the rows is bad. */
    public ReadOptions withMostBad(double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new TraceException("max-bad is " + part
                    + ", must be from 0 to 1: the part of the rows that may be bad, 0.5 for half of them");
        }
        return new ReadOptions(format, strict, settings, part);
    }
}
