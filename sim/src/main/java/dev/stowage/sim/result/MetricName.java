package dev.stowage.sim.result;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Name of a metric in its parts: {@code utilization{site=dc1,resource=cpu_milli}} is the base {@code utilization} with
 * two labels.
 *
 * @param base name without labels
 * @param labels in the order in which they are written
 */
public record MetricName(String base, Map<String, String> labels) {

    /** A name without labels. */
    public static MetricName of(String base) {
        return new MetricName(base, Map.of());
    }

    /** A name without braces has no labels; text that is not a name is its own base. */
    public static MetricName parse(String name) {
        int open = name.indexOf('{');
        if (open < 0 || !name.endsWith("}")) {
            return new MetricName(name, Map.of());
        }
        Map<String, String> labels = new LinkedHashMap<>();
        String key = "";
        for (String part : name.substring(open + 1, name.length() - 1).split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                key = part.substring(0, equals);
                labels.put(key, part.substring(equals + 1));
            } else if (!key.isEmpty()) {
                // A comma inside a value, as a type's name may have.
                labels.merge(key, part, (value, rest) -> value + "," + rest);
            }
        }
        return new MetricName(name.substring(0, open), labels);
    }

    /** Value of a label, or null. */
    public @Nullable String label(String key) {
        return labels.get(key);
    }

    /** The resource named by the label {@code resource}, for people: {@code cpu_milli} is CPU. */
    public String resource() {
        String resource = labels.getOrDefault("resource", "");
        return switch (resource.replaceAll("_.*", "")) {
            case "cpu" -> "CPU";
            case "gpu" -> "GPU";
            case "mem" -> "memory";
            default -> resource;
        };
    }

    /** The same with one more label, the last. */
    public MetricName with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(labels);
        more.put(key, value);
        return new MetricName(base, more);
    }

    /** As written in result rows. */
    @Override
    public String toString() {
        if (labels.isEmpty()) {
            return base;
        }
        StringBuilder text = new StringBuilder(base).append('{');
        labels.forEach((key, value) -> {
            if (text.charAt(text.length() - 1) != '{') {
                text.append(',');
            }
            text.append(key).append('=').append(value);
        });
        return text.append('}').toString();
    }
}
