package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hole: who may not make a call at all was told first what is wrong with its message. */
@Tag("once")
final class RolesTest {
    private static final Access ACCESS = new Access(List.of(
            new Token("eye", Token.hash("eye-token"), Role.READER, Token.ALL),
            new Token("ci", Token.hash("ci-token"), Role.SUBMITTER, Token.ALL),
            new Token("agent", Token.hash("agent-token"), Role.AGENT, Token.ALL),
            new Token("ops", Token.hash("ops-token"), Role.OPERATOR, Token.ALL)));

    private static final Set<String> ROLE = Set.of("NOT_KNOWN", "READ_ONLY", "AGENTS_ONLY", "OPERATORS_ONLY");
    private static final Pattern REASON = Pattern.compile("stowage-reason: (\\w+)");
    private static final String EMPTY = "\0\0\0\0\0";
    /** A field of a kind that there is none of. */
    private static final String MALFORMED = "\0\0\0\0\1\17";

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer api;

    @BeforeAll
    static void start() throws Exception {
        node = Raw.node(directory);
        api = ApiServer.start(node, ApiSettings.loopback(0).secured(ACCESS, null));
    }

    @AfterAll
    static void stop() {
        api.close();
        node.close();
    }

    private static List<MethodDescriptor<?, ?>> calls() {
        return Stream.of(PlacementGrpc.getServiceDescriptor(), OperationsGrpc.getServiceDescriptor())
                .<MethodDescriptor<?, ?>>flatMap(service -> service.getMethods().stream())
                .toList();
    }

    private static String reason(String token, String path, String type, String body) throws IOException {
        String answer = Raw.send(
                api.port(),
                body,
                "POST " + path + " HTTP/1.1",
                "host: localhost",
                "content-type: " + type,
                "authorization: Bearer " + token);
        Matcher reason = REASON.matcher(answer);
        return reason.find() ? reason.group(1) : "none";
    }

    private static String reason(String token, MethodDescriptor<?, ?> call, String body) throws IOException {
        return reason(token, "/" + call.getFullMethodName(), "application/grpc", body);
    }

    @Test
    void aCallerLearnsOfItsRoleBeforeOfItsMessage() throws IOException {
        Set<String> refused = new TreeSet<>();
        for (MethodDescriptor<?, ?> call : calls()) {
            for (String token : List.of("nobody", "eye-token", "ci-token", "agent-token")) {
                // One that may watch would be told for ever.
                boolean endless = call.getType() == MethodDescriptor.MethodType.SERVER_STREAMING;
                String empty = endless && !token.equals("nobody") ? "none" : reason(token, call, EMPTY);
                String expected = ROLE.contains(empty) ? empty : "BAD_MESSAGE";
                assertThat(reason(token, call, MALFORMED))
                        .as("%s by %s", call.getFullMethodName(), token)
                        .isEqualTo(expected);
                refused.add(token + " " + expected);
            }
            assertThat(reason("ops-token", call, MALFORMED)).isEqualTo("BAD_MESSAGE");
        }
        assertThat(refused)
                .containsExactly(
                        "agent-token BAD_MESSAGE",
                        "agent-token OPERATORS_ONLY",
                        "agent-token READ_ONLY",
                        "ci-token AGENTS_ONLY",
                        "ci-token BAD_MESSAGE",
                        "ci-token OPERATORS_ONLY",
                        "eye-token AGENTS_ONLY",
                        "eye-token BAD_MESSAGE",
                        "eye-token OPERATORS_ONLY",
                        "eye-token READ_ONLY",
                        "nobody NOT_KNOWN");
    }

    @Test
    void overJsonToo() throws IOException {
        String json = "application/json";
        assertThat(reason("eye-token", "/v1/requests", json, "nonsense")).isEqualTo("READ_ONLY");
        assertThat(reason("eye-token", "/v1/requests", "text/plain", "{}")).isEqualTo("READ_ONLY");
        assertThat(reason("ci-token", "/v1/servers", json, "{\"sit\":1}")).isEqualTo("OPERATORS_ONLY");
        assertThat(reason("nobody", "/v1/requests", json, "nonsense")).isEqualTo("NOT_KNOWN");
        assertThat(reason("ci-token", "/v1/requests", json, "nonsense")).isEqualTo("BAD_MESSAGE");
        String watch = Raw.send(
                api.port(), "", "GET /v1/watch?nonsense=1 HTTP/1.1", "host: localhost", "authorization: Bearer x");
        assertThat(watch).contains("stowage-reason: NOT_KNOWN");
    }
}
