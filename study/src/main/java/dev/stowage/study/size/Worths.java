package dev.stowage.study.size;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * What given requests are worth at the prices of some evidence, in whole numbers.
 *
 * @param present first moment at which a request is certain to be there; {@link Long#MAX_VALUE} for one that does not
 *     count
 * @param allowed how many may be left out
 */
record Worths(RequestList requests, IntToLongFunction present, long allowed) {
    /** What follows for servers of these kinds beside some that are there anyway. */
    BoundCertificate.Arithmetic arithmetic(Evidence evidence, ServerFleet fleet) {
        long[] moments =
                evidence.momentsNanos().stream().mapToLong(Long::longValue).toArray();
        PriceSums prices = new PriceSums(evidence);
        long[] worths = IntStream.range(0, requests.size())
                .mapToLong(i -> {
                    long from = present.applyAsLong(i);
                    return from == Long.MAX_VALUE
                            ? 0
                            : prices.of(requests.kind()[i], first(moments, from), first(moments, requests.until()[i]));
                })
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        int left = (int) Math.min(allowed, worths.length);
        return new BoundCertificate.Arithmetic(
                sum(worths, 0),
                sum(worths, worths.length - left),
                ofStaying(evidence, fleet),
                ofKinds(evidence, fleet));
    }

    /** What a server of each kind that grows can hold. */
    static List<BigInteger> ofKinds(Evidence evidence, ServerFleet fleet) {
        long[][] kinds = fleet.kinds();
        return IntStream.range(0, kinds.length)
                .mapToObj(l -> evidence instanceof Evidence.Packed packed
                        ? BigInteger.valueOf(packed.heaviest().get(l))
                        : ((Evidence.UnitPrices) evidence).worth(r -> kinds[l][r]))
                .toList();
    }

    /** What the servers that do not grow can hold; there are none where configurations decide. */
    static BigInteger ofStaying(Evidence evidence, ServerFleet fleet) {
        return evidence instanceof Evidence.UnitPrices amounts ? amounts.worth(fleet::fixed) : BigInteger.ZERO;
    }

    /** What a request is worth from one moment until before another. */
    private final class PriceSums {
        private final Evidence evidence;
        /** Of amounts: by moment and resource, the sum of the prices before it. */
        private final long[][] before;

        PriceSums(Evidence evidence) {
            this.evidence = evidence;
            int resources = requests.demands().length == 0 ? 0 : requests.demands()[0].length;
            before = new long[evidence.momentsNanos().size() + 1][resources];
            if (evidence instanceof Evidence.UnitPrices amounts) {
                for (int m = 0; m + 1 < before.length; m++) {
                    for (int r = 0; r < resources; r++) {
                        before[m + 1][r] =
                                before[m][r] + amounts.prices().get(m).get(r);
                    }
                }
            }
        }

        long of(int kind, int first, int until) {
            if (first >= until) {
                return 0;
            }
            long[] demand = requests.demands()[kind];
            if (evidence instanceof Evidence.Packed packed) {
                return packed.weight(demand);
            }
            long worth = 0;
            for (int r = 0; r < demand.length; r++) {
                worth = Math.addExact(worth, Math.multiplyExact(before[until][r] - before[first][r], demand[r]));
            }
            return worth;
        }
    }

    /** Of the first moment at or after a time. */
    private static int first(long[] moments, long nanos) {
        int found = Arrays.binarySearch(moments, nanos);
        return found >= 0 ? found : -found - 1;
    }

    private static BigInteger sum(long[] values, int from) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = from; i < values.length; i++) {
            sum = sum.add(BigInteger.valueOf(values[i]));
        }
        return sum;
    }
}
