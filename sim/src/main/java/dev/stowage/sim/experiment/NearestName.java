package dev.stowage.sim.experiment;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** "Did you mean": the nearest of the known names. */
final class NearestName {
    private static final int MOST_EDITS = 3;

    private NearestName() {}

    /** What is allowed, the nearest first if it is near. */
    static String among(String given, Collection<String> known) {
        String all = known.stream().sorted().collect(Collectors.joining(", "));
        return nearest(given, known)
                .filter(nearest -> distance(given, nearest) <= Math.min(MOST_EDITS, nearest.length() / 2 + 1))
                .map(nearest -> "did you mean '" + nearest + "'? Allowed: " + all)
                .orElse("allowed: " + all);
    }

    /** The same; of more names than {@code many}, those that are given as {@code name{label=value}} are left out. */
    static String among(String given, Collection<String> known, int many) {
        List<String> plain = known.stream().filter(name -> !name.contains("{")).toList();
        if (known.size() <= many
                || nearest(given, known).filter(plain::contains).isEmpty()) {
            return among(given, known);
        }
        return among(given, plain) + ", and " + (known.size() - plain.size()) + " of single types, resources and sites";
    }

    /** Whether the name was probably meant to be a known one: one letter off, or two in a name of five or more. */
    static boolean isMisspelling(String given, Collection<String> known) {
        return nearest(given, known)
                .filter(nearest -> distance(given, nearest) <= (nearest.length() < 5 ? 1 : 2))
                .isPresent();
    }

    private static Optional<String> nearest(String given, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(name -> name));
    }

    /** Levenshtein's edit distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitution = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
