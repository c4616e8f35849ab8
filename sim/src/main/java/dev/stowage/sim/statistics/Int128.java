package dev.stowage.sim.statistics;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import java.math.BigInteger;

/**
 * An exact running sum of longs and of products of two longs, as a signed 128-bit integer. A value of at most 2^63 held
 * for at most 2^63 ns integrates to at most 2^126: the sum cannot overflow in any run. Not thread-safe.
 */
final class Int128 {
    private long high;
    private long low;

    void add(long x) {
        low += x;
        high += (x >> 63) + carry(low, x);
    }

    void addProduct(long x, long y) {
        long product = x * y;
        low += product;
        high += Math.multiplyHigh(x, y) + carry(low, product);
    }

    void add(Int128 other) {
        low += other.low;
        high += other.high + carry(low, other.low);
    }

    void subtract(Int128 other) {
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        low -= other.low;
        high -= other.high + borrow;
    }

    void write(StateWriter out) {
        out.putNumber(high);
        out.putNumber(low);
    }

    void read(StateReader in) {
        high = in.getNumber();
        low = in.getNumber();
    }

    void clear() {
        high = 0;
        low = 0;
    }

    /** The double nearest to the sum. */
    double toDouble() {
        BigInteger lowPart = BigInteger.valueOf(low >>> 1).shiftLeft(1).or(BigInteger.valueOf(low & 1));
        return BigInteger.valueOf(high).shiftLeft(64).add(lowPart).doubleValue();
    }

    /** Carry out of the low words: the sum wrapped if it is below what was added. */
    private static long carry(long sum, long added) {
        return Long.compareUnsigned(sum, added) < 0 ? 1 : 0;
    }
}
