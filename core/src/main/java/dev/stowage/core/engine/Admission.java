package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.JobState;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Admits requests to the system: singly, as a gang, or adopted. */
record Admission(State state, PolicyCalls policy, EngineActions actions, Refusals refusals, ServerAgents agents) {
    void arrive(
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            Constraints constraints,
            int priority,
            boolean agent,
            long expectedNanos) {
        if (!refusals.checkConstraints(id, constraints) || !refusals.checkTraits(id, priority, agent, expectedNanos)) {
            return;
        }
        int number = state.constraints.find(constraints, state.jobs);
        if (!refusals.checkRequest(id, type, demand, pooledDemand, number)
                || !refusals.checkFits(id, demand, pooledDemand, number)) {
            return;
        }
        try {
            int job = create(id, type, demand, pooledDemand, rewardMicros, number, priority, agent, expectedNanos);
            actions.accept(job);
            policy.arrived(job);
            policy.endStep();
        } catch (RuntimeException | Error e) {
            policy.stop(e);
            throw e;
        }
    }

    void arriveTogether(List<NewRequest> members) {
        int[] numbers = new int[members.size()];
        int held = 0;
        boolean good = refusals.checkGang(members);
        // Each number is held until all are assigned, so that none is reused for another.
        for (int k = 0; good && k < numbers.length; k++) {
            NewRequest one = members.get(k);
            good = refusals.checkConstraints(one.id(), one.constraints())
                    && refusals.checkTraits(one.id(), one.priority(), one.agent(), one.expectedNanos());
            if (good) {
                numbers[k] = state.constraints.find(one.constraints(), state.jobs);
                good = refusals.checkRequest(one.id(), one.type(), one.demand(), one.pooledDemand(), numbers[k])
                        && refusals.checkFits(one.id(), one.demand(), one.pooledDemand(), numbers[k]);
            }
            if (good && numbers[k] != ConstraintTable.NONE) {
                state.constraints.hold(numbers[k]);
            }
            held += good ? 1 : 0;
        }
        if (good && refusals.checkFitsTogether(members)) {
            policy.step(() -> {
                int[] jobs = new int[numbers.length];
                for (int k = 0; k < jobs.length; k++) {
                    jobs[k] = create(members.get(k), numbers[k]);
                }
                state.gangs.make(jobs);
                for (int job : jobs) {
                    actions.accept(job);
                }
                for (int job : jobs) {
                    if (state.jobs.state(job) == JobState.PENDING && state.gangs.of(job) != State.NONE) {
                        policy.arrived(job);
                    }
                }
            });
        }
        for (int k = 0; k < held; k++) {
            if (numbers[k] != ConstraintTable.NONE) {
                state.constraints.release(numbers[k]);
            }
        }
    }

    void adopt(NewRequest request, int server, long devices) {
        long id = request.id();
        if (!refusals.checkConstraints(id, request.constraints())
                || !refusals.checkTraits(id, request.priority(), request.agent(), request.expectedNanos())) {
            return;
        }
        int number = state.constraints.find(request.constraints(), state.jobs);
        if (!refusals.checkRequest(id, request.type(), request.demand(), request.pooledDemand(), number)
                || !refusals.checkCountable(id, request.demand())
                || !refusals.checkCountable(id, request.pooledDemand())
                || !refusals.checkDevices(id, request.demand(), devices)) {
            return;
        }
        policy.step(() -> {
            int job = create(request, number);
            actions.adopt(job, server, devices);
            agents.adopted(server);
            policy.adopted(job, server);
        });
    }

    private int create(NewRequest one, int number) {
        return create(
                one.id(),
                one.type(),
                one.demand(),
                one.pooledDemand(),
                one.rewardMicros(),
                number,
                one.priority(),
                one.agent(),
                one.expectedNanos());
    }

    private int create(
            long id,
            int type,
            long[] demand,
            long[] pooledDemand,
            long rewardMicros,
            int constraint,
            int priority,
            boolean agent,
            long expectedNanos) {
        int job = state.jobs.create(JobState.PENDING, id, type, state.now, state.arrived++, rewardMicros);
        for (int r = 0; r < demand.length; r++) {
            state.jobs.setDemand(job, r, demand[r]);
        }
        for (int p = 0; p < pooledDemand.length; p++) {
            state.jobs.setPooledDemand(job, p, pooledDemand[p]);
        }
        if (constraint != ConstraintTable.NONE) {
            state.jobs.constrain(job, constraint);
        }
        state.jobs.traits.begin(job, priority, agent, expectedNanos);
        return job;
    }

    /** Whether a list contains an id twice. */
    static boolean hasDouble(List<NewRequest> members) {
        Set<Long> ids = new LinkedHashSet<>();
        return !members.stream().allMatch(one -> ids.add(one.id()));
    }

    /** The sum of the demands. */
    static long[] sum(List<NewRequest> members, int resources) {
        long[] sum = new long[resources];
        for (NewRequest one : members) {
            Arrays.setAll(sum, r -> saturated(sum[r], one.demand()[r]));
        }
        return sum;
    }

    private static long saturated(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
