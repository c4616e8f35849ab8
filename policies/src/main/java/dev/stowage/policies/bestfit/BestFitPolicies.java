package dev.stowage.policies.bestfit;

import dev.stowage.core.policy.Capability;
import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.Score;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The policies of this package. */
public final class BestFitPolicies {
    private static final String PAPER =
            "K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, INFOCOM"
                    + " 2019";
    private static final String TWO_THIRDS =
            "at least 2/3 of the maximum supportable load: one resource, servers equal or different by powers of"
                    + " two,"
                    + " slotted time, geometric service times, all sizes above 2^-levels of a server";
    private static final Parameter LEVELS = Parameter.integer(
                    "levels",
                    "J: sizes down to 2^-J of a server have classes of their own; auto: down to the smallest size;"
                            + " adaptive: so that less than epsilon of the requests are smaller",
                    Partition.LEAST_LEVELS,
                    40,
                    4,
                    3)
            .orWords("auto", "adaptive");
    private static final Parameter EPSILON = Parameter.number(
            "epsilon", "with levels = adaptive, the part of the requests that may be rounded up", 1e-6, 0.5, 0.01, 0.1);
    private static final Parameter STALLING = Parameter.number(
                    "stalling",
                    "while requests wait, a server that falls below this part takes nothing until it is empty: part of"
                            + " what it can hold in bf-js (the paper says 0.5), of the largest weight in vqs and"
                            + " vqs-bf",
                    0.01,
                    1,
                    0.5,
                    0.5)
            .orWords("off");
    private static final Capability[] CAPABILITIES = {
        Capability.SITE_LIMITS,
        Capability.CONSTRAINTS,
        Capability.PENALTIES,
        Capability.OVERCOMMITMENT,
        Capability.GANGS,
        Capability.EVICTION,
        Capability.MIGRATION,
        Capability.DEVICES
    };
    /** Servers take requests: none chooses among them. */
    private static final Capability[] OF_SERVERS =
            Stream.of(CAPABILITIES).filter(one -> one != Capability.PENALTIES).toArray(Capability[]::new);

    private static final Parameter MIX = Parameter.word(Score.PARAMETER.name(), Score.PARAMETER.meaning(), Score.MIX);
    private static final List<Parameter> SCORE = List.of(Score.PARAMETER);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "bf-j",
                    "in every step each waiting request, in order of arrival, goes to the server that fits it best",
                    PAPER + ", section IV-A",
                    "none. Compared on public traces (docs/choosing.md): mean time from arrival to end at worst"
                            + " 5.7 % above the best baseline",
                    SCORE,
                    values -> new AtStart(
                            1,
                            view -> new JobByJob(view, open -> BestFit.servers(view, score(values), open), false),
                            CAPABILITIES)),
            Entry.of(
                    "bf-s",
                    "in every step each server, in index order, takes the largest (or best) requests that fit",
                    PAPER + ", section IV-A",
                    "none. Compared on public traces (docs/choosing.md): mean time from arrival to end at worst"
                            + " 14.0 % above the best baseline",
                    SCORE,
                    values -> new AtStart(1, view -> new BfS(view, score(values)), OF_SERVERS)),
            Entry.of(
                    "bf-js",
                    "servers with departures take the largest (or best) requests; the remaining new arrivals go"
                            + " where they fit best",
                    PAPER + ", section IV-A",
                    "at least 1/2 of the maximum supportable load: one resource, equal servers, sizes bounded away"
                            + " from 0, slotted time, geometric service times (Theorem 2)."
                            + " Compared on public traces (docs/choosing.md): mean time from arrival to end at worst"
                            + " 11.3 % above the best baseline",
                    List.of(Score.PARAMETER, STALLING),
                    values ->
                            new AtStart(1, view -> new BfJs(view, score(values), looselyFilled(values)), CAPABILITIES)),
            Entry.of(
                    "bf-due",
                    "new arrivals go where they fit best; waiting requests go in order of arrival, and a server is held"
                            + " for one that waits too long",
                    "beyond the paper: " + PAPER + ", section IV-A",
                    "at least 1/2 of the maximum supportable load, under the conditions of bf-js; and with any"
                            + " resources a bound on the rest of a request's wait, once ten times as many requests"
                            + " have arrived after it as can run at a time",
                    List.of(MIX),
                    values -> new AtStart(1, view -> new BfDue(view, values.word(MIX, Score.class)), CAPABILITIES)),
            Entry.of(
                    "vqs",
                    "requests wait by class of size; an empty server takes the heaviest configuration, and keeps to it",
                    PAPER + ", section V",
                    TWO_THIRDS
                            + " (Theorem 3). Compared on public traces (docs/choosing.md): its queue grows where the"
                            + " baselines' do not",
                    List.of(LEVELS, EPSILON, STALLING),
                    values -> new AtStart(1, view -> new Vqs(view, options(values, Score.OCCUPIED)))),
            Entry.of(
                    "vqs-bf",
                    "as vqs, with the largest requests first, and the room left over filled with the largest that fit",
                    PAPER + ", section VI",
                    TWO_THIRDS
                            + " (Theorem 4). Compared on public traces (docs/choosing.md): mean time from arrival to"
                            + " end at worst 5.0 % above the best baseline",
                    List.of(LEVELS, EPSILON, STALLING, Score.PARAMETER),
                    values -> new AtStart(1, view -> VqsBf.of(view, options(values, score(values))))));

    private BestFitPolicies() {}

    private static @Nullable Stalling looselyFilled(Values values) {
        return values.isWord(STALLING) ? null : new StallsLooselyFilled(values.number(STALLING));
    }

    private static VirtualQueueOptions options(Values values, Score score) {
        Levels.Rule rule = values.isWord(LEVELS)
                ? new Levels.Rule(0, values.text(LEVELS).equals("adaptive") ? values.number(EPSILON) : 0)
                : new Levels.Rule((int) values.integer(LEVELS), 0);
        return new VirtualQueueOptions(rule, values.isWord(STALLING) ? 0 : values.number(STALLING), score);
    }

    private static Score score(Values values) {
        return values.word(Score.PARAMETER, Score.class);
    }
}
