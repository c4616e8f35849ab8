package dev.stowage.sim.driver;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong in the simulated world, whatever the policy does.
 *
 * @param failures of servers; a server is in one of them at most
 * @param starts how requests start; null where they run at once and never fail to
 */
public record Hazards(
        List<ServerFailures> failures, @Nullable Starts starts) {
    /** Nothing. */
    public static final Hazards NONE = new Hazards(List.of(), null);

    /** Takes a copy. */
    public Hazards {
        failures = List.copyOf(failures);
    }
}
