package dev.stowage.optimize.greedy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The Global Greedy Assignment (Psychas and Ghaderi 2020, Proposition 3.1 and Definition 3.2): what
 * {@link GreedyPlacement} tends to when servers and load grow together. Loads and servers are real numbers, computed
 * exactly as fractions, so types that run out together are recognised as such, and the lowest of them is removed first.
 *
 * <p>Server classes are assigned one after the other; each gets the load that the classes before it left.
 */
public final class GlobalGreedy {
    private static final int DIGITS = 12;

    /** Load left per type, times {@link #denominator}. */
    private final BigInteger[] left;

    private BigInteger denominator;

    /**
     * Greedy assignment of a load.
     *
     * @param load mean number of requests in service per type if none were rejected, at least 0; rounded to 12 decimals
     * @throws IllegalArgumentException if a load is negative or not a number
     */
    public GlobalGreedy(double[] load) {
        denominator = BigInteger.TEN.pow(DIGITS);
        left = new BigInteger[load.length];
        for (int j = 0; j < load.length; j++) {
            if (!(load[j] >= 0 && load[j] < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("load of type " + j + " is " + load[j] + ", must be 0 or more");
            }
            left[j] = new BigDecimal(load[j])
                    .movePointRight(DIGITS)
                    .setScale(0, RoundingMode.HALF_EVEN)
                    .toBigInteger();
        }
    }

    /**
     * One configuration of the assignment.
     *
     * @param counts requests per type, k^(i)
     * @param servers servers with it, x^(g); 0 once the servers are used up
     * @param removed the type that runs out, sigma_i
     */
    public record Share(int[] counts, double servers, int removed) {}

    /**
     * Assigns servers to configurations, in order of the iterations; one for each type that fits the server.
     *
     * @param maxReward configurations of the class
     * @param servers number of servers, at least 0
     */
    public List<Share> assign(MaxReward maxReward, long servers) {
        List<Share> shares = new ArrayList<>();
        BigInteger unused = BigInteger.valueOf(servers).multiply(denominator);
        BigInteger[] ideal = left.clone();
        BigInteger idealUnit = denominator;
        boolean served = false;
        int set = maxReward.all();
        while (maxReward.types(set).length > 0) {
            int[] counts = maxReward.configuration(set);
            int type = firstToRunOut(ideal, counts);
            BigInteger count = BigInteger.valueOf(counts[type]);
            BigInteger need = ideal[type];
            scale(ideal, count);
            idealUnit = idealUnit.multiply(count);
            subtract(ideal, need, counts);
            BigInteger used = BigInteger.ZERO;
            if (!served) {
                used = need.min(unused.multiply(count));
                scale(left, count);
                denominator = denominator.multiply(count);
                subtract(left, used, counts);
                unused = unused.multiply(count).subtract(used);
                served = unused.signum() == 0;
            }
            shares.add(new Share(counts.clone(), ratio(used, denominator), type));
            set = maxReward.without(set, type);
        }
        return shares;
    }

    private static int firstToRunOut(BigInteger[] load, int[] counts) {
        int first = -1;
        for (int j = 0; j < counts.length; j++) {
            if (counts[j] > 0 && (first < 0 || runsOutBefore(load, counts, j, first))) {
                first = j;
            }
        }
        return first;
    }

    private static boolean runsOutBefore(BigInteger[] load, int[] counts, int one, int other) {
        return load[one]
                        .multiply(BigInteger.valueOf(counts[other]))
                        .compareTo(load[other].multiply(BigInteger.valueOf(counts[one])))
                < 0;
    }

    private static void scale(BigInteger[] amounts, BigInteger factor) {
        for (int j = 0; j < amounts.length; j++) {
            amounts[j] = amounts[j].multiply(factor);
        }
    }

    private static void subtract(BigInteger[] amounts, BigInteger servers, int[] counts) {
        for (int j = 0; j < amounts.length; j++) {
            amounts[j] = amounts[j]
                    .subtract(servers.multiply(BigInteger.valueOf(counts[j])))
                    .max(BigInteger.ZERO);
        }
    }

    private static double ratio(BigInteger numerator, BigInteger denominator) {
        return new BigDecimal(numerator)
                .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
                .doubleValue();
    }
}
