package dev.stowage.core.engine;

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
        arrive(at, id, type, demand, pooledDemand, rewardMicros, EVERYWHERE);
    }

    /**
     * A request arrives with a demand of its own that only some sites may run.
     *
     * @param sites numbers of the sites, in any order; none for every site. A site that joins later is not one of them.
     */
    void arrive(long at, long id, int type, long[] demand, long[] pooledDemand, long rewardMicros, int... sites);

    /** A request ends, or gives up waiting. */
    void leave(long at, long id);

    /** Time passes. Extra ticks change nothing. */
    void tick(long at);

    /** A slot ends: everything pending is decided. Only with {@link Steps#SLOTS}. */
    void round(long at);

    /** A server with this capacity joins a site; it gets the next server number. */
    void addServer(long at, int site, long[] capacity);

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
