package dev.stowage.sim.result;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One line of the results file. The field {@code kind} says which. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunRow.class, name = "run"),
    @JsonSubTypes.Type(value = SummaryRow.class, name = "summary"),
    @JsonSubTypes.Type(value = SeriesRow.class, name = "series"),
    @JsonSubTypes.Type(value = DistributionRow.class, name = "distribution")
})
public sealed interface ResultRow permits RunRow, SummaryRow, SeriesRow, DistributionRow {
    /** Version of the schema; a reader refuses another major version. */
    String SCHEMA = "stowage.results/1";

    /** Which experiment, code, policy and sweep point the row belongs to. */
    Origin origin();
}
