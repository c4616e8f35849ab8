package dev.stowage.sim.experiment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run of an experiment failed: a policy broke a rule, or there is a bug. The message says which run. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RunFailedException(
            String policy, int replication, long seed, Map<String, String> point, @Nullable Throwable cause) {
        super(
                "policy " + policy + (point.isEmpty() ? "" : " at " + point) + ", replication " + replication
                        + ", seed " + seed + ": " + (cause == null ? "unknown reason" : cause.getMessage()),
                cause);
    }
}
