package dev.stowage.policies.bestfit;

import dev.stowage.policies.catalog.Entry;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.Values;
import dev.stowage.policies.fit.AtStart;
import dev.stowage.policies.fit.BestFit;
import dev.stowage.policies.fit.JobByJob;
import dev.stowage.policies.fit.Score;
import java.util.List;

/** The policies of this package. */
public final class BestFitPolicies {
    private static final String PAPER =
            "K. Psychas, J. Ghaderi: Scheduling Jobs with Random Resource Requirements in Computing Clusters, INFOCOM 2019";
    private static final List<Parameter> SCORE = List.of(Score.PARAMETER);

    /** Their entries in the registry. */
    public static final List<Entry> ENTRIES = List.of(
            Entry.of(
                    "bf-j",
                    "in every step each waiting request, in order of arrival, goes to the server that fits it best",
                    PAPER + ", section IV-A",
                    "none",
                    SCORE,
                    values -> new AtStart(1, view -> new JobByJob(view, BestFit.servers(view, score(values))))),
            Entry.of(
                    "bf-s",
                    "in every step each server, in index order, takes the largest (or best) requests that fit",
                    PAPER + ", section IV-A",
                    "none",
                    SCORE,
                    values -> new AtStart(1, view -> new BfS(view, score(values)))),
            Entry.of(
                    "bf-js",
                    "servers with departures take the largest (or best) requests; new arrivals left go where they fit best",
                    PAPER + ", section IV-A",
                    "at least 1/2 of the maximum supportable workload: one resource, equal servers, sizes bounded away"
                            + " from 0, slotted time, geometric service times (Theorem 2)",
                    SCORE,
                    values -> new AtStart(1, view -> new BfJs(view, score(values)))));

    private BestFitPolicies() {}

    private static Score score(Values values) {
        return values.word(Score.PARAMETER, Score.class);
    }
}
