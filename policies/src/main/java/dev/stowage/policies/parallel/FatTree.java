package dev.stowage.policies.parallel;

/**
 * A fat tree of even arity y: y pods of y/2 racks of y/2 servers, y^3/4 servers, numbered rack by rack (M. Al-Fares, A.
 * Loukissas, A. Vahdat: A Scalable, Commodity Data Center Network Architecture, SIGCOMM 2008).
 *
 * @param arity y
 */
public record FatTree(int arity) {
    private static final int MOST = 256;

    /** Checks that the arity is even and from 2 to 256. */
    public FatTree {
        if (arity < 2 || arity > MOST || arity % 2 != 0) {
            throw new IllegalArgumentException("arity " + arity + " of a fat tree, must be even and from 2 to " + MOST);
        }
    }

    /** Servers of a rack. */
    public int serversPerRack() {
        return arity / 2;
    }

    /** Servers of a pod. */
    public int serversPerPod() {
        return serversPerRack() * serversPerRack();
    }

    /** Servers of the center. */
    public int servers() {
        return serversPerPod() * arity;
    }

    /**
     * The limits of section 6.1.1, equation (58): a row for the center, one per pod and one per rack, each with a
     * fraction of the capacities in it.
     *
     * @param capacity capacity per server
     * @param fractions beta of center, pods and racks
     * @param serverRows whether each server's capacity is a row too; the paper's own setup has no such rows and
     *     overloads servers
     */
    public Limits limits(double[] capacity, Fractions fractions, boolean serverRows) {
        if (capacity.length != servers()) {
            throw new IllegalArgumentException(
                    capacity.length + " capacities for " + servers() + " servers, must be the same number");
        }
        Limits.Builder rows = Limits.over(servers());
        rows.range("center", fractions.center() * sum(capacity, 0, servers()), 0, servers());
        addRows(rows, "pod ", serversPerPod(), fractions.pod(), capacity);
        addRows(rows, "rack ", serversPerRack(), fractions.rack(), capacity);
        return serverRows ? rows.capacities(capacity).build() : rows.build();
    }

    private void addRows(Limits.Builder rows, String name, int size, double fraction, double[] capacity) {
        for (int from = 0; from < capacity.length; from += size) {
            rows.range(name + from / size, fraction * sum(capacity, from, from + size), from, from + size);
        }
    }

    private static double sum(double[] capacity, int from, int to) {
        double sum = 0;
        for (int j = from; j < to; j++) {
            sum += capacity[j];
        }
        return sum;
    }

    /**
     * Fractions of capacity that a job may hold, beta.
     *
     * @param center of the center, in (0, 1]
     * @param pod of each pod, in (0, 1]
     * @param rack of each rack, in (0, 1]
     */
    public record Fractions(double center, double pod, double rack) {
        /** Those of the paper's evaluation. */
        public static final Fractions PAPER = new Fractions(0.2, 0.2, 0.3);

        /** Checks the ranges. */
        public Fractions {
            check("center", center);
            check("pod", pod);
            check("rack", rack);
        }

        private static void check(String name, double fraction) {
            if (!(fraction > 0 && fraction <= 1)) {
                throw new IllegalArgumentException(
                        "fraction " + fraction + " of the " + name + ", must be above 0 and at most 1");
            }
        }
    }
}
