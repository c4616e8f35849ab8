package dev.stowage.core.model;

import dev.stowage.core.random.KeyedRandom;
import dev.stowage.core.random.Streams;

/**
 * How fast a server works on a task with one unit of the divisible resource, in (0, 1]. It is declared, so policies
 * know it, and the world works at it. A function of the task's declared load and the server's number, because nothing
 * else is told of such a pair.
 */
public enum Efficiency {
    /** 1 for all. */
    EQUAL {
        @Override
        public double of(long load, int server, KeyedRandom random) {
            return 1;
        }
    },
    /** Uniform in [0.1, 1], drawn anew for each load and server. */
    UNIFORM {
        @Override
        public double of(long load, int server, KeyedRandom random) {
            return 0.1 + 0.9 * random.key(load, STREAM, server).nextDouble();
        }
    };

    private static final long STREAM = Streams.of("efficiency");

    /**
     * The efficiency of a pair.
     *
     * @param load declared load, whole units
     * @param server number of the server
     * @param random is keyed anew
     */
    public abstract double of(long load, int server, KeyedRandom random);
}
