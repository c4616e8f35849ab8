package dev.stowage.policies.catalog;

import dev.stowage.core.model.Spelling;
import java.util.Collection;
import java.util.Locale;

/** Suggests the word that was probably meant. */
public final class Suggestion {
    private Suggestion() {}

    /** {@code "; did you mean x?"} for the nearest of the known words, empty if none is near. */
    public static String of(String word, Collection<String> known) {
        String nearest = "";
        int least = Math.max(2, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = Spelling.distance(word.toLowerCase(Locale.ROOT), candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean " + nearest + "?";
    }
}
