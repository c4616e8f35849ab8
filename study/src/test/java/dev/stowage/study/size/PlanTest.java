package dev.stowage.study.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.sim.experiment.SizeQuestion;
import dev.stowage.sim.experiment.SizeTarget;
import dev.stowage.study.TestExperiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where everything may be moved: whichever servers or site of an answer are lost, an exhaustive search places all. */
final class PlanTest {
    private static final int CASES = Integer.getInteger("stowage.cases", 60);

    private static final SizeQuestion MOVABLE = new SizeQuestion(SizeTarget.parse("waited <= 0 %")).movable(true);

    private static final Pattern KIND = Pattern.compile("(\\d+) vCPU, (\\d+) GiB");

    @TempDir
    private Path directory;

    /** A host by its site and what it holds. */
    private record Host(int site, int cpu, int memory) {}

    /** Where one server is there and many more are needed, each machine is tried on all of these. */
    @Test
    void noPlanIsSoughtThatTakesTooLong() throws IOException {
        assertThat(planned(3000)).isTrue();
        assertThat(planned(4000)).isFalse();
    }

    private boolean planned(int machines) throws IOException {
        List<int[]> vms = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            vms.add(new int[] {4, 4});
        }
        Experiment point = experiment(List.of(List.of(new int[] {1, 4, 4})), vms);
        return Hindsight.ofMovable(point, MOVABLE, ServerFleet.of(point.cluster(), MOVABLE.site())) != null;
    }

    @Test
    void whateverIsLost() throws IOException {
        Random random = new Random(3);
        int better = 0;
        int sites = 0;
        for (int round = 0; round < CASES; round++) {
            List<List<int[]>> blocks = new ArrayList<>();
            int number = 1 + random.nextInt(2);
            for (int s = 0; s < number; s++) {
                List<int[]> its = new ArrayList<>();
                int different = 1 + random.nextInt(2);
                for (int l = 0; l < different; l++) {
                    its.add(new int[] {1 + random.nextInt(2), 4 + random.nextInt(7), 4 + random.nextInt(7)});
                }
                blocks.add(its);
            }
            List<int[]> vms = new ArrayList<>();
            int count = 3 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                vms.add(new int[] {1 + random.nextInt(4), 1 + random.nextInt(4)});
            }
            int spare = random.nextInt(3);
            boolean site = number > 1 && random.nextBoolean();
            SizeQuestion question = MOVABLE.withSpareSite(site).withSpare(spare);
            Experiment point = experiment(blocks, vms);
            Sizing sizing = new Sizing(point, question, new Policies());
            assertThat(sizing.hasPlan()).isTrue();
            long servers = sizing.need(point.policies().get(0).spec()).servers().get(0);
            long unmoved = new Sizing(point, question.movable(false), new Policies())
                    .need(point.policies().get(0).spec())
                    .servers()
                    .get(0);
            better += servers < unmoved ? 1 : 0;
            sites += site ? 1 : 0;
            PolicySpec usual = point.policies().get(0).spec();
            if (spare < servers) {
                assertThat(sizing.runs().stops(usual, servers, spare))
                        .as("round %d", round)
                        .isEmpty();
            }
            assertThat(site ? sizing.runs().stopsWithout(usual, servers, spare).values() : List.of(Map.of()))
                    .as("round %d", round)
                    .allMatch(Map::isEmpty);
            List<Host> hosts = hosts(sizing, servers);
            assertThat(hosts).hasSize((int) servers);
            assertThat(sizing.least().get(0)).as("round %d", round).isLessThanOrEqualTo(servers);
            assertThat(holdsWithout(hosts, spare, 0, new ArrayList<>(), vms))
                    .as("round %d", round)
                    .isTrue();
            for (int s = 0; site && s < number; s++) {
                int lost = s;
                List<Host> rest =
                        hosts.stream().filter(host -> host.site() != lost).toList();
                assertThat(rest.size() > spare && holdsWithout(rest, spare, 0, new ArrayList<>(), vms))
                        .as("round %d without site %d", round, s)
                        .isTrue();
            }
        }
        assertThat(better).isGreaterThan(0);
        assertThat(sites).isGreaterThan(CASES / 8);
    }

    private static List<Host> hosts(Sizing sizing, long servers) {
        Map<String, Map<String, Long>> bySite = sizing.bySite(servers);
        Map<String, Map<String, Long>> all = bySite.isEmpty() ? Map.of("s0", sizing.kinds(servers)) : bySite;
        List<Host> hosts = new ArrayList<>();
        all.forEach((site, kinds) -> kinds.forEach((kind, count) -> {
            Matcher words = KIND.matcher(kind);
            assertThat(words.matches()).as(kind).isTrue();
            for (int i = 0; i < count; i++) {
                hosts.add(new Host(
                        Integer.parseInt(site.substring(1)),
                        Integer.parseInt(words.group(1)),
                        Integer.parseInt(words.group(2))));
            }
        }));
        return hosts;
    }

    /** Whether all fits whichever of so many of the hosts are lost. */
    private static boolean holdsWithout(List<Host> hosts, int lost, int next, List<Host> kept, List<int[]> vms) {
        if (next == hosts.size()) {
            return lost > 0 || fits(vms, kept);
        }
        List<Host> with = new ArrayList<>(kept);
        with.add(hosts.get(next));
        return (lost == 0 || holdsWithout(hosts, lost - 1, next + 1, kept, vms))
                && holdsWithout(hosts, lost, next + 1, with, vms);
    }

    private static boolean fits(List<int[]> vms, List<Host> hosts) {
        return KindsOfAnInventoryTest.fits(
                vms,
                0,
                hosts.stream()
                        .map(host -> new int[] {host.cpu(), host.memory()})
                        .toList());
    }

    private Experiment experiment(List<List<int[]>> sites, List<int[]> vms) throws IOException {
        StringBuilder rows = new StringBuilder("name,cpu_milli,mem_mib\n");
        vms.forEach(vm -> rows.append("vm" + rows.length() + "," + vm[0] * 1000 + "," + vm[1] * 1024 + "\n"));
        Files.writeString(directory.resolve("vms.csv"), rows);
        StringBuilder text = new StringBuilder();
        for (int s = 0; s < sites.size(); s++) {
            StringBuilder servers = new StringBuilder();
            sites.get(s)
                    .forEach(kind -> servers.append(servers.isEmpty() ? "" : ", ")
                            .append("{count: " + kind[0] + ", cpu_milli: " + kind[1] * 1000 + ", mem_mib: "
                                    + kind[2] * 1024 + "}"));
            text.append(s == 0 ? "" : ", ").append("{name: s" + s + ", servers: [" + servers + "]}");
        }
        return TestExperiments.of(
                "{cluster: {sites: [" + text + "]}, workload: {trace: {file: vms.csv}},"
                        + " policies: [{policy: best-fit, when-full: queue}]}",
                directory);
    }
}
