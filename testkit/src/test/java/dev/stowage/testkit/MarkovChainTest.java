package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The solver against closed forms. */
class MarkovChainTest {
    private record Pair(int one, int other) {}

    /** M/M/1/K: P(n) in proportion to rho^n, also where the last state is the likeliest. */
    @Test
    void oneServerAndARoom() {
        int room = 30;
        for (double rho : new double[] {0.8, 1, 1.25}) {
            MarkovChain<Integer> chain = queue(rho, 1, room);
            double sum = 0;
            for (int n = 0; n <= room; n++) {
                sum += StrictMath.pow(rho, n);
            }
            for (int n = 0; n <= room; n++) {
                int here = n;
                double expected = StrictMath.pow(rho, n) / sum;
                assertThat(chain.probability(state -> state == here)).isCloseTo(expected, within(1e-13 * expected));
            }
        }
    }

    /**
     * M/M/c, a = 4, c = 5: P(wait) = C = 0.5541 by Erlang, mean queue C a / (c - a). Beyond 300 there is 0.8^295 of it.
     */
    @Test
    void severalServers() {
        double b = 1;
        for (int k = 1; k <= 5; k++) {
            b = 4 * b / (k + 4 * b);
        }
        double waits = 5 * b / (5 - 4 * (1 - b));
        MarkovChain<Integer> chain = queue(4, 5, 300);
        assertThat(waits).isCloseTo(0.5541, within(5e-5));
        assertThat(chain.probability(state -> state >= 5)).isCloseTo(waits, within(1e-12));
        assertThat(chain.mean(state -> Math.max(0, state - 5))).isCloseTo(waits * 4 / (5 - 4), within(1e-10));
        assertThat(chain.size()).isEqualTo(301);
    }

    /** The loss system of Ghaderi 2016, section I: capacity 10, sizes 2 and 3, rates 2 and 3, mean service 1. */
    @Test
    void aLossSystemOfTwoTypes() {
        MarkovChain<Pair> chain = MarkovChain.explore(new Pair(0, 0), (state, moves) -> {
            int used = 2 * state.one + 3 * state.other;
            moves.to(new Pair(state.one + 1, state.other), used + 2 <= 10 ? 2 : 0);
            moves.to(new Pair(state.one, state.other + 1), used + 3 <= 10 ? 3 : 0);
            moves.to(new Pair(state.one - 1, state.other), state.one);
            moves.to(new Pair(state.one, state.other - 1), state.other);
        });
        // 6 + 4 + 3 + 1 configurations with 0, 1, 2, 3 of the larger type.
        assertThat(chain.size()).isEqualTo(14);
        assertThat(chain.mean(Pair::one)).isCloseTo(1.33292, within(5e-6));
        assertThat(chain.mean(Pair::other)).isCloseTo(1.45494, within(5e-6));
    }

    /**
     * Round and round at rates 1, 2, 4: time in proportion to 1, 1/2, 1/4. Not reversible; two halves add up; 2 stays
     * at times.
     */
    @Test
    void aCircle() {
        MarkovChain<Integer> chain = MarkovChain.explore(0, (state, moves) -> {
            double rate = 1 << state;
            moves.to((state + 1) % 3, rate / 2);
            moves.to((state + 1) % 3, rate / 2);
            moves.to(state, 5);
        });
        assertThat(chain.probability(state -> state == 0)).isCloseTo(4.0 / 7, within(1e-15));
        assertThat(chain.mean(state -> state)).isCloseTo((2.0 + 2 * 1.0) / 7, within(1e-15));
    }

    @Test
    void rejectsWhatHasNoDistribution() {
        assertThatThrownBy(() -> MarkovChain.explore(0, (state, moves) -> moves.to(1, state == 0 ? 1 : 0)))
                .hasMessageContaining("from 1 there is no way back to 0");
        assertThatThrownBy(() -> MarkovChain.explore(0, (state, moves) -> moves.to(state + 1, 1)))
                .hasMessageContaining("more than 50000 states");
        assertThatThrownBy(() -> MarkovChain.explore(0, (state, moves) -> moves.to(1, -0.5)))
                .hasMessageContaining("rate -0.5 from 0 to 1");
    }

    /** M/M/c with at most {@code room} in the system, service rate 1. */
    private static MarkovChain<Integer> queue(double arrivals, int servers, int room) {
        return MarkovChain.explore(0, (state, moves) -> {
            moves.to(state + 1, state < room ? arrivals : 0);
            moves.to(state - 1, Math.min(state, servers));
        });
    }
}
