package dev.stowage.core.policy;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.random.KeyedRandom;

/**
 * What a policy may know: the present, and nothing about the future. Servers, sites, queues and types are numbers from
 * 0; a job is the handle of a request (or dummy) in the system, a small number that is reused after the request has
 * left. Amounts are whole units. All methods cost O(1) and allocate nothing.
 */
public interface View {
    /** No job, server, queue or type. */
    int NONE = -1;

    /** Now, nanoseconds. */
    long now();

    /** Random numbers for this callback, keyed by (seed, "policy", number of the callback). */
    KeyedRandom random();

    /** Number of resources of a server. */
    int resources();

    /** Name of a resource, with its unit at the end. */
    String resourceName(int resource);

    /** The divisible resource, or {@link #NONE}. */
    int divisibleResource();

    /** The resource that comes in devices, or {@link #NONE}. */
    int deviceResource();

    /** Amount of one device; 0 if no resource comes in devices. */
    long deviceAmount();

    /** The devices of a server: bit i for device i, at most 64. */
    long devicesOf(int server);

    /**
     * What is free of a device of a server. Negative if the requests that hold it have more of it than there is,
     * because it is gone or a request was adopted.
     */
    long deviceFree(int server, int device);

    /** The devices that a job on a server holds, bit i for device i: one if it demands a part, 0 if none. */
    long devicesHeld(int job);

    /**
     * How many kinds of room there are: one for each resource, and if one comes in devices a last one, for parts of
     * devices. Constraints, pools and status aside, a request fits a server if in each kind its {@link #need} is at
     * most the {@link #room}.
     */
    default int roomKinds() {
        return resources() + (deviceResource() == NONE ? 0 : 1);
    }

    /**
     * The room of a server, whatever its status: what is free of a resource; of the one that comes in devices, what is
     * free in whole devices; of the last kind, the most that is free of one device. The last two are at most what is
     * free of the resource.
     */
    long room(int server, int kind);

    /** What a job needs of a kind of room: its demand; of the resource in devices it is of one kind or the other. */
    long need(int job, int kind);

    /** Number of pooled resources of a site. */
    int pooledResources();

    /** Number of sites. */
    int sites();

    /** Number of servers ever known: server numbers are below this, removed servers keep theirs. */
    int servers();

    /** Site of a server. */
    int site(int server);

    /** Status of a server; only {@link ServerStatus#UP} takes requests. */
    ServerStatus status(int server);

    /** Capacity of a server. */
    long capacity(int server, int resource);

    /**
     * Free capacity of a server, whatever its status. Negative if the server is overcommitted, because its capacity was
     * reduced or a request was adopted ({@link Capability#OVERCOMMITMENT}).
     */
    long free(int server, int resource);

