package dev.stowage.core.model;

import java.util.List;

/**
 * Which servers a request may use, as the client wrote it.
 *
 * @param where label selectors ({@link Selector}), of which a server meets at least one; none for every server
 * @param avoid names of servers, or their numbers
 * @param spread its spread groups, as {@link Spread#parse} reads them
 */
public record ConstraintWords(List<String> where, List<String> avoid, List<String> spread) {
    /** None. */
    public static final ConstraintWords NONE = new ConstraintWords(List.of(), List.of(), List.of());

    /** Takes copies; names that many requests share are kept once. */
    public ConstraintWords {
        where = where.stream().map(String::intern).toList();
        avoid = avoid.stream().map(String::intern).toList();
        spread = spread.stream().map(String::intern).toList();
    }

    /** Whether there are none. */
    public boolean isNone() {
        return where.isEmpty() && avoid.isEmpty() && spread.isEmpty();
    }

    /**
     * The same with each part as its own text form.
     *
     * @throws IllegalArgumentException if something is not a selector or spread
     */
    public ConstraintWords checked() {
        Constraints unused = meaning(List.of(), List.of());
        return new ConstraintWords(
                where.stream().map(text -> Selector.text(Selector.parse(text))).toList(),
                avoid,
                spread.stream().map(text -> Spread.parse(text).toString()).toList());
    }

    /**
     * The constraints that these words mean.
     *
     * @param sites numbers of sites, none for every one
     * @param avoided numbers of the servers to avoid
     * @throws IllegalArgumentException if something is not a selector or spread
     */
    public Constraints meaning(List<Integer> sites, List<Integer> avoided) {
        return new Constraints(
                sites,
                where.stream().map(Selector::parse).toList(),
                avoided,
                spread.stream().map(Spread::parse).toList());
    }
}
