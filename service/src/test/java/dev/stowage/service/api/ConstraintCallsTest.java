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
import dev.stowage.service.state.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Named servers and constraints, as a client without gRPC has them. */
final class ConstraintCallsTest {
    @TempDir
    private Path directory;

    private OneNode service;

    /** Servers n0 (10, V100, zone a, rack 1) and n1 (10, T4, zone b, no rack). */
    @BeforeEach
    void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of(),
                List.of(Site.of(
                        "oslo",
                        ServerBlock.named("n0", Labels.parse("gpu=V100,zone=a,rack=1"), 10),
                        ServerBlock.named("n1", Labels.parse("gpu=T4,zone=b"), 10))),
                List.of(RequestType.of("vm", 4)));
        Setting setting = new Setting(
                cluster, PolicySpec.of("first-fit", Map.of("when-full", "queue")), 1, TimeUnit.MINUTES.toNanos(10));
        service = new OneNode(directory, setting);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private String send(HttpMethod method, String path, String body, HttpStatus status) {
        AggregatedHttpResponse response = service.send(null, method, path, body);
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(status);
        return OneNode.text(response);
    }

    private String post(String path, String body) {
        return send(HttpMethod.POST, path, body, HttpStatus.OK);
    }

    private String fails(HttpStatus status, String path, String body) {
        return send(HttpMethod.POST, path, body, status);
    }

    private String get(String path) {
        return send(HttpMethod.GET, path, "", HttpStatus.OK);
    }

    private static String vm(String id, String more) {
        return "{'requestId':'" + id + "','type':'vm'" + (more.isEmpty() ? "" : "," + more) + "}";
    }

    @Test
    void aRequestSaysWhichServersItMayUse() {
        assertThat(post("/v1/requests", vm("t4", "'where':['gpu in (T4, P100)']")))
                .contains("\"serverName\":\"n1\"", "\"where\":[\"gpuin(P100,T4)\"]");
        assertThat(post("/v1/requests", vm("avoids", "'avoidServers':['n0']"))).contains("\"serverName\":\"n1\"");
        // n1 has 2 of 10 free: the third that must be there waits, and explain says for what.
        assertThat(post("/v1/requests", vm("waits", "'where':['gpu=T4']"))).contains("WAITING");
        assertThat(get("/v1/requests/waits:explain"))
                .contains("theonlyserverthatisupandthatitsconstraintsadmit,wheregpu=T4,islargeenoughbuthasnoroomnow")
                .contains("\"name\":\"n1\"", "\"serversUp\":1", "\"lacks\":{\"cpu\":\"2\"}");
        String spread = "'spread':[{'group':'db','most':1}]";
        assertThat(post("/v1/requests", vm("d1", spread))).contains("\"serverName\":\"n0\"");
        assertThat(post("/v1/requests", vm("d2", spread))).contains("WAITING");
        // n0 has room for it (6 of 10 free), and one of its group.
        assertThat(get("/v1/requests/d2:explain"))
                .contains(
                        "atmost1ofgroupdbperserver", "asmanyofitsspreadgroupasallowedrunthere", "\"serversWithRoom\":0")
                .contains("itsspreadgroupexcludestheserverwithroom")
                .contains("1ofthemhasroomnow,but1ofthesealreadyrunsasmanyofitsspreadgroupasallowed");
        // n1 has no rack, so none that is spread over racks.
        String racks = "'spread':[{'group':'web','most':1,'label':'rack'}]";
        assertThat(post("/v1/requests", vm("w1", racks))).contains("\"serverName\":\"n0\"");
        assertThat(post("/v1/requests", vm("w2", racks))).contains("WAITING");
        assertThat(get("/v1/requests/w2:explain")).contains("theonlyserverthatisupandthatitsconstraintsadmit");
        assertThat(get("/v1/requests?serverName=n0")).contains("\"d1\"").doesNotContain("\"t4\"");
        assertThat(get("/v1/requests?server_name=0")).contains("\"d1\"").doesNotContain("\"t4\"");
    }

    @Test
    void whatCannotBeIsRefusedWithAHint() {
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("a", "'where':['gpu is T4']")))
                .contains("BAD_CONSTRAINT", "isnotalabelselector");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("a", "'spread':[{'group':'db','most':0}]")))
                .contains("BAD_CONSTRAINT", "lessthan1");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("a", "'spread':[{'group':'d b','most':1}]")))
                .contains("BAD_CONSTRAINT");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("a", "'were':['gpu']")))
                .contains("UNKNOWN_FIELD", "didyoumeanwhere?");
        assertThat(fails(HttpStatus.NOT_FOUND, "/v1/requests", vm("a", "'avoidServers':['nn1']")))
                .contains("UNKNOWN_SERVER", "didyoumeann1?");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("a", "'where':['gpux']")))
                .contains("FITS_NO_SERVER", "didyoumeangpu?");
        post("/v1/requests", vm("a", "'where':['gpu']"));
        assertThat(send(
                        HttpMethod.PUT,
                        "/v1/policy",
                        "{\"changeId\":\"p\",\"policy\":{\"name\":\"vqs\"}}",
                        HttpStatus.BAD_REQUEST))
                .contains("CONSTRAINT");
        post("/v1/requests/a:release", "{}");
        send(HttpMethod.PUT, "/v1/policy", "{\"changeId\":\"p2\",\"policy\":{\"name\":\"vqs\"}}", HttpStatus.OK);
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests", vm("b", "'where':['gpu']")))
                .contains("CONSTRAINT", "policyvqsdoesnotsupportconstraints");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests:adopt", "{'server':'n0','request':" + vm("b", "") + "}"))
                .contains("UNSUPPORTED", "vqs");
    }

    @Test
    void serversHaveNamesLabelsAndACapacityThatChanges() {
        String add = "{'changeId':'1','site':'oslo','capacity':{'cpu':8},'name':'n2','labels':{'gpu':'A10'}}";
        assertThat(post("/v1/servers", add)).contains("\"number\":\"2\"");
        assertThat(fails(HttpStatus.CONFLICT, "/v1/servers", add.replace("'1'", "'2'")))
                .contains("BAD_NAME");
        for (String bad : List.of("7", "a b", "..", "a/b")) {
            assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/servers", add.replace("n2", bad)))
                    .contains("BAD_NAME");
        }
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/servers", add.replace("'gpu':", "'g u':")))
                .contains("BAD_LABELS");
        assertThat(post("/v1/requests", vm("a10", "'where':['gpu=A10']"))).contains("\"server\":2");
        // 4 run, 3 are left: nothing is lost, nothing more is placed.
        post("/v1/servers/n2:resize", "{'changeId':'3','capacity':{'cpu':3}}");
        assertThat(get("/v1/servers"))
                .contains("\"capacity\":{\"cpu\":\"3\"},\"free\":{\"cpu\":\"-1\"},\"running\":1,\"name\":\"n2\","
                        + "\"labels\":{\"gpu\":\"A10\"},\"overcommitted\":true");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/servers/n2:resize", "{'changeId':'4','capacity':{}}"))
                .contains("NO_CAPACITY");
        post("/v1/servers/2:label", "{'changeId':'5','labels':{'gpu':'H100'}}");
        assertThat(get("/v1/servers")).contains("H100").doesNotContain("A10");
        post("/v1/servers/n2:change", "{'changeId':'6','change':'DRAIN'}");
        post("/v1/servers/1:change", "{'changeId':'7','change':'DRAIN'}");
        assertThat(get("/v1/servers").split("draining", -1)).hasSize(3);
        assertThat(fails(HttpStatus.NOT_FOUND, "/v1/servers/n3:change", "{'changeId':'8','change':'DRAIN'}"))
                .contains("UNKNOWN_SERVER", "didyoumeann0orn1?");
        assertThat(get("/v1/audit")).contains("add-serversite=0capacity=8name=n2labels=gpu=A10");
    }

    @Test
    void whatRunsAlreadyIsAdopted() {
        String adopt =
                "{'server':'n1','request':{'requestId':'old','demand':{'cpu':12},'spread':[{'group':'db','most':1}]}}";
        assertThat(post("/v1/requests:adopt", adopt)).contains("RUNNING", "\"serverName\":\"n1\"");
        assertThat(post("/v1/requests:adopt", adopt)).contains("\"repeated\":true");
        assertThat(fails(HttpStatus.CONFLICT, "/v1/requests:adopt", adopt.replace("n1", "n0")))
                .contains("ID_IN_USE");
        assertThat(get("/v1/servers")).contains("\"free\":{\"cpu\":\"-2\"}");
        assertThat(fails(
                        HttpStatus.BAD_REQUEST,
                        "/v1/requests:adopt",
                        adopt.replace("'demand'", "'maxWaitNanos':1,'demand'")))
                .contains("BAD_WAIT");
        assertThat(fails(
                        HttpStatus.NOT_FOUND,
                        "/v1/requests:adopt",
                        adopt.replace("n1", "n9").replace("old", "x")))
                .contains("UNKNOWN_SERVER");
    }

    @Test
    void aDryRunChangesNothing() {
        assertThat(post("/v1/requests:dryRun", vm("a", "'where':['gpu=T4']")))
                .contains("RUNNING", "\"serverName\":\"n1\"", "\"repeated\":false");
        assertThat(send(HttpMethod.GET, "/v1/requests/a", "", HttpStatus.NOT_FOUND))
                .contains("NOT_FOUND");
        assertThat(get("/v1/requests")).doesNotContain("requestId");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests:dryRun", vm("a", "'where':['gpux']")))
                .contains("FITS_NO_SERVER", "didyoumeangpu?");
        post("/v1/requests", vm("a", ""));
        assertThat(post("/v1/requests:dryRun", vm("a", ""))).contains("\"repeated\":true");
        assertThat(fails(HttpStatus.CONFLICT, "/v1/requests:dryRun", vm("a", "'where':['gpu']")))
                .contains("ID_IN_USE");
        assertThat(fails(HttpStatus.BAD_REQUEST, "/v1/requests:dryRun", vm("b", "'where':['']")))
                .contains("BAD_CONSTRAINT");
    }
}
