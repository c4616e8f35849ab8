package dev.stowage.policies.randomized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trees of this package against arrays and sets that are searched from end to end. */
class IndexReferenceTest {
    private static final int STEPS = 1500;

    /** Whole weights: sums are exact, and point (k + 1/2) / total belongs to the k-th unit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 40})
    void sumTreeDrawsInProportion(int size) {
        KeyedRandom random = new KeyedRandom().key(size, 1, 0);
        SumTree tree = new SumTree(size);
        long[] slow = new long[size];
        for (int step = 0; step < STEPS; step++) {
            if (step % 500 == 499) {
                slow = Arrays.copyOf(slow, slow.length + 1 + random.nextInt(slow.length));
                tree.growTo(slow.length);
            }
            int index = random.nextInt(slow.length);
            slow[index] = random.nextInt(3) == 0 ? 0 : random.nextInt(1000);
            tree.set(index, (double) slow[index]);
            long total = Arrays.stream(slow).sum();
            String where = "size " + size + " step " + step;
            assertThat(tree.total()).as(where).isEqualTo((double) total);
            assertThat(tree.get(index)).as(where).isEqualTo((double) slow[index]);
            if (total > 0) {
                int unit = random.nextInt((int) total);
                assertThat(tree.at((unit + 0.5) / total)).as(where).isEqualTo(ownerOf(unit, slow));
            }
        }
    }

    private static int ownerOf(long unit, long[] weights) {
        int index = 0;
        for (long rest = unit; rest >= weights[index]; index++) {
            rest -= weights[index];
        }
        return index;
    }

    /** Weights of very different size: the ends of [0, 1) never fall on a weight 0, and the past leaves no trace. */
    @Test
    void sumTreeWithRounding() {
        KeyedRandom random = new KeyedRandom().key(5, 2, 0);
        SumTree tree = new SumTree(13);
        double[] slow = new double[13];
        for (int step = 0; step < STEPS; step++) {
            int index = random.nextInt(slow.length);
            boolean zero = random.nextInt(2) == 0;
            slow[index] = zero ? 0 : random.nextDouble() * StrictMath.pow(10, random.nextInt(40) - 20);
            tree.set(index, slow[index]);
            SumTree other = new SumTree(13);
            for (int i = slow.length - 1; i >= 0; i--) {
                other.set(i, slow[i]);
            }
            double sum = Arrays.stream(slow).sum();
            assertThat(tree.total()).isEqualTo(other.total()).isCloseTo(sum, within(1e-12 * sum));
            if (sum > 0) {
                for (double point : new double[] {0x1.0p-54, random.nextDouble(), 1 - 0x1.0p-53}) {
                    assertThat(tree.at(point)).isEqualTo(other.at(point));
                    assertThat(slow[tree.at(point)])
                            .as("step %d, point %s", step, point)
                            .isPositive();
                }
            }
        }
    }

    @Test
    void shortestQueues() {
        KeyedRandom random = new KeyedRandom().key(7, 3, 0);
        for (int round = 0; round < 20; round++) {
            ShortestQueues queues = new ShortestQueues();
            // -1: no candidate.
            int[] slow = new int[1 + random.nextInt(5)];
            Arrays.fill(slow, -1);
            queues.growTo(slow.length);
            for (int step = 0; step < 300; step++) {
                if (random.nextInt(40) == 0) {
                    int before = slow.length;
                    slow = Arrays.copyOf(slow, before + random.nextInt(4));
                    Arrays.fill(slow, before, slow.length, -1);
                    queues.growTo(slow.length);
                }
                int server = random.nextInt(slow.length);
                slow[server] = random.nextInt(6) - 1;
                if (slow[server] < 0) {
                    queues.remove(server);
                } else {
                    queues.set(server, slow[server]);
                }
                int[] lengths = slow;
                int least = Arrays.stream(lengths)
                        .filter(length -> length >= 0)
                        .min()
                        .orElse(-2);
                int[] shortest = IntStream.range(0, lengths.length)
                        .filter(each -> lengths[each] == least)
                        .toArray();
                assertThat(IntStream.range(0, queues.shortest()).map(queues::get))
                        .as("round %d step %d: %s", round, step, Arrays.toString(lengths))
                        .containsExactly(Arrays.stream(shortest).boxed().toArray(Integer[]::new));
            }
        }
    }

    /** A hundred queues, some of them shortest: every one of these is drawn as often. */
    @Test
    void shortestQueuesAreDrawnUniformly() {
        KeyedRandom random = new KeyedRandom().key(8, 4, 0);
        ShortestQueues queues = new ShortestQueues();
        queues.growTo(100);
        double[] probabilities = new double[100];
        for (int server = 0; server < 100; server++) {
            queues.set(server, server % 7 == 3 ? 2 : 3 + server % 4);
            probabilities[server] = server % 7 == 3 ? 1.0 / 14 : 0;
        }
        int[] seen = new int[100];
        for (int k = 0; k < 5000; k++) {
            seen[queues.get(random.nextInt(queues.shortest()))]++;
        }
        GoodnessOfFit.checkCounts(seen, probabilities);
    }

    @Test
    void fittingServers() {
        KeyedRandom random = new KeyedRandom().key(9, 5, 0);
        for (int round = 0; round < 20; round++) {
            FittingServers fast = new FittingServers();
            TreeSet<Integer> slow = new TreeSet<>();
            int servers = 1 + random.nextInt(5);
            fast.growTo(servers);
            for (int step = 0; step < 300; step++) {
                if (random.nextInt(40) == 0) {
                    servers += random.nextInt(4);
                    fast.growTo(servers);
                }
                int server = random.nextInt(servers);
                boolean member = random.nextInt(2) == 0;
                fast.set(server, member);
                if (member) {
                    slow.add(server);
                } else {
                    slow.remove(server);
                }
                assertThat(IntStream.range(0, fast.size()).map(fast::get))
                        .as("round %d step %d", round, step)
                        .containsExactly(slow.toArray(Integer[]::new));
            }
        }
    }
}
