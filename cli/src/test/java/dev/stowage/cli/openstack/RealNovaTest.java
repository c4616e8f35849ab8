package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage openstack} on a real Nova with Placement. */
@EnabledIfEnvironmentVariable(named = "OPENSTACK_KIT", matches = ".+")
final class RealNovaTest {
    private static final String FILTERS = "[filter_scheduler]\\nenabled_filters = ComputeFilter,"
            + "ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,"
            + "AggregateInstanceExtraSpecsFilter\\n";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static Map<String, int[]> hosts(int count, int vcpus) {
        Map<String, int[]> hosts = new LinkedHashMap<>();
        for (int i = 1; i <= count; i++) {
            hosts.put("host-" + i, new int[] {vcpus, 65_536, 1000});
        }
        return hosts;
    }

    private static JsonNode json(RealCloud cloud, String command, String... more) throws IOException {
        Program result = Program.run(cloud.arguments(command, more));
        assertThat(result.code()).as(result.err()).isZero();
        return JSON.readTree(result.out());
    }

    /**
     * Hosts that we would allow are hosts that Nova takes, each asked for by name so that its own filters decide;
     * {@code -Dstowage.seeds} gives the number of cases.
     */
    @Test
    @Timeout(value = 12, unit = TimeUnit.HOURS)
    void hostsAllowedAreThoseOfNova() throws Exception {
        feasibility(Long.getLong("stowage.seed", 1), Integer.getInteger("stowage.seeds", 3));
    }

    private void feasibility(long seed, int cases) throws Exception {
        Random random = new Random(seed);
        Map<String, int[]> hosts = hosts(4, 16);
        hosts.put("host-2", new int[] {8, 32_768, 200});
        try (RealCloud cloud = new RealCloud(directory, hosts, FILTERS)) {
            int ssd = cloud.aggregate("ssd", Map.of("disk", "ssd,nvme", "speed", "10"), List.of("host-1", "host-2"));
            cloud.aggregate("east", Map.of("availability_zone", "east"), List.of("host-1", "host-3"));
            cloud.trait("host-1", "CUSTOM_GOLD");
            cloud.trait("host-3", "CUSTOM_GOLD");
            assertThat(ssd).isPositive();
            Set<String> made = new TreeSet<>();
            List<String> groups = List.of(
                    "",
                    "",
                    "",
                    cloud.group("apart", "anti-affinity", 1),
                    cloud.group("apart-2", "anti-affinity", 2),
                    cloud.group("together", "affinity", 0),
                    cloud.group("soft", "soft-anti-affinity", 0));
            List<String> kept = new ArrayList<>();
            int allowed = 0;
            int refused = 0;
            for (int number = 0; number < cases; number++) {
                String off = random.nextBoolean() ? "host-" + (1 + random.nextInt(4)) : "";
                if (!off.isEmpty()) {
                    cloud.enabled(off, false);
                }
                String flavor = flavor(cloud, random, made);
                String group = groups.get(random.nextInt(groups.size()));
                String zone = random.nextInt(4) == 0 ? "east" : "";
                List<String> more = new ArrayList<>(List.of("--explain", flavor, "--format", "json"));
                if (!group.isEmpty()) {
                    more.addAll(List.of("--group", group));
                }
                if (!zone.isEmpty()) {
                    more.addAll(List.of("--zone", zone));
                }
                JsonNode ours = json(cloud, "advise", more.toArray(String[]::new));
                TreeSet<String> wanted = new TreeSet<>();
                ours.path("hosts").forEach(host -> {
                    if (host.path("takes").asBoolean()) {
                        wanted.add(host.path("host").asText());
                    }
                });
                TreeSet<String> taken = new TreeSet<>();
                String last = "";
                for (String host : hosts.keySet()) {
                    String id = cloud.boot("case-" + number, flavor, host, zone, group);
                    if (cloud.settled(id).isEmpty()) {
                        cloud.delete(id);
                    } else {
                        taken.add(host);
                        if (!last.isEmpty()) {
                            cloud.delete(last);
                        }
                        last = id;
                        if (!group.isEmpty()) {
                            cloud.delete(last);
                            last = "";
                        }
                    }
                }
                assertThat(wanted)
                        .as(
                                "seed %s case %s: flavor %s group %s zone %s off %s; %s",
                                seed, number, flavor, group, zone, off, ours)
                        .isEqualTo(taken);
                allowed += taken.size();
                refused += hosts.size() - taken.size();
                if (!last.isEmpty()) {
                    kept.add(last);
                } else if (!group.isEmpty() && !taken.isEmpty()) {
                    String id = cloud.boot("case-" + number, flavor, "", zone, group);
                    String unused = cloud.settled(id);
                    kept.add(id);
                }
                if (kept.size() > 8) {
                    cloud.delete(kept.remove(random.nextInt(kept.size())));
                }
                if (!off.isEmpty()) {
                    cloud.enabled(off, true);
                }
            }
            assertThat(allowed).isPositive();
            assertThat(refused).isPositive();
        }
    }

    /** Extra specs of the flavors, each in two sizes; which are made when they are first asked for. */
    private static Map<String, Map<String, String>> flavors() {
        Map<String, Map<String, String>> specs = new LinkedHashMap<>();
        specs.put("plain", Map.of());
        specs.put("gold", Map.of("trait:CUSTOM_GOLD", "required"));
        specs.put("no-gold", Map.of("trait:CUSTOM_GOLD", "forbidden"));
        specs.put("nvme", Map.of("aggregate_instance_extra_specs:disk", "nvme"));
        specs.put("nvme-or-tape", Map.of("aggregate_instance_extra_specs:disk", "<or> tape <or> nvme"));
        specs.put("not-ssd", Map.of("aggregate_instance_extra_specs:disk", "s!= ssd"));
        specs.put("fast", Map.of("aggregate_instance_extra_specs:speed", ">= 20"));
        specs.put("speed", Map.of("aggregate_instance_extra_specs:speed", "= 5"));
        specs.put("unscoped", Map.of("disk", "ssd"));
        specs.put("half", Map.of("resources:VCPU", "1", "resources:DISK_GB", "0", "quota:cpu_shares", "10"));
        return specs;
    }

