package dev.stowage.sim.workload;

import dev.stowage.core.model.Constraints;
import java.util.List;

/**
 * Where requests come from, and so where they may run.
 *
 * @param name unique among the origins of a workload
 * @param constraints which servers may run its requests
 */
public record RequestOrigin(String name, Constraints constraints) {
    /** Every server, whatever their number. */
    static final RequestOrigin ANYWHERE = new RequestOrigin("anywhere", Constraints.NONE);

    /** Checks the name. */
    public RequestOrigin {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of an origin is blank");
        }
    }

    /**
     * Limited to sites.
     *
     * @param sites numbers of the sites that may run its requests, ascending; none for every site
     */
    public RequestOrigin(String name, List<Integer> sites) {
        this(name, Constraints.NONE.withSites(sites));
        for (int i = 0; i < sites.size(); i++) {
            int before = i == 0 ? -1 : sites.get(i - 1);
            Parameters.check(sites.get(i) > before, "a site of origin " + name, sites.get(i), "above " + before);
        }
    }

    /** Numbers of the sites that may run its requests, ascending; none for every site. */
    public List<Integer> sites() {
        return constraints.sites();
    }

    /** Whether some server may not run its requests. */
    public boolean isLimited() {
        return !constraints.isNone();
    }
}
