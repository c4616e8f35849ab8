package dev.stowage.study.load;

import dev.stowage.sim.experiment.TypeChoice;
import java.util.Arrays;
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
     * All types in such groups, those of one rate in each.
     *
     * @throws IllegalArgumentException if a name means no type, or several of different names
     */
    public List<Alike> groups(double years, List<String> types) {
        double[] part = new double[types.size()];
        Arrays.fill(part, this.part);
        for (OfTypes some : ofSome) {
            TypeChoice choice = TypeChoice.of(some.name(), types);
            for (int type = 0; type < part.length; type++) {
                part[type] = choice.has(type) ? some.part() : part[type];
            }
        }
        return Arrays.stream(part)
                .distinct()
                .mapToObj(rate -> new Alike(
                        LoadGrowth.of(rate).times(years),
                        IntStream.range(0, part.length)
                                .filter(type -> part[type] == rate)
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
