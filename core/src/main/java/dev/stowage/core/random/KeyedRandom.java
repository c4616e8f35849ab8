package dev.stowage.core.random;

/**
 * A small deterministic generator that is re-keyed in place by (seed, stream, index).
 *
 * <p>Keying makes draws independent of how many numbers were drawn before: the k-th request always sees the same
 * numbers, whatever the policy (common random numbers). The sequence is SplitMix64 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014) started at a hash of the three keys. Same bits on every JVM: integer
 * arithmetic and {@link StrictMath} only. It is not a {@code RandomGenerator}, whose inherited methods do not promise
 * the same bits.
 */
public final class KeyedRandom {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** Restarts the sequence of (seed, stream, index); streams come from {@link Streams}. Returns this. */
    public KeyedRandom key(long seed, long stream, long index) {
        state = mix(mix(mix(seed + GOLDEN_GAMMA) ^ stream) + index * GOLDEN_GAMMA);
        return this;
    }

    /** 64 random bits. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** Uniform in the open interval (0, 1), 53 bits: never 0, so its logarithm is finite. */
    public double nextDouble() {
        return ((nextLong() >>> 11) + 0.5) * 0x1.0p-53;
    }

    /** Uniform in 0..bound-1 without bias (Lemire's multiplication with rejection). */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        long product = (nextLong() >>> 32) * bound;
        if ((product & 0xFFFFFFFFL) < bound) {
            long threshold = (0x100000000L - bound) % bound;
            while ((product & 0xFFFFFFFFL) < threshold) {
                product = (nextLong() >>> 32) * bound;
            }
        }
        return (int) (product >>> 32);
    }

    /** Exponential with mean 1, by inversion: one draw. */
    public double nextExponential() {
        return -StrictMath.log(nextDouble());
    }

    /** The finalizer of SplitMix64 (Stafford's variant 13): a bijection of 64 bits. */
    public static long mix(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
