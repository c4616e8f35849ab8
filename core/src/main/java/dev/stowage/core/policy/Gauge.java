package dev.stowage.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A quantity that a policy reports about itself: slots reserved, servers an idealised packing would need. It is for
 * people and plots: it is not a decision, not part of the digest, and not saved.
 *
 * <p>Two gauges are equal if their name, labels and unit are.
 */
public final class Gauge {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

    private final String name;
    private final List<Label> labels;
    private final String unit;
    /** Computed once, because a collector looks a gauge up at every change. */
    private final String text;

    /**
     * Distinguishes a gauge from others of the same name.
     *
     * @param key as in {@code type}
     * @param value as in {@code small}; any text
     */
    public record Label(String key, String value) {}

    private Gauge(String name, List<Label> labels, String unit) {
        this.name = name;
        this.labels = List.copyOf(labels);
        this.unit = unit;
        text = labels.isEmpty()
                ? name
                : labels.stream()
                        .map(label -> label.key() + "=" + label.value())
                        .collect(Collectors.joining(",", name + "{", "}"));
    }

    /**
     * A gauge without labels.
     *
     * @param name letters, digits and _, as in {@code reserved_slots}
     * @param unit unit of its values, as in {@code slots}
     */
    public static Gauge of(String name, String unit) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a gauge's name has letters, digits and _, not \"" + name + "\"");
        }
        return new Gauge(name, List.of(), unit);
    }

    /** The same with one more label, after the others. */
    public Gauge with(String key, String value) {
        if (label(key).isPresent()) {
            throw new IllegalArgumentException("a second label " + key + " of " + text);
        }
        List<Label> more = new ArrayList<>(labels);
        more.add(new Label(key, value));
        return new Gauge(name, more, unit);
    }

    /** The same with a number as one more label. */
    public Gauge with(String key, int value) {
        return with(key, Integer.toString(value));
    }

    /** Its name without labels. */
    public String name() {
        return name;
    }

    /** In the order in which they are written. */
    public List<Label> labels() {
        return labels;
    }

    /** The value of a label. */
    public Optional<String> label(String key) {
        return labels.stream()
                .filter(label -> label.key().equals(key))
                .map(Label::value)
                .findFirst();
    }

    /** Unit of its values. */
    public String unit() {
        return unit;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gauge gauge && text.equals(gauge.text) && unit.equals(gauge.unit);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, unit);
    }

    /** For people: {@code reserved_slots{type=small}}. */
    @Override
    public String toString() {
        return text;
    }
}
