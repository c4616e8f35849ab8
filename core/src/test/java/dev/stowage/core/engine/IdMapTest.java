package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdMapTest {
    @Test
    void findsWhatWasPutAndNothingElse() {
        long[] ids = new long[7];
        IdMap map = new IdMap(job -> ids[job]);
        ids[6] = Long.MAX_VALUE;
        map.put(0, 5);
        map.put(Long.MAX_VALUE, 6);
        assertThat(map.get(0)).isEqualTo(5);
        assertThat(map.get(Long.MAX_VALUE)).isEqualTo(6);
        assertThat(map.get(1)).isEqualTo(-1);
        map.remove(0, 5);
        assertThat(map.get(0)).isEqualTo(-1);
        assertThat(map.get(Long.MAX_VALUE)).isEqualTo(6);
    }

    @Test
    void agreesWithAHashMapOnSequentialSparseAndReusedIds() {
        for (long seed = 1; seed <= 30; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
            int spread = 1 << (3 * random.nextInt(4));
            long[] ids = new long[5_000];
            IdMap map = new IdMap(job -> ids[job]);
            Map<Long, Integer> reference = new HashMap<>();
            List<Long> present = new ArrayList<>();
            int population = 1 + random.nextInt(500);
            for (int step = 0; step < 5_000; step++) {
                if (present.size() < population && random.nextInt(5) < 3) {
                    long id = (long) random.nextInt(4 * population) * spread;
                    if (!reference.containsKey(id)) {
                        ids[step] = id;
                        map.put(id, step);
                        reference.put(id, step);
                        present.add(id);
                    }
                } else if (!present.isEmpty()) {
                    long id = present.remove(random.nextInt(present.size()));
                    map.remove(id, reference.remove(id));
                }
                long probe = (long) random.nextInt(4 * population) * spread;
                assertThat(map.get(probe))
                        .as("seed %d, id %d", seed, probe)
                        .isEqualTo(reference.getOrDefault(probe, -1));
            }
            for (long id : present) {
                assertThat(map.get(id)).as("seed %d, id %d", seed, id).isEqualTo(reference.get(id));
            }
        }
    }

    /** A hash is 32 bits of 64, so ids meet by the birthday paradox: among 2^20 ids there are some hundred pairs. */
    @Test
    void twoIdsOfOneHashAreTwoIds() {
        Map<Integer, Long> byHash = new HashMap<>();
        long[] ids = new long[2];
        int pairs = 0;
        for (long id = 0; id < 1L << 20; id++) {
            Long other = byHash.put(IdMap.hash(id), id);
            if (other == null) {
                continue;
            }
            ids[0] = other;
            ids[1] = id;
            IdMap map = new IdMap(job -> ids[job]);
            map.put(other, 0);
            assertThat(map.get(id)).as("id %d, of the hash of %d", id, other).isEqualTo(-1);
            map.put(id, 1);
            assertThat(map.get(other)).isZero();
            assertThat(map.get(id)).isEqualTo(1);
            map.remove(other, 0);
            assertThat(map.get(other)).isEqualTo(-1);
            assertThat(map.get(id)).isEqualTo(1);
            pairs++;
        }
        assertThat(pairs).isGreaterThan(50);
    }

    @Test
    void itGrowsWhenMoreThanHalfIsTakenAndNotByWhatWasRemoved() {
        IdMap map = new IdMap(job -> job);
        for (int id = 0; id < 32; id++) {
            map.put(id, id);
        }
        assertThat(map.places()).isEqualTo(64);
        for (int id = 0; id < 1_000; id++) {
            map.remove(id, id);
            map.put(id + 32, id + 32);
        }
        assertThat(map.places()).isEqualTo(64);
        map.put(5_000, 5_000);
        assertThat(map.places()).isEqualTo(128);
    }

    /** Eight ids in sequence lie side by side; where, is drawn for each eight. */
    @Test
    void idsInSequenceAreHashedTogether() {
        Set<Integer> blocks = new HashSet<>();
        for (long block = 0; block < 1_000; block++) {
            int first = IdMap.hash(8 * block);
            for (int k = 0; k < 8; k++) {
                assertThat(IdMap.hash(8 * block + k)).isEqualTo(first + k);
            }
            assertThat(first & 7).isZero();
            blocks.add(first);
        }
        // Of 2^29 places, 1,000 drawn: some pair meets about once in a thousand tries.
        assertThat(blocks).hasSizeGreaterThan(997);
    }
}
