package dev.stowage.core.model;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;

/**
 * How fast a server works on a task with one unit of the divisible resource, in (0, 1]. It is declared, so policies
 * know it, and the simulation uses it. A function of what the task declares and the server's number.
 */
public abstract class Efficiency {
    /** 1 for all. */
    public static final Efficiency EQUAL = new Efficiency() {
        @Override
        public double of(long load, int kind, int server, KeyedRandom random) {
            return 1;
        }
    };

    /** Uniform in [0.1, 1], drawn anew for each load and server. */
    public static final Efficiency UNIFORM = new Efficiency() {
        @Override
        public double of(long load, int kind, int server, KeyedRandom random) {
            return 0.1 + 0.9 * random.key(load, STREAM, server).nextDouble();
        }
    };

    private static final long STREAM = Streams.of("efficiency");

    private Efficiency() {}

    /**
     * The efficiency of a pair.
     *
     * @param load declared load, whole units
     * @param kind declared kind, from 1; 0 for none
     * @param server number of the server
     * @param random is keyed anew
     */
    public abstract double of(long load, int kind, int server, KeyedRandom random);

    /** Whether it depends on the kind of task, which tasks then declare. */
    public boolean isTable() {
        return false;
    }

    /**
     * Efficiencies by kind of task and class of server.
     *
     * @param servers how many servers there are of each class, in order of servers; servers that join later belong to
     *     the last class
     * @param values by kind, then class, each above 0 and at most 1; a task of no kind, or of one beyond the table, has
     *     1
     * @throws IllegalArgumentException if a number is out of its range, or a row is not complete
     */
    public static Efficiency table(int[] servers, double[] values) {
        if (servers.length == 0 || values.length == 0 || values.length % servers.length != 0) {
            throw new IllegalArgumentException(values.length + " efficiencies for " + servers.length
                    + " classes of servers, must be one per class for each kind of task");
        }
        for (double value : values) {
            if (!(value > 0 && value <= 1)) {
                throw new IllegalArgumentException("efficiency " + value + ", must be above 0 and at most 1");
            }
        }
        return new Tabulated(servers, values);
    }

    private static final class Tabulated extends Efficiency {
        /** Per class the first server of the next class. */
        private final int[] end;

        private final double[] values;

        Tabulated(int[] servers, double[] values) {
            this.end = servers.clone();
            for (int c = 1; c < end.length; c++) {
                end[c] = Math.addExact(end[c], end[c - 1]);
            }
            this.values = values.clone();
        }

        @Override
        public boolean isTable() {
            return true;
        }

        @Override
        public double of(long load, int kind, int server, KeyedRandom random) {
            int serverClass = 0;
            while (server >= end[serverClass] && serverClass < end.length - 1) {
                serverClass++;
            }
            int index = (kind - 1) * end.length + serverClass;
            return kind < 1 || index >= values.length ? 1 : values[index];
        }
    }
}
