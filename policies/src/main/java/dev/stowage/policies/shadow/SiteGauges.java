package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.List;

/**
 * What the schemes tell about themselves: servers up and occupied at each site and, where the policy knows it, the
 * least that could hold the same requests; running requests by type and site, whose means in proportion are the routing
 * table. Of the first {@value #MOST_SITES} sites, and of no more than {@value #MOST_PAIRS} pairs.
 */
final class SiteGauges {
    private static final int MOST_SITES = 64;
    private static final int MOST_PAIRS = 512;

    private final int types;
    private final boolean idealised;
    private final List<Gauge> occupied = new ArrayList<>();
    private final List<Gauge> ideal = new ArrayList<>();
    private final List<Gauge> up = new ArrayList<>();
    private final List<Gauge> running = new ArrayList<>();
    private final long[] told = new long[3 * MOST_SITES];
    private final int[] counts = new int[MOST_PAIRS];

    /**
     * Nothing told yet.
     *
     * @param idealised whether the least number of servers is known
     */
    SiteGauges(View view, boolean idealised) {
        this.types = view.types();
        this.idealised = idealised;
        for (int site = 0; site < MOST_SITES; site++) {
            occupied.add(Gauge.of("occupied_servers", "servers").with("site", site));
            up.add(Gauge.of("up_servers", "servers").with("site", site));
            ideal.add(Gauge.of("idealised_servers", "servers").with("site", site));
        }
        for (int pair = 0; pair < MOST_PAIRS && types > 0; pair++) {
            running.add(
                    Gauge.of("running", "requests").with("site", pair / types).with("type", pair % types));
        }
        for (int server = 0; server < view.servers(); server++) {
            for (int job = view.firstOn(server); job != View.NONE; job = view.next(job)) {
                int pair = view.site(server) * types + view.type(job);
                if (view.type(job) != View.NONE && pair < MOST_PAIRS) {
                    counts[pair]++;
                }
            }
        }
    }

    /** Tells how many servers of each site are up. */
    void up(Blocks blocks, Actions actions) {
        int[] sum = new int[Math.min(MOST_SITES, blocks.sites())];
        for (int number = 0; number < blocks.size(); number++) {
            Block block = blocks.get(number);
            if (block.site < MOST_SITES) {
                sum[block.site] += block.up;
            }
        }
        for (int site = 0; site < sum.length; site++) {
            tell(2 * MOST_SITES + site, up.get(site), sum[site], actions);
        }
    }

    /** Tells how many servers of a site are occupied. */
    void servers(int site, int occupiedNow, int idealNow, Actions actions) {
        if (site < MOST_SITES) {
            tell(2 * site, occupied.get(site), occupiedNow, actions);
            if (idealised) {
                tell(2 * site + 1, ideal.get(site), idealNow, actions);
            }
        }
    }

    private void tell(int at, Gauge gauge, long value, Actions actions) {
        if (told[at] != value) {
            told[at] = value;
            actions.gauge(gauge, value);
        }
    }

    /** One more or one less of a type runs at a site. */
    void running(int site, int type, int change, Actions actions) {
        int pair = site * types + type;
        if (type != View.NONE && pair < MOST_PAIRS) {
            counts[pair] += change;
            actions.gauge(running.get(pair), counts[pair]);
        }
    }
}
