package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The numbers that stand for an enum's constants in log entries, snapshots and digests. A number that has ever been
 * written keeps its meaning: a new constant gets a new number, wherever it stands in the enum.
 *
 * @param <E> the enum
 */
final class Codes<E extends Enum<E>> {
    static final Codes<Command.Kind> COMMAND = new Codes<>(Command.Kind.class, kind -> switch (kind) {
        case ARRIVE -> 0;
        case ARRIVE_WITH -> 1;
        case LEAVE -> 2;
        case TICK -> 3;
        case ROUND -> 4;
        case ADD_SERVER -> 5;
        case ADD_SITE -> 6;
        case DRAIN -> 7;
        case RETURN -> 8;
        case REMOVE -> 9;
        case LOSE -> 10;
        case SET_POLICY -> 11;
        case ADOPT -> 12;
        case RESIZE -> 13;
        case LABEL -> 14;
        case GANG -> 15;
        case STARTED -> 16;
        case START_FAILED -> 17;
        case STOP -> 18;
        case STOPPED -> 19;
        case EVICT -> 20;
        case DRAIN_MOVING -> 21;
        case HEARTBEAT -> 22;
        case REPORT -> 23;
        case RENEW_LEASES -> 24;
        case LEAVE_TOGETHER -> 25;
    });

    static final Codes<Refusal> REFUSAL = new Codes<>(Refusal.class, refusal -> switch (refusal) {
        case LATE -> 0;
        case DUPLICATE_ID -> 1;
        case UNKNOWN_ID -> 2;
        case UNKNOWN_TYPE -> 3;
        case BAD_DEMAND -> 4;
        case FITS_NO_SERVER -> 5;
        case UNKNOWN_SERVER -> 6;
        case UNKNOWN_SITE -> 7;
        case BAD_CAPACITY -> 8;
        case WRONG_STATUS -> 9;
        case UNKNOWN_POLICY -> 10;
        case SITE_LIMIT -> 11;
        case CONSTRAINT -> 12;
        case UNSUPPORTED -> 13;
        case BAD_NAME -> 14;
        case WRONG_PHASE -> 15;
        case LEASE -> 16;
        case BAD_TIME -> 17;
    });

    static final Codes<Outcome.Kind> OUTCOME = new Codes<>(Outcome.Kind.class, kind -> switch (kind) {
        case DONE -> 0;
        case REPEATED -> 1;
        case CONFLICT -> 2;
        case NOT_FOUND -> 3;
        case REFUSED -> 4;
        case OVER_QUOTA -> 5;
        case NO_SUCH_EFFECT -> 6;
        case SUPERSEDED -> 7;
        case BEYOND_QUOTA -> 8;
    });

    static final Codes<Request.State> STATE = new Codes<>(Request.State.class, state -> switch (state) {
        case WAITING -> 0;
        case RUNNING -> 1;
        case RELEASED -> 2;
        case REJECTED -> 3;
        case EXPIRED -> 4;
    });

    static final Codes<Adjustment.Kind> ADJUSTMENT = new Codes<>(Adjustment.Kind.class, kind -> switch (kind) {
        case MIGRATION -> 0;
        case RESIZE -> 1;
    });

    static final Codes<Phase> PHASE = new Codes<>(Phase.class, phase -> switch (phase) {
        case PLACED -> 0;
        case STARTED -> 1;
        case STOPPING -> 2;
    });

    private final Class<E> type;
    private final int[] codes;
    private final Map<Integer, E> constants = new HashMap<>();

    private Codes(Class<E> type, ToIntFunction<E> code) {
        this.type = type;
        E[] all = type.getEnumConstants();
        codes = new int[all.length];
        for (E constant : all) {
            codes[constant.ordinal()] = code.applyAsInt(constant);
            if (constants.put(code.applyAsInt(constant), constant) != null) {
                throw new IllegalStateException(constant + " has the number of another constant");
            }
        }
    }

    /** The number of a constant. */
    int of(E constant) {
        return codes[constant.ordinal()];
    }

    /**
     * The constant with a number.
     *
     * @throws IllegalArgumentException if there is none
     */
    E at(int code) {
        E constant = constants.get(code);
        if (constant == null) {
            throw new IllegalArgumentException(type.getSimpleName() + " has no constant with number " + code);
        }
        return constant;
    }
}
