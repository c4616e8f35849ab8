package dev.stowage.study.advise;

/**
 * How many jobs of a group may be disrupted at one time.
 *
 * @param name name
 * @param most the greatest number, at least 0
 */
public record DisruptionBudget(String name, int most) {
    /** Checks the number. */
    public DisruptionBudget {
        if (most < 0) {
            throw new IllegalArgumentException("budget '" + name + "': " + most + ", must be at least 0");
        }
    }
}
