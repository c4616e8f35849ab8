package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.client.ClientSettings;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.raft.LogSettings;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.raft.Tls;
import dev.stowage.service.state.Operation;
import dev.stowage.service.state.Outcome;
import dev.stowage.service.state.Setting;
import dev.stowage.service.state.Submits;
import dev.stowage.service.v1.AddSiteRequest;
import dev.stowage.service.v1.Audit;
import dev.stowage.service.v1.ChangeReply;
import dev.stowage.service.v1.ConfirmRequest;
import dev.stowage.service.v1.Empty;
import dev.stowage.service.v1.ExplainRequest;
import dev.stowage.service.v1.Explanation;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.ListServersRequest;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.Quotas;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.SetQuotaRequest;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitRequest;
import dev.stowage.service.v1.WatchRequest;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, roles, tenants, and TLS on both ports. */
final class SecurityTest {
    private static final Access ACCESS = new Access(List.of(
            new Token("ops", Token.hash("ops-token"), Role.OPERATOR, Token.ALL),
            new Token("acme", Token.hash("acme-token"), Role.SUBMITTER, Set.of("acme")),
            new Token("eye", Token.hash("eye-token"), Role.READER, Token.ALL),
            new Token("acme-eye", Token.hash("acme-eye-token"), Role.READER, Set.of("acme"))));

    /** For calls that never succeed. */
    private static final Duration IMPATIENT = Duration.ofMillis(500);

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer open;
    private static ApiServer tls;
    private static ApiServer mutual;
    private static Tls certificate;

