package dev.stowage.core.model;

import java.util.List;

/**
 * Requests of a group are kept apart (anti-affinity): a request is placed only where fewer than {@code most} of its
 * group are already, per server or per value of a label. A server without the label takes none of the group. The text
 * form is {@code db:1} or {@code db:2:zone}.
 *
 * @param group name of the group; all requests that name it are counted, whatever their own limit
 * @param most most requests of the group in one place, this one included; at least 1
 * @param key the label whose values count; empty for the server itself
 */
public record Spread(String group, int most, String key) {
    /** Checks the values. */
    public Spread {
        Labels.checkWord("spread group", group, false);
        Labels.checkWord("label key of spread group '" + group + "'", key, true);
        if (most < 1) {
            throw new IllegalArgumentException("spread group '" + group + "': the limit " + most
                    + " is less than 1, so no request could ever be placed");
        }
    }

    /**
     * The spread of a text.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Spread parse(String text) {
        List<String> parts = List.of(text.split(":", -1));
        if (parts.size() < 2 || parts.size() > 3) {
            throw new IllegalArgumentException("spread '" + text + "' is not group:most or group:most:label");
        }
        try {
            return new Spread(parts.get(0), Integer.parseInt(parts.get(1)), parts.size() == 3 ? parts.get(2) : "");
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "spread '" + text + "': '" + parts.get(1) + "' is not a whole number", e);
        }
    }

    /** Whether requests are counted per server, not per label value. */
    public boolean perServer() {
        return key.isEmpty();
    }

    /** The text form. */
    @Override
    public String toString() {
        return group + ":" + most + (key.isEmpty() ? "" : ":" + key);
    }
}
