package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import java.util.List;

/**
 * Servers in blocks of equal ones, in the order of their source; never empty.
 *
 * @param resources names of the resources, unit at the end
 * @param blocks the blocks, in order
 */
public record ServerList(List<String> resources, List<Block> blocks) {
    /** Site of servers whose source names none. */
    public static final String DEFAULT_SITE = "default";
    /** Label of servers on offer: days from the order until they are delivered. */
    public static final String LEAD_TIME_DAYS = "lead_time_days";
    /** Why no server has a site, before the name of the column that should say it. */
    public static final String NO_SITES = "no server has anything in column";

    public ServerList {
        resources = List.copyOf(resources);
        blocks = List.copyOf(blocks);
    }

    /**
     * Equal servers of one site.
     *
     * @param site name of the site
     * @param count number of servers, at least 1
     * @param capacity capacity of each server by resource, whole units, at least 0
     * @param names a name for each server, or none
     * @param labels labels of each server
     * @param kind what such a server is called: its model, or its name in a catalogue; empty if nothing says so,
     *     or they are called differently and have no price
     * @param price of one, in whatever currency the source has; 0 if none is given
     */
    public record Block(
            String site,
            long count,
            List<Long> capacity,
            List<String> names,
            Labels labels,
            String kind,
            double price) {
        public Block {
            capacity = List.copyOf(capacity);
            names = List.copyOf(names);
        }

        /** Days from the order of one until it is delivered; NaN if nothing says it. */
        public double leadTimeDays() {
            return Double.parseDouble(labels.values().getOrDefault(LEAD_TIME_DAYS, "NaN"));
        }
    }
}
