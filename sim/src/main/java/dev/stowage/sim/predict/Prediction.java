package dev.stowage.sim.predict;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;
import dev.stowage.sim.result.Remark;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceTransforms;
import dev.stowage.sim.workload.Distribution;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * How the requests of a trace come to say how long they expect to run, to measure what such knowledge is worth. A
 * request that has no known end says nothing, unless it is learned.
 *
 * @param kind which way
 * @param sigma standard deviation of the logarithm of the error
 * @param learnNanos the requests that arrive before are learned from, and say nothing themselves
 */
public record Prediction(Kind kind, double sigma, long learnNanos) {
    private static final long STREAM = Streams.of("expected-lifetimes");
    private static final String KINDS = "true, \"error 1\" (times e^N(0, 1)), \"learned 2 d\" (from what arrives in the"
            + " first two days) or worthless";

    /** Ways to an expected lifetime. */
    public enum Kind {
        /** How long it runs. */
        TRUE,
        /** How long it runs, times a log-normal error, independent for each request. */
        ERROR,
        /** The median of those like it ({@link LifetimeGroups}). */
        LEARNED,
        /** How long another request runs, drawn for each: the right distribution, without any relation. */
        WORTHLESS
    }

    /**
     * Of a text such as {@code true}, {@code error 1}, {@code learned 2 d}, {@code worthless}.
     *
     * @param duration reads a duration, nanoseconds
     * @throws IllegalArgumentException if it is none; the message says what there is
     */
    public static Prediction parse(String text, ToLongFunction<String> duration) {
        List<String> words = List.of(text.strip().split("\\s+", 2));
        String word = words.get(0);
        if (words.size() == 1 && (word.equals("true") || word.equals("worthless"))) {
            return new Prediction(word.equals("true") ? Kind.TRUE : Kind.WORTHLESS, 0, 0);
        }
        if (words.size() == 2 && word.equals("error")) {
            double sigma = sigma(words.get(1));
            if (sigma >= 0 && sigma <= 20) {
                return new Prediction(Kind.ERROR, sigma, 0);
            }
        }
        if (words.size() == 2 && word.equals("learned")) {
            return new Prediction(Kind.LEARNED, 0, duration.applyAsLong(words.get(1)));
        }
        throw new IllegalArgumentException("is not one of " + KINDS);
    }

    private static double sigma(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /**
     * The trace with expected lifetimes, in place of those that it has.
     *
     * @param notes is told how well calibrated what was learned is
     */
    public Trace of(Trace trace, Consumer<Remark> notes) {
        if (kind == Kind.LEARNED) {
            LifetimeGroups learned = LifetimeGroups.of(trace, learnNanos);
            notes.accept(learned.calibration());
            return TraceTransforms.expecting(trace, learned::expectedNanos);
        }
        KeyedRandom random = new KeyedRandom();
        Distribution error = kind == Kind.ERROR && sigma > 0 ? Distribution.lognormal(0, sigma) : null;
        IntToLongFunction expected = i -> {
            random.key(i, STREAM, 0);
            long nanos = trace.durationNanos(kind == Kind.WORTHLESS ? random.nextInt(trace.size()) : i);
            return nanos == Trace.UNKNOWN
                    ? 0
                    : Math.max(1, error == null ? nanos : (long) (nanos * error.sample(random)));
        };
        return TraceTransforms.expecting(trace, expected);
    }
}
