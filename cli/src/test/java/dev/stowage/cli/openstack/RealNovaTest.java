package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.api.CloudSettings;
import dev.stowage.openstack.snapshot.CloudReader;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorNeeds;
import dev.stowage.openstack.translate.GroupFacts;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** {@code stowage openstack} on a real Nova with Placement. */
@EnabledIfEnvironmentVariable(named = "OPENSTACK_KIT", matches = ".+")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RealNovaTest {
    private static final String FILTERS = "[filter_scheduler]\\nenabled_filters = ComputeFilter,"
            + "ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,"
            + "AggregateInstanceExtraSpecsFilter,AggregateMultiTenancyIsolation\\n"
            + "[scheduler]\\nenable_isolated_aggregate_filtering = True\\n";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, int[]> HOSTS = hosts(5, 16);

    @TempDir
    private static Path shared;

    /** Of the first two tests: a start takes as long as all else. */
    private static RealCloud cloud;

    @TempDir
    private Path directory;

    private static Map<String, int[]> hosts(int count, int vcpus) {
        Map<String, int[]> hosts = new LinkedHashMap<>();
        for (int i = 1; i <= count; i++) {
            hosts.put("host-" + i, new int[] {vcpus, 65_536, 1000});
        }
        return hosts;
    }

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        HOSTS.put("host-2", new int[] {8, 32_768, 200});
        cloud = new RealCloud(shared, HOSTS, FILTERS);
    }

    @AfterAll
    static void stop() {
        cloud.close();
    }

    private static JsonNode json(RealCloud cloud, String command, String... more) throws IOException {
        Program result = Program.run(cloud.arguments(command, more));
        assertThat(result.code()).as(result.err()).isZero();
        return JSON.readTree(result.out());
    }

    /** Nova's own scheduler code, in a process of its own: it says which hosts pass its filters, and places nothing. */
    private static final class Filters implements AutoCloseable {
        private final Process python;
        private final Path errors;
        private final BufferedWriter in;
        private final BufferedReader out;

        Filters(Path cloud) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                    "/usr/bin/python3.11", "src/test/resources/openstack/ask_filters.py", cloud.toString());
            builder.environment().put("PYTHONPATH", System.getenv("OPENSTACK_ROOT") + "/usr/lib/python3/dist-packages");
            builder.environment().put("PYTHONWARNINGS", "ignore");
            errors = cloud.resolve("ask-filters.err");
            python = builder.redirectError(errors.toFile()).start();
            in = python.outputWriter(StandardCharsets.UTF_8);
            out = python.inputReader(StandardCharsets.UTF_8);
        }

        Set<String> hosts(Map<String, Object> question) throws IOException {
            in.write(JSON.writeValueAsString(question) + "\n");
            in.flush();
            TreeSet<String> hosts = new TreeSet<>();
            String line = out.readLine();
            if (line == null) {
                throw new IOException(question + ": " + Files.readString(errors));
            }
            JSON.readTree(line).forEach(host -> hosts.add(host.asText()));
            return hosts;
        }

        @Override
        public void close() {
            python.destroy();
        }
    }

    /**
     * A plan is carried out by migrations; what Placement says afterwards is as planned, and nothing is lost. Leaves no
     * server.
     */
    @Test
    @Order(1)
    void hostsAreEmptied() throws IOException {
        cloud.flavor("four", 4, 4096, 10, Map.of());
        List<String> large = List.of("host-1", "host-3", "host-4", "host-5");
        for (String host : large) {
            assertThat(cloud.run("vm-" + host, "four", host)).isEqualTo(host);
        }
        String web = cloud.group("web", "anti-affinity", 1);
        for (String host : large.subList(0, 2)) {
            assertThat(cloud.settled(cloud.boot("web-" + host, "four", host, "", web)))
                    .isEqualTo(host);
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
        assertThat(after.get("web-host-1")).isNotEqualTo(after.get("web-host-3"));
        Map<String, double[]> allocated = cloud.allocated("VCPU");
        assertThat(allocated.values()).allMatch(one -> one[0] <= one[1]);
        assertThat(allocated.values().stream().mapToDouble(one -> one[0]).sum()).isEqualTo(24);
        assertThat(cloud.disabled()).isEmpty();
        after.keySet().forEach(name -> cloud.delete(cloud.id(name)));
    }

    /**
     * Hosts that we would allow are those that pass Nova's filters, by its own code, 40 random questions in each random
     * state of a cloud, of which one in ten states is also asked by a server for each host. {@code -Dstowage.seeds}
     * gives the number of states. Leaves servers, and hosts disabled. {@code HostRulesTest} has the rules by hand.
     */
    @Test
    @Tag("nightly")
    @Order(2)
    @Timeout(value = 12, unit = TimeUnit.HOURS)
    void allowedHostsAreNovas() throws Exception {
        long seed = Long.getLong("stowage.seed", 1);
        Random random = new Random(seed);
        List<String> hosts = List.copyOf(HOSTS.keySet());
        try (Filters filters = new Filters(shared.resolve("cloud"))) {
            RandomState state = new RandomState(cloud, random, hosts);
            int[] said = new int[2];
            List<String> different = new ArrayList<>();
            for (int round = 0; round < Integer.getInteger("stowage.seeds", 2); round++) {
                state.change(round);
                List<Asked> questions = state.questions();
                CloudFacts facts =
                        CloudReader.live(new CloudSession(CloudSettings.read("kit", List.of(cloud.clouds()))));
                OpenStackState known = new OpenStackState(facts, false);
                boolean unknownKey = facts.hosts().stream()
                        .flatMap(host -> host.aggregates().stream())
                        .noneMatch(aggregate -> aggregate.metadata().containsKey("disk"));
                for (Asked asked : questions) {
                    // A key that no aggregate has: which filters are enabled nobody tells, and this one refuses all.
                    Set<String> wanted =
                            unknownKey && asked.flavor().startsWith("unscoped") ? Set.of() : ours(known, asked);
                    Set<String> theirs = filters.hosts(state.json(asked));
                    if (!wanted.equals(theirs)) {
                        different.add("seed " + seed + " state " + round + " " + state.done + ": " + asked + " ours "
                                + wanted + " Nova's " + theirs);
                    }
                    said[0] += wanted.size();
                    said[1] += hosts.size() - wanted.size();
                }
                if (round % 10 == 0) {
                    // Servers belong to the project 'admin' here.
                    Asked any = questions.get(0);
                    Asked own = new Asked(any.flavor(), any.zone(), any.group(), "admin");
                    assertThat(booted(cloud, own, hosts))
                            .as("seed %s state %s (%s): %s", seed, round, state.done, own)
                            .isEqualTo(ours(known, own));
                }
            }
            System.out.println((said[0] + said[1]) / hosts.size() + " questions: " + said[0] + " hosts allowed, "
                    + said[1] + " not");
            assertThat(different).isEmpty();
            assertThat(said[0]).isPositive();
            assertThat(said[1]).isPositive();
        }
    }

    private record Asked(String flavor, String zone, String group, String project) {}

    private static Set<String> ours(OpenStackState known, Asked asked) {
        CloudFacts facts = known.source();
        FlavorNeeds needs =
                FlavorNeeds.of(Objects.requireNonNull(facts.flavors().get(asked.flavor())), false);
        GroupFacts group = facts.groups().stream()
                .filter(one -> one.id().equals(asked.group()))
                .findFirst()
                .orElse(null);
        TreeSet<String> hosts = new TreeSet<>();
        HostsOfFlavor.of(known, known.asked(asked.flavor(), needs, asked.project(), asked.zone(), group))
                .hosts()
                .forEach(host -> {
                    if (host.takes()) {
                        hosts.add(host.host());
                    }
                });
        return hosts;
    }

    /** The hosts on which Nova makes such a server, each asked for by name. */
    private static Set<String> booted(RealCloud cloud, Asked asked, List<String> hosts) {
        TreeSet<String> taken = new TreeSet<>();
        for (String host : hosts) {
            String id = cloud.boot("asked-" + host, asked.flavor(), host, asked.zone(), asked.group());
            if (!cloud.settled(id).isEmpty()) {
                taken.add(host);
            }
            cloud.delete(id);
        }
        return taken;
    }

    /** A cloud that changes at random. */
    private static final class RandomState {
        private final RealCloud cloud;
        private final Random random;
        private final List<String> hosts;
        private final Map<String, String> flavors = new LinkedHashMap<>();
        private final List<String> groups;
        /** Hosts by aggregate. */
        private final Map<Integer, Set<String>> aggregates = new LinkedHashMap<>();

        private final List<String> servers = new ArrayList<>();
        private final List<String> done = new ArrayList<>();
        private String off = "";
        private String down = "";

        RandomState(RealCloud cloud, Random random, List<String> hosts) {
            this.cloud = cloud;
            this.random = random;
            this.hosts = hosts;
            aggregate("ssd", Map.of("disk", "ssd,nvme", "speed", "10"), hosts.subList(0, 2));
            aggregate("fast", Map.of("speed", "20,30"), hosts.subList(1, 2));
            aggregate("ours", Map.of("filter_tenant_id", "admin,p-1"), hosts.subList(2, 3));
            aggregate("golden", Map.of("trait:CUSTOM_GOLD", "required"), hosts.subList(3, 4));
            int unused = cloud.aggregate("east", Map.of("availability_zone", "east"), List.of("host-1", "host-3"));
            cloud.trait("host-1", "CUSTOM_GOLD");
            cloud.trait("host-4", "CUSTOM_GOLD");
            // Placement refuses every request that names a trait which it does not know.
            cloud.trait("host-2", "CUSTOM_BLUE");
            groups = List.of(
                    "",
                    "",
                    cloud.group("apart", "anti-affinity", 1),
                    cloud.group("apart-2", "anti-affinity", 2),
                    cloud.group("together", "affinity", 0),
                    cloud.group("soft", "soft-anti-affinity", 0));
        }

        private void aggregate(String name, Map<String, String> metadata, List<String> of) {
            aggregates.put(cloud.aggregate(name, metadata, of), new TreeSet<>(of));
        }

        private String any(List<String> of) {
            return of.get(random.nextInt(of.size()));
        }

        /** 40 about six flavors. */
        List<Asked> questions() {
            List<String> some = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                some.add(flavor(any(List.copyOf(specs().keySet())), any(List.of("small", "small", "large", "huge"))));
            }
            List<Asked> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String zone = random.nextInt(4) == 0 ? "east" : "";
                all.add(new Asked(any(some), zone, any(groups), any(List.of("admin", "p-1", "p-2"))));
            }
            return all;
        }

        Map<String, Object> json(Asked asked) {
            String flavor = Objects.requireNonNull(flavors.get(asked.flavor()));
            return Map.of(
                    "flavor",
                    flavor,
                    "zone",
                    asked.zone(),
                    "group",
                    asked.group(),
                    "project",
                    asked.project(),
                    "image",
                    Map.of());
        }

        /** A flavor, made when it is first asked for. */
        private String flavor(String kind, String size) {
            String name = kind + "-" + size;
            Map<String, String> specs = Objects.requireNonNull(specs().get(kind));
            boolean small = size.equals("small");
            if (!flavors.containsKey(name)) {
                if (size.equals("huge")) {
                    cloud.flavor(name, 20, 1024, 1, specs);
                } else {
                    cloud.flavor(name, small ? 2 : 10, small ? 4096 : 20_000, small ? 20 : 150, specs);
                }
                flavors.put(name, cloud.flavorId(name));
            }
            return name;
        }

        /** Servers come and go, hosts are disabled, go down and come back, join and leave aggregates, change traits. */
        void change(int round) {
            done.clear();
            if (!off.isEmpty()) {
                cloud.enabled(off, true);
            }
            off = random.nextBoolean() ? any(hosts) : "";
            if (!off.isEmpty()) {
                cloud.enabled(off, false);
                done.add(off + " disabled");
            }
            if (!down.isEmpty()) {
                cloud.forcedDown(down, false);
            }
            down = random.nextInt(4) == 0 ? any(hosts) : "";
            if (!down.isEmpty()) {
                cloud.forcedDown(down, true);
                done.add(down + " down");
            }
            int aggregate = List.copyOf(aggregates.keySet()).get(random.nextInt(aggregates.size()));
            Set<String> members = Objects.requireNonNull(aggregates.get(aggregate));
            String host = any(hosts);
            boolean joins = members.add(host) || !members.remove(host);
            JsonNode unused = cloud.done(cloud.nova(
                    "POST",
                    "/os-aggregates/" + aggregate + "/action",
                    Map.of(joins ? "add_host" : "remove_host", Map.of("host", host))));
            done.add(host + (joins ? " joins " : " leaves ") + aggregate);
            if (random.nextInt(3) == 0) {
                cloud.trait(any(hosts), random.nextBoolean() ? "CUSTOM_GOLD" : "CUSTOM_BLUE");
            }
            for (int i = 0; i < 2; i++) {
                String id = cloud.boot(
                        "s-" + round + "-" + i, flavor("plain", any(List.of("small", "large"))), "", "", any(groups));
                if (cloud.settled(id).isEmpty()) {
                    cloud.delete(id);
                } else {
                    servers.add(id);
                }
            }
            while (servers.size() > 6) {
                // One whose host is down is deleted all the same, but not from that host.
                if (!down.isEmpty()) {
                    break;
                }
                cloud.delete(servers.remove(random.nextInt(servers.size())));
            }
        }
    }

    /** Extra specs of the flavors, each in three sizes. */
    private static Map<String, Map<String, String>> specs() {
        Map<String, Map<String, String>> specs = new LinkedHashMap<>();
        specs.put("plain", Map.of());
        specs.put("gold", Map.of("trait:CUSTOM_GOLD", "required"));
        specs.put("no-gold", Map.of("trait:CUSTOM_GOLD", "forbidden"));
        specs.put("gold-not-blue", Map.of("trait:CUSTOM_GOLD", "required", "trait:CUSTOM_BLUE", "forbidden"));
        specs.put("half", Map.of("resources:VCPU", "1", "resources:DISK_GB", "0", "quota:cpu_shares", "10"));
        specs.put("unscoped", Map.of("disk", "ssd"));
        String disk = "aggregate_instance_extra_specs:disk";
        String speed = "aggregate_instance_extra_specs:speed";
        List<String> ofDisk = List.of(
                "nvme",
                "<or> tape <or> nvme",
                "s!= ssd",
                "s== ssd",
                "s>= nvme",
                "s< ssd",
                "<in> vm",
                "<all-in> s d",
                "tape",
                "<in>");
        for (int i = 0; i < ofDisk.size(); i++) {
            specs.put("disk-" + i, Map.of(disk, ofDisk.get(i)));
        }
        List<String> ofSpeed = List.of(">= 20", "= 5", "== 10", "!= 10", "<= 10", "= 1e1", "20", "10.0");
        for (int i = 0; i < ofSpeed.size(); i++) {
            specs.put("speed-" + i, Map.of(speed, ofSpeed.get(i)));
        }
        return specs;
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
