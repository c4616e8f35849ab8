package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.state.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gangs, priorities, and what agents tell, as a client without gRPC has them. Leases here end in an hour. */
final class AgentCallsTest {
    private static final Token OPERATOR = token("op", Role.OPERATOR, Token.ALL);
    private static final Token AGENT = token("agent", Role.AGENT, Token.ALL);
    private static final Token SUBMITTER = token("acme", Role.SUBMITTER, Set.of("acme"));

    @TempDir
    private Path directory;

    private OneNode service;

    private static Token token(String name, Role role, Set<String> tenants) {
        return new Token(name, Token.hash(name), role, tenants);
    }

    /** Servers n0 and n1 with 10 each. */
    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of(
                        "oslo", ServerBlock.named("n0", Labels.NONE, 10), ServerBlock.named("n1", Labels.NONE, 10))),
                List.of(RequestType.of("vm", 6)));
        Setting setting = new Setting(
                cluster, PolicySpec.of("first-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        LeaseTimes hour = new LeaseTimes(Duration.ofHours(1), Duration.ofMinutes(1));
        Access access = new Access(List.of(OPERATOR, AGENT, SUBMITTER));
        service = new OneNode(
                directory,
                new Policies(),
                setting,
                ApiSettings.loopback(0).secured(access, null).withLeases(hour));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private String send(Token who, HttpMethod method, String path, String body, HttpStatus status) {
        AggregatedHttpResponse response = service.send(who, method, path, body);
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(status);
        return OneNode.text(response);
    }

    private String post(Token who, String path, String body) {
        return send(who, HttpMethod.POST, path, body, HttpStatus.OK);
    }

    private String fails(Token who, HttpStatus status, String path, String body) {
        return send(who, HttpMethod.POST, path, body, status);
    }

    private String get(String path) {
        return send(OPERATOR, HttpMethod.GET, path, "", HttpStatus.OK);
    }

    private static String vm(String id) {
        return "{'requestId':'" + id + "','tenant':'acme','type':'vm','agent':true}";
    }

    private static String attempt(int attempt) {
        return "{'tenant':'acme','attempt':" + attempt + "}";
    }

    @Test
    void theLifeOfAPlacement() {
        assertThat(post(SUBMITTER, "/v1/requests", vm("a")))
                .contains("\"state\":\"RUNNING\"", "\"agent\":true", "\"phase\":\"PLACED\"", "\"attempt\":1");
        assertThat(get("/v1/requests/a:explain?tenant=acme")).contains("istobestartedbyitsagentonservern0");
        assertThat(post(AGENT, "/v1/requests/a:startFailed", attempt(1)))
                .contains("\"serverName\":\"n1\"", "\"attempt\":2", "\"startFailures\":1");
        assertThat(get("/v1/requests/a:explain?tenant=acme")).contains("itcouldnotbestartedonce");
        assertThat(post(AGENT, "/v1/requests/a:started", attempt(2))).contains("\"phase\":\"STARTED\"");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/requests/a:started", attempt(1)))
                .contains("SUPERSEDED", "attempt1");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/requests/a:started", attempt(3)))
                .contains("NO_SUCH_EFFECT", "thelastis2");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/requests/a:started", attempt(0)))
                .contains("BAD_ATTEMPT");
        assertThat(fails(AGENT, HttpStatus.FORBIDDEN, "/v1/requests/a:evict", "{'changeId':'e','tenant':'acme'}"))
                .contains("OPERATORS_ONLY");
        post(OPERATOR, "/v1/requests/a:evict", "{'changeId':'e','tenant':'acme'}");
        assertThat(post(OPERATOR, "/v1/requests/a:evict", "{'changeId':'e','tenant':'acme'}"))
                .contains("\"repeated\":true");
        assertThat(get("/v1/requests?tenant=acme"))
                .contains("\"phase\":\"STOPPING\"", "evictedbyacommandforthisrequest");
        assertThat(post(AGENT, "/v1/requests/a:stopped", attempt(2))).contains("\"attempt\":3");
        assertThat(post(SUBMITTER, "/v1/requests/a:release", "{'tenant':'acme'}"))
                .contains("\"state\":\"RUNNING\"", "\"phase\":\"STOPPING\"");
        assertThat(post(AGENT, "/v1/requests/a:stopped", attempt(3))).contains("RELEASED");
        assertThat(get("/v1/audit")).contains("evict", "acme/a");
        assertThat(fails(
                        OPERATOR, HttpStatus.NOT_FOUND, "/v1/requests/none:evict", "{'changeId':'e2','tenant':'acme'}"))
                .contains("NOT_FOUND");
    }

    @Test
    void gangsAndPriorities() {
        String gang = "{'requests':[" + vm("g1") + "," + vm("g2") + "]}";
        assertThat(post(SUBMITTER, "/v1/requests:gang", gang))
                .contains("\"serverName\":\"n0\"", "\"serverName\":\"n1\"", "\"repeated\":false");
        assertThat(post(SUBMITTER, "/v1/requests:gang", gang)).contains("\"repeated\":true");
        assertThat(fails(SUBMITTER, HttpStatus.CONFLICT, "/v1/requests", vm("g1")))
                .contains("ID_IN_USE");
        assertThat(fails(SUBMITTER, HttpStatus.BAD_REQUEST, "/v1/requests:gang", "{}"))
                .contains("BAD_BATCH");
        assertThat(fails(
                        SUBMITTER,
                        HttpStatus.BAD_REQUEST,
                        "/v1/requests:gang",
                        "{'requests':[" + vm("h1").replace("'agent'", "'maxWaitNanos':1,'agent'") + "," + vm("h2")
                                + "]}"))
                .contains("BAD_WAIT");
        String never = "{'requests':[" + vm("n1") + "," + vm("n2") + "]}";
        assertThat(post(SUBMITTER, "/v1/requests:gang", never.replace("'agent'", "'maxWaitNanos':0,'agent'")))
                .contains("EXPIRED")
                .doesNotContain("WAITING");
        assertThat(fails(
                        OPERATOR,
                        HttpStatus.BAD_REQUEST,
                        "/v1/requests:gang",
                        "{'requests':[" + vm("h1") + "," + vm("h2").replace("acme", "else") + "]}"))
                .contains("BAD_GANG");
        assertThat(fails(
                        SUBMITTER,
                        HttpStatus.CONFLICT,
                        "/v1/requests:gang",
                        "{'requests':[" + vm("h1") + "," + vm("h1") + "]}"))
                .contains("DUPLICATE_ID");
        // A higher priority: one of the gang is to stop, and makes room when it has.
        assertThat(post(SUBMITTER, "/v1/requests", vm("high").replace("'agent':true", "'priority':7")))
                .contains("\"priority\":7", "WAITING");
        assertThat(get("/v1/requests?tenant=acme")).containsOnlyOnce("\"phase\":\"STOPPING\"");
    }

    /** Hole: whose end a request waits for, and that no agent may ever report it, was nowhere. */
    @Test
    void whoStopsAndWhereIsNamed() {
        post(SUBMITTER, "/v1/requests", vm("low"));
        post(SUBMITTER, "/v1/requests", vm("other").replace("'agent':true", "'priority':9"));
        assertThat(get("/v1/requests/low:explain?tenant=acme")).contains("noagentofthatserverhassentaheartbeatyet");
        assertThat(get("/v1/requests/other:explain?tenant=acme")).doesNotContain("heartbeat");
        post(SUBMITTER, "/v1/requests/low:release", "{'tenant':'acme'}");
        post(SUBMITTER, "/v1/requests", vm("high").replace("'agent':true", "'priority':7"));
        assertThat(get("/v1/requests/high:explain?tenant=acme"))
                .contains("(stopping:lowonservern0,whoseagenthasneversentaheartbeat):itwaitsforroom");
        post(SUBMITTER, "/v1/requests", vm("later"));
        assertThat(get("/v1/requests/later:explain?tenant=acme"))
                .contains("(stopping:lowonservern0,whoseagenthasneversentaheartbeat)");
        post(AGENT, "/v1/servers/n0:heartbeat", "{'incarnation':1}");
        assertThat(get("/v1/requests/low:explain?tenant=acme")).doesNotContain("heartbeat");
    }

    @Test
    void anIdThatIsLeftOutIsSaidToBeMissing() {
        assertThat(send(OPERATOR, HttpMethod.PUT, "/v1/quotas/acme", "{'requests':1}", HttpStatus.BAD_REQUEST))
                .contains("BAD_NAME", "change_idismissing;itmustbe1to");
        assertThat(send(
                        OPERATOR,
                        HttpMethod.PUT,
                        "/v1/quotas/acme",
                        "{'change_id':'acme-1','requests':1000,'amounts':{'cpu':4}}",
                        HttpStatus.OK))
                .contains("\"repeated\":false");
    }

    /** g1 and g2 run on n0 and n1, which have 4 free each, 8 in all. */
    @Test
    void whyAGangWaits() {
        post(SUBMITTER, "/v1/requests:gang", "{'requests':[" + vm("g1") + "," + vm("g2") + "]}");
        post(SUBMITTER, "/v1/requests:gang", "{'requests':[" + vm("a1") + "," + vm("a2") + "," + vm("a3") + "]}");
        assertThat(get("/v1/requests/a2:explain?tenant=acme"))
                .contains("itisoneofagangof3,whichisplacedalltogetherornotatall")
                .contains("thereisnoroomnowfora1,a2,a3,evenalone,andalltogetherlack10cpu");
        post(SUBMITTER, "/v1/requests:gang", "{'requests':[" + sized("b1", 4) + "," + sized("b2", 5) + "]}");
        assertThat(get("/v1/requests/b1:explain?tenant=acme"))
                .contains("thereisnoroomnowforb2,evenalone,andalltogetherlack1cpu");
        post(
                SUBMITTER,
                "/v1/requests:gang",
                "{'requests':[" + sized("c1", 3) + "," + sized("c2", 3) + "," + sized("c3", 3) + "]}");
        assertThat(get("/v1/requests/c3:explain?tenant=acme"))
                .contains("thereisroomnowforeachalone,butalltogetherlack1cpu");
        post(
                SUBMITTER,
                "/v1/requests:gang",
                "{'requests':[" + sized("d1", 3) + "," + sized("d2", 3) + "," + sized("d3", 2) + "]}");
        assertThat(get("/v1/requests/d1:explain?tenant=acme"))
                .contains("thereisroomnowforeachalone,butthepolicyfoundnoplaceforalltogether");
    }

    private static String sized(String id, int cpu) {
        return "{'requestId':'" + id + "','tenant':'acme','demand':{'cpu':" + cpu + "}}";
    }

    @Test
    void agentsOfServers() {
        assertThat(fails(SUBMITTER, HttpStatus.FORBIDDEN, "/v1/servers/n0:heartbeat", "{'incarnation':1}"))
                .contains("AGENTS_ONLY");
        assertThat(post(AGENT, "/v1/servers/n0:heartbeat", "{'incarnation':1}"))
                .contains(
                        "\"status\":\"returning\"",
                        "\"leaseNanos\":\"3600000000000\"",
                        "\"graceNanos\":\"60000000000\"");
        assertThat(get("/v1/servers")).contains("\"status\":\"returning\"");
        assertThat(post(SUBMITTER, "/v1/requests", vm("a"))).contains("\"serverName\":\"n1\"");
        String stray = "{'requestId':'old','tenant':'acme','attempt':4}";
        assertThat(post(AGENT, "/v1/servers/n0:report", "{'incarnation':1,'running':[" + stray + "]}"))
                .contains(
                        "\"status\":\"up\"", "\"strays\":[{\"requestId\":\"old\",\"tenant\":\"acme\",\"attempt\":4}]");
        assertThat(post(
                        AGENT,
                        "/v1/servers/n0:heartbeat",
                        "{'incarnation':1,'leaseNanos':5000000000000,'graceNanos':0}"))
                .contains("\"status\":\"up\"", "\"leaseNanos\":\"5000000000000\"", "\"graceNanos\":\"0\"");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/servers/n0:heartbeat", "{'incarnation':0}"))
                .contains("LEASE", "isnotthenewest,1");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/servers/n0:heartbeat", "{'incarnation':-1}"))
                .contains("BAD_INCARNATION");
        assertThat(fails(AGENT, HttpStatus.BAD_REQUEST, "/v1/servers/n0:heartbeat", "{'incarnation':2,'leaseNanos':0}"))
                .contains("BAD_TIME");
        assertThat(fails(AGENT, HttpStatus.NOT_FOUND, "/v1/servers/n7:heartbeat", "{'incarnation':2}"))
                .contains("UNKNOWN_SERVER", "didyoumeann0orn1?");
        // What runs there is placed again when the lease has run out, not before.
        assertThat(fails(OPERATOR, HttpStatus.BAD_REQUEST, "/v1/servers/n0:change", "{'changeId':'l','change':'LOST'}"))
                .contains("LEASE");
        String drain = "{'changeId':'d','change':'DRAIN','moveGapNanos':1000}";
        assertThat(fails(OPERATOR, HttpStatus.BAD_REQUEST, "/v1/servers/n1:change", drain.replace("1000", "0")))
                .contains("BAD_TIME");
        assertThat(fails(OPERATOR, HttpStatus.BAD_REQUEST, "/v1/servers/n1:change", drain.replace("DRAIN", "RETURN")))
                .contains("BAD_CHANGE");
        post(OPERATOR, "/v1/servers/n1:change", drain);
        assertThat(get("/v1/requests/a?tenant=acme")).contains("\"phase\":\"STOPPING\"", "itsserverisdraining");
    }
}
