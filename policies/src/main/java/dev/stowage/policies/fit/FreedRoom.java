package dev.stowage.policies.fit;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.policy.View;

/**
 * Where room appeared in this step. These are servers that a request left or that came up, and sites where part of a
 * pool was freed. If no waiting request fits anywhere at the end of a step, a policy needs to check only these in the
 * next one.
 */
public final class FreedRoom {
    private final NumberSet servers = new NumberSet();
    private final NumberSet sites = new NumberSet();

    /** A request or dummy has left a server. */
    public void left(View view, int job, int server) {
        servers.add(server);
        if (SiteRoom.usesPool(view, job)) {
            sites.add(view.site(server));
        }
    }

    /** A server changed. */
    public void changed(View view, int server) {
        servers.add(server);
        // A lost server loses its requests, which frees their parts of the pools.
        if (view.pooledResources() > 0) {
            sites.add(view.site(server));
        }
    }

    /** Whether no room appeared. */
    public boolean isEmpty() {
        return servers.size() == 0;
    }

    /** Servers with new room; some may not be up. */
    public NumberSet servers() {
        return servers;
    }

    /** Sites whose pools have new room. */
    public NumberSet sites() {
        return sites;
    }

    /** Adds the room of another object. */
    public void addAll(FreedRoom other) {
        for (int k = 0; k < other.servers.size(); k++) {
            servers.add(other.servers.get(k));
        }
        for (int k = 0; k < other.sites.size(); k++) {
            sites.add(other.sites.get(k));
        }
    }

    /** Puts servers and sites into ascending order. */
    public void sort() {
        servers.sort();
        sites.sort();
    }

    /** Removes all at the end of the step. */
    public void clear() {
        servers.clear();
        sites.clear();
    }

    /** Writes the state. */
    public void save(StateWriter out) {
        servers.save(out);
        sites.save(out);
    }

    /** Reads the state. */
    public void restore(StateReader in) {
        servers.restore(in);
        sites.restore(in);
    }

    /** The lower of two numbers that may be {@link View#NONE}. */
    public static int lower(int one, int other) {
        return one == View.NONE || (other != View.NONE && other < one) ? other : one;
    }
}
