package dev.stowage.kube.schedule;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Requirement;
import dev.stowage.kube.translate.LabelRule;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeRule;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.TolerationRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rules of Kubernetes translated for the engine. Most node affinities are expressions over labels as they are. What the
 * engine cannot express becomes a label of the node that is kept up to date: which lists of tolerations do not tolerate
 * its taints, which comparisons of numbers its labels meet, which kinds of pods its neighbours keep away, and
 * how little each kind likes it.
 */
final class Vocabulary {
    /** Prefix of the keys of labels that are not the node's own. */
    static final String OWN = "stowage.kube/";

    private static final String NAME = OWN + "name";
    private static final String NEVER = OWN + "never";
    private static final String TAINTED = OWN + "tainted-";
    private static final String COMPARED = OWN + "compared-";
    private static final String DENIED = OWN + "denied-";
    private static final String PENALTY = OWN + "penalty-";
    private static final int LONGEST_KEY = 253;

    private final Map<List<TolerationRule>, Integer> tolerations = new LinkedHashMap<>();
    private final Map<LabelRule, Integer> comparisons = new LinkedHashMap<>();

    /**
     * Learns the vocabulary that a pod needs. Returns whether there was something new, so that labels of nodes may
     * change.
     */
    boolean learn(PodFacts pod) {
        int before = tolerations.size() + comparisons.size();
        tolerations.putIfAbsent(pod.tolerations(), tolerations.size());
        for (NodeRule.Term term : pod.nodesWithVolumes().terms()) {
            term.labels().stream()
                    .filter(Vocabulary::isComparison)
                    .forEach(rule -> comparisons.putIfAbsent(rule, comparisons.size()));
        }
        return tolerations.size() + comparisons.size() > before;
    }

    /** What a pod asks for that cannot be expressed for the engine; empty if nothing. */
    static String unspeakable(PodFacts pod) {
        NodeRule nodes = pod.nodesWithVolumes();
        List<String> keys = new ArrayList<>(nodes.selector().keySet());
        nodes.terms().forEach(term -> term.labels().forEach(rule -> keys.add(rule.key())));
        for (NodeRule.Term term : nodes.terms()) {
            for (LabelRule rule : term.labels()) {
                if (!isComparison(rule) && !rule.values().stream().allMatch(Vocabulary::isWord)) {
                    return "a node affinity with a value that a label cannot have: " + rule;
                }
            }
        }
        for (String key : keys) {
            if (key.length() > LONGEST_KEY || key.startsWith(OWN)) {
                return "a rule on the node label " + key;
            }
        }
        return "";
    }

    /**
     * The constraints of a pod whose vocabulary is learnt.
     *
     * @param kind number of the kind of pod that its neighbours may keep away, or -1
     * @param prefers whether pods of the kind do not like all nodes alike
     */
    Constraints constraints(PodFacts pod, int kind, boolean prefers) {
        NodeRule nodes = pod.nodesWithVolumes();
        List<Requirement> always = new ArrayList<>();
        nodes.selector()
                .forEach((key, value) -> always.add(new Requirement(key, Requirement.Operator.IN, List.of(value))));
        Integer list = tolerations.get(pod.tolerations());
        if (list == null) {
            throw new IllegalStateException("the tolerations of " + pod.path() + " are not in the vocabulary");
        }
        always.add(absent(TAINTED + list));
        if (kind >= 0) {
            always.add(absent(DENIED + kind));
        }
        List<List<Requirement>> terms = new ArrayList<>();
        for (NodeRule.Term term : nodes.terms()) {
            List<Requirement> all = new ArrayList<>(always);
            term.labels().forEach(rule -> all.add(requirement(rule, rule.key())));
            term.fields().forEach(rule -> all.add(requirement(rule, NAME)));
            terms.add(all);
        }
        if (!nodes.affinity()) {
            terms.add(always);
        } else if (terms.isEmpty()) {
            terms.add(List.of(new Requirement(NEVER, Requirement.Operator.EXISTS, List.of())));
        }
        return new Constraints(List.of(), terms, List.of(), List.of(), prefers ? PENALTY + kind : "");
    }

    private Requirement requirement(LabelRule rule, String key) {
        if (isComparison(rule)) {
            return new Requirement(COMPARED + comparisons.get(rule), Requirement.Operator.EXISTS, List.of());
        }
        Requirement.Operator operator = switch (rule.operator()) {
            case IN -> Requirement.Operator.IN;
            case NOT_IN -> Requirement.Operator.NOT_IN;
            case EXISTS -> Requirement.Operator.EXISTS;
            default -> Requirement.Operator.DOES_NOT_EXIST;
        };
        return new Requirement(key, operator, rule.values());
    }

    private static Requirement absent(String key) {
        return new Requirement(key, Requirement.Operator.DOES_NOT_EXIST, List.of());
    }

    private static boolean isWord(String value) {
        try {
            Labels.checkWord("value", value, true);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isComparison(LabelRule rule) {
        return rule.operator() == LabelRule.Operator.GREATER || rule.operator() == LabelRule.Operator.LESS;
    }

    /**
     * All labels of a node: its own and those of this vocabulary.
     *
     * @param marks of the kinds of pods ({@link Kinds#marks})
     */
    Labels labels(NodeFacts node, Map<Integer, Integer> marks) {
        Map<String, String> labels = new TreeMap<>();
        node.labels().forEach((key, value) -> {
            if (key.length() <= LONGEST_KEY && !key.startsWith(OWN)) {
                labels.put(key, value);
            }
        });
        labels.put(NAME, node.name());
        if (!node.taints().isEmpty()) {
            tolerations.forEach((list, number) -> {
                if (node.untolerated(list).isPresent()) {
                    labels.put(TAINTED + number, "");
                }
            });
        }
        comparisons.forEach((rule, number) -> {
            if (rule.isMetBy(node.labels())) {
                labels.put(COMPARED + number, "");
            }
        });
        marks.forEach((kind, mark) -> {
            if (mark == Kinds.DENIED) {
                labels.put(DENIED + kind, "");
            } else {
                labels.put(PENALTY + kind, Integer.toString(mark));
            }
        });
        return Labels.of(labels);
    }
}
