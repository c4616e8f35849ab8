package dev.stowage.service.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Lists the quotas and their use. Only {@link #more} needs the state's lock, several times for a short time, and the
 * state goes on in between: each tenant is shown as it is at its turn. O(quotas).
 */
public final class QuotaListing {
    /** Quotas that are read in one hold of the lock: some 40 us. */
    private static final int STEP = 64;

    /**
     * A tenant's quota.
     *
     * @param tenant its name, or {@link Quota#EVERYBODY}
     * @param requests that it has in the system
     * @param used amount in use, per resource
     */
    public record Row(String tenant, Quota quota, int requests, long[] used) {}

    private final Predicate<String> told;
    private final List<Row> rows = new ArrayList<>();
    private String from = "";

    /**
     * Begins.
     *
     * @param told which tenants' quotas to list
     */
    public QuotaListing(Predicate<String> told) {
        this.told = told;
    }

    /**
     * Looks at some more; in the state's lock.
     *
     * @return whether this is to be called again
     */
    public boolean more(World world) {
        SortedMap<String, Quota> rest = world.quotas().tailMap(from);
        Iterator<Map.Entry<String, Quota>> next = rest.entrySet().iterator();
        for (int i = 0; i < STEP && next.hasNext(); i++) {
            Map.Entry<String, Quota> entry = next.next();
            String tenant = entry.getKey();
            if (told.test(tenant)) {
                long[] used = new long[world.resources().size()];
                for (int r = 0; r < used.length; r++) {
                    used[r] = world.used(tenant, r);
                }
                rows.add(new Row(tenant, entry.getValue(), world.live(tenant), used));
            }
            from = tenant + '\0';
        }
        return next.hasNext();
    }

    /** The rows, by tenant. */
    public List<Row> rows() {
        return rows;
    }
}
