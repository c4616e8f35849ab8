package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.OperationsGrpc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The addresses that a node names to clients. */
final class AddressesTest {
    @TempDir
    private Path directory;

    @Test
    void areInOrderAndOnlyItsOwnGetsThePortThatItTook() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(1, Amounts.of(10)))),
                List.of(RequestType.of("small", 5)));
        ApiSettings settings = new ApiSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("n3", "c:7411", "n1", "a:0", "n4", "d:7411", "n2", "b:0"),
                ApiLimits.USUAL);
        Setting setting = new Setting(cluster, PolicySpec.of("fifo-ff"), 1, Long.MAX_VALUE / 4);
        try (OneNode service = new OneNode(directory, new Policies(), setting, settings)) {
            Map<String, String> apis = service.stub(OperationsGrpc.OperationsBlockingStub.class)
                    .getStatus(Empty.getDefaultInstance())
                    .getApisMap();
            assertThat(apis)
                    .containsExactly(
                            Map.entry("n1", "a:" + service.port()),
                            Map.entry("n2", "b:0"),
                            Map.entry("n3", "c:7411"),
                            Map.entry("n4", "d:7411"));
        }
    }
}
