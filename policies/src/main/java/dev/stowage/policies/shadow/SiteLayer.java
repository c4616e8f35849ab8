package dev.stowage.policies.shadow;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Typed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The servers of all blocks under Algorithm B, and the gauges about them. */
final class SiteLayer implements SitePlacement {
    private static final String REASON =
            "the fullest server with a slot, of the configuration furthest below its share";

    private final Blocks blocks;
    private final ShadowRouter router;
    private final ShadowOptions options;
    private final List<BlockServers> groups = new ArrayList<>();
    private final MoveBudget budget;
    private final SiteGauges gauges;
    private final ConfigurationGauges configurations = new ConfigurationGauges();
    private int[] places = new int[8];
    private int known;
    private int[] occupiedOfSite = {};
    private int[] idealOfSite = {};

    SiteLayer(View view, Blocks blocks, ShadowRouter router, ShadowOptions options) {
        this.blocks = blocks;
        this.router = router;
        this.options = options;
        budget = new MoveBudget(options.movesPerHour());
        gauges = new SiteGauges(view, true);
        grow(view);
    }

    private void grow(View view) {
        while (groups.size() < blocks.size()) {
            groups.add(new BlockServers(blocks.get(groups.size()), options.literal()));
        }
        if (view.servers() > places.length) {
            places = Arrays.copyOf(places, Math.max(view.servers(), 2 * places.length));
        }
        occupiedOfSite = Arrays.copyOf(occupiedOfSite, blocks.sites());
        idealOfSite = Arrays.copyOf(idealOfSite, blocks.sites());
        for (; known < view.servers(); known++) {
            places[known] = group(view, known).add(known);
        }
    }

    private BlockServers group(View view, int server) {
        return groups.get(view.capacityClass(server));
    }

    @Override
    public void adopt(View view, Actions actions) {
        gauges.up(blocks, actions);
        for (int server = 0; server < known; server++) {
            group(view, server).adopt(view, places[server]);
            statusChanged(view, server, actions);
        }
        for (int site = 0; site < view.sites(); site++) {
            for (int type = 0; type < view.types(); type++) {
                gauges.running(site, type, 0, actions);
            }
        }
    }

    @Override
    public void serverChanged(int server, View view, Actions actions) {
        grow(view);
        gauges.up(blocks, actions);
        statusChanged(view, server, actions);
    }

    private void statusChanged(View view, int server, Actions actions) {
        BlockServers group = group(view, server);
        forget(view.site(server), group);
        group.statusChanged(view, places[server]);
        consolidate(group, group.designation(places[server]), view, actions);
        remember(view.site(server), group, view, actions);
    }

    private void forget(int site, BlockServers group) {
        occupiedOfSite[site] -= group.occupied();
        idealOfSite[site] -= group.ideal();
    }

    private void remember(int site, BlockServers group, View view, Actions actions) {
        occupiedOfSite[site] += group.occupied();
        idealOfSite[site] += group.ideal();
        gauges.servers(site, occupiedOfSite[site], idealOfSite[site], actions);
        NumberSet changed = group.changed();
        for (int k = 0; k < changed.size(); k++) {
            int configuration = changed.get(k);
            configurations.designated(group.block(), configuration, group.occupied(configuration), view, actions);
        }
        changed.clear();
    }

    private void consolidate(BlockServers group, int configuration, View view, Actions actions) {
        if (options.movesPerHour() > 0) {
            group.consolidate(configuration, view, actions, budget);
        }
    }

    @Override
    public boolean place(int job, int block, View view, Actions actions) {
        int type = view.type(job);
        int site = blocks.get(block).site;
        if (!Typed.poolsHaveRoom(view, type, site)) {
            return false;
        }
        BlockServers group = groups.get(block);
        forget(site, group);
        int place = group.choose(type, router);
        if (place != View.NONE) {
            actions.place(job, group.server(place), REASON);
            group.placed(place, type);
            gauges.running(site, type, 1, actions);
        }
        remember(site, group, view, actions);
        return place != View.NONE;
    }

    @Override
    public void left(int job, int server, View view, Actions actions) {
        BlockServers group = group(view, server);
        int site = view.site(server);
        gauges.running(site, view.type(job), -1, actions);
        forget(site, group);
        int configuration = group.designation(places[server]);
        group.left(view, places[server], view.type(job));
        consolidate(group, configuration, view, actions);
        remember(site, group, view, actions);
    }

    @Override
    public void displaced(int job, int server, View view, Actions actions) {
        gauges.running(view.site(server), view.type(job), -1, actions);
    }

    @Override
    public void save(StateWriter out) {
        for (BlockServers group : groups) {
            group.save(out);
        }
        budget.save(out);
    }

    @Override
    public void restore(StateReader in, View view) {
        for (int number = 0; number < groups.size(); number++) {
            BlockServers group = groups.get(number);
            group.restore(in, view);
            occupiedOfSite[blocks.get(number).site] += group.occupied();
            idealOfSite[blocks.get(number).site] += group.ideal();
        }
        budget.restore(in);
    }
}