    private static Setting setting() {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of("here", new ServerBlock(10, Amounts.of(10)))),
                List.of(RequestType.of("small", 1)));
        return new Setting(cluster, PolicySpec.of("best-fit"), 1, TimeUnit.MINUTES.toNanos(10));
    }

    @BeforeAll
    static void start() throws Exception {
        certificate = Certificates.make(directory, "node", false);
        node = RaftNode.start(NodeSettings.single(directory), new Policies(), setting());
        open = ApiServer.start(node, ApiSettings.loopback(0).secured(ACCESS, null));
        tls = ApiServer.start(node, ApiSettings.loopback(0).secured(ACCESS, certificate));
        mutual = ApiServer.start(
                node,
                ApiSettings.loopback(0)
                        .secured(
                                ACCESS,
                                new Tls(certificate.certificate(), certificate.key(), certificate.authority(), true)));
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
    }

    @AfterAll
    static void stop() {
        List.of(open, tls, mutual).forEach(ApiServer::close);
        node.close();
    }

    /** One that waits however busy the machine is. */
    private static StowageClient client(
            ApiServer api, @Nullable String token, @Nullable Path authority, @Nullable Tls own) {
        return client(api, token, authority, own, Duration.ofDays(1));
    }

    private static StowageClient client(
            ApiServer api, @Nullable String token, @Nullable Path authority, @Nullable Tls own, Duration patience) {
        return StowageClient.of(new ClientSettings(
                List.of("127.0.0.1:" + api.port()),
                authority != null,
                authority,
                own == null ? null : own.certificate(),
                own == null ? null : own.key(),
                token,
                patience));
    }

    private static SubmitRequest small(String tenant, String id) {
        return SubmitRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .setType("small")
                .build();
    }

    private static <R> R get(CompletableFuture<R> call) throws Exception {
        return call.get();
    }

    private static void refused(CompletableFuture<?> call, String reason) {
        assertThatThrownBy(() -> get(call))
                .isInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(Reasons.reason(e.getCause())).isEqualTo(reason));
    }

    /** The connection fails; what gRPC calls that depends on how far it came. */
    private static void unreachable(StowageClient client) {
        assertThatThrownBy(() -> get(client.status()))
                .isInstanceOf(ExecutionException.class)
                .satisfies(e -> assertThat(Reasons.reason(e.getCause())).isIn("UNAVAILABLE", "UNKNOWN"));
    }

    @Test
    void whoIsNotKnownDoesNothing() {
        for (String token : new String[] {null, "wrong", "ops-toke", "stw_"}) {
            try (StowageClient client = client(open, token, null, null)) {
                refused(client.submit(small("acme", "a")), "NOT_KNOWN");
                refused(client.status(), "NOT_KNOWN");
                refused(client.list(ListRequest.getDefaultInstance()), "NOT_KNOWN");
                refused(
                        client.<Policy>operations((stub, answer) -> stub.getPolicy(Empty.getDefaultInstance(), answer)),
                        "NOT_KNOWN");
                refused(
                        client.<Audit>operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer)),
                        "NOT_KNOWN");
            }
        }
    }

    @Test
    void aTenantNeverSeesAnothersRequests() throws Exception {
        try (StowageClient ops = client(open, "ops-token", null, null);
                StowageClient acme = client(open, "acme-token", null, null)) {
            get(ops.submit(small("secret", "s")));
            get(acme.submit(small("acme", "mine")));
            GetRequest theirs = GetRequest.newBuilder()
                    .setTenant("secret")
                    .setRequestId("s")
                    .build();
            String before = get(ops.status()).getDigest();
            refused(acme.get(theirs), "FOREIGN_TENANT");
            refused(
                    acme.explain(ExplainRequest.newBuilder()
                            .setTenant("secret")
                            .setRequestId(theirs.getRequestId())
                            .setRollouts(10)
                            .build()),
                    "FOREIGN_TENANT");
            refused(
                    acme.release(ReleaseRequest.newBuilder()
                            .setTenant("secret")
                            .setRequestId("s")
                            .build()),
                    "FOREIGN_TENANT");
            refused(acme.submit(small("secret", "t")), "FOREIGN_TENANT");
            refused(acme.submit(small("", "t")), "FOREIGN_TENANT");
            assertThatThrownBy(() -> get(acme.submit(small("", "t"))))
                    .hasMessageContaining("is for tenant acme, and this call names none: add 'tenant' (--tenant");
            refused(acme.list(ListRequest.newBuilder().setTenant("secret").build()), "FOREIGN_TENANT");
            assertThatThrownBy(() -> get(acme.get(theirs)))
                    .hasMessageEndingWith(
                            "is for tenant acme, not for 'secret': use one for that tenant, or an operator's");
            assertThatThrownBy(() -> get(acme.<ListServersReply>operations(
                            (stub, answer) -> stub.listServers(ListServersRequest.getDefaultInstance(), answer))))
                    .hasMessageEndingWith("is for tenant acme, and this call needs one for all tenants (--tenants all),"
                            + " as an operator's is");
            assertThat(get(acme.submit(SubmitBatchRequest.newBuilder()
                                    .addRequests(small("secret", "u"))
                                    .build()))
                            .getItems(0)
                            .getProblem()
                            .getReason())
                    .isEqualTo("FOREIGN_TENANT");
            for (WatchRequest watch : List.of(
                    WatchRequest.getDefaultInstance(),
                    WatchRequest.newBuilder().setTenant("secret").build())) {
                assertThatThrownBy(() -> acme.watch(watch, reply -> {}))
                        .satisfies(e -> assertThat(Reasons.reason(e)).isEqualTo("FOREIGN_TENANT"));
            }
            assertThat(get(ops.status()).getDigest()).isEqualTo(before);
            ListReply own =
                    get(acme.list(ListRequest.newBuilder().setTenant("acme").build()));
            assertThat(own.getRequestsList())
                    .allMatch(request -> request.getTenant().equals("acme"))
                    .anyMatch(request -> request.getRequestId().equals("mine"));
            get(ops.release(ReleaseRequest.newBuilder()
                    .setTenant("secret")
                    .setRequestId("s")
                    .build()));
            get(acme.release(ReleaseRequest.newBuilder()
                    .setTenant("acme")
                    .setRequestId("mine")
                    .build()));
        }
    }

    /**
     * Best fit migrates nothing, so an own request and an unknown one have nothing to confirm; a foreign one is not
     * even looked for.
     */
    @Test
    void aTenantConfirmsNothingOfAnother() throws Exception {
        try (StowageClient ops = client(open, "ops-token", null, null);
                StowageClient acme = client(open, "acme-token", null, null);
                StowageClient eye = client(open, "eye-token", null, null);
                StowageClient nobody = client(open, null, null, null)) {
            get(ops.submit(small("secret", "to-confirm")));
            get(acme.submit(small("acme", "to-confirm")));
            String before = get(ops.status()).getDigest();
            for (String id : List.of("to-confirm", "is-not-there")) {
                ConfirmRequest foreign = confirm("secret", id);
                refused(acme.confirmMigration(foreign), "FOREIGN_TENANT");
                refused(acme.confirmResize(foreign), "FOREIGN_TENANT");
                refused(acme.confirmMigration(confirm("", id)), "FOREIGN_TENANT");
                refused(eye.confirmMigration(foreign), "READ_ONLY");
                refused(eye.confirmResize(foreign), "READ_ONLY");
                refused(nobody.confirmMigration(foreign), "NOT_KNOWN");
            }
            WebClient web = WebClient.of("http://127.0.0.1:" + open.port());
            for (String call : List.of("confirmMigration", "confirmResize")) {
                AggregatedHttpResponse json = web.execute(
                                RequestHeaders.builder(HttpMethod.POST, "/v1/requests/to-confirm:" + call)
                                        .contentType(MediaType.JSON)
                                        .set(HttpHeaderNames.AUTHORIZATION, "Bearer acme-token")
                                        .build(),
                                HttpData.ofUtf8("{\"tenant\": \"secret\", \"position\": 1000000}"))
                        .aggregate()
                        .join();
                assertThat(json.status()).isEqualTo(HttpStatus.FORBIDDEN);
                assertThat(json.contentUtf8()).contains("FOREIGN_TENANT");
            }
            assertThat(get(ops.status()).getDigest()).isEqualTo(before);
            // Its own it may: there is nothing to confirm, which another tenant is not told.
            refused(acme.confirmMigration(confirm("acme", "to-confirm")), "NO_SUCH_EFFECT");
            refused(acme.confirmMigration(confirm("acme", "is-not-there")), "NOT_FOUND");
            refused(ops.confirmResize(confirm("secret", "to-confirm")), "NO_SUCH_EFFECT");
        }
    }

    /** What others left free, how many they are and what they do is theirs. */
    @Test
    void aTenantIsToldWhatIsItsOwn() throws Exception {
        try (StowageClient ops = client(open, "ops-token", null, null);
                StowageClient acme = client(open, "acme-token", null, null)) {
            get(acme.submit(small("acme", "own")));
            get(ops.submit(small("secret", "theirs")));
            ExplainRequest own = ExplainRequest.newBuilder()
                    .setTenant("acme")
                    .setRequestId("own")
                    .build();
            Explanation whole = get(ops.explain(own));
            assertThat(whole.getCandidatesCount()).isGreaterThan(1);
            assertThat(whole.getServersWithRoom()).isPositive();
            Explanation before = get(acme.explain(own));
            Status status = get(acme.status());
            assertThat(before.getRequest()).isEqualTo(whole.getRequest());
            assertThat(before.getRule()).isEqualTo(whole.getRule()).isNotEmpty();
            assertThat(before.getCandidatesList()).isEmpty();
            assertThat(before.getServersWithRoom()).isZero();
            // Nothing that another tenant does changes what is told, but for how far the log is.
            get(ops.submit(small("secret", "more")));
            get(ops.submit(
                    small("secret", "many").toBuilder().putDemand("cpu", 10).build()));
            assertThat(get(acme.explain(own))).isEqualTo(before);
            assertThat(withoutPositions(get(acme.status()))).isEqualTo(withoutPositions(status));
            assertThat(status.getLiveRequests()).isEqualTo(get(ops.status()).getLiveRequests() - liveOfOthers(ops));
            Quotas quotas =
                    get(acme.<Quotas>operations((stub, answer) -> stub.listQuotas(Empty.getDefaultInstance(), answer)));
            assertThat(quotas.getQuotasList())
                    .allMatch(quota -> quota.getTenant().equals("acme"));
            for (String id : List.of("theirs", "more", "many")) {
                get(ops.release(ReleaseRequest.newBuilder()
                        .setTenant("secret")
                        .setRequestId(id)
                        .build()));
            }
            get(acme.release(ReleaseRequest.newBuilder()
                    .setTenant("acme")
                    .setRequestId("own")
                    .build()));
        }
    }

    private static long liveOfOthers(StowageClient ops) throws Exception {
        long all = get(ops.status()).getLiveRequests();
        long own = get(ops.list(ListRequest.newBuilder().setTenant("acme").build())).getRequestsList().stream()
                .filter(request -> request.getState() == State.RUNNING || request.getState() == State.WAITING)
                .count();
        return all - own;
    }

    private static Status withoutPositions(Status status) {
        return status.toBuilder()
                .clearApplied()
                .clearCommitted()
                .clearSnapshot()
                .clearChecked()
                .clearClockAheadNanos()
                .build();
    }

    /** A watch that began with a token ends with it. */
    @Test
    void tokensAreReplacedWhileTheServiceRuns() throws Exception {
        Token old = new Token("old", Token.hash("old"), Role.READER, Set.of("acme"));
        Token next = new Token("next", Token.hash("next"), Role.READER, Set.of("acme"));
        Access access = new Access(List.of(old));
        try (ApiServer api = ApiServer.start(node, ApiSettings.loopback(0).secured(access, null));
                StowageClient before = client(api, "old", null, null);
                StowageClient after = client(api, "next", null, null)) {
            refused(after.status(), "NOT_KNOWN");
            CompletableFuture<Void> watching = CompletableFuture.runAsync(() -> before.watch(
                    WatchRequest.newBuilder()
                            .setTenant("acme")
                            .setAfterPosition(0)
                            .build(),
                    reply -> access.replace(List.of(next))));
            refused(watching, "NOT_KNOWN");
            refused(before.status(), "NOT_KNOWN");
            assertThat(get(after.status()).getReady()).isTrue();
        }
    }

    private static ConfirmRequest confirm(String tenant, String id) {
        return ConfirmRequest.newBuilder()
                .setTenant(tenant)
                .setRequestId(id)
                .setPosition(1_000_000)
                .build();
    }

    private static CompletableFuture<ChangeReply> addSite(StowageClient client, String id) {
        AddSiteRequest request =
                AddSiteRequest.newBuilder().setChangeId(id).setName(id).build();
        return client.operations((stub, answer) -> stub.addSite(request, answer));
    }

    @Test
    void rolesAllowWhatTheySay() throws Exception {
        try (StowageClient ops = client(open, "ops-token", null, null);
                StowageClient acme = client(open, "acme-token", null, null);
                StowageClient eye = client(open, "eye-token", null, null)) {
            refused(eye.submit(small("acme", "e")), "READ_ONLY");
            refused(addSite(eye, "by-eye"), "OPERATORS_ONLY");
            refused(addSite(acme, "by-acme"), "OPERATORS_ONLY");
            refused(
                    acme.<Status>operations((stub, answer) -> stub.takeSnapshot(Empty.getDefaultInstance(), answer)),
                    "OPERATORS_ONLY");
            get(addSite(ops, "by-ops"));
            // The audit trail says who did it.
            Audit audit =
                    get(eye.<Audit>operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer)));
            assertThat(audit.getLinesList())
                    .anyMatch(line ->
                            line.getActor().equals("ops") && line.getChange().contains("by-ops"));
            refused(
                    acme.<Audit>operations((stub, answer) -> stub.getAudit(Empty.getDefaultInstance(), answer)),
                    "FOREIGN_TENANT");
        }
    }

    @Test
    void aTenantGetsNoMoreThanItsQuotaAndItsRate() throws Exception {
        try (StowageClient ops = client(open, "ops-token", null, null)) {
            SetQuotaRequest quota = SetQuotaRequest.newBuilder()
                    .setChangeId("quota-1")
                    .setTenant("tight")
                    .setRequests(3)
                    .putAmounts("cpu", 4)
                    .build();
            get(ops.<ChangeReply>operations((stub, answer) -> stub.setQuota(quota, answer)));
            get(ops.submit(small("tight", "a")));
            // 1 + 4 cores are more than 4.
            refused(
                    ops.submit(
                            small("tight", "b").toBuilder().putDemand("cpu", 4).build()),
                    "OVER_QUOTA");
            get(ops.submit(small("tight", "c")));
            get(ops.submit(small("tight", "d")));
            // A fourth request is one too many; another tenant's is not.
            refused(ops.submit(small("tight", "e")), "OVER_QUOTA");
            get(ops.submit(small("loose", "e")));
            Quotas quotas =
                    get(ops.<Quotas>operations((stub, answer) -> stub.listQuotas(Empty.getDefaultInstance(), answer)));
            assertThat(quotas.getQuotas(0).getLiveRequests()).isEqualTo(3);
            assertThat(quotas.getQuotas(0).getUsedMap()).containsEntry("cpu", 3L);
            // What ended makes room; a request that is there already is answered, not counted again.
            get(ops.release(ReleaseRequest.newBuilder()
                    .setTenant("tight")
                    .setRequestId("c")
                    .build()));
            get(ops.submit(small("tight", "e")));
            assertThat(get(ops.submit(small("tight", "e"))).getRepeated()).isTrue();
        }
        try (ApiServer slow = ApiServer.start(
                        node, ApiSettings.loopback(0).withRates(Map.of("fast", new Rates(0.001, null, null))));
                StowageClient client = client(slow, null, null, null)) {
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
            for (int i = 0; i < 10; i++) {
                batch.addRequests(small("fast", "f" + i));
            }
            assertThat(get(client.submit(batch.build())).getItemsList())
                    .filteredOn(item -> item.getProblem().getReason().equals("RATE_LIMIT"))
                    .hasSize(9)
                    .allMatch(item -> item.getProblem().getRetry());
        }
    }

    @Test
    void metricsNeedATokenAndHealthDoesNot() {
        WebClient web = WebClient.of("http://127.0.0.1:" + open.port());
        assertThat(web.get("/healthz").aggregate().join().status()).isEqualTo(HttpStatus.OK);
        assertThat(web.get("/metrics").aggregate().join().status()).isEqualTo(HttpStatus.UNAUTHORIZED);
        assertThat(metrics(web, "acme-eye-token").status()).isEqualTo(HttpStatus.FORBIDDEN);
        assertThat(metrics(web, "eye-token").contentUtf8()).contains("stowage_ready 1");
        assertThat(metrics(web, "eye-token").contentUtf8()).doesNotContain("\nstowage_certificate_end_seconds ");
        WebClient secure = WebClient.builder("https://127.0.0.1:" + tls.port())
                .factory(ClientFactory.insecure())
                .build();
        assertThat(metrics(secure, "eye-token").contentUtf8())
                .contains("\nstowage_certificate_end_seconds " + TlsFiles.endNanos(certificate) / 1_000_000_000 + "\n");
        for (String query : List.of("", "?tenant=secret")) {
            assertThat(get(web, "/v1/watch" + query, "nonsense").status()).isEqualTo(HttpStatus.UNAUTHORIZED);
            AggregatedHttpResponse foreign = get(web, "/v1/watch" + query, "acme-eye-token");
            assertThat(foreign.status()).isEqualTo(HttpStatus.FORBIDDEN);
            assertThat(foreign.contentUtf8()).contains("FOREIGN_TENANT");
        }
        assertThat(web.get("/v1/status").aggregate().join().status()).isEqualTo(HttpStatus.UNAUTHORIZED);
    }

    private static AggregatedHttpResponse metrics(WebClient web, String token) {
        return get(web, "/metrics", token);
    }

    private static AggregatedHttpResponse get(WebClient web, String path, String token) {
        return web.execute(RequestHeaders.of(HttpMethod.GET, path, HttpHeaderNames.AUTHORIZATION, "Bearer " + token))
                .aggregate()
                .join();
    }

    @Test
    void tlsIsSpokenAndCertificatesAreChecked() throws Exception {
        Tls stranger = Certificates.make(directory, "stranger", false);
        try (StowageClient good = client(tls, "ops-token", certificate.authority(), null);
                StowageClient wrong = client(tls, "ops-token", stranger.authority(), null, IMPATIENT);
                StowageClient plain = client(tls, "ops-token", null, null, IMPATIENT)) {
            assertThat(get(good.status()).getReady()).isTrue();
            // Patience changes no certificate: a client of a service that is said to run does not use it.
            ClientSettings patient = new ClientSettings(
                    List.of("127.0.0.1:" + tls.port()),
                    true,
                    stranger.authority(),
                    null,
                    null,
                    "ops-token",
                    Duration.ofDays(1));
            try (StowageClient fails = StowageClient.ofRunning(patient)) {
                unreachable(fails);
            }
            unreachable(wrong);
            unreachable(plain);
        }
        try (StowageClient good = client(mutual, "ops-token", certificate.authority(), certificate);
                StowageClient without = client(mutual, "ops-token", certificate.authority(), null, IMPATIENT);
                StowageClient foreign = client(mutual, "ops-token", certificate.authority(), stranger, IMPATIENT)) {
            assertThat(get(good.status()).getReady()).isTrue();
            unreachable(without);
            unreachable(foreign);
            // Nor does it give a certificate to a client that has none, or another to one that has.
            for (Tls own : new Tls[] {null, stranger}) {
                ClientSettings patient = new ClientSettings(
                        List.of("127.0.0.1:" + mutual.port()),
                        true,
                        certificate.authority(),
                        own == null ? null : own.certificate(),
                        own == null ? null : own.key(),
                        "ops-token",
                        Duration.ofDays(1));
                try (StowageClient fails = StowageClient.ofRunning(patient)) {
                    unreachable(fails);
                }
            }
        }
    }

    @Test
    void onlyTlsAndTokensTogetherOpenOtherAddresses() throws IOException {
        ApiSettings everywhere = new ApiSettings(new InetSocketAddress("0.0.0.0", 0), Map.of(), ApiLimits.USUAL);
        assertThatThrownBy(() -> ApiServer.start(node, everywhere.secured(ACCESS, null)))
                .hasMessageContaining("only loopback");
        assertThatThrownBy(() -> ApiServer.start(node, everywhere.secured(Access.OPEN, certificate)))
                .hasMessageContaining("only loopback");
        ApiServer.start(node, everywhere.secured(ACCESS, certificate)).close();
    }

    @Test
    void nodesSpeakTlsWithEachOther() throws Exception {
        List<NodeSettings.Peer> peers = new ArrayList<>();
        for (int port : FreePorts.some(3)) {
            peers.add(new NodeSettings.Peer("n" + (peers.size() + 1), "127.0.0.1:" + port));
        }
        List<RaftNode> group = new ArrayList<>();
        try {
            for (NodeSettings.Peer peer : peers) {
                group.add(RaftNode.start(
                        new NodeSettings(
                                peer.id(),
                                peers,
                                directory.resolve(peer.id()),
                                new LogSettings(
                                        LogSettings.USUAL.queue(),
                                        LogSettings.USUAL.window(),
                                        LogSettings.USUAL.snapshotEntries(),
                                        LogSettings.USUAL.checkEvery(),
                                        Duration.ofSeconds(10)),
                                certificate,
                                peer.id().equals("n1"),
                                NodeSettings.HISTORY,
                                false),
                        new Policies(),
                        setting()));
            }
            while (!group.stream().allMatch(one -> one.status().ready())) {
                Thread.sleep(20);
            }
            RaftNode leader = group.stream().filter(RaftNode::leads).findFirst().orElseThrow();
            RaftNode follower = group.get(group.get(2) == leader ? 1 : 2);
            group.remove(follower);
            follower.close();
            // A node that speaks without TLS takes no part.
            String id = follower.status().id();
            RaftNode plain =
                    RaftNode.start(NodeSettings.of(id, peers, directory.resolve(id)), new Policies(), setting());
            group.add(plain);
            Outcome outcome = get(
                    leader.submit(Submits.of("", "a", "small", new long[0], new long[0], Operation.TYPE_REWARD, -1)));
            assertThat(outcome.kind()).isEqualTo(Outcome.Kind.DONE);
            Thread.sleep(1500);
            assertThat(plain.status().ready()).isFalse();
            assertThat(plain.status().applied()).isLessThan(leader.status().applied());
        } finally {
            group.forEach(RaftNode::close);
        }
    }
}