    private static String flavor(RealCloud cloud, Random random, Set<String> made) {
        Map<String, Map<String, String>> all = flavors();
        String kind = List.copyOf(all.keySet()).get(random.nextInt(all.size()));
        int size = random.nextInt(5);
        String name = kind + "-" + (size == 0 ? "huge" : size < 3 ? "large" : "small");
        if (made.add(name)) {
            if (size == 0) {
                cloud.flavor(name, 20, 1024, 1, all.get(kind));
            } else {
                cloud.flavor(name, size < 3 ? 10 : 2, size < 3 ? 20_000 : 4096, size < 3 ? 150 : 20, all.get(kind));
            }
        }
        return name;
    }

    /** A plan is carried out by migrations; what Placement says afterwards is as planned, and nothing is lost. */
    @Test
    void hostsAreEmptied() throws Exception {
        try (RealCloud cloud = new RealCloud(directory, hosts(4, 16), "")) {
            cloud.flavor("four", 4, 4096, 10, Map.of());
            for (int i = 1; i <= 4; i++) {
                assertThat(cloud.run("vm-" + i, "four", "host-" + i)).isEqualTo("host-" + i);
            }
            String web = cloud.group("web", "anti-affinity", 1);
            for (int i = 1; i <= 2; i++) {
                assertThat(cloud.settled(cloud.boot("web-" + i, "four", "host-" + i, "", web)))
                        .isEqualTo("host-" + i);
            }
            JsonNode advice = json(cloud, "advise", "--format", "json");
            assertThat(advice.path("serversInUse").asInt()).isEqualTo(4);
            // 6 servers of 4 vCPUs need 2 hosts of 16, and two of them must be apart.
            assertThat(advice.path("fewest").path("bound").asInt()).isEqualTo(2);
            assertThat(advice.path("fewest").path("planEnd").asInt()).isEqualTo(2);

            Map<String, String> before = cloud.servers();
            Program dry = Program.run(cloud.arguments("consolidate"));
            assertThat(dry.out()).contains("Nothing was changed");
            assertThat(cloud.servers()).isEqualTo(before);

            Program result =
                    Program.run(cloud.arguments("consolidate", "--carry-out", "--move-every", "0 s", "--at-once", "2"));
            assertThat(result.code()).as(result.out() + result.err()).isZero();
            assertThat(result.out()).contains("4 hosts in use before, 2 now");
            Map<String, String> after = cloud.servers();
            assertThat(after.keySet()).isEqualTo(before.keySet());
            assertThat(new TreeSet<>(after.values())).hasSize(2);
            assertThat(after.get("web-1")).isNotEqualTo(after.get("web-2"));
            Map<String, double[]> allocated = cloud.allocated("VCPU");
            assertThat(allocated.values()).allMatch(one -> one[0] <= one[1]);
            assertThat(allocated.values().stream().mapToDouble(one -> one[0]).sum())
                    .isEqualTo(24);
            assertThat(cloud.disabled()).isEmpty();
        }
    }

    /** What a killed run leaves is taken up; somebody without rights is told so. */
    @Test
    @Tag("nightly")
    void aKilledRunIsTakenUp() throws Exception {
        try (RealCloud cloud = new RealCloud(directory, hosts(3, 16), "")) {
            cloud.flavor("two", 2, 4096, 10, Map.of());
            for (int i = 1; i <= 3; i++) {
                assertThat(cloud.run("vm-" + i, "two", "host-" + i)).isEqualTo("host-" + i);
            }
            // What a run leaves that was killed: a host disabled with its mark, and a migration under way.
            JsonNode unused = cloud.done(cloud.nova(
                    "PUT",
                    "/os-services/" + cloud.service("host-1"),
                    Map.of("status", "disabled", "disabled_reason", "stowage: being emptied")));
            JsonNode moved = cloud.done(cloud.nova(
                    "POST",
                    "/servers/" + cloud.id("vm-1") + "/action",
                    Map.of("os-migrateLive", Map.of("host", "host-2", "block_migration", "auto"))));
            assertThat(moved).isEmpty();
            assertThat(cloud.disabled()).containsExactly("host-1");
            Program result = Program.run(
                    cloud.arguments("consolidate", "--carry-out", "--move-every", "0 s", "--format", "json"));
            assertThat(result.code()).as(result.out() + result.err()).isZero();
            Map<String, String> after = cloud.servers();
            assertThat(after.keySet()).containsExactly("vm-1", "vm-2", "vm-3");
            assertThat(new TreeSet<>(after.values())).hasSize(1);

            // Somebody who may not disable hosts is told so, and nothing changes.
            Program user = Program.run(
                    "openstack", "consolidate", "--clouds", cloud.cloudsOfUser().toString());
            assertThat(user.code()).isEqualTo(1);
            assertThat(user.err()).contains("403").doesNotContain("ann:ops");
            assertThat(cloud.servers()).isEqualTo(after);

            Program kept = Program.run(cloud.arguments("consolidate", "--open"));
            assertThat(kept.code()).isZero();
            assertThat(cloud.disabled()).isEmpty();
        }
    }
}
