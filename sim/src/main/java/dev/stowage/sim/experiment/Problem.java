package dev.stowage.sim.experiment;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in an experiment.
 *
 * @param path where, e.g. {@code cluster.sites[0].servers[1].cpu}; empty for the whole
 * @param message what is wrong: the value, what is allowed, a hint
 * @param fileMissing whether a file that it names is not there
 * @param unmet why a policy cannot handle the requests; null for other mistakes
 * @param line of the file where it is, from 1; 0 if not known
 */
public record Problem(String path, String message, boolean fileMissing, PolicyNeeds.@Nullable Unmet unmet, int line) {
    /** About anything but a missing file or a policy. */
    public Problem(String path, String message) {
        this(path, message, false, null, 0);
    }

    /** On no known line. */
    Problem(String path, String message, boolean fileMissing, PolicyNeeds.@Nullable Unmet unmet) {
        this(path, message, fileMissing, unmet, 0);
    }

    /** The same on a line. */
    Problem onLine(int where) {
        return new Problem(path, message, fileMissing, unmet, where);
    }

    /** The same at another place, which is on no line of the file. */
    public Problem at(String other) {
        return new Problem(other, message, fileMissing, unmet);
    }

    /** The same in other words. */
    public Problem saying(String other) {
        return new Problem(path, other, fileMissing, unmet, line);
    }

    /** The same with its line, if that is known. */
    String withLine() {
        return (line == 0 ? "" : "line " + line + ": ") + this;
    }

    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
