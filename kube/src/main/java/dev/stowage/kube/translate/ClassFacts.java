package dev.stowage.kube.translate;

import io.fabric8.kubernetes.api.model.TopologySelectorTerm;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.List;
import java.util.TreeMap;

/**
 * A class of volumes.
 *
 * @param provisioner the driver that makes its volumes, empty if nobody does
 * @param waits whether a claim is bound only when its first pod has a node ({@code WaitForFirstConsumer})
 * @param nodes for which nodes volumes can be made
 */
record ClassFacts(String provisioner, boolean waits, NodeRule nodes) {
    private static final String NOBODY = "kubernetes.io/no-provisioner";

    static ClassFacts of(StorageClass read) {
        List<TopologySelectorTerm> allowed = read.getAllowedTopologies();
        List<NodeRule.Term> terms = allowed.stream()
                .filter(term -> !term.getMatchLabelExpressions().isEmpty())
                .map(term -> new NodeRule.Term(
                        term.getMatchLabelExpressions().stream()
                                .map(one -> new LabelRule(one.getKey(), LabelRule.Operator.IN, one.getValues()))
                                .toList(),
                        List.of()))
                .toList();
        return new ClassFacts(
                NOBODY.equals(read.getProvisioner()) ? "" : read.getProvisioner(),
                "WaitForFirstConsumer".equals(read.getVolumeBindingMode()),
                allowed.isEmpty() ? NodeRule.NONE : new NodeRule(new TreeMap<>(), true, terms));
    }
}
