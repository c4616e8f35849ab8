package dev.stowage.kube.translate;

/**
 * Why a node does not take a pod.
 *
 * @param text words about all such nodes, e.g. {@code lack memory}
 * @param resource the resource that is short, empty if none is
 * @param shortBy how much of it, whole units
 */
public record Obstacle(String text, String resource, long shortBy) {
    static Obstacle of(String text) {
        return new Obstacle(text, "", 0);
    }

    static Obstacle room(String resource, long shortBy) {
        return new Obstacle("lack " + (resource.equals("pods") ? "room for another pod" : resource), resource, shortBy);
    }
}
