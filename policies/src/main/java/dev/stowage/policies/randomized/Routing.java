package dev.stowage.policies.randomized;

import dev.stowage.core.policy.View;
import java.util.Arrays;

/**
 * To which server's queue a request of a type goes: the shortest of all (join the shortest queue), or of some that are
 * drawn at random (power of d choices). Only waiting requests of the type count; ties are broken uniformly at random.
 * Candidates are the servers that are up and could hold the type if they were empty.
 */
final class Routing {
    /** Where queues of a server begin: queue 0 holds requests that have no candidate. */
    static final int PARKED = 0;

    private final int types;
    /** Number of queues compared; 0 for all. */
    private final int choices;

    private final boolean withReplacement;
    private final ShortestQueues[] shortest;
    /** Candidates by type in index order, with their number; rebuilt when servers change. Only for some choices. */
    private final int[][] candidates;

    private final int[] drawn;
    private boolean stale = true;

    Routing(View view, int choices, boolean withReplacement) {
        this.types = view.types();
        this.choices = choices;
        this.withReplacement = withReplacement;
        shortest = new ShortestQueues[types];
        candidates = new int[types][0];
        drawn = new int[Math.max(1, choices)];
        for (int type = 0; type < types; type++) {
            shortest[type] = new ShortestQueues();
        }
        for (int server = 0; server < view.servers(); server++) {
            serverChanged(server, view);
        }
    }

    int queue(int server, int type) {
        return 1 + server * types + type;
    }

    void serverChanged(int server, View view) {
        stale = true;
        for (int type = 0; type < types; type++) {
            shortest[type].growTo(view.servers());
            if (Occupancy.couldFit(view, server, type)) {
                shortest[type].set(server, view.queueLength(queue(server, type)));
            } else {
                shortest[type].remove(server);
            }
        }
    }

    /** The queue of the type at the server has another length. */
    void lengthChanged(int server, int type, View view) {
        if (Occupancy.couldFit(view, server, type)) {
            shortest[type].set(server, view.queueLength(queue(server, type)));
        }
    }

    /** The server for a request of the type, or {@link View#NONE} if there is no candidate. */
    int choose(int type, View view) {
        if (choices > 0) {
            refresh(view);
            if (candidates[type].length > choices || (withReplacement && candidates[type].length > 0)) {
                return chooseAmongSome(type, view);
            }
        }
        int ties = shortest[type].shortest();
        return switch (ties) {
            case 0 -> View.NONE;
            case 1 -> shortest[type].get(0);
            default -> shortest[type].get(view.random().nextInt(ties));
        };
    }

    /** The first of the shortest in the order of drawing, which is uniform among them. */
    private int chooseAmongSome(int type, View view) {
        int best = View.NONE;
        for (int k = 0; k < choices; k++) {
            int server = candidates[type][draw(k, candidates[type].length, view)];
            if (best == View.NONE || view.queueLength(queue(server, type)) < view.queueLength(queue(best, type))) {
                best = server;
            }
        }
        return best;
    }

    private int draw(int k, int size, View view) {
        int index = view.random().nextInt(size);
        while (!withReplacement && isDrawn(index, k)) {
            index = view.random().nextInt(size);
        }
        drawn[k] = index;
        return index;
    }

    private boolean isDrawn(int index, int k) {
        for (int i = 0; i < k; i++) {
            if (drawn[i] == index) {
                return true;
            }
        }
        return false;
    }

    private void refresh(View view) {
        if (!stale) {
            return;
        }
        stale = false;
        int[] found = new int[view.servers()];
        for (int type = 0; type < types; type++) {
            int size = 0;
            for (int server = 0; server < found.length; server++) {
                if (Occupancy.couldFit(view, server, type)) {
                    found[size++] = server;
                }
            }
            candidates[type] = Arrays.copyOf(found, size);
        }
    }
}
