package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts of resources as whole numbers, as kube-scheduler counts them: cpu in thousandths, everything else in whole
 * units (bytes, devices), parts rounded up.
 *
 * <p>Source: Kubernetes 1.20, apimachinery {@code resource.Quantity}, methods {@code MilliValue} and {@code Value}.
 */
public final class Quantities {
    /** The resource that is counted in thousandths. */
    public static final String CPU = "cpu";

    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,3}|)");
    private static final String BINARY = "KMGTPE";
    /** Suffixes in steps of 1,000, from nano; the fourth, blank, is 1. */
    private static final String DECIMAL = "num kMGTPE";

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    private Quantities() {}

    /**
     * The whole number of a quantity.
     *
     * @throws IllegalArgumentException if it is not a quantity, negative, or too large to be counted
     */
    public static long amount(String resource, Quantity quantity) {
        BigDecimal value = value(resource, quantity);
        if (value.signum() < 0) {
            throw new IllegalArgumentException(resource + ": " + quantity + " is negative");
        }
        BigDecimal whole = (resource.equals(CPU) ? value.movePointRight(3) : value).setScale(0, RoundingMode.CEILING);
        return whole.min(LARGEST).longValueExact();
    }

    /** The exact value; the client's own {@code getNumericalAmount} keeps only 16 digits, too few for 1Ei. */
    private static BigDecimal value(String resource, Quantity quantity) {
        String text = Objects.requireNonNullElse(quantity.getAmount(), "")
                + Objects.requireNonNullElse(quantity.getFormat(), "");
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(resource + ": '" + text + "' is not a quantity");
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String suffix = parts.group(2);
        if (suffix.endsWith("i")) {
            return number.multiply(BigDecimal.valueOf(1L << (10 * (1 + BINARY.indexOf(suffix.charAt(0))))));
        }
        if (suffix.length() > 1) {
            return number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        }
        return number.scaleByPowerOfTen(suffix.isEmpty() ? 0 : 3 * (DECIMAL.indexOf(suffix.charAt(0)) - 3));
    }

    /** The whole numbers by resource. */
    public static Map<String, Long> amounts(Map<String, Quantity> quantities) {
        Map<String, Long> amounts = new TreeMap<>();
        quantities.forEach((resource, quantity) -> amounts.put(resource, amount(resource, quantity)));
        return amounts;
    }

    /** An amount for people, e.g. {@code 1.5 cores}, {@code 1.2 GiB}, {@code 3}. */
    public static String text(String resource, long amount) {
        if (resource.equals(CPU)) {
            return amount % 1000 != 0 ? amount + " millicores" : amount == 1000 ? "1 core" : amount / 1000 + " cores";
        }
        if (resource.equals(PodGpus.RESOURCE)) {
            return PodGpus.decimal(amount) + " GPU";
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
