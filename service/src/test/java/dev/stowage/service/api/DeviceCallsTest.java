package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs one by one, as a client without gRPC has them. Answers are compared without blanks. */
final class DeviceCallsTest {
    @TempDir
    private Path directory;

    private OneNode service;

    private String send(HttpMethod method, String path, String body, HttpStatus status) {
        AggregatedHttpResponse response = service.send(null, method, path, body);
        assertThat(response.status()).as(response.contentUtf8()).isEqualTo(status);
        return OneNode.text(response);
    }

    private String post(String path, String body) {
        return send(HttpMethod.POST, path, body, HttpStatus.OK);
    }

    private String refused(String path, String body) {
        return send(HttpMethod.POST, path, body, HttpStatus.BAD_REQUEST);
    }

    private String get(String path) {
        return send(HttpMethod.GET, path, "", HttpStatus.OK);
    }

    /** One server n0 with 4 GPUs, from the first request to a GPU that fails. */
    @Test
    void fromARequestToAFailure() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu"), Resource.inDevices("gpu_milli", 1000)),
                List.of(),
                List.of(Site.of("oslo", ServerBlock.named("n0", Labels.NONE, 100, 4000))),
                List.of());
        PolicySpec policy = PolicySpec.of("best-fit", Map.of("when-full", "queue"));
        service = new OneNode(directory, new Setting(cluster, policy, 1, TimeUnit.MINUTES.toNanos(10)));
        try {
            assertThat(get("/v1/status")).contains("\"deviceResource\":\"gpu_milli\",\"deviceAmount\":\"1000\"");
            assertThat(post("/v1/requests", "{\"request_id\":\"a\",\"demand\":{\"cpu\":1,\"gpu_milli\":2000}}"))
                    .contains("\"devices\":[0,1]");
            assertThat(post("/v1/requests", "{\"request_id\":\"b\",\"demand\":{\"gpu_milli\":600}}"))
                    .contains("\"devices\":[2]");
            assertThat(post("/v1/requests:dryRun", "{\"request_id\":\"c\",\"demand\":{\"gpu_milli\":500}}"))
                    .contains("\"devices\":[3]");
            assertThat(refused("/v1/requests", "{\"request_id\":\"d\",\"demand\":{\"gpu_milli\":1500}}"))
                    .contains("\"reason\":\"BAD_DEMAND\"");
            String adoption = "{\"request\":{\"request_id\":\"e\",\"demand\":{\"gpu_milli\":300}},\"server\":\"n0\",";
            assertThat(refused("/v1/requests:adopt", adoption + "\"devices\":[64]}"))
                    .contains("\"reason\":\"BAD_DEVICE\"");
            assertThat(refused("/v1/requests:adopt", adoption + "\"devices\":[3,3]}"))
                    .contains("isgiventwice");
            assertThat(post("/v1/requests:adopt", adoption + "\"devices\":[3]}"))
                    .contains("\"devices\":[3]");
            assertThat(get("/v1/servers"))
                    .contains("\"devices\":[{\"number\":0,\"free\":\"0\"},{\"number\":1,\"free\":\"0\"},"
                            + "{\"number\":2,\"free\":\"400\"},{\"number\":3,\"free\":\"700\"}]");
            assertThat(post("/v1/requests", "{\"request_id\":\"f\",\"demand\":{\"gpu_milli\":800}}"))
                    .contains("\"state\":\"WAITING\"", "\"devices\":[]");
            assertThat(get("/v1/requests/f:explain"))
                    .contains("\"lacksDevices\":\"nodevicehas800gpu_millifree,atmost700\"", "\"lacks\":{}");
            // Device 1 fails; its request stays until somebody ends it.
            post(
                    "/v1/servers/n0:resize",
                    "{\"change_id\":\"r\",\"capacity\":{\"cpu\":100,\"gpu_milli\":3000},\"devices\":[0,2,3]}");
            assertThat(get("/v1/requests/a")).contains("\"devices\":[0,1]");
            post("/v1/requests/a:release", "{}");
            assertThat(get("/v1/requests/f")).contains("\"devices\":[0]");
            assertThat(get("/v1/audit")).contains("devices=");
        } finally {
            service.close();
        }
    }
}
