package dev.stowage.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A continuous-time Markov chain with finitely many states, found by following its transitions from an initial state,
 * and its stationary distribution, to which a simulation of the same chain must converge. An infinite chain is
 * truncated by its {@link Behaviour}, which leaves out transitions beyond the cut; the caller checks that the states at
 * the cut are rare.
 *
 * <p>The distribution is exact except for rounding: states are eliminated one by one, the last found first (Grassmann,
 * Taksar, Heyman: Regenerative analysis and steady state distributions for Markov chains, Operations Research 33,
 * 1985), without a subtraction, and the balance equations are checked. Cost: states times the square of the farthest
 * jump back in the order of finding.
 *
 * @param <S> a state, a value with {@code equals} and {@code hashCode}
 */
public final class MarkovChain<S> {
    private static final int MOST_STATES = 50_000;
    /** Greatest imbalance of a state, as a part of all flow. */
    private static final double PRECISION = 1e-13;

    /** Gives the transitions out of a state. */
    @FunctionalInterface
    public interface Behaviour<S> {
        /** Names every transition out of {@code state}; two to the same state add up. */
        void leave(S state, Moves<S> moves);
    }

    /** Receives the transitions out of a state. */
    @FunctionalInterface
    public interface Moves<S> {
        /**
         * The chain goes to {@code state} at this rate; 0 is not a transition, and one to the state itself changes
         * nothing.
         */
        void to(S state, double rate);
    }

    private record Flow(int from, int to, double rate) {}

    private final Map<S, Integer> numbers = new LinkedHashMap<>();
    private final List<S> states = new ArrayList<>();
    private final List<Flow> flows = new ArrayList<>();
    private final double[] probability;

    private MarkovChain(S initial, Behaviour<S> behaviour) {
        number(initial);
        for (int at = 0; at < states.size(); at++) {
            int from = at;
            behaviour.leave(states.get(at), (state, rate) -> add(from, state, rate));
        }
        probability = solve();
        checkBalance();
    }

    /**
     * The chain of all states that can be reached, and its stationary distribution.
     *
     * @throws IllegalArgumentException if a rate is negative or not finite, there are more than 50 000 states, or the
     *     chain cannot return from one of them to the initial state
     */
    public static <S> MarkovChain<S> explore(S initial, Behaviour<S> behaviour) {
        return new MarkovChain<>(initial, behaviour);
    }

    private int number(S state) {
        Integer known = numbers.putIfAbsent(state, states.size());
        if (known != null) {
            return known;
        }
        if (states.size() == MOST_STATES) {
            throw new IllegalArgumentException("more than " + MOST_STATES + " states, the last is " + state
                    + ": leave out the transitions beyond some bound");
        }
        states.add(state);
        return states.size() - 1;
    }

    private void add(int from, S to, double rate) {
        if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "rate " + rate + " from " + states.get(from) + " to " + to + ", must be at least 0 and finite");
        }
        if (rate > 0 && number(to) != from) {
            flows.add(new Flow(from, number(to), rate));
        }
    }

    /**
     * For each state the lowest state that it, or a higher one, has a transition from or to: elimination affects none
     * below.
     */
    private int[] lowest() {
        int[] lowest = new int[states.size()];
        Arrays.setAll(lowest, state -> state);
        for (Flow flow : flows) {
            int high = Math.max(flow.from, flow.to);
            lowest[high] = Math.min(lowest[high], Math.min(flow.from, flow.to));
        }
        for (int state = lowest.length - 2; state >= 0; state--) {
            lowest[state] = Math.min(lowest[state], lowest[state + 1]);
        }
        return lowest;
    }

    private double[] solve() {
        int[] lowest = lowest();
        int size = lowest.length;
        // Rates between a state s and a lower one l: down[s][l - lowest[s]] from s to l, up[s][l - lowest[s]] from l to
        // s.
        double[][] down = new double[size][];
        double[][] up = new double[size][];
        for (int state = 0; state < size; state++) {
            down[state] = new double[state - lowest[state]];
            up[state] = new double[state - lowest[state]];
        }
        for (Flow flow : flows) {
            if (flow.from > flow.to) {
                down[flow.from][flow.to - lowest[flow.from]] += flow.rate;
            } else {
                up[flow.to][flow.from - lowest[flow.to]] += flow.rate;
            }
        }
        for (int state = size - 1; state > 0; state--) {
            eliminate(state, lowest, down, up);
        }
        return substitute(lowest, up);
    }

    /**
     * Lets every path through the state go past it; {@code up[state]} becomes visits to it per time in the lower
     * states.
     */
    private void eliminate(int state, int[] lowest, double[][] down, double[][] up) {
        double total = Arrays.stream(down[state]).sum();
        if (!(total > 0)) {
            throw new IllegalArgumentException(
                    "from " + states.get(state) + " there is no way back to " + states.get(0));
        }
        for (int i = 0; i < up[state].length; i++) {
            up[state][i] /= total;
        }
        int first = lowest[state];
        for (int high = first; high < state; high++) {
            int shift = first - lowest[high];
            for (int low = first; low < high; low++) {
                down[high][low - first + shift] += up[state][high - first] * down[state][low - first];
                up[high][low - first + shift] += up[state][low - first] * down[state][high - first];
            }
        }
    }

    private static double[] substitute(int[] lowest, double[][] up) {
        double[] weight = new double[lowest.length];
        weight[0] = 1;
        for (int state = 1; state < weight.length; state++) {
            for (int low = lowest[state]; low < state; low++) {
                weight[state] += weight[low] * up[state][low - lowest[state]];
            }
        }
        double sum = Arrays.stream(weight).sum();
        return Arrays.stream(weight).map(each -> each / sum).toArray();
    }

    /** What flows into each state flows out of it. */
    private void checkBalance() {
        double[] imbalance = new double[probability.length];
        double all = 0;
        for (Flow flow : flows) {
            double amount = probability[flow.from] * flow.rate;
            imbalance[flow.to] += amount;
            imbalance[flow.from] -= amount;
            all += amount;
        }
        double worst = Arrays.stream(imbalance).map(Math::abs).max().orElse(0);
        if (worst > PRECISION * all) {
            throw new IllegalStateException(
                    String.format(Locale.ROOT, "a state is out of balance by %e of a flow of %e", worst, all));
        }
    }

    /** Number of states. */
    public int size() {
        return states.size();
    }

    /** Part of the time that the chain spends in these states. */
    public double probability(Predicate<S> states) {
        return mean(state -> states.test(state) ? 1 : 0);
    }

    /** Mean over time of a quantity of the state. */
    public double mean(ToDoubleFunction<S> quantity) {
        double sum = 0;
        for (int state = 0; state < probability.length; state++) {
            sum += probability[state] * quantity.applyAsDouble(states.get(state));
        }
        return sum;
    }
}
