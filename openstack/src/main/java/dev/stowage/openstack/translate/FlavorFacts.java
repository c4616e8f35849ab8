package dev.stowage.openstack.translate;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A flavor; a server has the flavor of the moment when it was created.
 *
 * @param name name
 * @param vcpus vCPUs
 * @param ramMib memory, MiB
 * @param rootGib root disk, GiB
 * @param ephemeralGib ephemeral disk, GiB
 * @param swapMib swap, MiB
 * @param extraSpecs extra specs
 */
public record FlavorFacts(
        String name,
        long vcpus,
        long ramMib,
        long rootGib,
        long ephemeralGib,
        long swapMib,
        SortedMap<String, String> extraSpecs) {
    private static final long MIB_PER_GIB = 1024;

    /** Takes a copy. */
    public FlavorFacts {
        extraSpecs = new TreeMap<>(extraSpecs);
    }

    /**
     * What Nova asks Placement for before it looks at extra specs.
     *
     * @param volumeBacked whether the root disk is a volume
     */
    Map<String, Long> amounts(boolean volumeBacked) {
        Map<String, Long> amounts = new TreeMap<>();
        amounts.put(FlavorNeeds.VCPU, vcpus);
        amounts.put(FlavorNeeds.MEMORY, ramMib);
        long disk = (volumeBacked ? 0 : rootGib) + ephemeralGib + (swapMib + MIB_PER_GIB - 1) / MIB_PER_GIB;
        amounts.put(FlavorNeeds.DISK, disk);
        return amounts;
    }
}
