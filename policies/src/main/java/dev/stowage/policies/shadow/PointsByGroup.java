package dev.stowage.policies.shadow;

import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.index.EqualPoints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The servers of blocks at their utilizations, apart by group ({@link View#group}): for requests with constraints
 * beyond sites. Groups that constraints do not admit are left out as a whole; single servers that they exclude are
 * taken out while a choice is made, but only those that would have been chosen: O(resources + log servers) each.
 */
final class PointsByGroup {
    private static final int NOWHERE = -1;

    /** Sets the point of a server; false if it takes no requests. */
    interface ServerPoint {
        boolean set(View view, int server, long[] point);
    }

    /** Looks at the servers of a block that constraints admit. */
    interface PointSearch {
        void at(Block block, EqualPoints points);
    }

    private final Blocks blocks;
    private final ServerPoint source;
    private final long[] point;
    /** By block, then by group: a number of {@link #indexes}, or NOWHERE where there is no server. */
    private final List<int[]> groups = new ArrayList<>();

    private final List<EqualPoints> indexes = new ArrayList<>();
    /** The index that a server is in, or was in last. */
    private int[] places = new int[0];

    private final NumberSet changed = new NumberSet();
    private final NumberSet excepted = new NumberSet();
    private long grouping;

    PointsByGroup(View view, Blocks blocks, ServerPoint source) {
        this.blocks = blocks;
        this.source = source;
        point = new long[view.resources()];
        rebuild(view);
    }

    private void rebuild(View view) {
        groups.clear();
        indexes.clear();
        changed.clear();
        places = new int[view.servers()];
        Arrays.fill(places, NOWHERE);
        grouping = view.grouping();
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    /** A server is new, or what it holds, its status or its labels changed. */
    void changed(int server) {
        changed.add(server);
    }

    private void refresh(View view) {
        if (grouping != view.grouping()) {
            rebuild(view);
        }
        while (changed.size() > 0) {
            put(view, changed.removeLast());
        }
    }

    private void put(View view, int server) {
        take(server);
        if (source.set(view, server, point)) {
            int place = place(view, server);
            indexes.get(place).insert(server, point);
            if (server >= places.length) {
                int old = places.length;
                places = Arrays.copyOf(places, Math.max(view.servers(), server + (server >> 1)));
                Arrays.fill(places, old, places.length, NOWHERE);
            }
            places[server] = place;
        }
    }

    private void take(int server) {
        int place = server < places.length ? places[server] : NOWHERE;
        if (place != NOWHERE && indexes.get(place).contains(server)) {
            indexes.get(place).remove(server);
        }
    }

    private int place(View view, int server) {
        int block = view.capacityClass(server);
        while (groups.size() <= block) {
            groups.add(new int[0]);
        }
        int[] its = groups.get(block);
        int group = view.group(server);
        if (group >= its.length) {
            int old = its.length;
            its = Arrays.copyOf(its, group + 1);
            Arrays.fill(its, old, its.length, NOWHERE);
            groups.set(block, its);
        }
        if (its[group] == NOWHERE) {
            its[group] = indexes.size();
            indexes.add(new EqualPoints(point.length));
        }
        return its[group];
    }

    /** Whether constraints admit some server of a site now that could hold a request of a type. */
    boolean admitsAny(View view, int type, int constraint, int site) {
        refresh(view);
        boolean found = false;
        for (int number : blocks.fitting(type)) {
            int[] its = its(number, site);
            for (int group = 0; group < its.length && !found; group++) {
                found = its[group] != NOWHERE
                        && view.admitsGroup(constraint, group)
                        && admitsAny(view, constraint, indexes.get(its[group]));
            }
        }
        putBack(view);
        return found;
    }

    private boolean admitsAny(View view, int constraint, EqualPoints points) {
        while (points.size() > 0 && !view.admits(constraint, points.lowest(0))) {
            except(points.lowest(0));
        }
        return points.size() > 0;
    }

    private int[] its(int number, int site) {
        return number < groups.size() && blocks.get(number).site == site ? groups.get(number) : new int[0];
    }

    /** Lets a choice look at the groups of a site that constraints admit, and could hold a request of a type. */
    void search(View view, int type, int constraint, int site, PointSearch search) {
        refresh(view);
        for (int number : blocks.fitting(type)) {
            int[] its = its(number, site);
            for (int group = 0; group < its.length; group++) {
                if (its[group] != NOWHERE && view.admitsGroup(constraint, group)) {
                    search.at(blocks.get(number), indexes.get(its[group]));
                }
            }
        }
    }

    /** Takes a server out until {@link #putBack}. */
    void except(int server) {
        take(server);
        excepted.add(server);
    }

    void putBack(View view) {
        while (excepted.size() > 0) {
            put(view, excepted.removeLast());
        }
    }
}
