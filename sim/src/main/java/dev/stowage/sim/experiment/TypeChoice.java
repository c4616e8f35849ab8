package dev.stowage.sim.experiment;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The types of requests that a name means: the type of that name; all shapes of it, which a trace has as {@code name
 * (shape)}; what the only name says that begins with it, or has it as a word; or all that begin with it, or end with it
 * as a word, if only numbers follow, as {@code web-1} and {@code web-2} are for {@code web}, and {@code eu-db-1} and
 * {@code us-db-1} for {@code db}.
 */
public final class TypeChoice {
    /** All types. */
    public static final TypeChoice ALL = new TypeChoice("", new BitSet());

    private static final int MOST_NAMES = 12;

    private static final String SHAPE = " (";

    private final String name;
    private final BitSet numbers;

    private TypeChoice(String name, BitSet numbers) {
        this.name = name;
        this.numbers = numbers;
    }

    /**
     * What a name means among the names of types; all if it is empty.
     *
     * @throws IllegalArgumentException if it means none, or several of different names: with the nearest
     */
    public static TypeChoice of(String given, List<String> types) {
        if (given.isEmpty()) {
            return ALL;
        }
        BitSet numbered = numbered(given, types);
        if (!numbered.isEmpty()) {
            return new TypeChoice(given, numbered);
        }
        String name = name(given, types);
        boolean isType = types.contains(name);
        return new TypeChoice(
                name,
                IntStream.range(0, types.size())
                        .filter(i -> isType ? types.get(i).equals(name) : isShape(types.get(i), name))
                        .collect(BitSet::new, BitSet::set, BitSet::or));
    }

    /** The types that are the name with a number, or end so, if no other has the name so; empty for a single one. */
    private static BitSet numbered(String given, List<String> types) {
        String small = given.toLowerCase(Locale.ROOT);
        BitSet begin = having(types, type -> type.startsWith(small));
        BitSet all = begin.isEmpty() ? having(types, ways(given).get(2)) : begin;
        Pattern number = Pattern.compile((begin.isEmpty() ? ".*" : "") + Pattern.quote(small)
                + (begin.isEmpty() ? "[-_. ]" : "[-_. ]?") + "\\d+");
        return all.cardinality() > 1
                        && all.stream()
                                .allMatch(i -> number.matcher(
                                                withoutShape(types.get(i)).toLowerCase(Locale.ROOT))
                                        .matches())
                ? all
                : new BitSet();
    }

    private static BitSet having(List<String> types, Predicate<String> name) {
        return IntStream.range(0, types.size())
                .filter(i -> name.test(types.get(i).toLowerCase(Locale.ROOT)))
                .collect(BitSet::new, BitSet::set, BitSet::or);
    }

    private static boolean isShape(String type, String name) {
        return type.startsWith(name + SHAPE) && type.endsWith(")");
    }

    private static String name(String given, List<String> types) {
        if (types.contains(given) || types.stream().anyMatch(type -> isShape(type, given))) {
            return given;
        }
        for (Predicate<String> way : ways(given)) {
            List<String> meant = types.stream().filter(way).toList();
            List<String> names = meant.stream()
                    .map(TypeChoice::withoutShape)
                    .filter(way)
                    .distinct()
                    .toList();
            if (meant.size() == 1) {
                return meant.get(0);
            }
            if (names.size() == 1 && meant.stream().allMatch(type -> isShape(type, names.get(0)))) {
                return names.get(0);
            }
            if (!meant.isEmpty()) {
                List<String> all =
                        (names.size() > 1 ? names : meant).stream().sorted().toList();
                throw new IllegalArgumentException("'" + given + "' is not the name of one type: "
                        + all.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                        + (all.size() > MOST_NAMES ? ", and " + (all.size() - MOST_NAMES) + " more" : "")
                        + "; name each, or what they have in common before a number, as web for web-1 and web-2");
            }
        }
        boolean shapesOnly = types.stream().allMatch(type -> type.matches("[\\d.]+ .*"));
        String named =
                given.contains("=") ? given.substring(0, given.indexOf('=')).strip() : "COLUMN";
        String column = given.contains("=") || shapesOnly
                ? " (a column can give the type of a request: --columns \"type=" + named + "\"; also the column of"
                        + " names: with \"type=NAME,id=NAME\" web is web-1, web-2, ...)"
                : "";
        String asked = given.substring(given.indexOf('=') + 1).strip();
        throw new IllegalArgumentException("there is no type '" + given + "'" + column + "; "
                + NearestName.among(
                        asked,
                        types.stream().map(TypeChoice::withoutShape).distinct().toList()));
    }

    /** In which ways a type may have the name that is given, the surest first. */
    private static List<Predicate<String>> ways(String given) {
        String small = given.toLowerCase(Locale.ROOT);
        Pattern word = Pattern.compile("(?<![\\p{L}\\p{N}])" + Pattern.quote(small) + "(?![\\p{L}\\p{N}])");
        return List.of(
                type -> type.toLowerCase(Locale.ROOT).equals(small),
                type -> type.toLowerCase(Locale.ROOT).startsWith(small),
                type -> word.matcher(type.toLowerCase(Locale.ROOT)).find());
    }

    /** Whether some type may have this name, be it the only one or not. */
    public static boolean isNamed(String given, List<String> types) {
        return ways(given).stream().anyMatch(way -> types.stream().anyMatch(way));
    }

    private static String withoutShape(String type) {
        int at = type.indexOf(SHAPE);
        return at > 0 && type.endsWith(")") ? type.substring(0, at) : type;
    }

    /** The name in full; empty for all. */
    public String name() {
        return name;
    }

    /** Whether requests of the type with this number count. */
    public boolean has(int type) {
        return name.isEmpty() || numbers.get(type);
    }
}
