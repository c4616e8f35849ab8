package dev.stowage.kube.consolidate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Prices of nodes: the number in one of their labels, or that of the first line of a file that applies to them.
 */
public final class NodePrices {
    private static final String LABEL = "label:";

    private final @Nullable String label;
    private final Map<String, Double> lines = new LinkedHashMap<>();

    private NodePrices(@Nullable String label) {
        this.label = label;
    }

    /**
     * Prices as they are given: {@code label:KEY}, or a file with lines {@code KEY=VALUE,PRICE} for nodes with a label,
     * or {@code NODE,PRICE}.
     *
     * @throws IllegalArgumentException if a line is not such
     */
    public static NodePrices of(String source) throws IOException {
        if (source.startsWith(LABEL)) {
            return new NodePrices(source.substring(LABEL.length()));
        }
        NodePrices prices = new NodePrices(null);
        int number = 0;
        for (String line : Files.readAllLines(Path.of(source))) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(",", -1);
            OptionalDouble price = parts.length == 2 ? number(parts[1]) : OptionalDouble.empty();
            if (price.isEmpty()) {
                throw new IllegalArgumentException("line " + number + " '" + line
                        + "' must be NODE,PRICE or LABEL=VALUE,PRICE with a price of at least 0, as in"
                        + " node.kubernetes.io/instance-type=m5.large,0.096");
            }
            prices.lines.put(parts[0].strip(), price.getAsDouble());
        }
        return prices;
    }

    private static OptionalDouble number(String text) {
        try {
            double price = Double.parseDouble(text.strip());
            return price >= 0 && Double.isFinite(price) ? OptionalDouble.of(price) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** The price of a node; empty if none is known. */
    public OptionalDouble of(String node, Map<String, String> labels) {
        if (label != null) {
            return number(labels.getOrDefault(label, ""));
        }
        for (Map.Entry<String, Double> line : lines.entrySet()) {
            int at = line.getKey().indexOf('=');
            boolean applies = at < 0
                    ? line.getKey().equals(node)
                    : line.getKey()
                            .substring(at + 1)
                            .equals(labels.get(line.getKey().substring(0, at)));
            if (applies) {
                return OptionalDouble.of(line.getValue());
            }
        }
        return OptionalDouble.empty();
    }
}
