package dev.stowage.openstack.translate;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A server of Nova (a VM).
 *
 * @param id UUID
 * @param name its name, not unique
 * @param project project
 * @param status as in {@code ACTIVE}
 * @param task what is being done with it; empty if nothing is
 * @param node hypervisor that it runs on; empty if none
 * @param zone availability zone that it must be in; empty if any will do
 * @param flavor flavor of the moment when it was created
 * @param volumeBacked whether its root disk is a volume
 * @param allocations what it holds of the root provider of its host, by resource class
 * @param elsewhere what it holds of other providers, as in {@code 1 VGPU of host-1_pci}
 * @param fault what Nova says of its failure; empty if nothing
 */
public record ServerFacts(
        String id,
        String name,
        String project,
        String status,
        String task,
        String node,
        String zone,
        FlavorFacts flavor,
        boolean volumeBacked,
        SortedMap<String, Long> allocations,
        List<String> elsewhere,
        String fault) {
    /** Takes copies. */
    public ServerFacts {
        allocations = new TreeMap<>(allocations);
        elsewhere = List.copyOf(elsewhere);
    }

    /** Whether a server was refused for lack of a host, and runs nowhere: the nearest that Nova has to waiting. */
    public boolean refused() {
        return node.isEmpty() && status.equals("ERROR") && fault.contains("No valid host");
    }

    /** Whether it has a disk on its host. */
    public boolean hasLocalDisk() {
        return (!volumeBacked && flavor.rootGib() > 0) || flavor.ephemeralGib() > 0 || flavor.swapMib() > 0;
    }

    /**
     * What it asks of a host: its flavor's extra specs, and what it holds. One that holds nothing counts with its
     * flavor, unless it holds something elsewhere, as while it migrates: then others hold its room here.
     */
    public FlavorNeeds needs() {
        FlavorNeeds needs = FlavorNeeds.of(flavor, volumeBacked);
        return allocations.isEmpty() && elsewhere.isEmpty() ? needs : needs.holding(allocations);
    }
}
