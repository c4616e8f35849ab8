package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One question for each cluster of a list. */
final class SizeByClusterTest {
    @TempDir
    private Path directory;

    private final List<String> words = new ArrayList<>();

    @BeforeEach
    void twoClusters() throws IOException {
        Path vms = directory.resolve("vms.csv");
        Files.writeString(
                vms, "Name,vCPU,RAM GB,Cluster\na,8,32,\"one, big\"\nb,8,32,\"one, big\"\nc,4,16,two:2\nd,40,16,\n");
        Path hosts = directory.resolve("hosts.csv");
        Files.writeString(
                hosts, "Host,Cores,RAM GB,Cluster\nx,16,128,\"one, big\"\ny,16,128,two:2\nz,16,128,\nw,16,128,idle\n");
        words.addAll(List.of("size", vms.toString(), "--servers", hosts.toString(), "--by-cluster"));
    }

    private Program with(String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return Program.wide(all.toArray(String[]::new));
    }

    /** A cluster with a comma in its name, one with a colon, VMs in none that fit no server, and an idle one. */
    @Test
    void eachClusterHasItsOwnAnswer() {
        Program found = with("-q");
        assertThat(found.code()).as("a VM fits no server").isEqualTo(3);
        assertThat(found.out())
                .containsPattern("one, big +1 +1 +1 +CPU")
                .containsPattern("two:2 +1 +1 +1 +CPU")
                .contains("Nothing runs in: idle (1)")
                .contains("\n== Cluster two:2 ==\n");
        assertThat(found.err()).contains("in (none)");
    }

    @Test
    void forMachinesToo() throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(with("-q", "--format", "json").out());
        assertThat(json.properties().stream().map(each -> each.getKey()).toList())
                .containsExactly("(none)", "one, big", "two:2");
        assertThat(json.get("two:2").get(0).get("byReplication").get(0).intValue())
                .isEqualTo(1);
        assertThat(with("-q", "--format", "csv").out())
                .startsWith("cluster,policy,sample")
                .contains("\n\"one, big\",plan,given,0,1,1,0,,\n");
    }

    @Test
    void eachHasAPage() throws IOException {
        Path page = directory.resolve("answer.html");
        with("-q", "--spare", "1", "--report", page.toString());
        assertThat(Files.readString(page)).contains("Each Cluster for itself", "one, big");
        assertThat(Files.readString(directory.resolve("answer-two_2.html"))).contains("<h1>");
        assertThat(directory.resolve("answer-one_big.html")).exists();
    }
}
