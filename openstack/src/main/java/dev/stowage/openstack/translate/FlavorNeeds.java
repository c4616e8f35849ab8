package dev.stowage.openstack.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a flavor asks of a host, as Nova (its {@code ResourceRequest}, Placement and the filters) reads its extra specs.
 *
 * @param amounts whole units of each resource class, above 0
 * @param required traits that the host must have
 * @param forbidden traits that it must not have
 * @param aggregateSpecs what metadata of its aggregates must say, by key, in the language of
 *     {@code aggregate_instance_extra_specs}
 * @param unscoped keys without a scope: filters that not every cloud has compare them with metadata of aggregates
 * @param unknown extra specs that change which hosts are possible and are not understood here, as {@code key=value}
 */
public record FlavorNeeds(
        SortedMap<String, Long> amounts,
        SortedSet<String> required,
        SortedSet<String> forbidden,
        SortedMap<String, String> aggregateSpecs,
        SortedMap<String, String> unscoped,
        List<String> unknown) {
    /** Resource class of shared processors. */
    public static final String VCPU = "VCPU";
    /** Resource class of memory, MiB. */
    public static final String MEMORY = "MEMORY_MB";
    /** Resource class of disk, GiB. */
    public static final String DISK = "DISK_GB";

    private static final String RESOURCES = "resources:";
    private static final String TRAIT = "trait:";
    private static final String AGGREGATE = "aggregate_instance_extra_specs:";
    /**
     * Extra specs that do not affect the choice of the host (Nova 26, {@code nova.api.validation.extra_specs}): limits,
     * the shape of the processor that the guest sees, devices that every hypervisor emulates.
     */
    private static final Pattern WITHOUT_EFFECT =
            Pattern.compile("quota:.+|hw_rng:.+|hw:(cpu_(sockets|cores|threads|max_sockets|max_cores|max_threads)"
                    + "|boot_menu|watchdog_action|hide_hypervisor_id|serial_port_count|live_migration_.+"
                    + "|vif_multiqueue_enabled|video_ram|video:ram_max_mb)|hide_hypervisor_id|hw_video:ram_max_mb"
                    + "|os:(monitors|resolution|vram)");

    /**
     * What a flavor asks for.
     *
     * @param volumeBacked whether the root disk is a volume
     */
    public static FlavorNeeds of(FlavorFacts flavor, boolean volumeBacked) {
        FlavorNeeds needs = new FlavorNeeds(
                new TreeMap<>(flavor.amounts(volumeBacked)),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new ArrayList<>());
        flavor.extraSpecs().forEach(needs::read);
        needs.amounts.values().removeIf(amount -> amount == 0);
        return needs;
    }

    private void read(String key, String value) {
        if (key.startsWith(RESOURCES) && value.matches("\\d{1,15}")) {
            amounts.put(key.substring(RESOURCES.length()), Long.parseLong(value));
        } else if (key.startsWith(TRAIT) && value.equals("required")) {
            required.add(key.substring(TRAIT.length()));
        } else if (key.startsWith(TRAIT) && value.equals("forbidden")) {
            forbidden.add(key.substring(TRAIT.length()));
        } else if (key.startsWith(AGGREGATE)) {
            aggregateSpecs.put(key.substring(AGGREGATE.length()), value);
        } else if (WITHOUT_EFFECT.matcher(key).matches() || (key + "=" + value).equals("hw:cpu_policy=shared")) {
            return;
        } else if (key.indexOf(':') < 0) {
            unscoped.put(key, value);
        } else {
            unknown.add(key + "=" + value);
        }
    }

    /** The same for a server that holds these amounts already. */
    public FlavorNeeds holding(Map<String, Long> held) {
        return new FlavorNeeds(new TreeMap<>(held), required, forbidden, aggregateSpecs, unscoped, unknown);
    }
}
