package dev.stowage.kube.translate;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod asks for: its node selector and its required node affinity.
 *
 * @param selector labels that the node must have
 * @param affinity whether there is a required node affinity
 * @param terms if there are any, at least one must hold; a term without rules matches no node and is left out
 */
public record NodeRule(SortedMap<String, String> selector, boolean affinity, List<Term> terms) {
    /** Every node. */
    public static final NodeRule NONE = new NodeRule(new TreeMap<>(), false, List.of());

    /**
     * All must hold.
     *
     * @param labels rules for the labels of the node
     * @param fields rules for the fields of the node; the only field is {@code metadata.name}
     */
    public record Term(List<LabelRule> labels, List<LabelRule> fields) {
        /** Takes copies. */
        public Term {
            labels = List.copyOf(labels);
            fields = List.copyOf(fields);
        }

        boolean admits(NodeFacts node) {
            return unmet(node).isEmpty();
        }

        /** The first of the rules that a node does not meet. */
        private Optional<LabelRule> unmet(NodeFacts node) {
            Map<String, String> names = Map.of("metadata.name", node.name());
            return Stream.concat(
                            labels.stream().filter(rule -> !rule.isMetBy(node.labels())),
                            fields.stream().filter(rule -> !rule.isMetBy(names)))
                    .findFirst();
        }
    }

    /** Takes copies. */
    public NodeRule {
        selector = new TreeMap<>(selector);
        terms = List.copyOf(terms);
    }

    /** Those nodes that both admit. */
    public NodeRule and(NodeRule other) {
        if (other.equals(NONE)) {
            return this;
        }
        SortedMap<String, String> both = new TreeMap<>(selector);
        List<Term> all = !affinity ? other.terms : !other.affinity ? terms : eachWithEach(other);
        boolean possible = true;
        for (Map.Entry<String, String> one : other.selector.entrySet()) {
            String before = both.put(one.getKey(), one.getValue());
            possible &= before == null || before.equals(one.getValue());
        }
        return new NodeRule(both, affinity || other.affinity || !possible, possible ? all : List.of());
    }

    /** The nodes that at least one of the rules admits; the rules have no selector. */
    static NodeRule anyOf(List<NodeRule> rules) {
        return rules.contains(NONE)
                ? NONE
                : new NodeRule(
                        new TreeMap<>(),
                        true,
                        rules.stream()
                                .flatMap(rule -> rule.terms.stream())
                                .distinct()
                                .toList());
    }

    private List<Term> eachWithEach(NodeRule other) {
        Set<Term> all = new LinkedHashSet<>();
        for (Term one : terms) {
            for (Term and : other.terms) {
                all.add(new Term(union(one.labels, and.labels), union(one.fields, and.fields)));
            }
        }
        return List.copyOf(all);
    }

    private static List<LabelRule> union(List<LabelRule> some, List<LabelRule> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }

    /** Whether it admits a node. */
    public boolean admits(NodeFacts node) {
        return lacking(node) == null && (!affinity || terms.stream().anyMatch(term -> term.admits(node)));
    }

    /** The first label of the selector that a node does not have, or null. */
    private Map.@Nullable Entry<String, String> lacking(NodeFacts node) {
        for (Map.Entry<String, String> one : selector.entrySet()) {
            if (!one.getValue().equals(node.labels().get(one.getKey()))) {
                return one;
            }
        }
        return null;
    }

    /** What of it a node that it does not admit does not match, as {@code node selector (disk=ssd)}. */
    public String unmatched(NodeFacts node) {
        Map.Entry<String, String> label = lacking(node);
        if (label != null) {
            return "node selector (" + label + ")";
        }
        String rules = terms.stream()
                .flatMap(term -> term.unmet(node).stream())
                .map(LabelRule::toString)
                .distinct()
                .collect(Collectors.joining(" or "));
        return "node affinity (" + (rules.isEmpty() ? "no node does" : rules) + ")";
    }
}
