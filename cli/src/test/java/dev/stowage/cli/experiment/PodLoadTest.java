package dev.stowage.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that pods ask for decides how many nodes they need, each resource in its turn. */
final class PodLoadTest {
    @TempDir
    private Path directory;

    /** 240 of 110 a node. */
    @Test
    void nodesTakeOnlySoManyPods() throws IOException {
        assertThat(needed(3, "'pods':'110'", 240, "'cpu':'10m','memory':'16Mi'"))
                .startsWith("Needed: 3 servers")
                .contains("it is decided by pods", "240 pods of 330 pods");
    }

    /** A node has CPU for 80, fewer than the 110 that it takes. */
    @Test
    void aNumberOfPodsThatNeverDecidesIsNotSaid() throws IOException {
        assertThat(needed(3, "'pods':'110'", 100, "'cpu':'100m'"))
                .startsWith("Needed: 2 servers")
                .doesNotContain("pods");
    }

    @Test
    void otherDevicesCount() throws IOException {
        assertThat(needed(3, "'amd.com/gpu':'4'", 3, "'cpu':'1','amd.com/gpu':'2'"))
                .startsWith("Needed: 2 servers")
                .contains("6 amd_com_gpu of 8 amd_com_gpu");
        assertThat(needed(3, "'nvidia.com/mig-1g.5gb':'7'", 4, "'cpu':'1','nvidia.com/mig-1g.5gb':'4'"))
                .startsWith("Needed: 4 servers")
                .contains("7 nvidia_com_mig_1g_5gb (3 are there)");
    }

    @Test
    void disksAndHugePagesCount() throws IOException {
        assertThat(needed(2, "'ephemeral-storage':'100Gi'", 3, "'cpu':'1','ephemeral-storage':'41Gi'"))
                .startsWith("Needed: 2 servers")
                .contains("it is decided by disk");
        assertThat(needed(2, "'hugepages-2Mi':'1Gi'", 2, "'cpu':'1','hugepages-2Mi':'1025Mi'"))
                .contains("2 of 2 requests fit no server");
    }

    @Test
    void whatIsNotCountedIsAWarningOfTheAnswer() throws IOException {
        assertThat(answer(2, "'pods':'110'", 1, "'cpu':'1'", ",'resourceClaims':[{'name':'gpu'}]"))
                .contains("warning: pods with what is not counted here, claims of devices" + " (resourceClaims): 1");
        assertThat(answer(2, "'pods':'110'", 1, "'cpu':'1'", ",'nodeSelector':{'disk':'ssd'}"))
                .contains("warning: pods with rules");
    }

    private String needed(int nodes, String offers, int pods, String asks) throws IOException {
        return answer(nodes, offers, pods, asks, "");
    }

    /** Of nodes with 8 cores and 32 GiB, and more. */
    private String answer(int nodes, String offers, int pods, String asks, String rules) throws IOException {
        String items = IntStream.range(0, nodes)
                        .mapToObj(n -> "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n" + n
                                + "'},'status':{'allocatable':{'cpu':'8','memory':'32Gi'," + offers + "}}}")
                        .collect(Collectors.joining(","))
                + IntStream.range(0, pods)
                        .mapToObj(p -> ",{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p" + p
                                + "','namespace':'d'},'spec':{'containers':[{'name':'c','resources':{'requests':{"
                                + asks + "}}}]" + rules + "},'status':{'phase':'Pending'}}")
                        .collect(Collectors.joining());
        Path file = directory.resolve("cluster.json");
        Files.writeString(file, ("{'apiVersion':'v1','kind':'List','items':[" + items + "]}").replace('\'', '"'));
        return String.join(" ", Program.wide("size", file.toString()).out().split("\\s+"));
    }
}
