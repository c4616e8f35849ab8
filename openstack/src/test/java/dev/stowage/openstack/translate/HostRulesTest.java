package dev.stowage.openstack.translate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a flavor asks for and which hosts it may use, each rule by hand. */
final class HostRulesTest {
    private static FlavorFacts flavor(Map<String, String> specs) {
        return new FlavorFacts("m1", 4, 8192, 80, 10, 1500, new TreeMap<>(specs));
    }

    private static FlavorNeeds needs(Map<String, String> specs) {
        return FlavorNeeds.of(flavor(specs), false);
    }

    private static HostFacts host(String zone, Set<String> traits, Map<String, String> metadata) {
        SortedMap<String, Inventory> inventories = new TreeMap<>();
        inventories.put("VCPU", new Inventory(16, 0, 4, 1, 16, 1));
        inventories.put("MEMORY_MB", new Inventory(65_536, 512, 1, 1, 65_536, 1));
        inventories.put("DISK_GB", new Inventory(1000, 0, 1, 1, 1000, 1));
        return new HostFacts(
                "h1",
                "h1",
                "s1",
                zone,
                "",
                "",
                "QEMU",
                8002,
                inventories,
                traits,
                List.of(new HostFacts.Aggregate("agg", metadata)));
    }

    private static List<String> forbid(FlavorNeeds needs, HostFacts host) {
        return HostRules.ofNew(needs, "p", "").forbid(host, Set.of("ssd"));
    }

    /** 80 GiB of root, 10 of ephemeral disk, 1,500 MiB of swap rounded up to 2 GiB. */
    @Test
    void amountsAreThoseOfNova() {
        assertThat(needs(Map.of()).amounts()).isEqualTo(Map.of("VCPU", 4L, "MEMORY_MB", 8192L, "DISK_GB", 92L));
        assertThat(FlavorNeeds.of(flavor(Map.of()), true).amounts()).containsEntry("DISK_GB", 12L);
        FlavorNeeds changed =
                needs(Map.of("resources:VCPU", "0", "resources:CUSTOM_LICENSE", "2", "quota:cpu_shares", "9"));
        assertThat(changed.amounts()).isEqualTo(Map.of("MEMORY_MB", 8192L, "DISK_GB", 92L, "CUSTOM_LICENSE", 2L));
        assertThat(changed.unknown()).isEmpty();
    }

    @Test
    void whatIsNotUnderstoodIsNamed() {
        for (String key : List.of(
                "hw:numa_nodes",
                "hw:mem_page_size",
                "hw:cpu_policy",
                "pci_passthrough:alias",
                "resources1:VGPU",
                "trait1:CUSTOM_X",
                "accel:device_profile",
                "hw:pci_numa_affinity_policy",
                "capabilities:cpu_info:features")) {
            FlavorNeeds needs = needs(Map.of(key, "2"));
            assertThat(needs.unknown()).as(key).containsExactly(key + "=2");
            assertThat(forbid(needs, host("nova", Set.of(), Map.of())))
                    .containsExactly("cannot be checked: the flavor asks for something that Stowage does not know: "
                            + key + "=2");
        }
        assertThat(needs(Map.of("hw:cpu_policy", "shared")).unknown()).isEmpty();
        assertThat(needs(Map.of("trait:X", "perhaps")).unknown()).containsExactly("trait:X=perhaps");
        assertThat(needs(Map.of("resources:VCPU", "many")).unknown()).containsExactly("resources:VCPU=many");
    }

    @Test
    void traitsAreRequiredOrForbidden() {
        HostFacts gold = host("nova", Set.of("GOLD"), Map.of());
        HostFacts plain = host("nova", Set.of(), Map.of());
        assertThat(forbid(needs(Map.of("trait:GOLD", "required")), gold)).isEmpty();
        assertThat(forbid(needs(Map.of("trait:GOLD", "required")), plain)).containsExactly("does not have trait GOLD");
        assertThat(forbid(needs(Map.of("trait:GOLD", "forbidden")), plain)).isEmpty();
        assertThat(forbid(needs(Map.of("trait:GOLD", "forbidden")), gold))
                .containsExactly("has trait GOLD, which the flavor forbids");
    }

    @Test
    void aggregatesAreComparedAsTheFilterDoes() {
        FlavorNeeds ssd = needs(Map.of("aggregate_instance_extra_specs:ssd", "true"));
        assertThat(forbid(ssd, host("nova", Set.of(), Map.of("ssd", "true")))).isEmpty();
        assertThat(forbid(ssd, host("nova", Set.of(), Map.of("ssd", "false, true"))))
                .isEmpty();
        assertThat(forbid(ssd, host("nova", Set.of(), Map.of("ssd", "no"))))
                .containsExactly(
                        "is in no aggregate whose ssd is as the flavor requires (true); its aggregates have ssd=no");
        assertThat(forbid(ssd, host("nova", Set.of(), Map.of()))).hasSize(1);
        // A key without a scope counts where aggregates of the cloud have it.
        assertThat(forbid(needs(Map.of("ssd", "true")), host("nova", Set.of(), Map.of())))
                .hasSize(1);
        assertThat(forbid(needs(Map.of("anything", "x")), host("nova", Set.of(), Map.of())))
                .isEmpty();
    }

