package dev.stowage.sim.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.sim.statistics.TimeGrid;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventCountsTest {
    private static final int INTERVALS = 10;
    private static final long WIDTH = 7_300_000;
    private static final int KIND = 1;

    /** Beside the overlap of every stretch with every interval; intervals double three times meanwhile. */
    @Test
    void stretchesAreAddedToTheIntervalsThatTheyTouch() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long start = random.nextInt(50_000_000);
            long keptFrom = start + random.nextInt(300_000_000);
            EventCounts counts = new EventCounts(new TimeGrid(start, WIDTH, INTERVALS, keptFrom), 3);
            double[] pieces = new double[INTERVALS];
            long kept = 0;
            long now = start;
            for (int stretch = 0; stretch < 30; stretch++) {
                now += 1 + random.nextInt((int) (8 * WIDTH * INTERVALS / 30));
                long from = now - 1 - (long) (random.nextDouble() * (now - 1 - start));
                counts.addMillis(from, now, KIND);
                for (int i = 0; i < INTERVALS; i++) {
                    pieces[i] += overlap(from, now, start + 8 * WIDTH * i, start + 8 * WIDTH * (i + 1));
                }
                kept += overlap(from, now, keptFrom, Long.MAX_VALUE);
                if (random.nextInt(10) == 0) {
                    assertThat(counts.from(keptFrom, KIND)).isEqualTo(kept);
                    assertThat(counts.from(start, KIND)).as("adds up").isGreaterThanOrEqualTo(kept);
                }
            }
            assertThat(counts.pieces(KIND, 0, INTERVALS, 8 * WIDTH))
                    .as("seed %d", seed)
                    .containsExactly(pieces);
            assertThat(counts.from(keptFrom, KIND)).as("seed %d", seed).isEqualTo(kept);
        }
    }

    private static long overlap(long from, long to, long begin, long end) {
        long first = Math.max(from, begin);
        long last = Math.min(to, end);
        return last <= first ? 0 : last / 1_000_000 - first / 1_000_000;
    }
}
