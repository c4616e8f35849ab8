package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.HeartbeatRequest;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.ReportRequest;
import dev.stowage.service.v1.SubmitGangRequest;
import dev.stowage.service.v1.SubmitRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers without the agent that requests there need: one, several, and more than are named. */
final class SubmitWarningsTest {
    private PlacementGrpc.PlacementBlockingStub placement;

    /** Requests of a gang, each of which fills the first server that is free. */
    private List<String> warnings(String id, int members) {
        SubmitGangRequest.Builder gang = SubmitGangRequest.newBuilder();
        for (int member = 1; member <= members; member++) {
            gang.addRequests(SubmitRequest.newBuilder()
                    .setRequestId(id + member)
                    .setType("whole")
                    .setAgent(true));
        }
        return placement.submitGang(gang.build()).getWarningsList();
    }

    @Test
    void serversWithoutAnAgentAreNamed(@TempDir Path directory) throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(14, Amounts.of(10)))),
                List.of(RequestType.of("whole", 10)));
        try (OneNode service =
                new OneNode(directory, new Setting(cluster, PolicySpec.of("fifo-ff"), 1, Long.MAX_VALUE / 4))) {
            placement = service.stub(PlacementGrpc.PlacementBlockingStub.class);
            assertThat(warnings("a", 1))
                    .containsExactly("server 0 has no agent yet; nothing starts a1 there before it has one");
            assertThat(warnings("b", 2))
                    .containsExactly("servers 1, 2 have no agent yet; nothing starts there before they have one");
            OperationsGrpc.OperationsBlockingStub agent = service.stub(OperationsGrpc.OperationsBlockingStub.class);
            agent.heartbeat(HeartbeatRequest.newBuilder().setName("3").build());
            agent.report(ReportRequest.newBuilder().setName("3").build());
            assertThat(warnings("c", 2))
                    .containsExactly("server 4 has no agent yet; nothing starts there before it has one");
            assertThat(warnings("d", 4))
                    .containsExactly("servers 5, 6, 7, 8 have no agent yet; nothing starts there before they have one");
            assertThat(warnings("e", 5))
                    .containsExactly("servers 9, 10, 11, 12 and 1 more have no agent yet; nothing starts there before"
                            + " they have one");
        }
    }
}
