package dev.stowage.sim.trace;

import dev.stowage.sim.measure.PriceWords;
import dev.stowage.sim.measure.PricesInUse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The prices of a list of servers, their currency, and how long after an order they are delivered. */
final class HostPrices {
    /** 9 k€ is not 9 €, and -9 is no price. */
    private static final Pattern ODD =
            Pattern.compile("[0-9]\\s*(k|T|Tsd\\.?|Mio\\.?|M)\\s*(" + PriceWords.CURRENCY + "|$)|^[^0-9]*-\\s*[0-9]");

    /** Of each unit of a time until delivery; a working week has five days. */
    private static final double[] DAYS = {7.0 / 5, 1, 7, 365.25 / 12};

    private static final Pattern LEAD_UNIT = Pattern.compile("(?:" + OwnHosts.LEAD_UNITS + ")(?=_|$)");
    private static final Pattern LEAD_UNIT_AT_END = Pattern.compile("(?:^|_)(?:" + OwnHosts.LEAD_UNITS + ")$");

    /** {@code 8}, {@code 8 weeks ARO}, {@code 6-8 Wochen}, of which the last number counts. */
    private static final Pattern VALUE =
            Pattern.compile("(?i)(?:ca\\.?|circa|approx\\.?|about|etwa|max\\.?|up to|bis zu|[~<≤])?\\s*"
                    + "(?:\\d+(?:[.,]\\d+)?\\s*(?:-|–|to|bis)\\s*)?(\\d+(?:[.,]\\d+)?)\\s*(\\D*)");

    private static final Pattern AT_ONCE =
            Pattern.compile("in_stock|ex_stock|immediate(ly)?|ab_lager|auf_lager|lagernd|sofort|en_stock");
    /** So many values of those that cannot be read are named. */
    private static final int FIRST = 3;

    private static final Pattern UNKNOWN = Pattern.compile("|n_a|tbd|unknown|on_request|auf_anfrage|unbekannt");

    private final @Nullable String name;
    private final int column;
    private final int currency;
    private final int lead;
    /** At the end of the name of its column. */
    private final String leadUnit;

    private final String leadName;
    /** What cannot be read of it, and in how many rows. */
    private final Map<String, Long> unread = new LinkedHashMap<>();

    private final OwnValues values;
    private final Set<String> currencies = new TreeSet<>();

    /** With the names of columns, and their places by what they mean; -1 without one. */
    HostPrices(Map<String, String> columns, ToIntFunction<String> places, OwnValues values) {
        name = columns.get("price");
        column = places.applyAsInt("price");
        currency = places.applyAsInt("currency");
        lead = places.applyAsInt(OwnHosts.LEAD);
        leadName = columns.getOrDefault(OwnHosts.LEAD, "");
        Matcher end = LEAD_UNIT_AT_END.matcher(ColumnNames.words(leadName, "_"));
        leadUnit = end.find() ? end.group().replaceFirst("^_", "") : "";
        this.values = values;
        currencies.add(name == null ? "" : PriceWords.ofColumn(name));
    }

    /** Whether there is such a column. */
    boolean has() {
        return name != null;
    }

    /** A number with a currency before or behind it; 0 where there is none. */
    double of(Fields row) {
        String text = column < 0 ? "" : row.text(column).strip();
        if (text.isEmpty()) {
            return 0;
        }
        OwnValues.Value value = values.of(text);
        if (value == null) {
            throw OwnValues.unclear(row, column, "");
        }
        currencies.add(PriceWords.ofValue(text));
        currencies.add(currency < 0 ? "" : PriceWords.ofValue(row.text(currency)));
        try {
            if (!ODD.matcher(text).find()) {
                return Double.parseDouble(value.number());
            }
        } catch (NumberFormatException e) {
            // as below
        }
        throw row.bad(column, "is not a price", "a number, with or without a currency, such as 9800 or $0.192");
    }

    /**
     * The currency of all prices as a label, none if nothing says it.
     *
     * @throws TraceException if there are several
     */
    Map<String, String> currency() {
        try {
            String one = PriceWords.one(currencies);
            return one.matches("[A-Z]{3}") ? Map.of(PricesInUse.CURRENCY, one) : Map.of();
        } catch (IllegalArgumentException e) {
            throw new TraceException("column " + name + ": " + e.getMessage());
        }
    }

    /** Whole days from the order until delivery, as digits; empty where nothing says it, or not so that it is read. */
    String days(Fields row) {
        String text = lead < 0 ? "" : row.text(lead).strip();
        String words = ColumnNames.words(text, "_");
        if (AT_ONCE.matcher(words).matches()) {
            return "0";
        }
        if (UNKNOWN.matcher(words).matches()) {
            return "";
        }
        Matcher value = VALUE.matcher(text);
        boolean plain = false;
        if (value.matches()) {
            String own = ColumnNames.words(value.group(2), "_");
            plain = own.isEmpty() && leadUnit.isEmpty();
            Matcher in = LEAD_UNIT.matcher(own.isEmpty() ? leadUnit : own);
            for (int u = 0; in.lookingAt() && u < DAYS.length; u++) {
                if (in.group(u + 1) != null) {
                    return Long.toString((long) Math.ceil(
                            DAYS[u] * Double.parseDouble(value.group(1).replace(',', '.')) - 1e-6));
                }
            }
        }
        unread.merge("'" + text + "'" + (plain ? " (days or weeks?)" : ""), 1L, Long::sum);
        return "";
    }

    /** What is in the column of times until delivery and cannot be read. */
    Optional<String> warning() {
        long rows = unread.values().stream().mapToLong(Long::longValue).sum();
        return rows == 0
                ? Optional.empty()
                : Optional.of(
                        "column " + leadName + ": no time until delivery, such as 8 weeks or 56 days, is read from "
                                + unread.keySet().stream().limit(FIRST).collect(Collectors.joining(", "))
                                + (unread.size() > FIRST ? ", ..." : "") + ": it is not known for "
                                + (rows == 1 ? "this row" : "these " + rows + " rows")
                                + "; --server-columns lead= leaves the column out");
    }
}
