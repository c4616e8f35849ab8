package dev.stowage.report;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** File names for figures, made from words that users chose: safe on every file system, each given out once. */
final class FigureNames {
    private static final int LONGEST = 80;

    private final Set<String> given = new HashSet<>();

    /** Lower-case letters, digits, dots inside and hyphens; numbered if two would be equal. */
    String of(String words) {
        String plain =
                words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^[-.]+|[-.]+$", "");
        String base = plain.isEmpty() ? "figure" : plain.substring(0, Math.min(LONGEST, plain.length()));
        String name = base;
        for (int i = 2; !given.add(name); i++) {
            name = base + "-" + i;
        }
        return name;
    }
}
