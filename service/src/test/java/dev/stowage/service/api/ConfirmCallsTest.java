package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Restless;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.Adjustment;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.SetPolicyRequest;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.Unconfirmed;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Migrations and resizes as an agent sees and confirms them, over gRPC and JSON; also after a restart. */
final class ConfirmCallsTest {
    @TempDir
    private Path directory;

    private OneNode service;
    private PlacementGrpc.PlacementBlockingStub placement;
    private OperationsGrpc.OperationsBlockingStub operations;
    private WebClient web;

    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(new Resource("cpu", true)),
                List.of(),
                List.of(Site.of("here", new ServerBlock(3, Amounts.of(10)))),
                List.of(RequestType.of("small", 3)));
        Setting setting = new Setting(cluster, PolicySpec.of("restless-move"), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(directory, Restless.factory(), setting, ApiSettings.loopback(0));
        placement = service.stub(PlacementGrpc.PlacementBlockingStub.class);
        operations = service.stub(OperationsGrpc.OperationsBlockingStub.class);
        web = service.web();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void submit(String id) {
        placement.submit(SubmitRequest.newBuilder()
                .setTenant("acme")
                .setRequestId(id)
                .setType("small")
                .build());
    }

    private void release(String id) {
        placement.release(
                ReleaseRequest.newBuilder().setTenant("acme").setRequestId(id).build());
    }

    private Request get(String id) {
        return placement.get(
                GetRequest.newBuilder().setTenant("acme").setRequestId(id).build());
    }

    private static ConfirmRequest confirm(String tenant, String id, long position) {
        return ConfirmRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .setPosition(position)
                .build();
    }

    private AggregatedHttpResponse post(String path, String body) {
        return web.execute(HttpRequest.of(HttpMethod.POST, path, MediaType.JSON, body))
                .aggregate()
                .join();
    }

    @Test
    void anAgentCarriesOutWhatItWatchesAndConfirms() throws Exception {
        submit("a");
        submit("b");
        Iterator<WatchReply> watching = placement.watch(WatchRequest.newBuilder()
                .setAfterPosition(get("b").getPosition())
                .build());
        // b leaves, so that a moves from server 0 to 1.
        release("b");
        Request told = Request.getDefaultInstance();
        while (!told.hasUnconfirmed()) {
            for (Request change : watching.next().getChangesList()) {
                told = change;
            }
        }
        long position = told.getPosition();
        assertThat(told.getUnconfirmed())
                .isEqualTo(Unconfirmed.newBuilder()
                        .setKind(Adjustment.MIGRATION)
                        .setPosition(position)
                        .setFromServer(0)
                        .setToServer(1)
                        .setAllocation(3)
                        .build());
        assertThat(get("a")).isEqualTo(told);
        assertThat(placement
                        .list(ListRequest.newBuilder().setTenant("acme").build())
                        .getRequests(0))
                .isEqualTo(told);
        assertThat(operations.getStatus(Empty.getDefaultInstance()).getUnconfirmedRequests())
                .isEqualTo(1);
        assertThat(web.get("/metrics").aggregate().join().contentUtf8()).contains("stowage_requests_unconfirmed 1");

        String digest = operations.getStatus(Empty.getDefaultInstance()).getDigest();
        assertThatThrownBy(() -> placement.confirmMigration(confirm("acme", "none", position)))
                .hasMessageContaining("NOT_FOUND");
        assertThatThrownBy(() -> placement.confirmMigration(confirm("else", "a", position)))
                .hasMessageContaining("NOT_FOUND");
        assertThatThrownBy(() -> placement.confirmMigration(confirm("acme", "a", position + 1)))
                .hasMessageContaining("FAILED_PRECONDITION")
                .hasMessageContaining("NO_SUCH_EFFECT");
        assertThatThrownBy(() -> placement.confirmMigration(confirm("acme", "a", position - 1)))
                .hasMessageContaining("SUPERSEDED");
        assertThatThrownBy(() -> placement.confirmResize(confirm("acme", "a", position)))
                .hasMessageContaining("NO_SUCH_EFFECT")
                .hasMessageContaining("MIGRATION");
        assertThatThrownBy(() -> placement.confirmResize(confirm("acme", "a", -1)))
                .hasMessageContaining("BAD_POSITION");
        assertThat(operations.getStatus(Empty.getDefaultInstance()).getDigest()).isEqualTo(digest);

        Request confirmed = placement.confirmMigration(confirm("acme", "a", position));
        assertThat(confirmed.hasUnconfirmed()).isFalse();
        assertThat(confirmed.getServer()).isEqualTo(1);
        assertThat(placement.confirmMigration(confirm("acme", "a", position))).isEqualTo(confirmed);
        assertThat(operations.getStatus(Empty.getDefaultInstance()).getUnconfirmedRequests())
                .isZero();
        WatchReply next = watching.next();
        while (next.getChangesCount() == 0) {
            next = watching.next();
        }
        assertThat(next.getChanges(0)).isEqualTo(confirmed);
    }

    @Test
    void overJsonAndAfterARestart() throws Exception {
        operations.setPolicy(SetPolicyRequest.newBuilder()
                .setChangeId("p")
                .setPolicy(Policy.newBuilder().setName("restless-resize"))
                .build());
        submit("a");
        submit("b");
        release("b");
        long position = get("a").getUnconfirmed().getPosition();
        assertThat(get("a").getAllocation()).isEqualTo(4);
        assertThat(get("a").getUnconfirmed().getKind()).isEqualTo(Adjustment.RESIZE);
        service.node().snapshot();
        stop();
        start();
        assertThat(web.get("/v1/requests/a?tenant=acme").aggregate().join().contentUtf8())
                .contains("\"RESIZE\"")
                .contains("\"allocation\":\"4\"");
        String body = "{\"tenant\": \"acme\", \"position\": " + position + "}";
        AggregatedHttpResponse wrong = post("/v1/requests/a:confirmMigration", body);
        assertThat(wrong.status()).isEqualTo(HttpStatus.BAD_REQUEST);
        assertThat(wrong.contentUtf8()).contains("NO_SUCH_EFFECT");
        for (int i = 0; i < 2; i++) {
            AggregatedHttpResponse done = post("/v1/requests/a:confirmResize", body);
            assertThat(done.status()).isEqualTo(HttpStatus.OK);
            assertThat(done.contentUtf8()).doesNotContain("RESIZE").contains("\"allocation\":\"4\"");
        }
    }
}
