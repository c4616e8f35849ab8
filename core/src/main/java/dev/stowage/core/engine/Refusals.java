package dev.stowage.core.engine;

import dev.stowage.core.policy.Capability;
import java.util.Arrays;

/** Refuses commands that cannot be carried out. A check that fails has refused the command. */
final class Refusals {
    private static final int NONE = State.NONE;

    private final State state;
    private final PolicyCalls policy;
    private final Effects effects;

    Refusals(State state, PolicyCalls policy, Effects effects) {
        this.state = state;
        this.policy = policy;
        this.effects = effects;
    }

    void refuse(long subject, Refusal refusal, String detail) {
        state.refused++;
        effects.refused(state.now, subject, refusal, detail);
    }

    boolean checkType(long id, int type, int least) {
        if (type < least || type >= state.types.size()) {
            refuse(
                    id,
                    Refusal.UNKNOWN_TYPE,
                    "type " + type + " is not one of " + least + ".." + (state.types.size() - 1));
            return false;
        }
        return true;
    }

    boolean checkSite(long subject, int site) {
        if (site < 0 || site >= state.servers.sites()) {
            refuse(subject, Refusal.UNKNOWN_SITE, "site " + site + " is not one of 0.." + (state.servers.sites() - 1));
            return false;
        }
        return true;
    }

    /** The sites that a request is limited to; none for no limit. */
    boolean checkSites(long id, int[] sites) {
        if (sites.length > 0 && !policy.can(Capability.SITE_LIMITS)) {
            refuse(id, Refusal.SITE_LIMIT, "policy " + policy.spec() + " does not keep requests to sites");
            return false;
        }
        for (int site : sites) {
            if (!checkSite(id, site)) {
                return false;
            }
        }
        return true;
    }

    boolean checkRequest(long id, int type, long[] demand, long[] pooledDemand, int limit) {
        if (id < 0) {
            refuse(id, Refusal.UNKNOWN_ID, "id " + id + " is negative");
        } else if (state.jobs.find(id) != NONE) {
            refuse(id, Refusal.DUPLICATE_ID, "request " + id + " is in the system");
        } else if (!checkType(id, type, NONE)) {
            return false;
        } else if (limit > SiteLimits.MOST) {
            refuse(id, Refusal.SITE_LIMIT, SiteLimits.MOST + " different sets of sites are in use, no more are kept");
        } else if (checkAmounts(id, Refusal.BAD_DEMAND, demand, state.resources.size())
                && checkAmounts(id, Refusal.BAD_DEMAND, pooledDemand, state.pooledResources.size())) {
            if (state.servers.couldHold(demand, pooledDemand, state.jobs.siteLimits, limit)) {
                return true;
            }
            String where = limit == SiteLimits.EVERYWHERE ? "" : " at the sites it is limited to";
            refuse(id, Refusal.FITS_NO_SERVER, "no server, even empty, can hold " + Arrays.toString(demand) + where);
        }
        return false;
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
