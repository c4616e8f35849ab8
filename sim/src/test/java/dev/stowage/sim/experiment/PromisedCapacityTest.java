package dev.stowage.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.policies.Policies;
import dev.stowage.sim.driver.ScheduledChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is promised of servers, counted by hand. */
final class PromisedCapacityTest {
    private static final String WORKLOAD = """
            workload: {types: [{name: a, rate: 1 / h, service: {exponential: 1 h}, demand: {cpu: 1, memory: 1 GiB}}]}
            policies: [first-fit]
            horizon: 1 d
            """;

    @TempDir
    private Path directory;

    private Experiment read(String text) {
        return ExperimentReader.read("test", text + WORKLOAD, directory, List.of(), new Policies())
                .points()
                .get(0);
    }

    /** (16 - 10 % rounded up) x 4 = 57.6 vCPU and 128 - 8 = 120 GiB, also of a server that is added. */
    @Test
    void addedServersArePromisedAlike() {
        Experiment point = read("cluster: {servers: {count: 2, cpu: 16, memory: 128 GiB}, overcommit: {cpu: '4:1'},"
                + " reserve: {cpu: 10 %, memory: 8 GiB}}\n"
                + "server-changes: [{at: 1 h, add: {count: 1, cpu: 16, memory: 128 GiB}}]\n");
        assertThat(point.cluster().sites().get(0).servers().get(0).capacity().toArray())
                .containsExactly(57_600, 120 * 1024);
        ScheduledChange added = point.changes().get(0);
        assertThat(added.capacity()).containsExactly(57_600, 120 * 1024);
    }

    /** 96 GiB - 20 %, times 1.25, are 96 GiB: rounded down once, not after each step. */
    @Test
    void aReserveAndAnOvercommitmentAreRoundedOnce() {
        Experiment point = read("cluster: {servers: {count: 2, cpu: 10, memory: 96 GiB},"
                + " reserve: {cpu: 33.3 %, memory: 20 %}, overcommit: {cpu: 1.7, memory: 1.25}}\n");
        assertThat(point.cluster().sites().get(0).servers().get(0).capacity().toArray())
                .containsExactly(11_339, 96 * 1024);
    }

    /** What servers say themselves is in place of what the cluster says. */
    @Test
    void serversOfAKindSayTheirOwn() {
        Experiment point = read("cluster: {servers: [{count: 2, cpu: 16, memory: 128 GiB},"
                + " {count: 3, cpu: 32, memory: 64 GiB, overcommit: {cpu: 1.5}, reserve: {memory: 4 GiB}}],"
                + " overcommit: {cpu: '4:1'}}\n");
        List<ServerBlock> servers = point.cluster().sites().get(0).servers();
        assertThat(servers.get(0).capacity().toArray()).containsExactly(64_000, 128 * 1024);
        assertThat(servers.get(1).capacity().toArray()).containsExactly(48_000, 60 * 1024);
        // A reserve of its own leaves it the cluster's overcommitment, and the other way round: (16 - 2) x 4, (16 - 1)
        // x 2.
        servers = read("cluster: {servers: [{count: 2, cpu: 16, memory: 1 GiB, reserve: {cpu: 2}},"
                        + " {count: 2, cpu: 16, memory: 1 GiB,"
                        + " overcommit: {cpu: 2}}], overcommit: {cpu: 4}, reserve: {cpu: 1}}\n")
                .cluster()
                .sites()
                .get(0)
                .servers();
        assertThat(servers.get(0).capacity().toArray()).containsExactly(56_000, 1024);
        assertThat(servers.get(1).capacity().toArray()).containsExactly(30_000, 1024);
        assertThatThrownBy(() -> read("cluster: {servers: {count: 2, cpu: 16, overcommit: {gpu: 2}}}\n"))
                .hasMessageContaining("is not a resource of the servers");
        assertThatThrownBy(() -> read("cluster: {servers: {count: 2, cpu: 16}, reserve: {cpu: 120 %}}\n"))
                .hasMessageContaining("'120 %' must be 0 % to 99 %")
                .hasMessageNotContaining("% %");
    }

    @Test
    void aColumnSaysTheSitesOfAServerList() throws IOException {
        Files.writeString(
                directory.resolve("hosts.csv"),
                "Host;Cores;RAM GB;Site\nh1;16;128;east\nh2;16;128;west\nh3;16;128;east\n");
        Experiment point = read("cluster: {server-list: hosts.csv, server-columns: site=Site, overcommit: {cpu: 2}}\n");
        assertThat(point.cluster().sites()).extracting(Site::name).containsExactly("east", "west");
        assertThat(point.cluster().sites().get(0).servers().stream()
                        .mapToInt(block -> block.count())
                        .sum())
                .isEqualTo(2);
        assertThatThrownBy(() -> read("cluster: {server-list: hosts.csv, server-columns: site=Sites}\n"))
                .hasMessageContaining(
                        "there is no column 'Sites' (did you mean 'Site'?); without this option the columns are read as cpu=Cores,mem=RAM GB,name=Host,");
    }

    /** Of 3 servers of 32 cores and 2 of 16 two are lost: both of 32; and of two sites the one of 3 x 16. */
    @Test
    void theLargestAreThoseThatFail() {
        String servers = "servers: [{count: 2, cpu: 16, memory: 1 GiB}, {count: 3, cpu: 32, memory: 1 GiB}]";
        assertThat(counts(read("cluster: {" + servers + ", spare: 2}\n"))).containsExactly(2, 1);
        String sites = "cluster: {sites: [{name: a, servers: {count: 2, cpu: 16, memory: 1 GiB}},"
                + " {name: b, servers: {count: 3, cpu: 16, memory: 1 GiB}}]";
        assertThat(counts(read(sites + ", spare-site: true}\n"))).containsExactly(2, 0);
        assertThat(counts(read(sites + ", spare-site: true, spare: 1}\n"))).containsExactly(1, 0);
        assertThatThrownBy(() -> read("cluster: {" + servers + ", spare: 5}\n"))
                .hasMessageContaining("leaves no server");
        assertThatThrownBy(() -> read("cluster: {" + servers + ", spare-site: true}\n"))
                .hasMessageContaining("there is one site only");
        assertThatThrownBy(() -> read("cluster: {" + servers + ", spare: 1}\nsize: {target: waited <= 0 %}\n"))
                .hasMessageContaining("must be given as size.spare");
    }

    private static List<Integer> counts(Experiment point) {
        return point.cluster().sites().stream()
                .flatMap(site -> site.servers().stream())
                .map(ServerBlock::count)
                .toList();
    }
}
