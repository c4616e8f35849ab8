package dev.stowage.sim.experiment;

import dev.stowage.core.model.Spelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** "Did you mean": the nearest of the known names. */
final class NearestName {
    private static final int MOST_EDITS = 3;

    private NearestName() {}

    /** The name that was probably meant, if one is near enough, and those that are allowed. */
    static String among(String given, Collection<String> known) {
        String all = Spelling.choice(given, known);
        return nearEnough(given, known)
                .map(nearest -> "did you mean '" + nearest + "'? Allowed: " + all)
                .orElse("allowed: " + all);
    }

    /** The name that was probably meant, if one is near enough. */
    static Optional<String> nearEnough(String given, Collection<String> known) {
        return nearest(given, known)
                .filter(nearest -> farness(given, nearest) <= Math.min(MOST_EDITS, nearest.length() / 2 + 1));
    }

    /**
     * The same; if there are more than {@code many} names, those of the form {@code name{label=value}} are left out.
     */
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
                .filter(nearest -> Spelling.distance(given, nearest) <= (nearest.length() < 5 ? 1 : 2))
                .isPresent();
    }

    /** The least for a name that begins with what was given, else the distance. */
    private static int farness(String given, String known) {
        return given.length() >= MOST_EDITS && known.startsWith(given) ? 1 : Spelling.distance(given, known);
    }

    private static Optional<String> nearest(String given, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> farness(given, name))
                        .thenComparing(name -> name));
    }
}
