package dev.stowage.sim.experiment;

import dev.stowage.sim.unit.UnitKey;
import org.jspecify.annotations.Nullable;

/** A run of an experiment failed: a policy broke a rule, or there is a bug. The message says which run. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RunFailedException(Experiment point, UnitKey unit, @Nullable Throwable cause) {
        super(
                "policy " + point.policies().get(unit.policy()).label()
                        + (point.point().isEmpty() ? "" : " at " + point.point()) + ", replication "
                        + unit.replication() + ", seed " + ExperimentRunner.seed(point.seed(), unit.replication())
                        + ": " + (cause == null ? "unknown reason" : cause.getMessage()),
                cause);
    }
}
