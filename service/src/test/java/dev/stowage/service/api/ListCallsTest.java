package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list in pages and the watch that follows it, over the API of a node. */
final class ListCallsTest {
    @TempDir
    private Path directory;

    private Setting setting;
    private OneNode service;
    private PlacementGrpc.PlacementBlockingStub placement;

    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(
                        Site.of("here", new ServerBlock(1, Amounts.of(10))),
                        Site.of("there", new ServerBlock(1, Amounts.of(10)))),
                List.of(RequestType.of("small", 5)));
        setting = new Setting(cluster, PolicySpec.of("fifo-ff"), 1, Long.MAX_VALUE / 4);
        begin();
    }

    private void begin() throws Exception {
        service = new OneNode(directory, setting);
        placement = service.stub(PlacementGrpc.PlacementBlockingStub.class);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void submit(String tenant, String id) {
        placement.submit(SubmitRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .setType("small")
                .build());
    }

    private Request release(String tenant, String id) {
        return placement.release(
                ReleaseRequest.newBuilder().setTenant(tenant).setRequestId(id).build());
    }

    private static List<String> ids(List<Request> requests) {
        return requests.stream().map(Request::getRequestId).toList();
    }

    private List<String> all(ListRequest.Builder request) {
        List<String> all = new ArrayList<>();
        ListReply page;
        do {
            page = placement.list(request.setPageSize(1).build());
            all.addAll(ids(page.getRequestsList()));
            request.setPageToken(page.getNextPageToken());
        } while (!page.getNextPageToken().isEmpty());
        return all;
    }

    /** After a restart only those in the system counted. */
    @Test
    void thatOtherTenantsHaveFinishedRequestsIsSaidAfterARestartToo() throws Exception {
        submit("acme", "a");
        release("acme", "a");
        service.node().snapshot();
        service.close();
        begin();
        assertThat(placement.list(ListRequest.newBuilder().setTenant("acme").build()))
                .satisfies(own -> assertThat(own.getRequestsCount()).isEqualTo(1))
                .satisfies(own -> assertThat(own.getOtherTenants()).isFalse());
        assertThat(placement.list(ListRequest.getDefaultInstance()).getOtherTenants())
                .isTrue();
        for (String path : List.of("/v1/requests/a", "/v1/requests/a:explain", "/v1/requests/a:history")) {
            assertThat(service.web().get(path).aggregate().join().contentUtf8())
                    .contains("NOT_FOUND", "no request 'a' is known", "be another tenant's (tenant=NAME)");
            assertThat(service.web()
                            .get(path + "?tenant=acme")
                            .aggregate()
                            .join()
                            .status()
                            .code())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(OneNode.text(service.send(null, HttpMethod.POST, "/v1/requests/a:release", "{}")))
                .contains("anothertenant's(tenant=NAME)");
    }

    /**
     * A was listed as running, ended before the next page, and nobody who watched from the newest position ever heard
     * of it.
     */
    @Test
    void whatEndsBetweenTwoPagesIsToldByTheWatch() {
        submit("acme", "a");
        submit("acme", "b");
        ListRequest.Builder request = ListRequest.newBuilder().setTenant("acme").setPageSize(1);
        ListReply first = placement.list(request.build());
        assertThat(ids(first.getRequestsList())).containsExactly("a");
        assertThat(first.getRequests(0).getState()).isEqualTo(State.RUNNING);
        assertThat(release("acme", "a").getState()).isEqualTo(State.RELEASED);
        submit("acme", "c");
        release("acme", "b");
        ListReply second =
                placement.list(request.setPageToken(first.getNextPageToken()).build());
        assertThat(ids(second.getRequestsList())).containsExactly("b");
        assertThat(second.getRequests(0).getState()).isEqualTo(State.RUNNING);
        assertThat(second.getNextPageToken()).isEmpty();
        assertThat(second.getPosition()).isEqualTo(first.getPosition());
        Iterator<WatchReply> watch = placement.watch(WatchRequest.newBuilder()
                .setTenant("acme")
                .setAfterPosition(second.getPosition())
                .build());
        List<String> told = new ArrayList<>();
        while (told.size() < 3) {
            watch.next().getChangesList().forEach(change -> told.add(change.getRequestId() + " " + change.getState()));
        }
        assertThat(told).containsExactly("a RELEASED", "c RUNNING", "b RELEASED");
    }

    @Test
    void acrossTenantsAndBySiteAndServer() {
        submit("beta", "b1");
        submit("acme", "a1");
        submit("", "e1");
        submit("acme", "a2");
        submit("acme", "a3");
        release("beta", "b1");
        // b1 and a1 filled server 0, e1 and a2 server 1; a3 waited and came to b1's place.
        assertThat(all(ListRequest.newBuilder().setAllTenants(true))).containsExactly("e1", "a1", "a2", "a3", "b1");
        assertThat(all(ListRequest.newBuilder().setAllTenants(true).setSite("there")))
                .containsExactly("e1", "a2");
        assertThat(all(ListRequest.newBuilder().setAllTenants(true).setServer(0)))
                .containsExactly("a1", "a3", "b1");
        assertThat(all(ListRequest.newBuilder().setAllTenants(true).setServer(0).setState(State.RUNNING)))
                .containsExactly("a1", "a3");
        assertThat(all(ListRequest.newBuilder().setTenant("acme").setServer(1))).containsExactly("a2");
    }

    @Test
    void whatIsWrongIsSaid() {
        submit("acme", "a");
        submit("acme", "b");
        refused(ListRequest.newBuilder().setAllTenants(true).setTenant("acme"), "BAD_TENANT");
        refused(
                ListRequest.newBuilder().setTenant("acme").setSite("nowhere"),
                "site 'nowhere' is not one of [here, there]");
        refused(
                ListRequest.newBuilder().setTenant("acme").setServer(2),
                "there is no server 2; the servers are 0 to 1");
        refused(ListRequest.newBuilder().setTenant("acme").setPageToken("7"), "BAD_PAGE");
        String token = placement
                .list(ListRequest.newBuilder().setTenant("acme").setPageSize(1).build())
                .getNextPageToken();
        refused(ListRequest.newBuilder().setTenant("acme").setServer(0).setPageToken(token), "BAD_PAGE");
    }

    private void refused(ListRequest.Builder request, String what) {
        assertThatThrownBy(() -> placement.list(request.build())).hasMessageContaining(what);
    }
}
