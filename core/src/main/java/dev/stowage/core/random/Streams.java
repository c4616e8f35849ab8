package dev.stowage.core.random;

/** Names of the random streams: a name always means the same numbers for one seed. */
public final class Streams {
    /** Draws of a policy, keyed by the number of the callback. */
    public static final long POLICY = of("policy");

    /** Times between arrivals, keyed by the number of the draw. */
    public static final long ARRIVALS = of("arrivals");

    /** Type of a request, keyed by request. */
    public static final long TYPES = of("types");

    /** Demand of a request, keyed by request. */
    public static final long DEMANDS = of("demands");

    /** Work (service time at speed one) of a request, keyed by request. */
    public static final long WORK = of("work");

    /** Seeds of replications, keyed by replication. */
    public static final long REPLICATIONS = of("replications");

    private Streams() {}

    /** The stream of that name: FNV-1a over its characters, mixed. */
    public static long of(String name) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * 0x100000001B3L;
        }
        return KeyedRandom.mix(hash);
    }
}
