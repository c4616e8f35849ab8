package dev.stowage.sim.measure;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prices and their currencies as people write them: {@code 9,800 €}, {@code USD 9800}, {@code Preis (EUR)}. */
public final class PriceWords {
    private static final List<String> CODES = List.of(
            "EUR", "USD", "CHF", "GBP", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "JPY", "CNY", "INR", "CAD", "AUD",
            "BRL");
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("€", "EUR"),
            Map.entry("EURO", "EUR"),
            Map.entry("EUROS", "EUR"),
            Map.entry("$", "USD"),
            Map.entry("US$", "USD"),
            Map.entry("DOLLAR", "USD"),
            Map.entry("DOLLARS", "USD"),
            Map.entry("£", "GBP"),
            Map.entry("FRANKEN", "CHF"),
            Map.entry("¥", "JPY"),
            Map.entry("₹", "INR"));

    /** A currency beside a price, as a regular expression: a sign, three capital letters, or a word that is known. */
    public static final String CURRENCY = "(?:\\p{Sc}|[A-Z]{3}|(?i:"
            + OTHERS.keySet().stream()
                    .filter(word -> word.matches("[A-Z]+"))
                    .sorted()
                    .collect(Collectors.joining("|"))
            + "))";

    private PriceWords() {}

    /** The codes that are known, in capitals. */
    public static List<String> codes() {
        return CODES;
    }

    /** The currency that the name of a column says, by its code, {@code EUR}; empty if it says none that is known. */
    public static String ofColumn(String name) {
        return words(name)
                .map(word -> word.toUpperCase(Locale.ROOT))
                .map(word -> OTHERS.getOrDefault(word, CODES.contains(word) ? word : ""))
                .filter(code -> !code.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The currency before or after a price, by its code where that is known; empty if there is none. */
    public static String ofValue(String price) {
        String known = ofColumn(price);
        return known.isEmpty()
                ? words(price)
                        .filter(word -> word.matches("\\p{Sc}|[A-Z]{3}"))
                        .findFirst()
                        .orElse("")
                : known;
    }

    private static Stream<String> words(String text) {
        return Arrays.stream(text.split("[^\\p{L}\\p{Sc}]+", -1)).filter(word -> !word.isEmpty());
    }

    /**
     * The one currency of several prices, without those that have none; empty if none has one.
     *
     * @throws IllegalArgumentException if there are several: one amount cannot be compared with another then
     */
    public static String one(Collection<String> currencies) {
        TreeSet<String> all = new TreeSet<>(currencies);
        all.remove("");
        if (all.size() > 1) {
            throw new IllegalArgumentException(
                    "prices in " + String.join(" and ", all) + " cannot be compared: give all in one currency");
        }
        return all.isEmpty() ? "" : all.first();
    }
}
