package dev.stowage.policies.parallel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Limits on the divisible resource that a job may hold: rows, each a limit on a sum over servers, sum of A_jk c_sj &le;
 * B_k (equation (4)). A rack, a pod, the whole center and the capacity of a server are examples of rows.
 *
 * <p>Stored by servers: the rows of server j are entries {@code start[j]} to {@code start[j + 1] - 1}, in order of
 * rows, only those with A_jk > 0. A row may have limit 0: then its servers cannot be used.
 */
public final class Limits {
    final int[] start;
    final int[] row;
    final double[] coefficient;
    final double[] limit;
    private final List<String> names;
    private final boolean[] open;

    private Limits(int servers, Builder rows) {
        this.limit = Arrays.copyOf(rows.limit, rows.names.size());
        this.names = List.copyOf(rows.names);
        this.start = new int[servers + 1];
        for (int e = 0; e < rows.entries; e++) {
            start[rows.server[e] + 1]++;
        }
        for (int j = 0; j < servers; j++) {
            start[j + 1] += start[j];
        }
        this.row = new int[rows.entries];
        this.coefficient = new double[rows.entries];
        int[] next = Arrays.copyOf(start, servers);
        for (int e = 0; e < rows.entries; e++) {
            int at = next[rows.server[e]]++;
            row[at] = rows.row[e];
            coefficient[at] = rows.coefficient[e];
        }
        this.open = new boolean[servers];
        for (int j = 0; j < servers; j++) {
            open[j] = closedBy(j) < 0;
            if (start[j] == start[j + 1]) {
                throw new IllegalArgumentException(
                        "server " + j + " must be in a row: otherwise a task on it would take no time");
            }
        }
    }

    /** Rows over so many servers, to be added. */
    public static Builder over(int servers) {
        if (servers < 1) {
            throw new IllegalArgumentException("servers " + servers + ", must be at least 1");
        }
        return new Builder(servers);
    }

    /** Number of servers. */
    public int servers() {
        return open.length;
    }

    /** Number of rows. */
    public int rows() {
        return limit.length;
    }

    /** B_k. */
    public double limit(int k) {
        return limit[k];
    }

    /** Name of a row, for people. */
    public String name(int k) {
        return names.get(k);
    }

    /** A_jk; O(rows of the server). */
    public double coefficient(int server, int k) {
        for (int e = start[server]; e < start[server + 1]; e++) {
            if (row[e] == k) {
                return coefficient[e];
            }
        }
        return 0;
    }

    /** Whether all rows of a server allow something. */
    boolean isOpen(int server) {
        return open[server];
    }

    /** The first row of a server that allows nothing, or -1. */
    int closedBy(int server) {
        for (int e = start[server]; e < start[server + 1]; e++) {
            if (limit[row[e]] == 0) {
                return row[e];
            }
        }
        return -1;
    }

    /** Rows, as they are added. */
    public static final class Builder {
        private final int servers;
        private final List<String> names = new ArrayList<>();
        private double[] limit = new double[8];
        private int[] server = new int[16];
        private int[] row = new int[16];
        private double[] coefficient = new double[16];
        private int entries;

        private Builder(int servers) {
            this.servers = servers;
        }

        /**
         * Adds a row.
         *
         * @param name for people
         * @param bound B_k, at least 0
         * @param coefficients A_jk per server, at least 0: with a negative one equation (16) is not optimal, it even
         *     exceeds rows
         * @throws IllegalArgumentException if a number is out of its range
         */
        public Builder row(String name, double bound, double[] coefficients) {
            if (coefficients.length != servers) {
                throw new IllegalArgumentException(name + ": " + coefficients.length + " coefficients for " + servers
                        + " servers, must be the same number");
            }
            open(name, bound);
            for (int j = 0; j < servers; j++) {
                add(j, coefficients[j]);
            }
            return this;
        }

        /** Adds a row with coefficient 1 for the servers {@code from} to {@code to - 1} and 0 for all others. */
        public Builder range(String name, double bound, int from, int to) {
            if (from < 0 || from >= to || to > servers) {
                throw new IllegalArgumentException(
                        name + ": servers " + from + " to " + (to - 1) + ", must be within 0 to " + (servers - 1));
            }
            open(name, bound);
            for (int j = from; j < to; j++) {
                add(j, 1);
            }
            return this;
        }

        /** Adds a row per server: its own capacity (equation (5)). */
        public Builder capacities(double[] capacity) {
            if (capacity.length != servers) {
                throw new IllegalArgumentException(
                        capacity.length + " capacities for " + servers + " servers, must be the same number");
            }
            for (int j = 0; j < servers; j++) {
                range("capacity of server " + j, capacity[j], j, j + 1);
            }
            return this;
        }

        private void open(String name, double bound) {
            if (!(bound >= 0) || bound == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(name + ": limit " + bound + ", must be a number of at least 0");
            }
            if (names.size() == limit.length) {
                limit = Arrays.copyOf(limit, 2 * limit.length);
            }
            limit[names.size()] = bound;
            names.add(name);
        }

        private void add(int j, double value) {
            int k = names.size() - 1;
            if (!(value >= 0) || value == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(names.get(k) + ": coefficient " + value + " of server " + j
                        + ", must be a number of at least 0");
            }
            if (value == 0) {
                return;
            }
            if (entries == server.length) {
                server = Arrays.copyOf(server, 2 * entries);
                row = Arrays.copyOf(row, 2 * entries);
                coefficient = Arrays.copyOf(coefficient, 2 * entries);
            }
            server[entries] = j;
            row[entries] = k;
            coefficient[entries++] = value;
        }

        /**
         * The rows added so far.
         *
         * @throws IllegalArgumentException if a server is in no row
         */
        public Limits build() {
            return new Limits(servers, this);
        }
    }
}