    /**
     * Whether the requests on a server hold more than its capacity of some resource: then it takes no request at all.
     */
    default boolean overcommitted(int server) {
        for (int r = 0; r < resources(); r++) {
            if (free(server, r) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Name of a server, empty if it has none: for people, not for decisions. */
    String serverName(int server);

    /** Labels of a server. A policy asks {@link #admits} instead. */
    Labels labels(int server);

    /**
     * Servers of one site with the same capacity vector have the same class; classes are numbered in order of
     * appearance.
     */
    int capacityClass(int server);

    /** Number of capacity classes. */
    int capacityClasses();

    /** Site of a capacity class. */
    int classSite(int capacityClass);

    /** Capacity of the servers of a class. */
    long classCapacity(int capacityClass, int resource);

    /** Capacity of a site's pool. */
    long pooledCapacity(int site, int pooled);

    /**
     * Free capacity of a site's pool. Negative if adopted requests hold more than its capacity: then only requests that
     * demand none of it can be placed.
     */
    long pooledFree(int site, int pooled);

    /** Requests running on a server, dummies not counted. */
    int running(int server);

    /** Dummies on a server. */
    int dummies(int server);

    /** First request or dummy on a server in order of placement, or {@link #NONE}; go on with {@link #next}. */
    int firstOn(int server);

    /** Number of request types. */
    int types();

    /** Name of a type, unique: for people and gauges, not for decisions. */
    String typeName(int type);

    /** Demand of a type. */
    long typeDemand(int type, int resource);

    /** Demand of a type on the site's pool. */
    long typePooledDemand(int type, int pooled);

    /** Reward of a type per hour of service, micro-units. */
    long typeReward(int type);

    /** Declared mean service time of a type, nanoseconds; 0 if unknown. */
    long typeMeanService(int type);

    /** State of a job. */
    JobState state(int job);

    /** The request's id; -1 for a dummy. */
    long id(int job);

    /** The request's type, or {@link #NONE}. */
    int type(int job);

    /** Demand of a job. */
    long demand(int job, int resource);

    /** Demand of a job on its site's pool. */
    long pooledDemand(int job, int pooled);

    /** Reward per hour of service, micro-units. */
    long reward(int job);

    /** When the request arrived. */
    long arrivedAt(int job);

    /** Number of the request in order of arrival, the tie-break for "first come"; stays the same when displaced. */
    long order(int job);

    /** Where the job runs, or {@link #NONE}. */
    int server(int job);

    /** Where the job waits, or {@link #NONE}. */
    int queue(int job);

    /** The job's share of the divisible resource. */
    long share(int job);

    /**
     * Whether the job could be placed on the server now: it is up, all the job's demands, pooled ones included, are
     * free, and the job's constraints admit it.
     */
    boolean fits(int job, int server);

    /**
     * Number of the constraints of a request, 0 for none. A number means the same as long as a request in the system
     * has
     * it. Only for policies with {@link Capability#SITE_LIMITS} or {@link Capability#CONSTRAINTS} only.
     */
    int constraint(int job);

    /** Numbers of constraints are below this. */
    int constraints();

    /** The constraints of a number. */
    Constraints constraints(int constraint);

    /** Whether constraints allow a site: they have no set of sites, or one with this site. */
    boolean allowsSite(int constraint, int site);

    /** Whether a request's set of sites allows a site. */
    default boolean mayRunAt(int job, int site) {
        return allowsSite(constraint(job), site);
    }

    /**
     * Whether constraints (sites, labels, servers to avoid, spread) admit a server now, regardless of its free
     * capacity.
     */
    boolean admits(int constraint, int server);

    /**
     * Whether constraints admit the servers of a group now. Single servers of the group may still be excluded, because
     * they are avoided or at the limit of a spread group: see {@link #admits}.
     */
    boolean admitsGroup(int constraint, int group);

    /**
     * How little requests with the constraints like the servers of a group ({@link Constraints#penalty(Labels)}); 0 if
     * they like all alike. Only for policies with {@link Capability#PENALTIES}.
     */
    int penalty(int constraint, int group);

    /**
     * Whether a request that leaves may make room on other servers too, because it is spread over the values of a
     * label.
     */
    boolean spreadsOverLabels(int constraint);

    /**
     * Group of a server. Servers of a group belong to one site, and constraints in use differ between them only by
     * servers to avoid and by limits of spread groups. Until a constraint is first used, a group is a site.
     */
    int group(int server);

    /** Number of groups of servers; group numbers are below this. */
    int groups();

    /** Site of a group's servers. */
    int groupSite(int group);

    /**
     * Changes when new constraints may have moved servers to other groups although the servers did not change.
     */
    long grouping();

    /**
     * How long the request expects to run, nanoseconds; 0 if it does not say. It may be wrong, and the request may run
     * longer.
     */
    long expectedNanos(int job);

    /**
     * When a running request that has an expected lifetime was placed, or adopted; a migration does not change it. 0 of
     * any other request.
     */
    long runsSince(int job);

    /** Priority of a request, usually 0. */
    int priority(int job);

    /** Whether any request in the system has a priority other than 0. */
    boolean prioritized();

    /** Whether a request has an agent, which reports when it has started and stopped. */
    boolean hasAgent(int job);

    /** Phase of a running request. */
    Phase phase(int job);

    /** How often a request failed to start. */
    int startFailures(int job);

    /**
     * The gang of a pending or waiting request, or {@link #NONE}: its members are placed all together or not at all. A
     * gang ends when it is placed; from then on its members are independent.
     */
    int gang(int job);

    /** Number of members of a gang, 0 if there is no such gang any more; numbers are never reused. */
    int gangSize(int gang);

    /** The k-th member of a gang, in order of arrival. */
    int gangMember(int gang, int k);

    /** Number of queues. */
    int queues();

    /** Requests waiting in a queue. */
    int queueLength(int queue);

    /** First of a queue, or {@link #NONE}; go on with {@link #next}. */
    int queueHead(int queue);

    /** Pending requests. */
    int pending();

    /** The pending request that became pending first, or {@link #NONE}; go on with {@link #next}. */
    int pendingHead();

    /**
     * The job after this one in its queue, on its server, or among the pending; {@link #NONE} at the end. Ask before
     * the job is placed or rejected: then it is there no longer.
     */
    int next(int job);
}
