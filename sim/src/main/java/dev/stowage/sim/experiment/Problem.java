package dev.stowage.sim.experiment;

/**
 * A mistake in an experiment.
 *
 * @param path where, e.g. {@code cluster.sites[0].servers[1].cpu}; empty for the whole
 * @param message what is wrong: the value, what is allowed, a hint
 * @param fileMissing whether a file that it names is not there
 */
public record Problem(String path, String message, boolean fileMissing) {
    /** About anything but a missing file. */
    public Problem(String path, String message) {
        this(path, message, false);
    }

    /** The same at another place. */
    public Problem at(String other) {
        return new Problem(other, message, fileMissing);
    }

    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
