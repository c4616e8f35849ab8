package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All ways to divide a few servers among three sites, of which any may be lost. */
final class EvenSitesTest {
    private static final int MOST = 6;

    @Test
    void noOtherWayLeavesMore() {
        for (int have = 1; have < MOST * MOST * MOST; have++) {
            long[] list = {have % MOST, have / MOST % MOST, have / MOST / MOST};
            if (Arrays.stream(list).anyMatch(each -> each == 0)) {
                continue;
            }
            int all = (int) Arrays.stream(list).sum();
            int[] order = IntStream.range(0, 3)
                    .flatMap(b -> IntStream.generate(() -> b).limit(list[b]))
                    .toArray();
            EvenSites even = new EvenSites(list, order, new int[] {0, 1, 2});
            long[] before = new long[3];
            for (int servers = 0; servers < 2 * all; servers++) {
                long[] now = even.counts(servers);
                assertThat(Arrays.stream(now).sum()).isEqualTo(servers);
                for (int b = 0; b < 3; b++) {
                    assertThat(now[b]).isGreaterThanOrEqualTo(before[b]);
                    assertThat(now[b]).isGreaterThanOrEqualTo(servers < all ? 0 : list[b]);
                    assertThat(now[b]).isLessThanOrEqualTo(servers > all ? servers : list[b]);
                }
                assertThat(Arrays.stream(now).max().orElseThrow()).isEqualTo(least(list, servers, servers > all));
                before = now;
            }
        }
    }

    /** A site has two blocks: its servers come in the order of its list, and then again. */
    @Test
    void theServersOfASiteAreThoseOfItsList() {
        EvenSites even = new EvenSites(new long[] {1, 2, 1}, new int[] {1, 2, 1, 0}, new int[] {0, 0, 1});
        assertThat(even.counts(2)).containsExactly(0, 1, 1);
        assertThat(even.counts(4)).containsExactly(1, 2, 1);
        assertThat(even.counts(7)).containsExactly(1, 3, 3);
    }

    @Test
    void aSiteWithoutServersGetsNone() {
        EvenSites even = new EvenSites(new long[] {2, 0, 2}, new int[] {0, 2, 0, 2}, new int[] {0, 1, 3});
        assertThat(even.counts(3)).containsExactly(2, 0, 1);
        assertThat(even.counts(7)).containsExactly(4, 0, 3);
    }

    /** The fewest at the site that has most. */
    private static long least(long[] list, int servers, boolean more) {
        long least = Long.MAX_VALUE;
        for (long a = more ? list[0] : 0; a <= (more ? servers : list[0]); a++) {
            for (long b = more ? list[1] : 0; b <= (more ? servers : list[1]); b++) {
                long c = servers - a - b;
                if (c >= (more ? list[2] : 0) && c <= (more ? servers : list[2])) {
                    least = Math.min(least, Math.max(a, Math.max(b, c)));
                }
            }
        }
        return least;
    }
}
