package dev.stowage.kube.translate;

/**
 * A hard topology spread: limits how many more of the selected pods the domain that gets the pod may have than the
 * domain with the fewest.
 *
 * @param maxSkew how many more
 * @param key the label whose values are the domains
 * @param selector which pods are counted, of the pod's own namespace
 */
public record EvenSpread(int maxSkew, String key, PodSelector selector) {}
