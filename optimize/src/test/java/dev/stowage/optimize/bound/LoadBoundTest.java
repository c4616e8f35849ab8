package dev.stowage.optimize.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** rho* of Theorem 1, Psychas and Ghaderi 2019. */
class LoadBoundTest {
    private static final long SERVER = 1_000_000;
    private static final List<ServerClass> ONE = List.of(new ServerClass(1, new long[] {SERVER}));

    /** .4 and .6 equally likely: one of each, rho* = 2; .2 and .5 at 2 : 1: rho* = 10/3. */
    @Test
    void discreteSizes() {
        assertExactly(2, LoadCell.of(new long[] {400_000}, 0.5), LoadCell.of(new long[] {600_000}, 0.5));
        assertExactly(10.0 / 3, LoadCell.of(new long[] {200_000}, 2.0 / 3), LoadCell.of(new long[] {500_000}, 1.0 / 3));
        // The same from the distribution function: the points of mass are found.
        LoadBound found = LoadBound.of(
                ONE,
                LoadCell.distribution(size -> size < 400_000 ? 0 : size < 600_000 ? 0.5 : 1, SERVER, 1000),
                1e-6,
                64);
        assertThat(found.lower()).isCloseTo(2, within(1e-6));
        assertThat(found.upper()).isCloseTo(2, within(1e-6));
    }

    /** Uniform on (0, 1]: x goes with 1 - x, so rho* = 2; so on any interval around 1/2, here from .1 to .9. */
    @Test
    void uniformSizes() {
        assertWithin(2, bound(size -> (double) size / SERVER, 0.02), 0.02);
        assertWithin(2, bound(size -> Math.min(1, Math.max(0, (size - 100_000) / 800_000.0)), 0.02), 0.02);
    }

    /**
     * Uniform on (1/2, 1]: one to a server, rho* = 1. Uniform on (0, 1/2]: mean 1/4 and any packing is dense, rho* = 4.
     */
    @Test
    void halves() {
        assertWithin(1, bound(size -> Math.max(0, 2.0 * size / SERVER - 1), 0.02), 0.02);
        assertWithin(4, bound(size -> Math.min(1, 2.0 * size / SERVER), 0.03), 0.03);
    }

    /** In proportion to the servers; a class of servers too small for some sizes adds what it can. */
    @Test
    void servers() {
        List<LoadCell> sizes = List.of(LoadCell.of(new long[] {4}, 0.5), LoadCell.of(new long[] {6}, 0.5));
        LoadBound fifty = LoadBound.of(List.of(new ServerClass(50, new long[] {10})), sizes, 1e-6, 16);
        assertThat(fifty.lower()).isCloseTo(100, within(1e-3));
        // Size 6 fits the large one only, one at a time: rho / 2 = 1; a 4 beside it and one in the small one serve size
        // 4.
        LoadBound two = LoadBound.of(
                List.of(new ServerClass(1, new long[] {10}), new ServerClass(1, new long[] {4})), sizes, 1e-6, 16);
        assertThat(two.upper()).isCloseTo(2, within(1e-4));
    }

    /** The bounds of few classes enclose those of many, and the truth. */
    @Test
    void refining() {
        KeyedRandom random = new KeyedRandom();
        for (int seed = 0; seed < 10; seed++) {
            random.key(seed, 6, 0);
            List<ServerClass> servers = List.of(new ServerClass(2, new long[] {40, 50}), new ServerClass(3, new long[] {
                60L + random.nextInt(9), 30
            }));
            List<LoadCell> cells = new ArrayList<>();
            double[] load = new double[24];
            long[][] demand = new long[load.length][];
            for (int j = 0; j < load.length; j++) {
                demand[j] = new long[] {1L + random.nextInt(20), 1L + random.nextInt(20)};
                load[j] = 0.1 + random.nextInt(10);
                cells.add(LoadCell.of(demand[j], load[j]));
            }
            SupportableLoad exact = new CapacityRegion(servers, demand).scale(load, 1e-6);
            LoadBound few = LoadBound.of(servers, cells, 1e-3, 4);
            LoadBound some = LoadBound.of(servers, cells, 1e-3, 12);
            LoadBound all = LoadBound.of(servers, cells, 1e-3, 100);
            assertThat(few.lower()).as("seed %d", seed).isLessThanOrEqualTo(exact.upper());
            assertThat(few.upper()).as("seed %d", seed).isGreaterThanOrEqualTo(exact.lower());
            assertThat(some.gap()).as("seed %d", seed).isLessThanOrEqualTo(few.gap());
            assertThat(all.gap()).as("seed %d", seed).isLessThanOrEqualTo(1e-3);
            assertThat(all.lower()).as("seed %d", seed).isBetween(exact.lower() * 0.999, exact.upper());
            assertThat(few.classes()).isEqualTo(4);
        }
    }

