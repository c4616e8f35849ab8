package dev.stowage.sim.workload;

import java.util.List;

/**
 * Where requests come from, and so where they may run.
 *
 * @param name unique among the origins of a workload
 * @param sites numbers of the sites that may run its requests, ascending; none for every site
 */
public record RequestOrigin(String name, List<Integer> sites) {
    /** Every site, whatever their number. */
    static final RequestOrigin ANYWHERE = new RequestOrigin("anywhere", List.of());

    /** Checks that the sites ascend. */
    public RequestOrigin {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of an origin is blank");
        }
        sites = List.copyOf(sites);
        for (int i = 0; i < sites.size(); i++) {
            int before = i == 0 ? -1 : sites.get(i - 1);
            Parameters.check(sites.get(i) > before, "a site of origin " + name, sites.get(i), "above " + before);
        }
    }

    /** Whether some site may not run its requests. */
    public boolean isLimited() {
        return !sites.isEmpty();
    }
}
