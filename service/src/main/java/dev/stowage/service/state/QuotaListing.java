package dev.stowage.service.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Lists the quotas and their use. Only {@link #more} needs the state's lock, several times for a short time, and the
 * state goes on in between: each tenant is shown as it is at its turn. A tenant without a quota of its own
 * is listed while it uses something and everybody has a quota. O(quotas and tenants).
 */
public final class QuotaListing {
    /** Quotas that are read in one hold of the lock: some 40 us. */
    private static final int STEP = 64;

    /**
     * A tenant's quota.
     *
     * @param tenant its name, or {@link Quota#EVERYBODY}
     * @param quota that holds for it
     * @param own whether it is its own; else that of everybody
     * @param requests that it has in the system
     * @param used amount in use, per resource
     */
    public record Row(String tenant, Quota quota, boolean own, int requests, long[] used) {}

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
        String tenant = world.limitedFrom(from);
        for (int i = 0; i < STEP && tenant != null; i++) {
            if (told.test(tenant)) {
                long[] used = new long[world.resources().size()];
                for (int r = 0; r < used.length; r++) {
                    used[r] = world.used(tenant, r);
                }
                Quota own = world.quotas().get(tenant);
                Quota quota = own != null ? own : world.quotas().get(Quota.EVERYBODY);
                rows.add(new Row(tenant, Objects.requireNonNull(quota), own != null, world.live(tenant), used));
            }
            from = tenant + '\0';
            tenant = world.limitedFrom(from);
        }
        return tenant != null;
    }

    /** The rows, by tenant. */
    public List<Row> rows() {
        return rows;
    }
}
