package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.policy.Capability;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Refuses commands that cannot be carried out. If a check returns false, it has refused the command. */
record Refusals(State state, PolicyCalls policy, Effects effects) {
    private static final int NONE = State.NONE;
    private static final long MOST_ADOPTED = (1L << 53) - 1;

    void refuse(long subject, Refusal refusal, String detail) {
        state.refused++;
        effects.refused(state.now, subject, refusal, detail);
    }

    boolean checkType(long id, int type, int least) {
        if (type < least || type >= state.types.size()) {
            refuse(id, Refusal.UNKNOWN_TYPE, missing("type", type, state.types.size()));
            return false;
        }
        return true;
    }

    boolean checkSite(long subject, int site) {
        if (site < 0 || site >= state.servers.sites()) {
            refuse(subject, Refusal.UNKNOWN_SITE, missing("site", site, state.servers.sites()));
            return false;
        }
        return true;
    }

    /** Whether the policy supports the constraints, and the sites and servers that they name are known. */
    boolean checkConstraints(long id, Constraints constraints) {
        if (constraints.isNone()) {
            return true;
        }
        if (!constraints.sites().isEmpty() && !policy.can(Capability.SITE_LIMITS)) {
            refuse(id, Refusal.SITE_LIMIT, "policy " + policy.spec() + " does not support site limits");
            return false;
        }
        if (!constraints.penalty().isEmpty() && !policy.can(Capability.PENALTIES)) {
            refuse(
                    id,
                    Refusal.UNSUPPORTED,
                    "policy " + policy.spec() + " does not support penalties; first-fit, best-fit and bf-js do");
            return false;
        }
        if (!constraints.hasSitesOnly() && !policy.can(Capability.CONSTRAINTS)) {
            refuse(
                    id,
                    Refusal.CONSTRAINT,
                    "policy " + policy.spec() + " does not support constraints (labels, servers to avoid, spread); "
                            + "first-fit, best-fit and bf-js do");
            return false;
        }
        for (int site : constraints.sites()) {
            if (!checkSite(id, site)) {
                return false;
            }
        }
        for (int server : constraints.avoid()) {
            if (!checkServer(id, server)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the policy supports priorities and agents, if there are any, and an expected lifetime is one. */
    boolean checkTraits(long id, int priority, boolean agent, long expectedNanos) {
        if (expectedNanos < 0) {
            refuse(
                    id,
                    Refusal.BAD_TIME,
                    "an expected lifetime of " + expectedNanos + " ns must be at least 0; 0 means not known");
            return false;
        }
        return (priority == 0 || checkCan(id, Capability.PRIORITIES, "work with priorities"))
                && (!agent || checkCan(id, Capability.EVICTION, "work with requests that may fail to start"));
    }

    /** Whether the policy has a capability. */
    boolean checkCan(long subject, Capability capability, String what) {
        if (!policy.can(capability)) {
            refuse(
                    subject,
                    Refusal.UNSUPPORTED,
                    "policy " + policy.spec() + " cannot " + what + "; first-fit and best-fit can");
            return false;
        }
        return true;
    }

    /** Whether the requests can form a gang, without a check of each single one. */
    boolean checkGang(List<NewRequest> members) {
        long first = members.isEmpty() ? NONE : members.get(0).id();
        if (members.isEmpty()) {
            refuse(first, Refusal.BAD_DEMAND, "a gang needs at least one request");
            return false;
        }
        if (!checkCan(first, Capability.GANGS, "place gangs")) {
            return false;
        }
        if (Admission.hasDouble(members)) {
            refuse(first, Refusal.DUPLICATE_ID, "an id occurs twice in the gang of request " + first);
            return false;
        }
        return true;
    }

    /**
     * Whether all servers together have the capacity for a gang; whether its members fit single servers is not checked.
     */
    boolean checkFitsTogether(List<NewRequest> members) {
        long[] sum = Admission.sum(members, state.resources.size());
        if (!state.servers.couldHoldTogether(sum)) {
            refuse(
                    members.get(0).id(),
                    Refusal.FITS_NO_SERVER,
                    "all servers" + there("are") + " together, even empty, cannot hold " + inWords(sum, new long[0])
                            + notCounted());
            return false;
        }
        return true;
    }

    boolean checkServer(long subject, int server) {
        if (server < 0 || server >= state.servers.count()) {
            refuse(subject, Refusal.UNKNOWN_SERVER, missing("server", server, state.servers.count()));
            return false;
        }
        return true;
    }

    private static String missing(String what, int number, int count) {
        return "there is no " + what + " " + number + "; "
                + (count == 0
                        ? "there are none"
                        : count == 1 ? "the only one is 0" : "the " + what + "s are 0 to " + (count - 1));
    }

    /** Whether the policy supports overcommitted servers. */
    boolean checkSupported(long subject, String what) {
        if (!policy.can(Capability.OVERCOMMITMENT)) {
            refuse(
                    subject,
                    Refusal.UNSUPPORTED,
                    "policy " + policy.spec() + " cannot " + what + "; first-fit, best-fit and bf-js can");
            return false;
        }
        return true;
    }

    boolean checkRequest(long id, int type, long[] demand, long[] pooledDemand, int constraint) {
        if (id < 0) {
            refuse(id, Refusal.UNKNOWN_ID, "id " + id + " is negative");
        } else if (state.jobs.find(id) != NONE) {
            refuse(id, Refusal.DUPLICATE_ID, "request " + id + " is already in the system");
        } else if (!checkType(id, type, NONE)) {
            return false;
        } else if (constraint > ConstraintTable.MOST) {
            refuse(
                    id,
                    Refusal.CONSTRAINT,
                    ConstraintTable.MOST + " different constraints are in use; no more are possible");
        } else {
            return checkAmounts(id, Refusal.BAD_DEMAND, demand, state.resources.size())
                    && checkAmounts(id, Refusal.BAD_DEMAND, pooledDemand, state.pooledResources.size())
                    && checkDemand(id, demand);
        }
        return false;
    }

    private boolean checkDemand(long id, long[] demand) {
        Devices devices = state.devices;
        String wrong =
                devices == null ? "" : state.resources.get(devices.resource).wrongDemand(demand[devices.resource]);
        return checkNothing(id, Refusal.BAD_DEMAND, wrong);
    }

    /** Whether a request can hold these devices, or 0 for any. */
    boolean checkDevices(long id, long[] demand, long named) {
        Devices devices = state.devices;
        long count = devices == null ? 0 : devices.count(demand[devices.resource]);
        boolean good = named == 0 || Long.bitCount(named) == count;
        return checkNothing(id, Refusal.BAD_DEMAND, good ? "" : named(named) + ", and the request demands " + count);
    }

    /** Whether a server can have this capacity, and these devices, or 0 for any. */
    boolean checkCapacity(long subject, long[] capacity, long named) {
        if (!checkAmounts(subject, Refusal.BAD_CAPACITY, capacity, state.resources.size())) {
            return false;
        }
        Devices devices = state.devices;
        long its = devices == null ? 0 : capacity[devices.resource];
        String wrong =
                devices == null ? "" : state.resources.get(devices.resource).wrongCapacity(its);
        if (wrong.isEmpty() && named != 0 && (devices == null || its != Long.bitCount(named) * devices.amount)) {
            wrong = named(named) + ", which is not the capacity";
        }
        return checkNothing(subject, Refusal.BAD_CAPACITY, wrong);
    }

    private static String named(long devices) {
        int count = Long.bitCount(devices);
        return count == 1 ? "1 device is named" : count + " devices are named";
    }

    private boolean checkNothing(long subject, Refusal refusal, String wrong) {
        if (!wrong.isEmpty()) {
            refuse(subject, refusal, wrong);
        }
        return wrong.isEmpty();
    }

    /** No server limits the demand of adopted requests, so sums must be kept in range. */
    boolean checkCountable(long id, long[] amounts) {
        for (long amount : amounts) {
            if (amount > MOST_ADOPTED) {
                refuse(
                        id,
                        Refusal.BAD_DEMAND,
                        "amount " + amount + " is above " + MOST_ADOPTED + "; use a larger unit");
                return false;
            }
        }
        return true;
    }

    boolean checkFits(long id, long[] demand, long[] pooledDemand, int constraint) {
        if (state.constraints.couldHold(demand, pooledDemand, constraint)) {
            return true;
        }
        String where = constraint == ConstraintTable.NONE
                ? ""
                : state.constraints.what(constraint).hasSitesOnly()
                        ? " at the sites it is limited to"
                        : " where its constraints admit it ("
                                + state.constraints.what(constraint).inWords() + ")";
        refuse(
                id,
                Refusal.FITS_NO_SERVER,
                "no server" + there("is") + ", even empty, can hold " + inWords(demand, pooledDemand) + where
                        + notCounted());
        return false;
    }

    private String there(String verb) {
        return state.servers.gone() == 0 ? "" : " that " + verb + " there";
    }

    private String notCounted() {
        int gone = state.servers.gone();
        return gone == 0
                ? ""
                : "; " + gone
                        + (gone == 1
                                ? " server is gone (lost or removed) and does not count"
                                : " servers are gone (lost or removed) and do not count");
    }

    private String inWords(long[] demand, long[] pooledDemand) {
        Stream<String> own = state.resources.stream().map(Resource::name);
        return ResourceWords.of(
                Stream.concat(own, state.pooledResources.stream()).toList(),
                LongStream.concat(Arrays.stream(demand), Arrays.stream(pooledDemand))
                        .toArray());
    }

    boolean checkAmounts(long subject, Refusal refusal, long[] amounts, int expected) {
        if (amounts.length != expected) {
            refuse(subject, refusal, amounts.length + " amounts instead of " + expected);
            return false;
        }
        for (long amount : amounts) {
            if (amount < 0) {
                refuse(subject, refusal, "amount " + amount + " is negative");
                return false;
            }
        }
        return true;
    }
}
