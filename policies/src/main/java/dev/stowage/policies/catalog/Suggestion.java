package dev.stowage.policies.catalog;

import dev.stowage.core.model.Spelling;
import java.util.Collection;
import java.util.Locale;

/** Suggests the word that was probably meant. */
public final class Suggestion {
    private Suggestion() {}

    /** {@code "; did you mean x or y?"} for the nearest of the known words, or two equally near; empty if none is. */
    public static String of(String word, Collection<String> known) {
        String nearest = "";
        String second = "";
        int least = Math.max(2, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = Spelling.distance(word.toLowerCase(Locale.ROOT), candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
                second = "";
            } else if (distance == least && !nearest.isEmpty() && second.isEmpty()) {
                second = " or " + candidate;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean " + nearest + second + "?";
    }
}
