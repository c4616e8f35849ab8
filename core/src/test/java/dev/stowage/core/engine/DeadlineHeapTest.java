package dev.stowage.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.StateReader;
import dev.stowage.core.policy.StateWriter;
import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeadlineHeapTest {
    private record Key(long deadline, long order) {}

    private static final Comparator<Key> BY_DEADLINE =
            Comparator.comparingLong(Key::deadline).thenComparingLong(Key::order);

    private static List<Integer> drain(DeadlineHeap heap) {
        List<Integer> handles = new ArrayList<>();
        while (heap.size() > 0) {
            handles.add(heap.firstHandle());
            heap.remove(heap.firstHandle());
        }
        return handles;
    }

    @Test
    void theFirstDeadlineWhereSomeComeLater() {
        for (long seed = 0; seed < 200; seed++) {
            DeadlineHeap heap = new DeadlineHeap();
            long[] later = new long[30];
            long expected = DeadlineHeap.NEVER;
            for (int handle = 0; handle < seed % 30; handle++) {
                long random = KeyedRandom.mix(seed * 100 + handle);
                long deadline = Math.floorMod(random, 50L);
                later[handle] = random % 3 == 0 ? 0 : Math.floorMod(random >> 20, 40L);
                heap.put(handle, deadline, handle);
                expected = Math.min(expected, deadline + later[handle]);
            }
            assertThat(heap.firstDeadline(handle -> later[handle])).isEqualTo(expected);
        }
        DeadlineHeap late = new DeadlineHeap();
        late.put(0, DeadlineHeap.NEVER - 5, 0);
        assertThat(late.firstDeadline(handle -> 9)).isEqualTo(DeadlineHeap.NEVER);
    }

    /** Also of a handle just behind the memory for handles. */
    @Test
    void containsWhatWasPutIn() {
        DeadlineHeap heap = new DeadlineHeap();
        heap.put(0, 5, 0);
        for (int handle = -1; handle < 100; handle++) {
            assertThat(heap.contains(handle)).isEqualTo(handle == 0);
        }
    }

    @Test
    void theEarliestIsFirstAndTiesGoByOrder() {
        DeadlineHeap heap = new DeadlineHeap();
        assertThat(heap.firstDeadline()).isEqualTo(DeadlineHeap.NEVER);
        heap.put(7, 30, 0);
        heap.put(3, 10, 2);
        heap.put(9, 10, 1);
        assertThat(heap.firstDeadline()).isEqualTo(10);
        assertThat(drain(heap)).containsExactly(9, 3, 7);
    }

    @Test
    void aHandleThatIsThereIsMoved() {
        DeadlineHeap heap = new DeadlineHeap();
        heap.put(0, 10, 0);
        heap.put(1, 20, 1);
        heap.put(2, 30, 2);
        heap.put(0, 25, 3);
        heap.put(2, 5, 4);
        assertThat(heap.size()).isEqualTo(3);
        assertThat(drain(heap)).containsExactly(2, 1, 0);
    }

    @Test
    void aClearedHeapIsEmptyAndUsable() {
        DeadlineHeap heap = new DeadlineHeap();
        heap.put(4, 1, 0);
        heap.clear();
        assertThat(heap.contains(4)).isFalse();
        assertThat(heap.contains(-1)).isFalse();
        assertThat(heap.contains(1_000)).isFalse();
        heap.put(4, 2, 0);
        assertThat(drain(heap)).containsExactly(4);
    }

    @Test
    void agreesWithASortedMapOnRandomChanges() {
        for (long seed = 1; seed <= 50; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
            DeadlineHeap heap = new DeadlineHeap();
            Map<Integer, Key> reference = new TreeMap<>();
            for (int step = 0; step < 400; step++) {
                int handle = random.nextInt(60);
                if (random.nextInt(3) == 0 && reference.containsKey(handle)) {
                    heap.remove(handle);
                    reference.remove(handle);
                } else {
                    Key key = new Key(random.nextInt(20) - 10, step);
                    heap.put(handle, key.deadline(), key.order());
                    reference.put(handle, key);
                }
                if (random.nextInt(50) == 0) {
                    heap = restored(heap);
                }
                assertSame(heap, reference, seed);
            }
            List<Integer> sorted = reference.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(BY_DEADLINE))
                    .map(Map.Entry::getKey)
                    .toList();
            assertThat(drain(heap)).as("seed %d", seed).isEqualTo(sorted);
        }
    }

    private static void assertSame(DeadlineHeap heap, Map<Integer, Key> reference, long seed) {
        assertThat(heap.size()).as("seed %d", seed).isEqualTo(reference.size());
        reference.entrySet().stream()
                .min(Map.Entry.comparingByValue(BY_DEADLINE))
                .ifPresent(least -> {
                    assertThat(heap.firstHandle()).as("seed %d", seed).isEqualTo(least.getKey());
                    assertThat(heap.firstDeadline()).isEqualTo(least.getValue().deadline());
                    assertThat(heap.contains(least.getKey())).isTrue();
                });
    }

    private static DeadlineHeap restored(DeadlineHeap heap) {
        StateWriter out = new StateWriter();
        heap.save(out);
        DeadlineHeap copy = new DeadlineHeap();
        copy.restore(new StateReader(out.toByteArray()));
        return copy;
    }
}
