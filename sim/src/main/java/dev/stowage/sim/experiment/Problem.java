package dev.stowage.sim.experiment;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in an experiment.
 *
 * @param path where, e.g. {@code cluster.sites[0].servers[1].cpu}; empty for the whole
 * @param message what is wrong: the value, what is allowed, a hint
 * @param fileMissing whether a file that it names is not there
 * @param unmet why a policy cannot handle the requests; null for other mistakes
 */
public record Problem(String path, String message, boolean fileMissing, PolicyNeeds.@Nullable Unmet unmet) {
    /** About anything but a missing file or a policy. */
    public Problem(String path, String message) {
        this(path, message, false, null);
    }

    /** The same at another place. */
    public Problem at(String other) {
        return new Problem(other, message, fileMissing, unmet);
    }

    /** The same in other words. */
    public Problem saying(String other) {
        return new Problem(path, other, fileMissing, unmet);
    }

    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
