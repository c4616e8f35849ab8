package dev.stowage.policies.fit;

import dev.stowage.policies.catalog.Parameter;

/**
 * How well a request and a server match in several resources; the largest score wins. Amounts are divided by the
 * largest server capacity of their resource: r is the demand, o the occupied amount before the request is placed, a the
 * available amount.
 *
 * <p>For a given request a score is a constant plus a weighted sum of the amounts occupied, and for a given server a
 * weighted sum of the demands, {@link #EVEN} with the least of some linear functions besides: so both searches can use
 * an index of such scores. The sums are of doubles, constant first, then the resources in order.
 *
 * <p>Source: Psychas and Ghaderi 2019, section VIII, after Grandl et al., Multi-resource packing for cluster schedulers
 * (SIGCOMM 2014), who compare such scores; of {@link #EVEN}, R. Panigrahy et al., Heuristics for Vector Bin Packing,
 * 2011, who compare norms of what is left over, and Kubernetes, which adds a score of balance to one of use.
 */
public enum Score {
    /** The inner product of r and o. */
    OCCUPIED {
        @Override
        double serverWeight(long demand, double unit) {
            return demand * unit * unit;
        }

        @Override
        double jobWeight(long occupied, long available, double unit) {
            return occupied * unit * unit;
        }
    },
    /** The inner product of r and a. */
    AVAILABLE {
        @Override
        double serverWeight(long demand, double unit) {
            return -(demand * unit * unit);
        }

        @Override
        double serverConstant(long demand, long capacity, double unit) {
            return demand * capacity * unit * unit;
        }

        @Override
        double jobWeight(long occupied, long available, double unit) {
            return available * unit * unit;
        }
    },
    /** {@link #OCCUPIED} plus {@link #LEFTOVER}. */
    MIX {
        @Override
        double serverWeight(long demand, double unit) {
            return demand * unit * unit + unit;
        }

        @Override
        double serverConstant(long demand, long capacity, double unit) {
            return (demand - capacity) * unit;
        }

        @Override
        double jobWeight(long occupied, long available, double unit) {
            return occupied * unit * unit + unit;
        }
    },
    /** Minus the sum of the amounts left over: the sum of r - a. */
    LEFTOVER {
        @Override
        double serverWeight(long demand, double unit) {
            return unit;
        }

        @Override
        double serverConstant(long demand, long capacity, double unit) {
            return (demand - capacity) * unit;
        }

        @Override
        double jobWeight(long occupied, long available, double unit) {
            return unit;
        }
    },
    /**
     * The sum of the amounts left over minus 2 D times the largest of them, of D resources: little is left, and about
     * as much of each. In two resources it orders as the sum of the amounts left over plus twice their difference, the
     * least first. Empty servers, which are even, come last.
     */
    EVEN {
        @Override
        double serverWeight(long demand, double unit) {
            return -unit;
        }

        @Override
        double serverConstant(long demand, long capacity, double unit) {
            return (capacity - demand) * unit;
        }

        @Override
        double jobWeight(long occupied, long available, double unit) {
            return -unit;
        }

        @Override
        double least(int resources) {
            return 2.0 * resources;
        }
    };

    /** The parameter of policies that use a score. */
    public static final Parameter PARAMETER = Parameter.word(
            "score",
            "how well a server and a request fit in several resources, the largest wins; no effect with one resource."
                    + " The sum over the resources of r o (occupied), r a (available), r - a (leftover), r o + r - a"
                    + " (mix), or the sum of a - r minus 2 D times the largest of them, of D resources (even); r is the demand, o and"
                    + " a what is occupied and available before, as shares of the largest server (docs/policies.md)",
            OCCUPIED);

    /** What one occupied unit of a resource adds to the score of a server, for a request with this demand. */
    abstract double serverWeight(long demand, double unit);

    /** What a resource adds to the score of every server of this capacity, for a request with this demand. */
    double serverConstant(long demand, long capacity, double unit) {
        return 0;
    }

    /** How often the least of r - a over the resources is added to the score. */
    double least(int resources) {
        return 0;
    }

    /** What one demanded unit of a resource adds to the score of a request, for a server in this state. */
    abstract double jobWeight(long occupied, long available, double unit);
}
