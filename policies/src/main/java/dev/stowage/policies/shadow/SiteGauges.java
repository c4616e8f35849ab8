package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.View;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of the schemes: servers up and occupied at each site and, if the policy knows it, the least number that could
 * hold the same requests; running requests by type and site, whose means, normalised, are the routing table. For the
 * first {@value #MOST_SITES} sites, and for at most {@value #MOST_PAIRS} pairs.
 */
final class SiteGauges {
    private static final int MOST_SITES = 64;
    private static final int MOST_PAIRS = 512;

    private final int types;
    private final boolean idealised;
    /**
     * By site: servers occupied, the least number that could hold the same requests, servers up. Made when first
     * reported.
     */
    private final @Nullable Gauge[] servers = new Gauge[3 * MOST_SITES];
    /** By site and type. */
    private final @Nullable Gauge[] running = new Gauge[MOST_PAIRS];

    private final long[] told = new long[3 * MOST_SITES];
    private final int[] counts = new int[MOST_PAIRS];

    /**
     * Nothing reported yet.
     *
     * @param idealised whether the least number of servers is known
     */
    SiteGauges(View view, boolean idealised) {
        this.types = view.types();
        this.idealised = idealised;
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                int pair = view.site(server) * types + view.type(job);
                if (view.type(job) != View.NONE && pair < MOST_PAIRS) {
                    counts[pair]++;
                }
            }
        }
    }

    /** Reports how many servers of each site are up. */
    void up(Blocks blocks, Actions actions) {
        int[] sum = new int[Math.min(MOST_SITES, blocks.sites())];
        for (int number = 0; number < blocks.size(); number++) {
            Block block = blocks.get(number);
            if (block.site < MOST_SITES) {
                sum[block.site] += block.up;
            }
        }
        for (int site = 0; site < sum.length; site++) {
            tell(2 * MOST_SITES + site, "up_servers", site, sum[site], actions);
        }
    }

    /** Reports how many servers of each site are up, and how many are occupied; the least number is unknown. */
    void all(Blocks blocks, int[] occupied, Actions actions) {
        up(blocks, actions);
        for (int site = 0; site < occupied.length; site++) {
            servers(site, occupied[site], 0, actions);
        }
    }

    /** Reports how many servers of a site are occupied. */
    void servers(int site, int occupiedNow, int idealNow, Actions actions) {
        if (site < MOST_SITES) {
            tell(2 * site, "occupied_servers", site, occupiedNow, actions);
            if (idealised) {
                tell(2 * site + 1, "idealised_servers", site, idealNow, actions);
            }
        }
    }

    private void tell(int at, String name, int site, long value, Actions actions) {
        if (told[at] == value) {
            return;
        }
        told[at] = value;
        Gauge gauge = servers[at];
        if (gauge == null) {
            gauge = Gauge.of(name, "servers").with("site", site);
            servers[at] = gauge;
        }
        actions.gauge(gauge, value);
    }

    /** One more or one less of a type runs at a site. */
    void running(int site, int type, int change, Actions actions) {
        int pair = site * types + type;
        if (type != View.NONE && pair < MOST_PAIRS) {
            counts[pair] += change;
            Gauge gauge = running[pair];
            if (gauge == null) {
                gauge = Gauge.of("running", "requests").with("site", site).with("type", type);
                running[pair] = gauge;
            }
            actions.gauge(gauge, counts[pair]);
        }
    }
}
