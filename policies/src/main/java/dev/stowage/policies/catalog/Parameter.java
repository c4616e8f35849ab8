package dev.stowage.policies.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A parameter of a policy: one of a few words, a number in a range, a list of such numbers, or either.
 *
 * @param name name, as in {@code when-full=queue}
 * @param meaning what it decides, in one line
 * @param words the allowed words
 * @param numbers the allowed numbers, or {@link NumberRange#NONE}
 * @param defaultValue the value if none is given
 * @param samples values that tests try beside the default
 */
public record Parameter(
        String name,
        String meaning,
        List<String> words,
        NumberRange numbers,
        String defaultValue,
        List<String> samples) {
    /** Checks that the default and the samples are allowed. */
    public Parameter {
        words = List.copyOf(words);
        samples = List.copyOf(samples);
        if (!isAllowed(words, numbers, defaultValue)) {
            throw new IllegalArgumentException("default " + defaultValue + " of " + name + " is not allowed");
        }
        for (String sample : samples) {
            if (!isAllowed(words, numbers, sample)) {
                throw new IllegalArgumentException("sample " + sample + " of " + name + " is not allowed");
            }
        }
    }

    /** A parameter whose values are the names of an enum, in lower case with hyphens. */
    public static <E extends Enum<E>> Parameter word(String name, String meaning, E defaultValue) {
        List<String> words = Stream.of(defaultValue.getDeclaringClass().getEnumConstants())
                .map(Parameter::key)
                .toList();
        return new Parameter(name, meaning, words, NumberRange.NONE, key(defaultValue), words);
    }

    /** A parameter that is on or off. */
    public static Parameter flag(String name, String meaning, boolean defaultValue) {
        List<String> words = List.of("true", "false");
        return new Parameter(name, meaning, words, NumberRange.NONE, Boolean.toString(defaultValue), words);
    }

    /** A whole number between two bounds, both allowed. The samples are what tests try. */
    public static Parameter integer(
            String name, String meaning, long least, long most, long defaultValue, long... samples) {
        List<String> texts = new ArrayList<>();
        for (long sample : samples) {
            texts.add(Long.toString(sample));
        }
        return new Parameter(
                name,
                meaning,
                List.of(),
                new NumberRange(true, least, most, false),
                Long.toString(defaultValue),
                texts);
    }

    /** A number between two bounds, both allowed. The samples are what tests try. */
    public static Parameter number(
            String name, String meaning, double least, double most, double defaultValue, double... samples) {
        List<String> texts = new ArrayList<>();
        for (double sample : samples) {
            texts.add(NumberRange.text(sample));
        }
        return new Parameter(
                name,
                meaning,
                List.of(),
                new NumberRange(false, least, most, false),
                NumberRange.text(defaultValue),
                texts);
    }

    /** A number for each request type, each between two bounds, or the word for no numbers, which is the default. */
    public static Parameter perType(String name, String meaning, double least, double most, String word) {
        return new Parameter(
                name, meaning, List.of(word), new NumberRange(false, least, most, true), word, List.of(word));
    }

    /** The same parameter with words allowed beside the numbers; the first word is the default. */
    public Parameter orWords(String... more) {
        List<String> tried = new ArrayList<>(samples);
        tried.addAll(List.of(more));
        tried.add(defaultValue);
        return new Parameter(name, meaning, List.of(more), numbers, more[0], tried);
    }

    /** The same parameter with a word allowed beside the numbers; the default remains the number. */
    public Parameter orElse(String word) {
        List<String> tried = new ArrayList<>(samples);
        tried.add(word);
        return new Parameter(name, meaning, List.of(word), numbers, defaultValue, tried);
    }

    /** Whether a value is allowed. */
    public boolean allows(String value) {
        return isAllowed(words, numbers, value);
    }

    /** The allowed values, as text for people. */
    public String range() {
        List<String> parts = new ArrayList<>(words);
        if (!numbers.equals(NumberRange.NONE)) {
            parts.add(numbers.range());
        }
        return String.join(" | ", parts);
    }

    static String key(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static boolean isAllowed(List<String> words, NumberRange numbers, String value) {
        return words.contains(value) || numbers.contains(value);
    }
}
