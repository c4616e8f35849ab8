package dev.stowage.study.size;

import dev.stowage.optimize.bound.CheapestServers;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The prices, all of them whole numbers, from which a bound follows. What they say is in {@link BoundCertificate}. */
public sealed interface Evidence {
    /** Which of them it is. */
    String kind();

    /** At which requests are counted, ascending; none if they are counted for as long as they run in the whole run. */
    List<Long> momentsNanos();

    /**
     * Prices of a unit of each resource at some moments: no servers hold more than their capacity is worth.
     *
     * @param momentsNanos ascending
     * @param prices by moment and resource
     */
    record UnitPrices(String kind, List<Long> momentsNanos, List<List<Long>> prices) implements Evidence {
        /** What whole amounts of each resource are worth at all the moments together. */
        BigInteger worth(IntToDoubleFunction amounts) {
            BigInteger sum = BigInteger.ZERO;
            for (List<Long> ofMoment : prices) {
                for (int r = 0; r < ofMoment.size(); r++) {
                    sum = sum.add(BigInteger.valueOf(ofMoment.get(r))
                            .multiply(BigInteger.valueOf((long) amounts.applyAsDouble(r))));
                }
            }
            return sum;
        }
    }

    /**
     * Weights of requests: no server holds more than the heaviest configuration of its kind.
     *
     * @param heaviest by kind of server
     */
    record Packed(String kind, List<Long> momentsNanos, List<Weighed> types, List<Long> heaviest) implements Evidence {
        /** What a request weighs at least: as much as the heaviest type that demands no more. */
        long weight(long[] demand) {
            long most = 0;
            for (Weighed type : types) {
                boolean holds = IntStream.range(0, demand.length)
                        .allMatch(r -> demand[r] >= type.demand().get(r));
                most = holds ? Math.max(most, type.weight()) : most;
            }
            return most;
        }
    }

    /** A request that demands at least so much of each resource weighs at least so much. */
    record Weighed(List<Long> demand, long weight) {}

    /** Of one resource at one moment. */
    static UnitPrices amount(long nanos, int resource, int resources) {
        return new UnitPrices("amounts", List.of(nanos), ofOne(resource, 1, resources));
    }

    /** Of one resource over the whole run. */
    static UnitPrices perUnit(int resource, long price, int resources) {
        return new UnitPrices("amounts", List.of(), ofOne(resource, price, resources));
    }

    private static List<List<Long>> ofOne(int resource, long price, int resources) {
        Long[] prices = new Long[resources];
        Arrays.setAll(prices, r -> r == resource ? price : 0L);
        return List.of(List.of(prices));
    }

    /** Of the program over time: a server is worth some 2^52. */
    static UnitPrices amounts(MissProgram.MissPrices answer, double[][] size) {
        double most = 0;
        for (double[] kind : size) {
            double worth = 0;
            for (double[] ofMoment : answer.price()) {
                for (int r = 0; r < kind.length; r++) {
                    worth += ofMoment[r] * kind[r];
                }
            }
            most = Math.max(most, worth);
        }
        double unit = (1L << 52) / most;
        return new UnitPrices(
                "amounts",
                list(answer.moments()),
                Arrays.stream(answer.price())
                        .map(ofMoment -> list(Arrays.stream(ofMoment)
                                .mapToLong(price -> Math.round(price * unit))
                                .toArray()))
                        .toList());
    }

    /** Of the program of configurations at a moment. */
    static Packed packing(long nanos, Packing.PackedCost answer) {
        return packed(List.of(nanos), answer.demands(), answer.cost().proof());
    }

    /** Of weights of requests with these demands. */
    static Packed packed(List<Long> momentsNanos, List<long[]> demands, CheapestServers.Weights proof) {
        List<Weighed> types = IntStream.range(0, proof.ofType().length)
                .mapToObj(j -> new Weighed(list(demands.get(j)), proof.ofType()[j]))
                .filter(type -> type.weight() > 0)
                .toList();
        return new Packed("packed", momentsNanos, types, list(proof.heaviest()));
    }

    private static List<Long> list(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
