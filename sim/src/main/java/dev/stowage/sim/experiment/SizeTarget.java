package dev.stowage.sim.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What servers have to achieve, all of it in the same run.
 *
 * @param requirements at least one
 */
public record SizeTarget(List<SizeRequirement> requirements) {
    /** What can be asked. */
    public static final String ALLOWED = SizeRequirement.ALLOWED + "; several are joined by \"and\"";

    /** Before each of several requirements in one text; a type's name may contain the word too. */
    private static final String AND =
            "(?i)\\s+and\\s+(?=(?:rejected|waited|waiting|wait|reward|queue|stable|max|mean|p\\d)\\b)";

    /** Takes a copy. */
    public SizeTarget {
        requirements = List.copyOf(requirements);
    }

    /**
     * Reads a target of one requirement, or of several that are joined by {@code and}.
     *
     * @throws IllegalArgumentException with what is allowed
     */
    public static SizeTarget parse(String text) {
        return new SizeTarget(
                Arrays.stream(text.split(AND)).map(SizeRequirement::parse).toList());
    }

    /** In words, as in "every request to start within 10 min". */
    public String phrase() {
        return requirements.stream().map(SizeRequirement::phrase).collect(Collectors.joining(" and "));
    }

    /**
     * Whether some requirement lets a request wait for as long as it takes: then the bound is that of policies that
     * decide at once.
     */
    public boolean waitsForEver() {
        return requirements.stream().anyMatch(SizeRequirement::waitsForEver);
    }
}
