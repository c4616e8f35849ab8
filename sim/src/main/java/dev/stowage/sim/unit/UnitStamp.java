package dev.stowage.sim.unit;

/**
 * What units must have in common to be merged into one result.
 *
 * @param experiment hash of the experiment ({@code Experiment.hash})
 * @param version of Stowage
 * @param inputs digest of what the point of the unit read from files: requests, servers, jars with policies
 */
public record UnitStamp(String experiment, String version, String inputs) {
    /** How another stamp differs, for people; empty if it does not. */
    public String differenceTo(UnitStamp other) {
        if (!experiment.equals(other.experiment)) {
            return "of another experiment (hash " + other.experiment + ", not " + experiment + ")";
        }
        if (!version.equals(other.version)) {
            return "made by Stowage " + other.version + ", not " + version;
        }
        return inputs.equals(other.inputs)
                ? ""
                : "made from another trace, server list or jar (digest " + other.inputs + ", not " + inputs + ")";
    }
}
