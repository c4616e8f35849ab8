package dev.stowage.kube.schedule;

import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodFacts;
import java.util.Map;

/** Says where else a pod could have gone: how many nodes could take it, and which of them it would have filled most. */
final class RunnerUp {
    /** In larger clusters this would take longer than the decision. */
    private static final int MOST_NODES = 500;

    private RunnerUp() {}

    /** A clause for the end of a reason; empty in a large cluster. The pod is not on its node yet. */
    static String text(NodeVerdict verdict, PodFacts pod, NodeOccupancy occupancy, String chosen) {
        if (occupancy.nodes().size() > MOST_NODES) {
            return "";
        }
        int able = 0;
        String best = "";
        double least = Double.POSITIVE_INFINITY;
        for (NodeFacts node : occupancy.nodes()) {
            if (node.name().equals(chosen) || verdict.obstacle(node).isPresent()) {
                continue;
            }
            able++;
            double left = left(pod, node, occupancy);
            if (left < least) {
                least = left;
                best = node.name();
            }
        }
        return able == 0
                ? "; no other node could take it"
                : "; " + able + " other" + (able == 1 ? " node" : " nodes")
                        + " could take it, of which it would have filled " + best + " most";
    }

    /** Sum of the shares of the node's amounts that would be left. */
    private static double left(PodFacts pod, NodeFacts node, NodeOccupancy occupancy) {
        double sum = 0;
        for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
            String resource = request.getKey();
            long all = node.amount(resource);
            sum += all == 0 ? 0 : (double) (all - occupancy.used(node.name(), resource) - request.getValue()) / all;
        }
        return sum;
    }
}
