package dev.stowage.sim.trace;

import dev.stowage.core.model.Labels;
import dev.stowage.sim.measure.PriceWords;
import dev.stowage.sim.measure.PricesInUse;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The prices of a list of servers, and their currency. */
final class HostPrices {
    /** 9 k€ is not 9 €, and -9 is no price. */
    private static final Pattern ODD =
            Pattern.compile("[0-9]\\s*(k|T|Tsd\\.?|Mio\\.?|M)\\s*(" + PriceWords.CURRENCY + "|$)|^[^0-9]*-\\s*[0-9]");

    private final @Nullable String name;
    private final int column;
    private final int currency;
    private final OwnValues values;
    private final Set<String> currencies = new TreeSet<>();

    /** With the name of the column, null if there is none, its place, and that of its currency; -1 without one. */
    HostPrices(@Nullable String name, int column, int currency, OwnValues values) {
        this.name = name;
        this.column = column;
        this.currency = currency;
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

    /** Labels of a server with a price. */
    static Labels labels(double price, Map<String, String> currency) {
        Map<String, String> labels = new TreeMap<>(currency);
        labels.put(
                PricesInUse.LABEL,
                BigDecimal.valueOf(price).stripTrailingZeros().toPlainString());
        return Labels.of(labels);
    }
}
