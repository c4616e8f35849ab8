package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What servers hold after a loss, beside trying every choice of servers. */
class ServerFleetTest {
    /** All numbers of servers of each kind that so many servers of the list may be. */
    private static List<long[]> choices(long[] listed, long level) {
        long total = Arrays.stream(listed).sum();
        List<long[]> all = new ArrayList<>();
        choose(listed, level / total, level % total, new long[listed.length], 0, all);
        return all;
    }

    private static void choose(long[] listed, long lists, long left, long[] numbers, int kind, List<long[]> all) {
        if (kind == listed.length) {
            if (left == 0) {
                all.add(numbers.clone());
            }
            return;
        }
        for (long more = 0; more <= Math.min(left, listed[kind]); more++) {
            numbers[kind] = lists * listed[kind] + more;
            choose(listed, lists, left - more, numbers, kind + 1, all);
        }
    }

    /** Of the kind whose loss is worst. */
    private static long withoutAKind(long[] numbers, long[] each, int lost) {
        long all = 0;
        long worst = 0;
        for (int k = 0; k < each.length; k++) {
            all += numbers[k] * each[k];
            worst = Math.max(worst, Math.min(lost, numbers[k]) * each[k]);
        }
        return all - worst;
    }

    /** Of all servers those that hold least. */
    private static long withoutTheLeast(long[] numbers, long[] each, int lost) {
        List<Long> held = new ArrayList<>();
        for (int k = 0; k < each.length; k++) {
            for (long n = 0; n < numbers[k]; n++) {
                held.add(each[k]);
            }
        }
        return held.stream().sorted().skip(lost).mapToLong(Long::longValue).sum();
    }

    @Test
    void afterALossTheMostThatAnyChoiceHolds() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            long[] listed = random.longs(2 + random.nextInt(3), 1, 4).toArray();
            long[] each =
                    random.longs(listed.length, 1, 9).map(k -> 8 * k).distinct().toArray();
            listed = Arrays.copyOf(listed, each.length);
            List<ServerBlock> blocks = new ArrayList<>();
            for (int k = 0; k < each.length; k++) {
                blocks.add(new ServerBlock((int) listed[k], Amounts.of(each[k]), List.of(), Labels.NONE));
            }
            ServerFleet fleet = ServerFleet.of(
                    new Cluster(
                            List.of(new Resource("cpu_milli", false, 0)),
                            List.of(),
                            List.of(new Site("default", blocks, Amounts.of())),
                            List.of()),
                    "");
            if (each.length == 1) {
                continue;
            }
            List<BigInteger> held =
                    Arrays.stream(each).mapToObj(BigInteger::valueOf).toList();
            for (int lost = 0; lost < 4; lost++) {
                for (long level = 0; level <= 2 * Arrays.stream(listed).sum(); level++) {
                    int gone = lost;
                    List<long[]> choices = choices(listed, level);
                    ToLongFunction<ToLongFunction<long[]>> best =
                            of -> choices.stream().mapToLong(of).max().orElseThrow();
                    assertThat(fleet.most(level, held, lost))
                            .as(
                                    "%s of %s, %d of them, %d lost",
                                    Arrays.toString(each), Arrays.toString(listed), level, lost)
                            .isEqualTo(BigInteger.valueOf(Math.min(
                                    best.applyAsLong(numbers -> withoutAKind(numbers, each, gone)),
                                    best.applyAsLong(numbers -> withoutTheLeast(numbers, each, gone)))));
                }
            }
        }
    }
}
