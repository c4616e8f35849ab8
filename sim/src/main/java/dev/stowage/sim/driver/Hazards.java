package dev.stowage.sim.driver;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failures in the simulated world, which do not depend on the policy.
 *
 * @param failures of servers; a server is in one of them at most
 * @param starts how requests start; null if they run at once and starts never fail
 */
public record Hazards(
        List<ServerFailures> failures, @Nullable Starts starts) {
    /** No failures. */
    public static final Hazards NONE = new Hazards(List.of(), null);

    /** Takes a copy. */
    public Hazards {
        failures = List.copyOf(failures);
    }
}
