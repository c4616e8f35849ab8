package dev.stowage.sim.trace;

import java.util.HashMap;
import java.util.Map;

/** Numbers texts 0, 1, ... by first appearance. */
final class TextNumbers {
    private final Map<String, Integer> numbers = new HashMap<>();

    int number(String text) {
        Integer known = numbers.putIfAbsent(text, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }
}
