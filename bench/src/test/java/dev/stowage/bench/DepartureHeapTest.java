package dev.stowage.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.random.KeyedRandom;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class DepartureHeapTest {
    private record Departure(long time, int request) {}

    @Test
    void ordersLikeAPriorityQueue() {
        for (long seed = 0; seed < 50; seed++) {
            KeyedRandom random = new KeyedRandom().key(seed, 0, 0);
            DepartureHeap heap = new DepartureHeap();
            PriorityQueue<Departure> reference = new PriorityQueue<>(
                    Comparator.comparingLong(Departure::time).thenComparingInt(Departure::request));
            for (int i = 0; i < 3000; i++) {
                if (random.nextInt(5) < 3) {
                    long time = random.nextInt(100);
                    heap.add(time, i);
                    reference.add(new Departure(time, i));
                } else {
                    Departure first = reference.poll();
                    assertThat(heap.isEmpty()).as("seed %d", seed).isEqualTo(first == null);
                    if (first != null) {
                        assertThat(heap.due(first.time() - 1)).isFalse();
                        assertThat(heap.due(first.time())).isTrue();
                        assertThat(heap.poll()).as("seed %d", seed).isEqualTo(first.request());
                    }
                }
            }
        }
    }
}
