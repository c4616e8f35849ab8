package dev.stowage.policies.reservation;

/**
 * The reservation factor g(L) (Psychas and Ghaderi 2020, section 4): empty slots that are held ready of each type, at
 * least 1. The theory requires g to grow faster than log L and slower than L; {@link #LOG} grows too slowly for it.
 */
enum Slack {
    /** ceil((ln L)^1.5) */
    LOG_POWER {
        @Override
        double of(double servers) {
            return StrictMath.pow(StrictMath.log(servers), 1.5);
        }
    },
    /** ceil(sqrt L) */
    SQRT {
        @Override
        double of(double servers) {
            return StrictMath.sqrt(servers);
        }
    },
    /** ceil(ln L) */
    LOG {
        @Override
        double of(double servers) {
            return StrictMath.log(servers);
        }
    };

    abstract double of(double servers);

    /** Slots per type for a number of servers. */
    long slots(int servers) {
        return servers <= 1 ? 1 : Math.max(1, (long) StrictMath.ceil(of(servers)));
    }
}
