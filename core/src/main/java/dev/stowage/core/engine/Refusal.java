package dev.stowage.core.engine;

/** Why a command was refused. A refused command changes nothing but the time. */
public enum Refusal {
    /** The command's time is before the last command's. */
    LATE,
    /** A request with this id is in the system. */
    DUPLICATE_ID,
    /** No request with this id is in the system. */
    UNKNOWN_ID,
    /** No such type. */
    UNKNOWN_TYPE,
    /** The demand has the wrong number of amounts, or a negative one. */
    BAD_DEMAND,
    /** No server, even if it were empty, can hold the request. */
    FITS_NO_SERVER,
    /** No such server. */
    UNKNOWN_SERVER,
    /** No such site. */
    UNKNOWN_SITE,
    /** The capacity has the wrong number of amounts, or a negative one. */
    BAD_CAPACITY,
    /** The server's status does not allow the change (removing one that is not empty, returning one that is up). */
    WRONG_STATUS,
    /** No such policy, or a bad parameter. */
    UNKNOWN_POLICY,
    /** The policy does not support limits to sites. */
    SITE_LIMIT,
    /** The policy does not support the request's constraints, or too many different ones are in use. */
    CONSTRAINT,
    /** The policy does not support the feature: changes of capacity, adoption, gangs, priorities, agents, eviction. */
    UNSUPPORTED,
    /** The name belongs to another server, or is not a valid name. */
    BAD_NAME,
    /** The phase of the request does not allow the change (for example a report that it started, without an agent). */
    WRONG_PHASE,
    /** The agent's incarnation is not the newest, or the server's lease has not run out. */
    LEASE,
    /** A duration is not positive. */
    BAD_TIME
}
