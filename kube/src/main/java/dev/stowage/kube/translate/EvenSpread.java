package dev.stowage.kube.translate;

/**
 * A hard topology spread: the domain that gets the pod has at most so many more of the selected pods than the domain
 * that has the fewest.
 *
 * @param maxSkew how many more
 * @param key the label whose values are the domains
 * @param selector which pods are counted, of the pod's own namespace
 */
public record EvenSpread(int maxSkew, String key, PodSelector selector) {}
