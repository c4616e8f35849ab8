package dev.stowage.sim.trace;

import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of a format: given ones checked against the known ones, defaults filled in. */
final class Settings {
    private final String format;
    private final Map<String, String> values = new HashMap<>();

    Settings(TableFormat format, Map<String, String> given) {
        this.format = format.key();
        for (TableFormat.FormatSetting known : format.settings()) {
            values.put(known.name(), known.defaultValue());
        }
        given.forEach((name, value) -> {
            if (!values.containsKey(name)) {
                String allowed = values.isEmpty()
                        ? "none"
                        : String.join(", ", values.keySet().stream().sorted().toList());
                throw new TraceException(
                        "unknown setting '" + name + "' of format '" + this.format + "'; allowed: " + allowed);
            }
            values.put(name, value);
        });
    }

    String get(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("format '" + format + "' declares no setting '" + name + "'");
        }
        return value;
    }

    /** A setting that must be one of a few words. */
    String oneOf(String name, List<String> allowed) {
        String value = get(name);
        if (!allowed.contains(value)) {
            throw wrong(name, value, String.join(", ", allowed));
        }
        return value;
    }

    boolean flag(String name) {
        return oneOf(name, List.of("true", "false")).equals("true");
    }

    /** A setting that is a number, times a factor, as a whole number. */
    long number(String name, long factor) {
        DecimalParser parser = new DecimalParser();
        String problem = parser.parse(get(name), factor, RoundingMode.CEILING);
        if (problem != null) {
            throw wrong(name, get(name), "a finite number of at least 0");
        }
        return parser.value();
    }

    TraceException wrong(String name, String value, String allowed) {
        return new TraceException(
                "setting '" + name + "' of format '" + format + "' is '" + value + "'; allowed: " + allowed);
    }
}
