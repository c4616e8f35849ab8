package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of resources as whole numbers, as kube-scheduler counts them: cpu in thousandths, everything else in whole
 * units (bytes, devices), parts rounded up.
 *
 * <p>Source: Kubernetes 1.20, apimachinery {@code resource.Quantity}, methods {@code MilliValue} and {@code Value}.
 */
public final class Quantities {
    /** The resource that is counted in thousandths. */
    public static final String CPU = "cpu";

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    private Quantities() {}

    /**
     * The whole number of a quantity.
     *
     * @throws IllegalArgumentException if it is no quantity, negative, or too large to be counted
     */
    public static long amount(String resource, Quantity quantity) {
        BigDecimal value;
        try {
            value = quantity.getNumericalAmount();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(resource + ": '" + quantity + "' is no quantity", e);
        }
        if (value.signum() < 0) {
            throw new IllegalArgumentException(resource + ": " + quantity + " is negative");
        }
        BigDecimal whole = (resource.equals(CPU) ? value.movePointRight(3) : value).setScale(0, RoundingMode.CEILING);
        return whole.min(LARGEST).longValueExact();
    }

    /** Whole numbers by resource. */
    public static Map<String, Long> amounts(Map<String, Quantity> quantities) {
        Map<String, Long> amounts = new TreeMap<>();
        quantities.forEach((resource, quantity) -> amounts.put(resource, amount(resource, quantity)));
        return amounts;
    }

    /** An amount for people, e.g. {@code 1.5 cores}, {@code 1.2 GiB}, {@code 3}. */
    public static String text(String resource, long amount) {
        if (resource.equals(CPU)) {
            return amount % 1000 == 0 ? amount / 1000 + " cores" : amount + " millicores";
        }
        if (!resource.equals("memory") && !resource.contains("storage") && !resource.startsWith("hugepages-")) {
            return String.valueOf(amount);
        }
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        double value = amount;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? amount + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }
}
