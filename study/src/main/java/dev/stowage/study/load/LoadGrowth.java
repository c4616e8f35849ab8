package dev.stowage.study.load;

import dev.stowage.sim.experiment.TypeChoice;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How load grows in a year.
 *
 * @param part of all, e.g. 0.2
 * @param ofSome of some types, in place of that; of several that mean a type the last
 */
public record LoadGrowth(double part, List<OfTypes> ofSome) {
    private static final double DECIMALS = 1e12;

    /** Takes a copy. */
    public LoadGrowth {
        ofSome = List.copyOf(ofSome);
    }

    /** LoadGrowth of the types that a name means ({@link TypeChoice}). */
    public record OfTypes(String name, double part) {}

    /** Of all alike. */
    public static LoadGrowth of(double part) {
        return new LoadGrowth(part, List.of());
    }

    /** How many times today's load that of most types is after so many years. */
    public double times(double years) {
        return StrictMath.pow(1 + part, years);
    }

    /** The same to twelve decimals, so that two years of 30 % are 1.69. */
    public double rounded(double years) {
        return Math.rint(times(years) * DECIMALS) / DECIMALS;
    }

    /** Types that grow together: in all, so many times as much. */
    public record Alike(double times, List<Integer> types) {}

    /**
     * All types in such groups: those that one name means, and the others.
     *
     * @throws IllegalArgumentException if a name means no type, or several of different names
     */
    public List<Alike> groups(double years, List<String> types) {
        int[] group = new int[types.size()];
        for (int i = 0; i < ofSome.size(); i++) {
            TypeChoice choice = TypeChoice.of(ofSome.get(i).name(), types);
            for (int type = 0; type < group.length; type++) {
                group[type] = choice.has(type) ? i + 1 : group[type];
            }
        }
        return IntStream.rangeClosed(0, ofSome.size())
                .mapToObj(i -> new Alike(
                        i == 0
                                ? times(years)
                                : LoadGrowth.of(ofSome.get(i - 1).part()).times(years),
                        IntStream.range(0, group.length)
                                .filter(type -> group[type] == i)
                                .boxed()
                                .toList()))
                .toList();
    }

    /** A load and, beside it, what those that grow otherwise have then: {@code x 1.440 (db x 2.560)}. */
    public String words(double load, double years) {
        return String.format(Locale.ROOT, "x %.3f", load)
                + (ofSome.isEmpty() || years == 0
                        ? ""
                        : ofSome.stream()
                                .map(some -> String.format(
                                        Locale.ROOT,
                                        "%s x %.3f",
                                        some.name(),
                                        LoadGrowth.of(some.part()).rounded(years)))
                                .collect(Collectors.joining(", ", " (", ")")));
    }

    /** Those that grow otherwise, as a sentence; empty if none do. */
    public String sentence() {
        return ofSome.isEmpty()
                ? ""
                : " \"Load\" is that of all but "
                        + ofSome.stream()
                                .map(some -> String.format(
                                        Locale.ROOT, "%s (%+.0f %% a year)", some.name(), 100 * some.part()))
                                .collect(Collectors.joining(", "))
                        + ".";
    }
}
