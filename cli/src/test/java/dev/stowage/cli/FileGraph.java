package dev.stowage.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which file uses which, and the cycles among them (R. Tarjan: Depth-first search and linear graph algorithms, 1972).
 */
final class FileGraph {
    private final Map<String, Set<String>> uses = new TreeMap<>();

    void add(String file) {
        uses.computeIfAbsent(file, key -> new TreeSet<>());
    }

    void uses(String file, String other) {
        add(file);
        add(other);
        if (!file.equals(other)) {
            uses.get(file).add(other);
        }
    }

    int size() {
        return uses.size();
    }

    /**
     * Files that use each other, directly or through others, in order of the first name; cycles of a single file do
     * not count.
     */
    List<Set<String>> cycles() {
        Search search = new Search();
        uses.keySet().forEach(search::visit);
        search.found.sort(
                (one, other) -> one.iterator().next().compareTo(other.iterator().next()));
        return search.found;
    }

    private final class Search {
        final List<Set<String>> found = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();
        /** The smallest number that is reachable. */
        private final Map<String, Integer> lowest = new HashMap<>();

        private final Deque<String> open = new ArrayDeque<>();

        void visit(String file) {
            if (numbers.containsKey(file)) {
                return;
            }
            int number = numbers.size();
            numbers.put(file, number);
            lowest.put(file, number);
            open.push(file);
            for (String other : uses.get(file)) {
                visit(other);
                if (open.contains(other)) {
                    lowest.merge(file, lowest.get(other), Math::min);
                }
            }
            if (lowest.get(file) == number) {
                Set<String> cycle = new TreeSet<>();
                while (cycle.add(open.peek()) && !open.pop().equals(file)) {}
                if (cycle.size() > 1) {
                    found.add(cycle);
                }
            }
        }
    }
}
