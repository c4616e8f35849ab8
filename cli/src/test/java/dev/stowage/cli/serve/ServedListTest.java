package dev.stowage.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a list of servers that a service begins with. */
final class ServedListTest {
    @TempDir
    private Path directory;

    @Test
    void howToKeepWhatIsNotUsedIsSaid() throws Exception {
        Path list = Files.writeString(
                directory.resolve("servers.csv"),
                "name,site,cpu,memory,labels\nweb-1,berlin,32,128 GiB,zone=a\ndb-1,paris,64,256 GiB,zone=b\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Program serve = Program.run(
                    "serve",
                    "--servers",
                    list.toString(),
                    "--data",
                    directory.resolve("data").toString(),
                    "--port",
                    Integer.toString(taken.getLocalPort()));
            assertThat(serve.err().replaceAll("\\s+", " "))
                    .contains("site is ignored, any request may run on any server: berlin 1, paris 1. To keep it as the"
                            + " servers' site, start with --config and a file that has cluster: {server-list: FILE,"
                            + " server-columns: \"site=site\"}")
                    .contains("columns not used: labels. Labels of servers are set with 'stowage servers label'");
        }
    }
}
