package dev.stowage.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which servers a request may use, beside that they have room. All parts must hold; an empty part holds everywhere.
 * Equal constraints are equal as values, whatever the order and repetition they were written in.
 *
 * @param sites numbers of the sites that may run it; a site that joins later is not one of them
 * @param terms an expression over labels: the server meets every requirement of at least one of these terms (as the
 *     terms of a required node affinity in Kubernetes)
 * @param avoid numbers of servers that must not run it
 * @param spread the groups that it keeps away from
 * @param penalty key of the label that says how little it likes a server: of the servers that could take it, it gets
 *     one with the least number there ({@link #penalty(Labels)}); empty if it likes all alike
 */
public record Constraints(
        List<Integer> sites, List<List<Requirement>> terms, List<Integer> avoid, List<Spread> spread, String penalty) {
    /** No constraint: every server. */
    public static final Constraints NONE = new Constraints(List.of(), List.of(), List.of(), List.of());

    /** Of more different constraints in use at once, the engine refuses the requests that have the others. */
    public static final int MOST_AT_ONCE = 4096;

    /** Values of penalty labels; more digits might be too large. */
    private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");

    /**
     * Takes copies in one order.
     *
     * @throws IllegalArgumentException if a spread group stands twice with the same label, or a term is empty
     */
    public Constraints {
        sites = sites.stream().sorted().distinct().toList();
        terms = terms.stream()
                .map(Constraints::ordered)
                .distinct()
                .sorted(Constraints::compare)
                .toList();
        avoid = avoid.stream().sorted().distinct().toList();
        spread = spread.stream().distinct().sorted(Constraints::compareTexts).toList();
        Labels.checkWord("key of the penalty label", penalty, true);
        if (spread.stream().map(one -> one.group() + ":" + one.key()).distinct().count() < spread.size()) {
            throw new IllegalArgumentException("a spread group has two limits for the same label: " + spread);
        }
        if (terms.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a term without requirements matches every server: leave the terms out");
        }
    }

    /** Constraints of a request that likes all servers alike. */
    public Constraints(List<Integer> sites, List<List<Requirement>> terms, List<Integer> avoid, List<Spread> spread) {
        this(sites, terms, avoid, spread, "");
    }

    /** Limited to sites, none for every site. */
    public static Constraints sites(int... sites) {
        if (sites.length == 0) {
            return NONE;
        }
        List<Integer> list = new ArrayList<>();
        for (int site : sites) {
            list.add(site);
        }
        return new Constraints(list, List.of(), List.of(), List.of());
    }

    /** The server has all of these. */
    public static Constraints labels(Requirement... requirements) {
        return new Constraints(List.of(), List.of(List.of(requirements)), List.of(), List.of());
    }

    /** Not on these servers. */
    public static Constraints avoiding(List<Integer> servers) {
        return new Constraints(List.of(), List.of(), servers, List.of());
    }

    /** Apart from the others of its groups. */
    public static Constraints spread(Spread... spread) {
        return new Constraints(List.of(), List.of(), List.of(), List.of(spread));
    }

    /** The same limited to these sites. */
    public Constraints withSites(List<Integer> newSites) {
        return new Constraints(newSites, terms, avoid, spread, penalty);
    }

    /** The same, also not on this server. */
    public Constraints avoidingAlso(int server) {
        List<Integer> more = new ArrayList<>(avoid);
        more.add(server);
        return new Constraints(sites, terms, more, spread, penalty);
    }

    /** The same, also apart from the others of a group. */
    public Constraints spreadAlso(Spread one) {
        List<Spread> more = new ArrayList<>(spread);
        more.add(one);
        return new Constraints(sites, terms, avoid, more, penalty);
    }

    /** The same, with the label that says how little the request likes a server. */
    public Constraints penalizedBy(String key) {
        return new Constraints(sites, terms, avoid, spread, key);
    }

    /**
     * How little the request likes a server with these labels: the whole number that is the value of its penalty label;
     * 0 without that label, {@link Integer#MAX_VALUE} for any other value.
     */
    public int penalty(Labels labels) {
        String value = penalty.isEmpty() ? null : labels.values().get(penalty);
        return value == null ? 0 : WHOLE.matcher(value).matches() ? Integer.parseInt(value) : Integer.MAX_VALUE;
    }

    /** Whether there is no constraint at all. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isNone() {
        // Asked of every request, and most have this one: four lists take longer.
        return this == NONE || (sites.isEmpty() && hasSitesOnly());
    }

    /** Whether they name nothing but sites. */
    public boolean hasSitesOnly() {
        return terms.isEmpty() && avoid.isEmpty() && spread.isEmpty() && penalty.isEmpty();
    }

    /** Whether servers of a site with these labels are admitted; servers avoided and the spread are not looked at. */
    public boolean admits(int site, Labels labels) {
        return (sites.isEmpty() || sites.contains(site))
                && (terms.isEmpty()
                        || terms.stream().anyMatch(term -> term.stream().allMatch(one -> one.isMetBy(labels))));
    }

    /** Text of the terms, e.g. {@code gpu=V100|P100,!spot;zone=a}: {@code ,} is "and", {@code ;} is "or". */
    public String termsText() {
        return terms.stream().map(Constraints::text).collect(Collectors.joining(";"));
    }

    /** For people, e.g. {@code gpu=V100,!spot, avoids servers [3], spread [db:1]}; empty without constraints. */
    public String inWords() {
        List<String> parts = new ArrayList<>();
        if (!terms.isEmpty()) {
            parts.add(termsText());
        }
        if (!sites.isEmpty()) {
            parts.add("sites " + sites);
        }
        if (!avoid.isEmpty()) {
            parts.add("avoids servers " + avoid);
        }
        if (!spread.isEmpty()) {
            parts.add("spread " + spread);
        }
        if (!penalty.isEmpty()) {
            parts.add("least " + penalty);
        }
        return String.join(", ", parts);
    }

    /**
     * The terms of a text.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static List<List<Requirement>> parseTerms(String text) {
        List<List<Requirement>> terms = new ArrayList<>();
        for (String term : text.isEmpty() ? new String[0] : text.split(";", -1)) {
            terms.add(List.of(term.split(",", -1)).stream()
                    .map(Requirement::parse)
                    .toList());
        }
        return terms;
    }

    private static String text(List<Requirement> term) {
        return term.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }

    private static List<Requirement> ordered(List<Requirement> term) {
        return term.stream().distinct().sorted(Constraints::compareTexts).toList();
    }

    private static int compare(List<Requirement> one, List<Requirement> other) {
        return text(one).compareTo(text(other));
    }

    private static int compareTexts(Object one, Object other) {
        return one.toString().compareTo(other.toString());
    }
}
