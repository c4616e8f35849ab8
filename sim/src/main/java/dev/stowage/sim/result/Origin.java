package dev.stowage.sim.result;

import java.util.Map;

/**
 * Where a row comes from.
 *
 * @param schema {@link ResultRow#SCHEMA}
 * @param experiment name of the experiment
 * @param experimentHash first 16 hex digits of the SHA-256 of the resolved experiment
 * @param version version of Stowage
 * @param jdk version of the Java runtime
 * @param policy label of the policy, unique within the experiment
 * @param parameters parameters of the policy, in order
 * @param point value of every sweep axis, in order; empty without a sweep
 */
public record Origin(
        String schema,
        String experiment,
        String experimentHash,
        String version,
        String jdk,
        String policy,
        Map<String, Object> parameters,
        Map<String, String> point) {
    /** The same at another point. */
    public Origin withPoint(Map<String, String> other) {
        return new Origin(schema, experiment, experimentHash, version, jdk, policy, parameters, other);
    }

    /** The same of another policy. */
    public Origin withPolicy(String other) {
        return new Origin(schema, experiment, experimentHash, version, jdk, other, parameters, point);
    }
}
