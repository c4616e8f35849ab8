package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.Gauge;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reports how many servers of a site are designated with each configuration, as
 * {@code designated_servers{site=0,holds=2 x small + 1 x large}}. For the first {@value #MOST_SITES} sites, and for the
 * first {@value #MOST_PER_SITE} configurations that a site uses; the rest together as {@code holds=others}. A change
 * costs O(1), a configuration that is new O(configurations reported).
 */
final class ConfigurationGauges {
    private static final int MOST_SITES = 16;
    private static final int MOST_PER_SITE = 32;
    private static final String REST = "others";

    private final List<DesignationGauges> sites = new ArrayList<>();
    private final List<Known> blocks = new ArrayList<>();

    /** The gauges of a site; blocks with servers of other shapes may share them. */
    private static final class DesignationGauges {
        final List<Gauge> gauges = new ArrayList<>();
        final long[] servers = new long[MOST_PER_SITE + 1];
    }

    /** By configuration of a block: its gauge, one more than the number, and the servers reported. */
    private static final class Known {
        int[] gauge = {};
        int[] told = {};
    }

    /** Sets the number of servers of the block that are designated with a configuration. */
    void designated(Block block, int configuration, int servers, View view, Actions actions) {
        if (block.site >= MOST_SITES) {
            return;
        }
        Known known = known(block.number, configuration);
        int change = servers - known.told[configuration];
        if (change == 0) {
            return;
        }
        while (sites.size() <= block.site) {
            sites.add(new DesignationGauges());
        }
        DesignationGauges site = sites.get(block.site);
        if (known.gauge[configuration] == 0) {
            known.gauge[configuration] = 1 + gauge(site, block, configuration, view);
        }
        int gauge = known.gauge[configuration] - 1;
        known.told[configuration] = servers;
        site.servers[gauge] += change;
        actions.gauge(site.gauges.get(gauge), site.servers[gauge]);
    }

    private Known known(int block, int configuration) {
        while (blocks.size() <= block) {
            blocks.add(new Known());
        }
        Known known = blocks.get(block);
        if (configuration >= known.gauge.length) {
            known.gauge = Arrays.copyOf(known.gauge, 2 * configuration + 8);
            known.told = Arrays.copyOf(known.told, known.gauge.length);
        }
        return known;
    }

    /** The gauge of a configuration, a new one if the site has none of its name. */
    private static int gauge(DesignationGauges site, Block block, int configuration, View view) {
        boolean full = site.gauges.size() >= MOST_PER_SITE;
        Gauge wanted = named(block.site, text(block.configurations, configuration, view));
        int at = site.gauges.indexOf(wanted);
        if (at < 0 && full) {
            wanted = named(block.site, REST);
            at = site.gauges.indexOf(wanted);
        }
        if (at < 0) {
            at = site.gauges.size();
            site.gauges.add(wanted);
        }
        return at;
    }

    private static Gauge named(int site, String holds) {
        return Gauge.of("designated_servers", "servers").with("site", site).with("holds", holds);
    }

    private static String text(ConfigurationSet configurations, int configuration, View view) {
        StringBuilder text = new StringBuilder();
        for (int type : configurations.typesOf(configuration)) {
            text.append(text.length() == 0 ? "" : " + ")
                    .append(configurations.count(configuration, type))
                    .append(" x ")
                    .append(view.typeName(type));
        }
        return text.toString();
    }
}
