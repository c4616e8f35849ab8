package dev.stowage.sim.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question how many servers a target needs.
 *
 * @param target what they have to achieve
 * @param site whose servers are counted; empty for all. Blocks of several capacities or sites grow together, in the
 *     ratio that the experiment gives
 * @param spareServers the target must also hold with this many servers lost at the moment of greatest need
 * @param spareSite whether it must also hold with any one site lost at the moment of greatest need, and the spare
 *     servers of the others at the same time
 * @param maintenance servers that are always being maintained
 * @param movable whether everything may be moved: of an inventory a plan for all of it at once then counts, too, also
 *     for what is left when servers are lost
 */
public record SizeQuestion(
        SizeTarget target, String site, int spareServers, boolean spareSite, Maintenance maintenance, boolean movable) {
    private static final SizeTarget ALL = SizeTarget.parse("waited <= 0 %");

    /**
     * Servers are drained a part at a time, one part after the other, again and again from the start.
     *
     * @param perMillion part of all servers that is drained at a time, rounded up; 0 for no maintenance
     * @param forNanos how long a part is away
     */
    public record Maintenance(long perMillion, long forNanos) {
        /** None. */
        public static final Maintenance NONE = new Maintenance(0, 0);
    }

    /** From the key {@code size} of an experiment; null if it is absent or cannot be read. */
    public static @Nullable SizeQuestion read(JsonNode size) {
        return SizeReader.read(new YamlFields(size, "size", new ArrayList<>()));
    }

    /** With nothing but a target. */
    public SizeQuestion(SizeTarget target) {
        this(target, "", 0, false, Maintenance.NONE, false);
    }

    /** The same with another target. */
    public SizeQuestion with(SizeTarget other) {
        return new SizeQuestion(other, site, spareServers, spareSite, maintenance, movable);
    }

    /** The same with so many servers lost. */
    public SizeQuestion withSpare(int servers) {
        return new SizeQuestion(target, site, servers, spareSite, maintenance, movable);
    }

    /** The same with any one site lost, or with none. */
    public SizeQuestion withSpareSite(boolean lost) {
        return new SizeQuestion(target, site, spareServers, lost, maintenance, movable);
    }

    /** The same if everything may be moved, or if nothing may. */
    public SizeQuestion movable(boolean may) {
        return new SizeQuestion(target, site, spareServers, spareSite, maintenance, may);
    }

    /**
     * The same with the names of types in full.
     *
     * @throws IllegalArgumentException if one names none of them, or several
     */
    public SizeQuestion among(List<String> types) {
        List<SizeRequirement> named =
                target.requirements().stream().map(each -> each.among(types)).toList();
        return with(new SizeTarget(named));
    }

    /** In words, as in "every request to start within 10 min, with 1 server lost at the worst moment". */
    public String phrase() {
        String words = movable && target.equals(ALL) ? "all of it to run" : target.phrase();
        if (spareServers > 0 || spareSite) {
            String more = spareSite ? " more" : "";
            words += (movable ? ", also with " : ", with ")
                    + (movable || spareSite ? "any " : "")
                    + (spareSite ? "one site" + (spareServers > 0 ? " and " : "") : "")
                    + (spareServers == 0
                            ? ""
                            : movable && spareServers == 1 && !spareSite
                                    ? "server"
                                    : (spareServers == 1 && spareSite ? "one" : spareServers)
                                            + more
                                            + (spareServers == 1 ? " server" : " servers"))
                    + (movable ? " lost" : " lost at the worst moment");
        }
        if (maintenance.perMillion() > 0) {
            words += ", with " + maintenance.perMillion() / 1e4 + " % of the servers in maintenance";
        }
        return words;
    }
}
