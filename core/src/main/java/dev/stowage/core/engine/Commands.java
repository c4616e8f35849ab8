package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import java.util.List;

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

    /** A request arrives, with all of its properties. */
    void arrive(long at, NewRequest request);

    /**
     * A gang arrives: its requests are placed all together or not at all, and wait together. Once placed, they are
     * independent: one that loses its server is placed again alone. If one leaves while the gang waits, the others
     * remain as a smaller gang.
     *
     * @param members at least one
     */
    void arriveTogether(long at, List<NewRequest> members);

    /**
     * A gang that waits leaves as a whole, at once: no policy sees part of it.
     *
     * @param id one of its members
     */
    void leaveTogether(long at, long id);

    /** A request that already runs on a server enters the system as running; with an agent, as started. */
    default void adopt(long at, NewRequest request, int server) {
        adopt(at, request, server, 0);
    }

    /**
     * The same, and says which devices it holds there.
     *
     * @param devices bit i for device i, as many as it demands, perhaps some that the server does not have; 0 lets the
     *     engine assume some, free ones if possible
     */
    void adopt(long at, NewRequest request, int server, long devices);

    /**
     * A request that already runs on a server enters the system as running, regardless of the free capacity and of its
     * constraints: it was found there at the start, or placed by another system.
     */
    default void adopt(
            long at,
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints,
            int server) {
        adopt(at, new NewRequest(id, type, demand, pooledDemand, rewardMicros, constraints, 0, false), server);
    }

    /** A request ends, or leaves while waiting; at once, without waiting for its agent. */
    void leave(long at, long id);

    /**
     * The same of a caller who knows the handle, which saves looking for it.
     *
     * @param handle what {@link Effects} call the request; with any other number the request is looked for
     */
    default void leave(long at, long id, int handle) {
        leave(at, id);
    }

    /** The agent of a request reports that it runs. */
    void started(long at, long id);

    /**
     * The agent of a request reports that it could not be started (or, if it was to stop, that it never ran). It is
     * placed again; it avoids this server as long as another one could hold it.
     */
    void startFailed(long at, long id);

    /**
     * A request must end: with an agent it holds its demand until {@link #stopped}, otherwise it ends at once.
     */
    void stop(long at, long id);

    /**
     * The agent of a request reports that it does not run any more: it has left, or is placed again if it was evicted.
     */
    void stopped(long at, long id);

    /**
     * A running request must run elsewhere: it is placed again, with an agent once it has stopped; it avoids this
     * server as long as another one could hold it.
     */
    void evict(long at, long id);

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
     * @param name a word that no other server has as its name, not even one that is gone; empty for none
     */
    void addServer(long at, int site, long[] capacity, String name, Labels labels);

    /**
     * A server has another capacity from now on. Running requests stay, even if they hold more: then nothing is placed
     * there until enough of them have left.
     */
    default void resizeServer(long at, int server, long[] capacity) {
        resizeServer(at, server, capacity, 0);
    }

    /**
     * The same, and says which devices the server has from now on, for example all but one that has failed.
     *
     * @param devices bit i for device i, as many as the capacity is; 0 lets the engine choose: new ones get the lowest
     *     free numbers, and of the old ones the emptiest go, of equal ones those with the highest numbers
     */
    void resizeServer(long at, int server, long[] capacity, long devices);

    /** Replaces the labels of a server. Running requests stay. */
    void labelServer(long at, int server, Labels labels);

    /** A site joins with its pools and no server; it gets the next site number. */
    void addSite(long at, long[] pooledCapacity);

    /** A server takes no new requests from now on. */
    void drainServer(long at, int server);

    /**
     * A server takes no new requests from now on, or is draining already, and its running requests are moved: one now
     * and one after each gap. A request is migrated if the policy can migrate and it has no agent, otherwise it is
     * evicted.
     *
     * @param gapNanos time from one to the next, at least 1
     */
    void drainServer(long at, int server, long gapNanos);

    /**
     * The agent of a server reports that it is alive. After silence for the lease time its server is suspected, and
     * after the grace time it is lost: so an agent that gets no answer for lease and grace must have stopped all that
     * it runs. An agent that is new, has another incarnation or whose server was lost must {@link #report} before
     * anything is placed there.
     *
     * @param incarnation grows with each start of the agent, at least 0
     * @param leaseNanos at least 1
     * @param graceNanos at least 0
     */
    void heartbeat(long at, int server, long incarnation, long leaseNanos, long graceNanos);

    /**
     * The agent of a server reports all requests that run there: a request that was to stop and is not among them has
     * stopped, one that had started and is not among them is placed again, and the agent must stop those that should
     * not run there ({@link Effects#strayed}). Then a returning server is up, or draining as before.
     */
    void report(long at, int server, long incarnation, long... ids);

    /**
     * The clock that gives commands their times was set: it is unknown how much of the time until {@code from} has
     * really passed, so none of it counts as silence. Every lease, and every running grace time, begins anew at
     * {@code from}.
     *
     * @param from at least {@code at}
     */
    void renewLeases(long at, long from);

    /** A draining, removed or lost server is up again. */
    void returnServer(long at, int server);

    /** A server without requests is removed. */
    void removeServer(long at, int server);

    /** A server died: its requests are displaced and pending again. */
    void loseServer(long at, int server);

    /** Another policy takes over: timers and dummies end, and it gets the waiting requests in order of arrival. */
    void setPolicy(long at, PolicySpec spec);
}
