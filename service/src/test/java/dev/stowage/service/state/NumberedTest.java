package dev.stowage.service.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.ConstraintWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pieces against a tree. */
final class NumberedTest {
    private static Tracked tracked(long number) {
        return new Tracked(new Request(
                "",
                "r" + number,
                number,
                0,
                "",
                new long[0],
                List.of(),
                ConstraintWords.NONE,
                Request.State.WAITING,
                -1,
                -1,
                0,
                0,
                0,
                "",
                0,
                null,
                Life.NONE,
                0,
                null));
    }

    @Test
    void isOrderedAsATreeIs() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Numbered all = new Numbered();
            TreeMap<Long, Tracked> reference = new TreeMap<>();
            int range = 1 << (4 + random.nextInt(9));
            boolean mostlyAtEnd = random.nextBoolean();
            long end = 0;
            for (int step = 0; step < 6000; step++) {
                boolean grows = random.nextInt(6000) > step;
                long number = mostlyAtEnd && random.nextInt(5) > 0 ? end++ : random.nextInt(range);
                if (grows) {
                    Tracked one = reference.getOrDefault(number, tracked(number));
                    all.add(one);
                    reference.put(number, one);
                } else {
                    Map.Entry<Long, Tracked> some = reference.ceilingEntry((long) random.nextInt(range));
                    Tracked gone = some == null ? tracked(number) : some.getValue();
                    all.remove(gone);
                    if (some != null) {
                        reference.remove(some.getKey());
                    }
                }
                assertThat(all.size()).isEqualTo(reference.size());
                if (step % 97 == 0) {
                    long from = random.nextInt(range) - 1L;
                    int most = random.nextInt(600);
                    List<Tracked> found = new ArrayList<>();
                    boolean ended = all.after(from, one -> found.size() < most && found.add(one));
                    assertThat(found)
                            .as("seed %s, step %s", seed, step)
                            .isEqualTo(reference.tailMap(from, false).values().stream()
                                    .limit(most)
                                    .toList());
                    assertThat(ended).isEqualTo(reference.tailMap(from, false).size() <= most);
                }
            }
        }
    }
}
