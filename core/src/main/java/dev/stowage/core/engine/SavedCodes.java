package dev.stowage.core.engine;

import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.function.ToIntFunction;

/**
 * Numbers of constants in saved states and digests, from 0 without gaps. They never change, whatever the order in which
 * an enum lists its constants.
 */
final class SavedCodes {
    private static final JobState[] JOB_STATES = byCode(JobState.values(), SavedCodes::of);
    private static final ServerStatus[] STATUSES = byCode(ServerStatus.values(), SavedCodes::of);
    private static final Phase[] PHASES = byCode(Phase.values(), SavedCodes::of);
    private static final Steps[] STEPS = byCode(Steps.values(), SavedCodes::of);

    private SavedCodes() {}

    static int of(JobState state) {
        return switch (state) {
            case FREE -> 0;
            case PENDING -> 1;
            case WAITING -> 2;
            case RUNNING -> 3;
            case DUMMY -> 4;
        };
    }

    static int of(ServerStatus status) {
        return switch (status) {
            case UP -> 0;
            case DRAINING -> 1;
            case GONE -> 2;
            case SUSPECTED -> 3;
            case RETURNING -> 4;
        };
    }

    static int of(Phase phase) {
        return switch (phase) {
            case PLACED -> 0;
            case STARTED -> 1;
            case STOPPING -> 2;
        };
    }

    static int of(Steps steps) {
        return switch (steps) {
            case COMMANDS -> 0;
            case SLOTS -> 1;
        };
    }

    static JobState jobState(int code) {
        return JOB_STATES[code];
    }

    static ServerStatus status(int code) {
        return STATUSES[code];
    }

    static Phase phase(int code) {
        return PHASES[code];
    }

    static Steps steps(int code) {
        return STEPS[code];
    }

    private static <E> E[] byCode(E[] constants, ToIntFunction<E> code) {
        E[] byCode = constants.clone();
        for (E constant : constants) {
            byCode[code.applyAsInt(constant)] = constant;
        }
        return byCode;
    }
}
