package dev.stowage.sim.experiment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that servers have to achieve.
 *
 * @param kind what is counted
 * @param type names the types of requests that count, as {@link TypeChoice} reads it; empty for all
 * @param partPerMillion {@link Kind#MISSED}: how many of a million requests may miss it; else 0
 * @param withinNanos {@link Kind#MISSED}: how long after its arrival a request may begin, {@link Long#MAX_VALUE} if
 *     only being turned away counts; {@link Kind#MEAN_WAIT}: the longest mean; else 0
 * @param limit {@link Kind#WAITING}: most requests that wait in the mean; {@link Kind#REWARD}: least reward per hour,
 *     micro-units; else 0
 * @param phrase in words, as in "every request to start within 10 min"
 */
public record SizeRequirement(
        Kind kind, String type, long partPerMillion, long withinNanos, double limit, String phrase) {
    /** What is counted. */
    public enum Kind {
        /** Requests that are turned away or begin too late. */
        MISSED,
        /** Mean wait of the requests; one that is turned away counts as waiting until the run ends. */
        MEAN_WAIT,
        /** Requests that wait, in the mean over time. */
        WAITING,
        /** Reward per hour, in the mean over time. */
        REWARD,
        /** Whether the queue grows for ever. */
        STABLE
    }

    /** What can be asked. */
    static final String ALLOWED =
            "\"rejected <= 0.1 %\", \"waited <= 1 %\", \"wait max <= 10 min\", \"wait p99 <= 10 min\" (any pN), \"wait mean <= 1 min\","
                    + " \"waiting <= 10\" (requests, on average), \"reward >= 12 / h\" or \"queue stable\"; of one"
                    + " type: \"rejected of TYPE <= 1 %\"";

    private static final long MILLION = 1_000_000;
    private static final String WAIT = "max|mean|p\\d{1,2}(?:\\.\\d{1,4})?";
    private static final Pattern TEXT = Pattern.compile(
            "\\s*(rejected|waited|waiting|wait\\s+(?:" + WAIT + ")|(?:" + WAIT
                    + ")\\s+wait)(?:\\s+of\\s+(\\S.*?))?\\s*(?:<=|≤)\\s*(\\S.*?)\\s*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern REWARD =
            Pattern.compile("\\s*reward\\s*(?:>=|≥)\\s*(\\S+?)\\s*(?:/\\s*h(?:our)?)?\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern STABLE = Pattern.compile("\\s*(?:queue\\s+)?stable\\s*", Pattern.CASE_INSENSITIVE);

    static SizeRequirement parse(String text) {
        if (STABLE.matcher(text).matches()) {
            return new SizeRequirement(Kind.STABLE, "", 0, 0, 0, "the queue to be stable");
        }
        Matcher reward = REWARD.matcher(text);
        if (reward.matches()) {
            double limit = Units.number(reward.group(1));
            if (!(limit > 0 && limit < Long.MAX_VALUE / 1e9)) {
                throw new IllegalArgumentException("the reward must be above 0");
            }
            return new SizeRequirement(
                    Kind.REWARD, "", 0, 0, limit * MILLION, "a reward of at least " + reward.group(1) + " an hour");
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            boolean strict = text.matches(".*[<>](?!=).*");
            throw new IllegalArgumentException(
                    (strict ? "needs <= or >=, and a time needs a unit; it " : "") + "must be " + ALLOWED);
        }
        String what = matcher.group(1).toLowerCase(Locale.ROOT);
        String type = matcher.group(2) == null ? "" : matcher.group(2);
        String limit = matcher.group(3);
        String requests = type.isEmpty() ? "the requests" : "the requests of type " + type;
        return switch (what) {
            case "rejected" -> rejected(type, limit, requests);
            case "waited" -> missed(type, part(limit), 0, "all but " + limit + " of " + requests, " to start at once");
            case "waiting" -> {
                double most = Units.number(limit);
                if (!(most >= 0 && most <= Long.MAX_VALUE / 1e9)) {
                    throw new IllegalArgumentException("the number of waiting requests must be at least 0");
                }
                yield new SizeRequirement(
                        Kind.WAITING, type, 0, 0, most, "at most " + limit + " of " + requests + " to wait on average");
            }
            default -> wait(what.replaceAll("\\s*wait\\s*", ""), type, limit, requests);
        };
    }

    private static SizeRequirement rejected(String type, String limit, String requests) {
        long part = part(limit);
        String phrase = part > 0
                ? "at most " + limit + " of " + requests + " to be rejected"
                : (type.isEmpty() ? "no request" : "no request of type " + type) + " to be rejected";
        return new SizeRequirement(Kind.MISSED, type, part, Long.MAX_VALUE, 0, phrase);
    }

    private static SizeRequirement missed(String type, long part, long within, String some, String how) {
        String all = type.isEmpty() ? "every request" : "every request of type " + type;
        return new SizeRequirement(Kind.MISSED, type, part, within, 0, (part == 0 ? all : some) + how);
    }

    private static SizeRequirement wait(String what, String type, String limit, String requests) {
        long within = Units.durationNanos(limit, 0);
        String how = within == 0 ? " to start at once" : " to start within " + limit;
        if (what.equals("mean")) {
            return new SizeRequirement(
                    Kind.MEAN_WAIT, type, 0, within, 0, requests + " to wait at most " + limit + " on average");
        }
        if (what.equals("max")) {
            return missed(type, 0, within, "", how);
        }
        BigDecimal quantile = new BigDecimal(what.substring(1));
        long beyond = MILLION - quantile.movePointRight(4).longValueExact();
        if (beyond == MILLION) {
            throw new IllegalArgumentException("p0 says nothing: it is the shortest wait");
        }
        return missed(type, beyond, within, quantile.toPlainString() + " % of " + requests, how);
    }

    private static long part(String text) {
        double part = Units.number(text);
        long perMillion = Math.round(part * MILLION);
        if (!(part >= 0 && part < 1) || Math.abs(part * MILLION - perMillion) > 1e-6) {
            throw new IllegalArgumentException("must be at least 0 and below 100 percent, with at most six decimals");
        }
        return perMillion;
    }

    /** How many of {@code requests} requests may miss it. */
    public long allowed(long requests) {
        return Math.multiplyExact(requests, partPerMillion) / MILLION;
    }

    /** The same with the name of its type in full. */
    SizeRequirement among(List<String> types) {
        String name = TypeChoice.of(type, types).name();
        return new SizeRequirement(
                kind, name, partPerMillion, withinNanos, limit, phrase.replace("of type " + type, "of type " + name));
    }

    /** Whether a request may wait for as long as it takes. */
    public boolean waitsForEver() {
        return kind == Kind.MISSED && withinNanos == Long.MAX_VALUE;
    }
}