    /** A sample as a trace gives it: cells of one point each. */
    @Test
    void empirical() {
        KeyedRandom random = new KeyedRandom();
        random.key(1, 7, 0);
        TreeMap<Long, Integer> sample = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            sample.merge(1L + random.nextInt(1000), 1, Integer::sum);
        }
        List<LoadCell> cells = new ArrayList<>();
        sample.forEach((size, count) -> cells.add(LoadCell.of(new long[] {size}, count / 20_000.0)));
        LoadBound bound = LoadBound.of(List.of(new ServerClass(1, new long[] {1000})), cells, 0.02, 256);
        assertThat(bound.gap()).isLessThan(0.02);
        // Uniform but for chance: the standard error of the mean size is 0.002.
        assertThat(bound.lower()).isBetween(1.93, 2.03);
    }

    /** Uniform sizes at ten steps; and sizes 0.4 and 0.6, of which rounding outwards leaves more than 1e-15. */
    @Test
    void whyItEnded() {
        List<LoadCell> uniform =
                LoadCell.distribution(size -> Math.min(1, Math.max(0, size / (double) SERVER)), SERVER, 10);
        assertThat(LoadBound.of(ONE, uniform, 0.5, 256).end()).isEqualTo(LoadBound.End.WITHIN_TOLERANCE);
        assertThat(LoadBound.of(ONE, uniform, 0.001, 4).end()).isEqualTo(LoadBound.End.MOST_CLASSES);
        assertThat(LoadBound.of(ONE, uniform, 0.001, 256).end()).isEqualTo(LoadBound.End.FINEST);
        List<LoadCell> points = List.of(LoadCell.of(new long[] {400_000}, 1), LoadCell.of(new long[] {600_000}, 1));
        assertThat(LoadBound.of(ONE, points, 1e-15, 256).end()).isEqualTo(LoadBound.End.SEARCH);
    }

    @Test
    void whatFitsNoServer() {
        LoadBound none = LoadBound.of(ONE, List.of(LoadCell.of(new long[] {SERVER + 1}, 1)), 0.1, 8);
        assertThat(none.misfits()).isEqualTo(1);
        assertThat(none.upper()).isZero();
    }

    @Test
    void badInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadCell.of(new long[] {1}, -0.5))
                .withMessage("load -0.5, must be 0 or more");
        assertThatIllegalArgumentException().isThrownBy(() -> new LoadCell(new long[] {2}, new long[] {1}, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadBound.of(ONE, List.of(LoadCell.of(new long[] {1}, 0)), 0.1, 8))
                .withMessageContaining("no demand has a load");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadBound.of(ONE, List.of(LoadCell.of(new long[] {1}, 1)), 0, 8))
                .withMessageContaining("tolerance 0.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadCell.distribution(size -> 1.0 / size, 10, 5))
                .withMessageContaining("falls by");
    }

    private static LoadBound bound(LongToDoubleFunction atMost, double tolerance) {
        return LoadBound.of(ONE, LoadCell.distribution(atMost, SERVER, 1000), tolerance, 256);
    }

    private static void assertWithin(double expected, LoadBound bound, double tolerance) {
        assertThat(bound.lower()).isLessThanOrEqualTo(expected * (1 + 1e-9));
        assertThat(bound.upper()).isGreaterThanOrEqualTo(expected * (1 - 1e-9));
        assertThat(bound.gap()).isLessThanOrEqualTo(tolerance);
    }

    private static void assertExactly(double expected, LoadCell... cells) {
        LoadBound bound = LoadBound.of(ONE, List.of(cells), 1e-9, 16);
        assertThat(bound.lower()).isCloseTo(expected, within(1e-8));
        assertThat(bound.upper()).isCloseTo(expected, within(1e-8));
    }
}
