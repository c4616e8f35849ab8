package dev.stowage.sim.experiment;

/**
 * A mistake in an experiment.
 *
 * @param path where, e.g. {@code cluster.sites[0].servers[1].cpu}; empty for the whole
 * @param message what is wrong: the value, what is allowed, a hint
 */
public record Problem(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
