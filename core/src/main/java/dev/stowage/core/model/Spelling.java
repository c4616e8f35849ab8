package dev.stowage.core.model;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Misspelt names. */
public final class Spelling {
    private static final int MANY = 10;
    private static final int LEAST_BEGINNING = 3;

    private Spelling() {}

    /**
     * Edit distance: the least number of letters left out, added or changed, and of neighbours swapped, that turns one
     * name into the other.
     */
    public static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] oldest = beforeLast;
            beforeLast = last;
            last = row;
            row = oldest;
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], 1 + beforeLast[j - 2]);
                }
            }
        }
        return row[b.length()];
    }

    /** How near a known name is to what was given, the least first: a name that begins with it, else by distance. */
    private static int farness(String given, String known) {
        return given.length() >= LEAST_BEGINNING && known.startsWith(given) ? 1 : distance(given, known);
    }

    /**
     * Names to choose from, for a message: all of them in order, or of more than ten those that are nearest to what was
     * given, and how many others there are.
     */
    public static String choice(String given, Collection<String> known) {
        if (known.size() <= MANY) {
            return known.stream().sorted().collect(Collectors.joining(", "));
        }
        // In order of names, as the sort leaves those that are equally near.
        Map<String, Integer> farness = new TreeMap<>();
        known.forEach(name -> farness.put(name, farness(given, name)));
        return farness.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue())
                        .limit(MANY)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.joining(", "))
                + " and " + (known.size() - MANY) + " more";
    }

    /** Whether the names differ only in one letter left out, added or changed, or in two swapped neighbours. */
    public static boolean isNear(String given, String known) {
        return Math.abs(given.length() - known.length()) <= 1 && distance(given, known) <= 1;
    }
}
