package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.policy.PolicySpec;

/**
 * The only way into the engine. Every command carries its time in nanoseconds; times never decrease. A command first
 * fires every timer due by its time. A command that cannot be carried out is refused ({@link Effects#refused}), not an
 * error.
 */
public interface Commands {
    /** The sites of a request without limit. */
    int[] EVERYWHERE = {};

    /** A request arrives with the demand, pooled demand and reward of its type. */
    void arrive(long at, long id, int type);

    /**
     * A request arrives with a demand of its own.
     *
     * @param at time
     * @param id id, at least 0, not in the system
     * @param type type number, or -1 for none
     * @param demand amount per resource; copied
     * @param pooledDemand amount per pooled resource; copied
     * @param rewardMicros reward per hour of service, micro-units
     */
    default void arrive(long at, long id, int type, long[] demand, long[] pooledDemand, long rewardMicros) {
        arrive(at, id, type, demand, pooledDemand, rewardMicros, Constraints.NONE);
    }

    /**
     * A request arrives with a demand of its own that only some sites may run.
     *
     * @param sites numbers of the sites, in any order; none for every site. A site that joins later is not one of them.
     */
    default void arrive(
            long at, long id, int type, long[] demand, long[] pooledDemand, long rewardMicros, int... sites) {
        arrive(at, id, type, demand, pooledDemand, rewardMicros, Constraints.sites(sites));
    }

    /** A request arrives with a demand of its own that only some servers may run. */
    void arrive(
            long at, long id, int type, long[] demand, long[] pooledDemand, long rewardMicros, Constraints constraints);

    /**
     * A request that runs on a server already comes into the system as running, whatever is free there and whether its
     * constraints admit the server: found there at the start, or placed by somebody else.
     */
    void adopt(
            long at,
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints,
            int server);

    /** A request ends, or gives up waiting. */
    void leave(long at, long id);

    /** Time passes. Extra ticks change nothing. */
    void tick(long at);

    /** A slot ends: everything pending is decided. Only with {@link Steps#SLOTS}. */
    void round(long at);

    /** A server with this capacity joins a site; it gets the next server number. */
    default void addServer(long at, int site, long[] capacity) {
        addServer(at, site, capacity, "", Labels.NONE);
    }

    /**
     * A server with a name and labels joins a site; it gets the next server number.
     *
     * @param name a word that is no other server's name, also of one that is gone; empty for none
     */
    void addServer(long at, int site, long[] capacity, String name, Labels labels);

    /**
     * A server has another capacity from now on. What runs there stays, even where it is more than that: then nothing
     * is placed there until enough has left.
     */
    void resizeServer(long at, int server, long[] capacity);

    /** A server has these labels from now on, in place of those it had. What runs there stays. */
    void labelServer(long at, int server, Labels labels);

    /** A site joins with its pools and no server; it gets the next site number. */
    void addSite(long at, long[] pooledCapacity);

    /** A server takes no new requests from now on. */
    void drainServer(long at, int server);

    /** A draining, removed or lost server is up again. */
    void returnServer(long at, int server);

    /** A server without requests is taken away. */
    void removeServer(long at, int server);

    /** A server died: its requests are displaced and pending again. */
    void loseServer(long at, int server);

    /** Another policy takes over: timers and dummies end, waiting requests are given to it in order of arrival. */
    void setPolicy(long at, PolicySpec spec);
}
