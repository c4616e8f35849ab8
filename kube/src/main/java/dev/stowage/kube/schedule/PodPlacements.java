package dev.stowage.kube.schedule;

import dev.stowage.kube.schedule.KnownPods.KnownPod;
import dev.stowage.kube.translate.NodeFacts;
import dev.stowage.kube.translate.NodeOccupancy;
import dev.stowage.kube.translate.NodeVerdict;
import dev.stowage.kube.translate.PodFacts;
import dev.stowage.kube.translate.PodGpus;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Counts pods on the nodes that the policy chose, before they are bound, and undoes that. */
record PodPlacements(String policy, NodeOccupancy occupancy, EngineRequests requests) {
    /** In larger clusters it would take longer than the decision to say where else a pod could have gone. */
    private static final int MOST_NODES = 500;

    /**
     * Counts a pod where the policy placed it. Returns the reason, for people; empty if its neighbours, placed in the
     * same step, or the GPUs of the node, forbid it: then
     * nothing is counted.
     */
    String assume(KnownPod entry, EngineEvents.Event event) {
        String name = requests.engine().view().serverName(event.server());
        NodeFacts node = Objects.requireNonNull(occupancy.node(name), name);
        NodeVerdict verdict = new NodeVerdict(entry.pod, occupancy);
        PodGpus gpus = entry.pod.gpus();
        if (verdict.obstacleBesideRoom(node).isPresent()
                || verdict.gpuObstacle(node).isPresent()
                || (node.gpus().areShared() && gpus.milli(node.gpus()) > entry.gpus)) {
            return "";
        }
        String reason = policy + ": " + event.reason()
                + (entry.prefers ? preferences(requests.kinds().better(entry.kind, name)) : "")
                + runnerUp(verdict, entry.pod, name);
        if (node.gpus().areShared() && !gpus.isNone()) {
            reason += "; with GPU "
                    + BitSet.valueOf(new long[] {event.devices()}).stream()
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", "));
        }
        entry.pod = entry.pod.boundTo(name, gpus.given(name, node.gpus(), event.devices()));
        entry.state = PodState.ASSUMED;
        occupancy.promise(entry.pod);
        requests.kinds().touched(entry.pod);
        return reason;
    }

    private static String preferences(int better) {
        return better == 0
                ? "; no node suits its preferences better"
                : "; " + better + (better == 1 ? " node suits" : " nodes suit") + " its preferences better, but "
                        + (better == 1 ? "has" : "have") + " no room for it";
    }

    /** No longer counts a pod where it was going to be bound. */
    void takeBack(KnownPod entry) {
        occupancy.removePod(entry.pod.uid());
        requests.kinds().touched(entry.pod);
        entry.pod = entry.pod.boundTo("", entry.pod.gpus().asked());
    }

    /**
     * Where else a pod could have gone: how many nodes could take it, and which of them it would have filled most; a
     * clause for the end of a reason, empty in a large cluster. The pod is not on its node yet.
     */
    private String runnerUp(NodeVerdict verdict, PodFacts pod, String chosen) {
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
            double left = left(pod, node);
            if (left < least) {
                least = left;
                best = node.name();
            }
        }
        return able == 0
                ? "; no other node could take it"
                : "; " + able + " other" + (able == 1 ? " node" : " nodes")
                        + " could take it; the fullest afterwards would have been " + best;
    }

    /** Sum of the shares of the node's amounts that would be left. */
    private double left(PodFacts pod, NodeFacts node) {
        double sum = 0;
        for (Map.Entry<String, Long> request : pod.requests().entrySet()) {
            String resource = request.getKey();
            long all = node.amount(resource);
            sum += all == 0 ? 0 : (double) (all - occupancy.used(node.name(), resource) - request.getValue()) / all;
        }
        return sum;
    }
}
