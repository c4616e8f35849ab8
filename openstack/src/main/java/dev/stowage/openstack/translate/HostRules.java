package dev.stowage.openstack.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which hosts a request may use, whatever room they have: the rules of Placement (traits, units), of Nova's request
 * filters (availability zone, tenants, isolated aggregates) and of its filters that read flavors and aggregates. Where
 * the configuration of Nova, which no API shows, decides whether a rule holds, it is kept.
 *
 * @param needs what the flavor asks for
 * @param project of the request; empty if it is not known, and a host that is for certain projects is forbidden
 * @param zone availability zone that was asked for; empty if none was
 * @param type hypervisor type that it comes from; empty for a new server
 * @param version hypervisor version that it comes from; 0 for a new server
 */
public record HostRules(FlavorNeeds needs, String project, String zone, String type, long version) {
    private static final String TRAIT = "trait:";
    private static final String TENANT = "filter_tenant_id";

    /** The rules of a new server. */
    public static HostRules ofNew(FlavorNeeds needs, String project, String zone) {
        return new HostRules(needs, project, zone, "", 0);
    }

    /** Everything that forbids a host, in words that follow "the host"; empty if it may be used. */
    public List<String> forbid(HostFacts host, Set<String> metadataKeys) {
        List<String> found = new ArrayList<>();
        if (!needs.unknown().isEmpty()) {
            found.add("cannot be checked: the flavor asks for something that Stowage does not know: "
                    + String.join(", ", needs.unknown()));
        }
        if (!zone.isEmpty() && !zone.equals(host.zone())) {
            found.add("is in zone " + host.zone() + ", not in " + zone);
        }
        traits(host, found);
        aggregates(host, metadataKeys, found);
        needs.amounts().forEach((resource, amount) -> {
            Inventory inventory = host.inventories().get(resource);
            String refusal = inventory == null ? "has no " + resource : inventory.refuses(resource, amount);
            if (!refusal.isEmpty()) {
                found.add(refusal);
            }
        });
        if (!type.isEmpty() && !type.equals(host.type())) {
            found.add("is of hypervisor type " + host.type() + ", and servers move within " + type + " only");
        } else if (host.version() < version) {
            found.add("has hypervisor version " + host.version() + ", older than " + version
                    + ", and servers move to the same or a later one only");
        }
        return found;
    }

    private void traits(HostFacts host, List<String> found) {
        for (String trait : needs.required()) {
            if (!host.traits().contains(trait)) {
                found.add("does not have trait " + trait);
            }
        }
        for (String trait : needs.forbidden()) {
            if (host.traits().contains(trait)) {
                found.add("has trait " + trait + ", which the flavor forbids");
            }
        }
    }

    private void aggregates(HostFacts host, Set<String> metadataKeys, List<String> found) {
        needs.aggregateSpecs().forEach((key, value) -> compare(host, key, value, found));
        needs.unscoped().forEach((key, value) -> {
            if (metadataKeys.contains(key)) {
                compare(host, key, value, found);
            }
        });
        Set<String> tenants = new TreeSet<>();
        for (HostFacts.Aggregate aggregate : host.aggregates()) {
            for (Map.Entry<String, String> one : aggregate.metadata().entrySet()) {
                if (one.getKey().startsWith(TENANT)) {
                    tenants.addAll(values(one.getValue()));
                } else if (one.getKey().startsWith(TRAIT)
                        && one.getValue().equals("required")
                        && !needs.required().contains(one.getKey().substring(TRAIT.length()))) {
                    found.add("is in aggregate " + aggregate.name() + ", which takes only flavors that require "
                            + one.getKey());
                }
            }
        }
        if (!tenants.isEmpty() && !tenants.contains(project)) {
            found.add("is in an aggregate of other projects (" + TENANT + ")");
        }
    }

    private static List<String> values(String text) {
        return List.of(text.strip().split("\\s*,\\s*"));
    }

    /** As AggregateInstanceExtraSpecsFilter does: one of the values of all aggregates of the host must do. */
    private static void compare(HostFacts host, String key, String requirement, List<String> found) {
        Set<String> present = new TreeSet<>();
        for (HostFacts.Aggregate aggregate : host.aggregates()) {
            String value = aggregate.metadata().get(key);
            if (value != null) {
                present.addAll(values(value));
            }
        }
        if (present.stream().noneMatch(value -> ExtraSpecRule.matches(value, requirement))) {
            found.add("is in no aggregate whose " + key + " is as the flavor requires (" + requirement + ")"
                    + (present.isEmpty() ? "" : "; its aggregates have " + key + "=" + String.join(", ", present)));
        }
    }
}