    @Test
    void aggregatesOfOtherProjectsAndOfTraitsAreClosed() {
        HostFacts ofQ = host("nova", Set.of(), Map.of("filter_tenant_id", "q,r"));
        assertThat(forbid(needs(Map.of()), ofQ))
                .containsExactly("is in an aggregate of other projects (filter_tenant_id)");
        assertThat(HostRules.ofNew(needs(Map.of()), "r", "").forbid(ofQ, Set.of()))
                .isEmpty();
        assertThat(HostRules.ofNew(needs(Map.of()), "", "").forbid(ofQ, Set.of()))
                .hasSize(1);
        HostFacts isolated = host("nova", Set.of("GOLD"), Map.of("trait:GOLD", "required"));
        assertThat(forbid(needs(Map.of()), isolated))
                .containsExactly("is in aggregate agg, which takes only flavors that require trait:GOLD");
        assertThat(forbid(needs(Map.of("trait:GOLD", "required")), isolated)).isEmpty();
    }

    @Test
    void zonesUnitsAndHypervisors() {
        HostFacts host = host("east", Set.of(), Map.of());
        assertThat(HostRules.ofNew(needs(Map.of()), "p", "west").forbid(host, Set.of()))
                .containsExactly("is in zone east, not in west");
        // 16 x 4 may be allocated, but no more than 16 to one server.
        assertThat(host.capacity("VCPU")).isEqualTo(64);
        assertThat(host.capacity("MEMORY_MB")).isEqualTo(65_024);
        assertThat(forbid(needs(Map.of("resources:VCPU", "17")), host))
                .containsExactly("gives one server at most 16 VCPU (max_unit), at any ratio");
        assertThat(forbid(needs(Map.of("resources:VGPU", "1")), host)).containsExactly("has no VGPU");
        assertThat(new Inventory(64, 0, 1, 4, 64, 4).refuses("X", 2)).contains("min_unit");
        assertThat(new Inventory(64, 0, 1, 4, 64, 4).refuses("X", 6)).contains("step_size");
        assertThat(new Inventory(64, 0, 1, 4, 64, 4).refuses("X", 8)).isEmpty();
        assertThat(new HostRules(needs(Map.of()), "p", "", "QEMU", 8003).forbid(host, Set.of()))
                .containsExactly("has hypervisor version 8002, older than 8003, and servers move to the same or a later"
                        + " one only");
        assertThat(new HostRules(needs(Map.of()), "p", "", "QEMU", 8002).forbid(host, Set.of()))
                .isEmpty();
        assertThat(new HostRules(needs(Map.of()), "p", "", "VMware", 1).forbid(host, Set.of()))
                .hasSize(1);
    }

    @Test
    void requirementsOfExtraSpecs() {
        assertThat(ExtraSpecRule.matches("10", "= 5")).isTrue();
        assertThat(ExtraSpecRule.matches("4", "= 5")).isFalse();
        assertThat(ExtraSpecRule.matches("5.0", "== 5")).isTrue();
        assertThat(ExtraSpecRule.matches("5", "!= 5")).isFalse();
        assertThat(ExtraSpecRule.matches("five", ">= 5")).isFalse();
        assertThat(ExtraSpecRule.matches("5", "<= 5")).isTrue();
        assertThat(ExtraSpecRule.matches("ssd", "s== ssd")).isTrue();
        assertThat(ExtraSpecRule.matches("ssd", "s!= ssd")).isFalse();
        assertThat(ExtraSpecRule.matches("b", "s> a")).isTrue();
        assertThat(ExtraSpecRule.matches("b", "s<= a")).isFalse();
        assertThat(ExtraSpecRule.matches("b", "<or> a <or> b")).isTrue();
        assertThat(ExtraSpecRule.matches("c", "<or> a <or> b")).isFalse();
        assertThat(ExtraSpecRule.matches("aes sse", "<in> sse")).isTrue();
        assertThat(ExtraSpecRule.matches("aes sse", "<all-in> aes sse")).isTrue();
        assertThat(ExtraSpecRule.matches("aes", "<all-in> aes sse")).isFalse();
        assertThat(ExtraSpecRule.matches("true", "true")).isTrue();
        assertThat(ExtraSpecRule.matches("true", "True")).isFalse();
        assertThat(ExtraSpecRule.matches("5", "s==")).isFalse();
    }
}
