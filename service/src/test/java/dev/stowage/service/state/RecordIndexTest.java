package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordIndexTest {
    /** Hashes of few values, so that probes run into each other, wrap around, and tags are equal. */
    @Test
    void findsWhatIsThereAndNothingElse() {
        for (long mask : new long[] {0, 0x3L << 41 | 0xf, 0x1ffL << 40 | 0x3f, -1}) {
            Random random = new Random(mask);
            Map<Long, Long> hashes = new HashMap<>();
            List<Long> present = new ArrayList<>();
            RecordIndex index = new RecordIndex(hashes::get);
            int most = mask == 0 ? 200 : 3000;
            for (int step = 0; step < 20_000; step++) {
                if (present.size() < most && random.nextInt(5) < 3) {
                    long location = random.nextLong() & RecordIndex.LOCATION;
                    long hash = random.nextLong() & mask;
                    if (hashes.putIfAbsent(location, hash) == null) {
                        index.add(hash, location);
                        present.add(location);
                    }
                } else if (!present.isEmpty()) {
                    long location = present.remove(random.nextInt(present.size()));
                    index.remove(hashes.get(location), location);
                    assertThat(index.find(hashes.remove(location), at -> at == location))
                            .isEqualTo(-1);
                }
                if (!present.isEmpty()) {
                    long location = present.get(random.nextInt(present.size()));
                    assertThat(index.find(hashes.get(location), at -> at == location))
                            .isEqualTo(location);
                }
            }
            for (long location : present) {
                assertThat(index.find(hashes.get(location), at -> at == location))
                        .isEqualTo(location);
            }
            assertThatThrownBy(() -> index.remove(0, 12345)).isInstanceOf(IllegalStateException.class);
        }
    }
}
