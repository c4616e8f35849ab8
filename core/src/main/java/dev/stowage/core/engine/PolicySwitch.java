package dev.stowage.core.engine;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.MissingPolicyException;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.IntStream;

/** Another policy takes over. */
record PolicySwitch(State state, PolicyCalls policy, EngineActions actions, Refusals refusals, PolicyFactory policies) {
    private static final int NONE = State.NONE;

    /**
     * Timers and dummies of the present policy end, and its successor gets all waiting requests as arrivals, in order
     * of arrival.
     */
    void to(PolicySpec spec) {
        Policy successor;
        try {
            successor = policies.create(spec);
        } catch (IllegalArgumentException e) {
            if (e instanceof MissingPolicyException missing && missing.agreed()) {
                // Other nodes have it: refusing it here would make this state differ from theirs.
                throw missing;
            }
            refusals.refuse(NONE, Refusal.UNKNOWN_POLICY, String.valueOf(e.getMessage()));
            return;
        }
        if (isKept(spec, successor.capabilities())) {
            policy.step(() -> replace(successor, spec));
        }
    }

    /** That the first policy supports devices, if there are any. */
    void checkDevices() {
        String wrong = withoutDevices(policy.spec(), policy.can(Capability.DEVICES));
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private String withoutDevices(PolicySpec spec, boolean supported) {
        Devices devices = state.devices;
        return supported || devices == null
                ? ""
                : "policy " + spec + " does not support devices, and the servers have some ("
                        + ResourceWords.resource(
                                state.resources.get(devices.resource).name())
                        + "); first-fit and best-fit support them";
    }

    /** Whether the successor supports all that the requests and servers in the system need. */
    private boolean isKept(PolicySpec spec, Set<Capability> capabilities) {
        String wrong = withoutDevices(spec, capabilities.contains(Capability.DEVICES));
        if (!wrong.isEmpty()) {
            refusals.refuse(NONE, Refusal.UNSUPPORTED, wrong);
            return false;
        }
        long sites = state.constraints.limitedToSites();
        if (sites > 0 && !capabilities.contains(Capability.SITE_LIMITS)) {
            String detail = " does not support site limits; requests in the system that have one: " + sites;
            refusals.refuse(NONE, Refusal.SITE_LIMIT, "policy " + spec + detail);
            return false;
        }
        long more = state.constraints.beyondSites();
        if (more > 0 && !capabilities.contains(Capability.CONSTRAINTS)) {
            String detail = " does not support constraints; requests in the system that have some: " + more;
            refusals.refuse(NONE, Refusal.CONSTRAINT, "policy " + spec + detail);
            return false;
        }
        String missing = missing(capabilities);
        if (!missing.isEmpty()) {
            refusals.refuse(NONE, Refusal.UNSUPPORTED, "policy " + spec + " cannot work with " + missing);
            return false;
        }
        if (!capabilities.contains(Capability.OVERCOMMITMENT) && isOverfull()) {
            String detail =
                    " cannot work with servers that hold more than their capacity, or requests that fit no server";
            refusals.refuse(NONE, Refusal.UNSUPPORTED, "policy " + spec + detail);
            return false;
        }
        return true;
    }

    /** What the system contains that a policy with these capabilities does not support; empty if it supports all. */
    private String missing(Set<Capability> capabilities) {
        if (state.gangs.any() && !capabilities.contains(Capability.GANGS)) {
            return "gangs, and some wait";
        }
        if (state.constraints.penalized() > 0 && !capabilities.contains(Capability.PENALTIES)) {
            return "penalties, and some requests have one";
        }
        if (state.jobs.traits.prioritized() > 0 && !capabilities.contains(Capability.PRIORITIES)) {
            return "priorities, and some requests have one";
        }
        boolean evicts = state.jobs.traits.agents() > 0 || state.drains.any();
        return evicts && !capabilities.contains(Capability.EVICTION)
                ? "requests run by agents, or moved off a server"
                : "";
    }

    private boolean isOverfull() {
        for (int server = 0; server < state.servers.count(); server++) {
            if (state.servers.isOvercommitted(server)) {
                return true;
            }
        }
        for (int job = 0; job < state.jobs.used(); job++) {
            if (state.jobs.state(job) != JobState.FREE && !state.couldEverHold(job)) {
                return true;
            }
        }
        return false;
    }

    private void replace(Policy successor, PolicySpec spec) {
        endAllDummies();
        state.timers.removePolicyTimers();
        policy.replace(successor, spec);
        state.drains.policyChanged();
        int[] undecided = undecidedInOrder();
        for (int job : undecided) {
            actions.makePending(job);
        }
        state.queues.clear();
        policy.started();
        for (int job : undecided) {
            if (state.jobs.state(job) == JobState.PENDING) {
                policy.arrived(job);
            }
        }
    }

    private void endAllDummies() {
        for (int job = 0; job < state.jobs.used(); job++) {
            if (state.jobs.state(job) == JobState.DUMMY) {
                state.timers.remove(state.timers.timerOf(job));
                actions.endDummy(job);
                state.jobs.free(job);
            }
        }
    }

    /** Pending and waiting requests in order of arrival. */
    private int[] undecidedInOrder() {
        return IntStream.range(0, state.jobs.used())
                .filter(job -> state.jobs.state(job) == JobState.PENDING || state.jobs.state(job) == JobState.WAITING)
                .boxed()
                .sorted(Comparator.comparingLong(state.jobs::order))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
