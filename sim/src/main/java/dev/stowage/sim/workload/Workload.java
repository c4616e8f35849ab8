package dev.stowage.sim.workload;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Efficiency;
import java.util.List;

/**
 * Where requests come from: a generator or a trace. One workload can be opened many times; the same seed gives the same
 * requests, whatever the policy does with them (common random numbers).
 */
public interface Workload {
    /** No date is known. */
    long NO_DATE = Long.MIN_VALUE;

    /** Names of the demanded resources, unit at the end ({@code cpu_milli}, {@code mem_mib}), in demand order. */
    List<String> resources();

    /** Names of the request types, by type number; at least one. */
    List<String> types();

    /** Demand that all requests of a type share, in whole units; 0 if each has its own. */
    default long typeDemand(int type, int resource) {
        return 0;
    }

    /** Reward of a type per hour of service, micro-units; 0 if none is declared or each request has its own. */
    default long typeRewardMicros(int type) {
        return 0;
    }

    /** Mean service time that is declared for a type, nanoseconds; 0 where none is, as for a trace. */
    default long typeMeanServiceNanos(int type) {
        return 0;
    }

    /** Which servers may run the requests of a type; by default all. */
    default ConstraintWords typeConstraints(int type) {
        return ConstraintWords.NONE;
    }

    /** Priority of the requests of a type, and whether they are gangs. */
    default RequestTraits typeTraits(int type) {
        return RequestTraits.NONE;
    }

    /** Whether some server may not run the requests of some type. */
    default boolean isConstrained() {
        for (int type = 0; type < types().size(); type++) {
            if (!typeConstraints(type).isNone()) {
                return true;
            }
        }
        return false;
    }

    /** How efficient servers are for each request, where a resource is divisible; all equally by default. */
    default Efficiency efficiency() {
        return Efficiency.EQUAL;
    }

    /** Whether its requests are given and the same for every seed, as those of a trace: then figures are exact. */
    default boolean isGiven() {
        return false;
    }

    /** Whether this is an inventory: its requests are given, all are there from the start, and none ends. */
    default boolean isInventory() {
        return false;
    }

    /**
     * Digest of what it read from files, which are not in the text of an experiment; empty for a generator. Equal
     * digests mean equal requests.
     */
    default String contents() {
        return "";
    }

    /** Nanoseconds since 1970 of time 0; {@link #NO_DATE} where that is not known. */
    default long startNanos() {
        return NO_DATE;
    }

    /** No request arrives after this time, nanoseconds; {@link Long#MAX_VALUE} where that is not known. */
    default long endNanos() {
        return Long.MAX_VALUE;
    }

    /** A fresh cursor before the first request. A trace ignores the seed unless it samples. */
    RequestStream open(long seed);
}
