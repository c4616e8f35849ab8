package dev.stowage.policies.reservation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configurations that occurred so far, numbered from 0 in order of appearance. */
final class ConfigurationTable {
    private final SortedMap<int[], Integer> numbers = new TreeMap<>(Arrays::compare);
    private final List<int[]> counts = new ArrayList<>();

    /** Number of a configuration, counts per type; a new one is copied. */
    int number(int[] configuration) {
        Integer known = numbers.get(configuration);
        if (known != null) {
            return known;
        }
        int[] copy = configuration.clone();
        numbers.put(copy, counts.size());
        counts.add(copy);
        return counts.size() - 1;
    }

    int size() {
        return counts.size();
    }

    int[] counts(int number) {
        return counts.get(number);
    }

    /** The numbers, configurations in lexicographic order: an order that does not depend on the past. */
    Iterable<Integer> inOrder() {
        return numbers.values();
    }
}
