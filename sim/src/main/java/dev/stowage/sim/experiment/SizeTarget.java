package dev.stowage.sim.experiment;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What servers have to achieve: of all requests of a run, at most a part may be turned away or begin too late.
 *
 * @param partPerMillion how many of a million requests may miss it
 * @param withinNanos how long after its arrival a request may begin; {@link Long#MAX_VALUE} where only being turned
 * away
 *     counts
 * @param phrase the target in words, as in "every request to start within 10 min"
 */
public record SizeTarget(long partPerMillion, long withinNanos, String phrase) {
    /** What can be asked. */
    public static final String ALLOWED =
            "\"rejected <= 0.1 %\", \"waited <= 1 %\", \"wait max <= 10 min\" or \"wait p99 <= 10 min\" (p50, p90, p95, p99.9)";

    private static final long MILLION = 1_000_000;
    private static final Pattern TEXT = Pattern.compile(
            "\\s*(rejected|waited|wait\\s+(?:max|p50|p90|p95|p99|p99\\.9)|(?:max|p50|p90|p95|p99|p99\\.9)\\s+wait)\\s*(?:<=|≤)\\s*(\\S.*?)\\s*");
    /** By quantile, how many of a million may be beyond it. */
    private static final Map<String, Long> BEYOND =
            Map.of("max", 0L, "p50", 500_000L, "p90", 100_000L, "p95", 50_000L, "p99", 10_000L, "p99.9", 1000L);

    /**
     * Reads a target.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static SizeTarget parse(String text) {
        Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be " + ALLOWED);
        }
        String what = matcher.group(1);
        String limit = matcher.group(2);
        if (what.equals("rejected")) {
            long part = part(limit);
            return new SizeTarget(
                    part,
                    Long.MAX_VALUE,
                    part == 0
                            ? "no request to be turned away"
                            : "at most " + limit + " of the requests to be turned away");
        }
        if (what.equals("waited")) {
            long part = part(limit);
            return new SizeTarget(
                    part,
                    0,
                    (part == 0 ? "every request" : "all but " + limit + " of the requests") + " to start at once");
        }
        String quantile = what.replaceAll("\\s*wait\\s*", "");
        long beyond = BEYOND.getOrDefault(quantile, 0L);
        long within = Units.durationNanos(limit, 0);
        return new SizeTarget(
                beyond,
                within,
                (beyond == 0 ? "every request" : quantile.substring(1) + " % of the requests") + " to start "
                        + (within == 0 ? "at once" : "within " + limit));
    }

    private static long part(String text) {
        double part = Units.number(text);
        long perMillion = Math.round(part * MILLION);
        if (!(part >= 0 && part < 1) || Math.abs(part * MILLION - perMillion) > 1e-6) {
            throw new IllegalArgumentException("must be at least 0 and below 100 percent, with at most six decimals");
        }
        return perMillion;
    }

    /** How many of so many requests may miss it. */
    public long allowed(long requests) {
        return Math.multiplyExact(requests, partPerMillion) / MILLION;
    }

    /** Whether a request may wait for as long as it takes. */
    public boolean waitsForEver() {
        return withinNanos == Long.MAX_VALUE;
    }
}
