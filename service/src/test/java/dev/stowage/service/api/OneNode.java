package dev.stowage.service.api;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A service of one node that is ready, and its API on a free port. */
final class OneNode implements AutoCloseable {
    private final RaftNode node;
    private final ApiServer api;

    OneNode(Path directory, Setting setting) throws IOException {
        this(directory, new Policies(), setting, ApiSettings.loopback(0));
    }

    OneNode(Path directory, PolicyFactory policies, Setting setting, ApiSettings settings) throws IOException {
        node = RaftNode.start(NodeSettings.single(directory), policies, setting);
        api = ApiServer.start(node, settings);
        Await.until("ready", () -> node.status().ready());
    }

    RaftNode node() {
        return node;
    }

    int port() {
        return api.port();
    }

    String address() {
        return "http://127.0.0.1:" + api.port();
    }

    WebClient web() {
        return WebClient.of(address());
    }

    <T> T stub(Class<T> type) {
        return GrpcClients.newClient("gproto+" + address(), type);
    }

    /** Sends JSON, in which ' stands for ". */
    AggregatedHttpResponse send(@Nullable Token who, HttpMethod method, String path, String body) {
        RequestHeadersBuilder headers = RequestHeaders.builder(method, path).contentType(MediaType.JSON);
        if (who != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + who.name());
        }
        return web().execute(HttpRequest.of(headers.build(), HttpData.ofUtf8(body.replace('\'', '"'))))
                .aggregate()
                .join();
    }

    /** An answer without white space, and without what gson escapes. */
    static String text(AggregatedHttpResponse response) {
        return response.contentUtf8()
                .replaceAll("\\s", "")
                .replace("\\u003D", "=")
                .replace("\\u0027", "'");
    }

    @Override
    public void close() {
        api.close();
        node.close();
    }
}
