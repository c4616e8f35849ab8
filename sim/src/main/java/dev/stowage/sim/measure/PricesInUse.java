package dev.stowage.sim.measure;

import dev.stowage.core.model.Labels;
import dev.stowage.sim.statistics.Trajectory;
import java.util.Arrays;
import java.util.regex.Pattern;

/** What the servers in use cost together, by their label {@value #LABEL}. */
public final class PricesInUse {
    /** The label that says what a server in use costs, per hour or as the user has it: money, watts. */
    public static final String LABEL = "price";

    /** The label that says in which currency, by its code: {@code EUR}. */
    public static final String CURRENCY = "currency";

    static final double ONE = 1e6;
    private static final double MOST = 1e8;
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE][-+]?\\d{1,3})?");

    private final Trajectory cost;
    /** What is counted of each server now, millionths. */
    private long[] counted = {};

    PricesInUse(Trajectory cost) {
        this.cost = cost;
    }

    /** A server is in use or not, or its labels have changed. */
    void see(long now, int server, Labels labels, boolean inUse) {
        long before = server < counted.length ? counted[server] : 0;
        long its = inUse && !labels.values().isEmpty() ? Math.round(of(labels) * ONE) : 0;
        if (its != before) {
            if (server >= counted.length) {
                counted = Arrays.copyOf(counted, server + (server >> 1) + 16);
            }
            counted[server] = its;
            cost.add(now, its - before);
        }
    }

    /**
     * The price that labels say; 0 where they say none.
     *
     * @throws IllegalArgumentException if it is not a number of 0 to 100,000,000
     */
    public static double of(Labels labels) {
        String text = labels.values().get(LABEL);
        if (text == null) {
            return 0;
        }
        if (NUMBER.matcher(text).matches()) {
            double price = Double.parseDouble(text);
            if (price <= MOST) {
                return price;
            }
        }
        throw new IllegalArgumentException("label price '" + text + "' is not a number of 0 to 100,000,000");
    }
}
