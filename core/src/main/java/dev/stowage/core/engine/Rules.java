package dev.stowage.core.engine;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicyBugException;
import org.jspecify.annotations.Nullable;

/**
 * The rules for a policy's verbs; remembers the first broken rule, so that a policy cannot hide it by catching the
 * exception.
 */
final class Rules {
    private final State state;
    private final Jobs jobs;
    private final Assumptions assumptions;
    private @Nullable PolicyBugException bug;

    Rules(State state, Assumptions assumptions) {
        this.assumptions = assumptions;
        this.state = state;
        jobs = state.jobs;
    }

    /** Throws again what a verb threw and the policy caught. */
    void rethrow() {
        if (bug != null) {
            throw bug;
        }
    }

    /** Checks that a job may be decided alone now. */
    void checkAlone(int job, String verb) {
        if (assumptions.size() > 0) {
            throw bug(verb, job, assumptions.size() + " assumptions were not undone");
        }
        int gang = state.gangs.of(job);
        if (gang != State.NONE) {
            throw bug(verb, job, "it belongs to gang " + gang + ", whose members are decided together");
        }
    }

    /** The members of a gang, which must exist. */
    int[] gang(int gang, String verb) {
        if (!state.gangs.exists(gang)) {
            throw bug(verb + " at " + state.now + " ns: there is no gang " + gang);
        }
        return state.gangs.members(gang);
    }

    void checkUndecided(int job, String verb) {
        JobState where = jobs.state(job);
        if (where != JobState.PENDING && where != JobState.WAITING) {
            throw bug(verb, job, "it is " + where + ", neither PENDING nor WAITING");
        }
    }

    boolean canTake(int job, int server) {
        return server >= 0
                && server < state.servers.count()
                && state.servers.isUp(server)
                && state.hasRoom(job, server)
                && state.mayRunOn(job, server);
    }

    void checkTarget(int job, int server, String verb) {
        if (canTake(job, server)) {
            return;
        }
        if (server < 0 || server >= state.servers.count()) {
            throw bug(verb, job, "server " + server + " is not one of 0.." + (state.servers.count() - 1));
        }
        if (!state.servers.isUp(server)) {
            throw bug(verb, job, "server " + server + " is " + state.servers.status(server) + ", not UP");
        }
        if (!state.mayRunOn(job, server)) {
            int site = state.servers.site(server);
            throw bug(
                    verb,
                    job,
                    state.constraints.allowsSite(jobs.constraint(job), site)
                            ? "its constraints " + state.constraints.what(jobs.constraint(job))
                                    + " do not admit server " + server
                            : "it is not allowed at site " + site + " of server " + server);
        }
        throw bug(verb, job, "it does not fit server " + server + ": " + shortage(job, server));
    }

    /** Checks the devices that the policy names; 0 for none. */
    void checkDevices(int job, int server, long named) {
        Devices devices = state.devices;
        if (named != 0 && (devices == null || !devices.areFree(job, server, named))) {
            throw bug(
                    "place",
                    job,
                    "devices " + Long.toBinaryString(named) + " (bits) of server " + server
                            + " are not the number that it demands, or are not free");
        }
    }

    private String shortage(int job, int server) {
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < jobs.resources; r++) {
            if (state.held(job, r) > state.servers.free(server, r)) {
                append(text, state.resources.get(r).name(), state.held(job, r), state.servers.free(server, r));
            }
        }
        Devices devices = state.devices;
        if (devices != null && !devices.haveRoom(job, server)) {
            String name = state.resources.get(devices.resource).name();
            if (devices.needOfWholes(job) > 0) {
                append(text, name + " in whole devices", devices.needOfWholes(job), devices.wholes(server));
            } else {
                append(text, name + " of one device", devices.needOfOne(job), devices.most(server));
            }
        }
        int site = state.servers.site(server);
        for (int p = 0; p < jobs.pooledResources; p++) {
            if (jobs.pooledDemand(job, p) > Math.max(0, state.servers.pooledFree(site, p))) {
                String name = state.pooledResources.get(p) + " of site " + site;
                append(text, name, jobs.pooledDemand(job, p), state.servers.pooledFree(site, p));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String name, long wanted, long free) {
        text.append(text.length() == 0 ? "" : ", ")
                .append(name)
                .append(" needs ")
                .append(wanted);
        text.append(" and ").append(free).append(" is free");
    }

    PolicyBugException bug(String verb, int job, String what) {
        String who = jobs.state(job) == JobState.FREE ? "job " + job : "job " + job + " (request " + jobs.id(job) + ")";
        return bug(verb + " at " + state.now + " ns: " + who + ": " + what);
    }

    PolicyBugException bug(String message) {
        PolicyBugException found = new PolicyBugException(message);
        if (bug == null) {
            bug = found;
        }
        return found;
    }
}
