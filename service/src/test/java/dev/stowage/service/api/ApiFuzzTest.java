package dev.stowage.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.util.RawValue;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SplitHttpResponse;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.Policies;
import dev.stowage.service.raft.NodeSettings;
import dev.stowage.service.raft.RaftNode;
import dev.stowage.service.state.Setting;
import dev.stowage.service.v1.OperationsGrpc;
import dev.stowage.service.v1.PlacementGrpc;
import dev.stowage.service.v1.StowageProto;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.curioswitch.common.protobuf.json.MessageMarshaller;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every field of every request of every call, found by its descriptor, with every value that somebody may send: over
 * gRPC and JSON. An answer is right or a typed error, and what is refused changes nothing.
 */
final class ApiFuzzTest {
    private static final Pattern TYPED = Pattern.compile("(?s)[A-Z][A-Z_]+: .+");
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_]+)}");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MANY = 1001;
    private static final int EVERY = Integer.getInteger("stowage.every", 3);
    /** So few values are all tried. */
    private static final int FEW = 2;

    private static final Set<String> LEASES = Set.of("lease_nanos", "grace_nanos");
    /** Values with which a call is right; every other field gets one of its type. */
    private static final Map<String, String> RIGHT = Map.of(
            "tenant", "fuzz",
            "type", "small",
            "site", "here",
            "page_token", "0",
            "Policy.name", "first-fit",
            "key", "cpu");

    @TempDir
    private static Path directory;

    private static RaftNode node;
    private static ApiServer api;
    private static WebClient web;
    private static WebClient tenant;
    private static Channel channel;
    private static Channel tenantChannel;
    private static int ids;

    private int turn;

    @BeforeAll
    static void start() throws Exception {
        Cluster cluster = new Cluster(
                List.of(Resource.of("cpu")),
                List.of("cpu"),
                List.of(new Site("here", List.of(new ServerBlock(20, Amounts.of(1000))), Amounts.of(1000))),
                List.of(new RequestType("small", Amounts.of(1), Amounts.of(1), 0, 0)));
        node = RaftNode.start(
                NodeSettings.single(directory),
                new Policies(),
                new Setting(cluster, PolicySpec.of("first-fit"), 1, TimeUnit.MINUTES.toNanos(10)));
        Access access = new Access(List.of(
                new Token("ops", Token.hash("ops-token"), Role.OPERATOR, Token.ALL),
                new Token("acme", Token.hash("acme-token"), Role.SUBMITTER, Set.of("acme"))));
        api = ApiServer.start(node, ApiSettings.loopback(0).secured(access, null));
        String at = "http://127.0.0.1:" + api.port();
        web = WebClient.builder(at)
                .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer ops-token")
                .build();
        tenant = WebClient.builder(at)
                .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer acme-token")
                .build();
        channel = channel(at, "ops-token");
        tenantChannel = channel(at, "acme-token");
        while (!node.status().ready()) {
            Thread.sleep(10);
        }
    }

    private static Channel channel(String at, String token) {
        return GrpcClients.builder("gproto+" + at)
                .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                .build(PlacementGrpc.PlacementBlockingStub.class)
                .getChannel();
    }

    @AfterAll
    static void stop() {
        api.close();
        node.close();
    }

    /** A call: its descriptors for gRPC and of protobuf, and an empty request. */
    private record Call(io.grpc.MethodDescriptor<Message, Message> grpc, MethodDescriptor proto, Message empty) {
        Message right() {
            return ApiFuzzTest.right(empty);
        }

        @Override
        public String toString() {
            return proto.getName();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (ServiceDescriptor service :
                List.of(PlacementGrpc.getServiceDescriptor(), OperationsGrpc.getServiceDescriptor())) {
            for (io.grpc.MethodDescriptor<?, ?> method : service.getMethods()) {
                io.grpc.MethodDescriptor<Message, Message> typed = (io.grpc.MethodDescriptor<Message, Message>) method;
                Message empty =
                        (Message) ((io.grpc.MethodDescriptor.PrototypeMarshaller<Message>) typed.getRequestMarshaller())
                                .getMessagePrototype();
                String name = method.getFullMethodName();
                MethodDescriptor proto = StowageProto.getDescriptor().getServices().stream()
                        .filter(s -> s.getFullName().equals(method.getServiceName()))
                        .findFirst()
                        .orElseThrow()
                        .findMethodByName(name.substring(name.indexOf('/') + 1));
                calls.add(new Call(typed, proto, empty));
            }
        }
        assertThat(calls)
                .hasSize(StowageProto.getDescriptor().getServices().stream()
                        .mapToInt(s -> s.getMethods().size())
                        .sum());
        return calls;
    }

    /** A message in which every field has a right value, with ids that were never used. */
    private static Message right(Message empty) {
        Message.Builder builder = empty.newBuilderForType();
        for (FieldDescriptor field : empty.getDescriptorForType().getFields()) {
            Object value = rightValue(builder, field);
            if (field.isRepeated()) {
                builder.addRepeatedField(field, value);
            } else {
                builder.setField(field, value);
            }
        }
        return builder.build();
    }

    private static Object rightValue(Message.Builder builder, FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING ->
                RIGHT.getOrDefault(
                        field.getContainingType().getName() + "." + field.getName(),
                        RIGHT.getOrDefault(field.getName(), "x" + ids++));
            case INT -> 1;
            // A lease that ran out would change the state without a call.
            case LONG -> LEASES.contains(field.getName()) ? TimeUnit.DAYS.toNanos(1) : 1L;
            case FLOAT -> 1f;
            case DOUBLE -> 1d;
            case BOOLEAN -> true;
            case BYTE_STRING -> com.google.protobuf.ByteString.copyFromUtf8("x");
            case ENUM -> field.getEnumType().getValues().get(1);
            case MESSAGE -> right(builder.newBuilderForField(field).build());
        };
    }

    private static List<Object> hostile(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING ->
                List.of(
                        "",
                        "x".repeat(65),
                        "x".repeat(129),
                        "x".repeat(100_000),
                        "a b",
                        "\u0000",
                        "a\nb\r",
                        "../../etc",
                        "\u00fc\u202e",
                        "'; --",
                        "*",
                        "{}",
                        "99999999999999999999",
                        "-1");
            case INT -> List.of(0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case LONG -> List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 42, (1L << 42) + 1);
            case FLOAT -> List.of(0f, -1f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
            case DOUBLE ->
                List.of(0d, -1d, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE);
            case BOOLEAN -> List.of(false);
            case BYTE_STRING -> List.of(com.google.protobuf.ByteString.EMPTY);
            case ENUM -> {
                List<Object> values = new ArrayList<>(field.getEnumType().getValues());
                values.add(field.getEnumType().findValueByNumberCreatingIfUnknown(99));
                values.add(field.getEnumType().findValueByNumberCreatingIfUnknown(-1));
                yield values;
            }
            case MESSAGE -> List.of();
        };
    }

    /**
     * Tells the message with each field, at any depth, missing or hostile. Each field gets every third value, from
     * another one on than the field before; at night all.
     */
    private void mutate(Message right, String path, Consumer<Map.Entry<String, Message>> each) {
        each.accept(Map.entry(
                path + " unknown field",
                right.toBuilder()
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        12345,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addVarint(-1)
                                                .build())
                                .build())
                        .build()));
        for (FieldDescriptor field : right.getDescriptorForType().getFields()) {
            String at = path + "." + field.getName();
            each.accept(Map.entry(
                    at + " missing", right.toBuilder().clearField(field).build()));
            List<Object> values = new ArrayList<>();
            List<Object> hostile = hostile(field);
            turn++;
            for (Object value : hostile) {
                if (turn++ % EVERY == 0 || hostile.size() <= FEW) {
                    values.add(value);
                }
            }
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                Message inner =
                        (Message) (field.isRepeated() ? right.getRepeatedField(field, 0) : right.getField(field));
                mutate(inner, at, one -> values.add(one.getValue()));
            }
            for (Object value : values) {
                Message.Builder changed = right.toBuilder();
                if (field.isRepeated()) {
                    changed.setRepeatedField(field, 0, value);
                } else {
                    changed.setField(field, value);
                }
                String text = value.toString();
                each.accept(Map.entry(at + "=" + text.substring(0, Math.min(60, text.length())), changed.build()));
            }
            if (field.isRepeated() && !field.isMapField()) {
                each.accept(Map.entry(
                        at + " many",
                        right.toBuilder()
                                .setField(field, Collections.nCopies(MANY, right.getRepeatedField(field, 0)))
                                .build()));
            }
        }
    }

    /** What must not change when a call is refused. */
    private record Seen(long digest, int live, int servers, int sites, String policy, String quotas) {
        static Seen now() {
            return node.look(state -> new Seen(
                    state.digest(),
                    state.world().live(),
                    state.world().engine().view().servers(),
                    state.world().sites().size(),
                    state.world().engine().policy().toString(),
                    state.world().quotas().keySet().toString()));
        }
    }

    /** What a call brought: null where it succeeded. */
    private record Refusal(Status.Code code, String message) {}

    private static void check(String what, Seen before, Refusal refusal) {
        if (refusal == null) {
            return;
        }
        assertThat(refusal.code())
                .as("%s: %s", what, refusal.message())
                .isNotIn(
                        Status.Code.INTERNAL,
                        Status.Code.UNKNOWN,
                        Status.Code.UNIMPLEMENTED,
                        Status.Code.UNAVAILABLE,
                        Status.Code.DEADLINE_EXCEEDED,
                        Status.Code.DATA_LOSS);
        assertThat(refusal.message()).as(what).matches(TYPED);
        assertThat(Seen.now()).as("state after %s: %s", what, refusal.message()).isEqualTo(before);
    }

    private static Refusal overGrpc(Channel over, Call call, Message request, Consumer<Message> reply) {
        try {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(15, TimeUnit.MINUTES);
            if (call.proto().isServerStreaming()) {
                // From position 0 on there is something to tell.
                CancellableContext watching = Context.current().withCancellation();
                Context outer = watching.attach();
                try {
                    reply.accept(ClientCalls.blockingServerStreamingCall(over, call.grpc(), options, request)
                            .next());
                } finally {
                    watching.detach(outer);
                    watching.cancel(null);
                }
            } else {
                reply.accept(ClientCalls.blockingUnaryCall(over, call.grpc(), options, request));
            }
            return null;
        } catch (StatusRuntimeException e) {
            return new Refusal(
                    e.getStatus().getCode(), String.valueOf(e.getStatus().getDescription()));
        }
    }

    @Test
    void everyFieldOverGrpc() {
        for (Call call : calls()) {
            int[] tried = {0};
            mutate(call.right(), call.toString(), one -> {
                Seen before = Seen.now();
                check(
                        one.getKey(),
                        before,
                        overGrpc(channel, call, one.getValue(), reply -> checkItems(one.getKey(), reply)));
                tried[0]++;
            });
            assertThat(tried[0]).as(call.toString()).isPositive();
        }
        assertThat(node.status().ready()).isTrue();
    }

    /** In a batch each may fail by itself. */
    private static void checkItems(String what, Message reply) {
        assertThat(reply.toString()).as(what).doesNotContain("\"INTERNAL\"", "\"UNKNOWN\"");
    }

    @Test
    void textThatIsNoTextAndBytesThatAreNoMessageOverGrpc() throws IOException {
        for (Call call : calls()) {
            List<byte[]> bodies = new ArrayList<>(List.of(new byte[] {(byte) 0xff}, new byte[] {0x0a, 0x7f, 'x'}));
            for (FieldDescriptor field : call.empty().getDescriptorForType().getFields()) {
                // Length-delimited bytes that are no UTF-8, no message, and too short.
                bodies.add(delimited(field.getNumber(), new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xff}));
            }
            for (byte[] body : bodies) {
                Seen before = Seen.now();
                ByteArrayOutputStream frame = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(frame);
                out.writeByte(0);
                out.writeInt(body.length);
                out.write(body);
                HttpRequest request = HttpRequest.of(
                        RequestHeaders.of(
                                HttpMethod.POST,
                                "/" + call.grpc().getFullMethodName(),
                                HttpHeaderNames.CONTENT_TYPE,
                                "application/grpc",
                                HttpHeaderNames.TE,
                                "trailers"),
                        HttpData.wrap(frame.toByteArray()));
                // What is streamed never ends; a refusal is all in the headers.
                AggregatedHttpResponse answer = call.proto().isServerStreaming()
                        ? AggregatedHttpResponse.of(first(web.execute(request)))
                        : web.execute(request).aggregate().join();
                String status =
                        answer.trailers().get("grpc-status", answer.headers().get("grpc-status", "none"));
                String message =
                        answer.trailers().get("grpc-message", answer.headers().get("grpc-message", ""));
                Status.Code code =
                        Status.fromCodeValue(Integer.parseInt(status)).getCode();
                if (code != Status.Code.OK) {
                    check(call + " bytes", before, new Refusal(code, message));
                }
            }
        }
    }

    private static ResponseHeaders first(HttpResponse response) {
        SplitHttpResponse answer = response.split();
        ResponseHeaders headers = answer.headers().join();
        answer.body().abort();
        return headers.contains("grpc-status")
                ? headers
                : headers.toBuilder().set("grpc-status", "0").build();
    }

    private static byte[] delimited(int number, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        com.google.protobuf.CodedOutputStream out = com.google.protobuf.CodedOutputStream.newInstance(bytes);
        out.writeByteArray(number, content);
        out.flush();
        return bytes.toByteArray();
    }

    @Test
    void nothingIsDoneForAForeignTenant() {
        for (Call call : calls()) {
            boolean named = call.empty().getDescriptorForType().findFieldByName("tenant") != null;
            boolean operates = call.proto().getService().getName().equals("Operations");
            Seen before = Seen.now();
            boolean[] items = {false};
            Refusal refusal = overGrpc(tenantChannel, call, call.right(), reply -> {
                FieldDescriptor several = reply.getDescriptorForType().findFieldByName("items");
                items[0] = several != null;
                if (several != null) {
                    assertThat(reply.toString()).as(call.toString()).contains("FOREIGN_TENANT");
                }
            });
            assertThat(Seen.now()).as(call.toString()).isEqualTo(before);
            if (named && !items[0]) {
                assertThat(refusal).as(call.toString()).isNotNull();
                assertThat(refusal.code()).as(call.toString()).isEqualTo(Status.Code.PERMISSION_DENIED);
            } else if (operates && refusal != null) {
                assertThat(refusal.code()).as(call.toString()).isEqualTo(Status.Code.PERMISSION_DENIED);
            }
            Refusal json = overJson(tenant, call, json(call.right()), new ArrayList<>());
            assertThat(Seen.now()).as(call.toString()).isEqualTo(before);
            if (refusal != null && json != null) {
                assertThat(json.code()).as("%s %s", call, json.message()).isEqualTo(Status.Code.PERMISSION_DENIED);
            }
        }
    }

    private static ObjectNode json(Message message) {
        try {
            return (ObjectNode) JSON.readTree(
                    MessageMarshaller.builder().register(message).build().writeValueAsString(message));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static final String[] VALUES = {
        "null",
        "\"\"",
        "\"x\"",
        "\"" + "x".repeat(100_000) + "\"",
        "\"\\u0000\\n\"",
        "\"\\ud800\"",
        "\"a b\"",
        "\"NaN\"",
        "\"Infinity\"",
        "NaN",
        "-1",
        "\"-1\"",
        "0",
        "0.5",
        "1e400",
        "-1e400",
        "1e30",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "\"99999999999999999999\"",
        "4398046511105",
        "2147483648",
        "true",
        "[]",
        "{}",
        "[[]]",
        "[null]",
        "{\"cpu\": null}",
        "{\"cpu\": \"x\"}",
        "{\"cpu\": 1e400}",
        "{\"\": 1}",
        "{\"nothing\": 1}",
        "{\"a\": {\"a\": 1}}",
        "[{}]",
        "[1]",
        "\"DRAIN\"",
        "\"*\""
    };

    private static JsonNode raw(String text) {
        return new POJONode(new RawValue(text));
    }

    /**
     * Tells the object with each of its values, at any depth, replaced, and with one that it does not know. Each field
     * gets every third value, from another one on than the field before; at night all.
     */
    private void mutate(ObjectNode whole, ObjectNode at, String path, Consumer<String> each) {
        at.set("nonsense", raw("1"));
        each.accept(path + " unknown field");
        at.remove("nonsense");
        List<String> names = new ArrayList<>();
        at.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonNode right = at.get(name);
            at.remove(name);
            each.accept(path + "." + name + " missing");
            for (String value : VALUES) {
                if (turn++ % EVERY > 0) {
                    continue;
                }
                at.set(name, raw(value));
                each.accept(path + "." + name + "=" + value.substring(0, Math.min(60, value.length())));
            }
            at.set(name, right);
            JsonNode inner = right.isArray() ? right.get(0) : right;
            if (inner instanceof ObjectNode object) {
                mutate(whole, object, path + "." + name, each);
            }
        }
    }

    @Test
    void everyFieldOverJson() {
        for (Call call : calls()) {
            ObjectNode right = json(call.right());
            int[] tried = {0};
            mutate(right, right, call.toString(), what -> {
                Seen before = Seen.now();
                List<String> sent = new ArrayList<>();
                Refusal refusal = overJson(web, call, right, sent);
                check(what + " " + sent, before, refusal);
                tried[0]++;
            });
            assertThat(tried[0]).as(call.toString()).isPositive();
            for (String body :
                    List.of("", "{", "[]", "7", "null", "\u0000", "{\"a\":".repeat(20_000), "[".repeat(20_000))) {
                HttpRule rule = rule(call.proto());
                if (!rule.getBody().isEmpty()) {
                    Seen before = Seen.now();
                    check(
                            call + " body " + body.substring(0, Math.min(20, body.length())),
                            before,
                            send(web, rule, path(rule, right, false), body));
                }
            }
        }
        assertThat(node.status().ready()).isTrue();
    }

    private static HttpRule rule(MethodDescriptor method) {
        return method.isServerStreaming()
                ? HttpRule.newBuilder().setGet(WatchPage.PATH).build()
                : method.getOptions().getExtension(AnnotationsProto.http);
    }

    private static Refusal overJson(WebClient over, Call call, ObjectNode request, List<String> sent) {
        HttpRule rule = rule(call.proto());
        String path = path(rule, request, rule.getBody().isEmpty());
        String body = rule.getBody().isEmpty() ? "" : request.toString();
        sent.add(path.substring(0, Math.min(200, path.length())));
        return send(over, rule, path, body);
    }

    /** The path with its variables, and the rest as a query. */
    private static String path(HttpRule rule, ObjectNode request, boolean query) {
        String pattern = switch (rule.getPatternCase()) {
            case GET -> rule.getGet();
            case PUT -> rule.getPut();
            default -> rule.getPost();
        };
        List<String> inPath = new ArrayList<>();
        Matcher variables = VARIABLE.matcher(pattern);
        StringBuilder path = new StringBuilder();
        while (variables.find()) {
            String name = jsonName(variables.group(1));
            inPath.add(name);
            // An empty one is another path.
            String text = text(request.get(name));
            variables.appendReplacement(path, Matcher.quoteReplacement(encoded(text.isEmpty() ? " " : text)));
        }
        variables.appendTail(path);
        String separator = "?";
        if (query) {
            for (Map.Entry<String, JsonNode> field : request.properties()) {
                if (!inPath.contains(field.getKey())) {
                    path.append(separator).append(field.getKey()).append('=').append(encoded(text(field.getValue())));
                    separator = "&";
                }
            }
        }
        return path.toString();
    }

    private static String jsonName(String name) {
        Matcher letters = Pattern.compile("_([a-z])").matcher(name);
        return letters.replaceAll(letter -> letter.group(1).toUpperCase(java.util.Locale.ROOT));
    }

    private static String text(JsonNode value) {
        if (value == null) {
            return "";
        }
        String text = value.toString();
        try {
            JsonNode read = JSON.readTree(text);
            String plain = read.isTextual() ? read.asText() : text;
            return plain.length() > 5000 ? plain.substring(0, 5000) : plain;
        } catch (IOException e) {
            return text;
        }
    }

    /** Without control characters: this client refuses to send those in a path or query. */
    private static String encoded(String text) {
        return URLEncoder.encode(text.replaceAll("\\p{Cntrl}", " "), StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    private static Refusal send(WebClient over, HttpRule rule, String path, String body) {
        HttpMethod method = switch (rule.getPatternCase()) {
            case GET -> HttpMethod.GET;
            case PUT -> HttpMethod.PUT;
            default -> HttpMethod.POST;
        };
        HttpRequest request = body.isEmpty() && method == HttpMethod.GET
                ? HttpRequest.of(method, path)
                : HttpRequest.of(method, path, MediaType.JSON, body);
        if (path.startsWith(WatchPage.PATH)) {
            return watched(over, request);
        }
        AggregatedHttpResponse answer = over.execute(request).aggregate().join();
        return answer.status().code() == 200 ? null : refusal(answer.contentUtf8());
    }

    /** The headers say whether a watch is refused; one that is not never ends. */
    private static Refusal watched(WebClient over, HttpRequest request) {
        SplitHttpResponse answer = over.execute(request).split();
        if (answer.headers().join().status().code() == 200) {
            answer.body().abort();
            return null;
        }
        StringBuilder text = new StringBuilder();
        answer.body().collect().join().forEach(data -> text.append(data.toStringUtf8()));
        return refusal(text.toString());
    }

    private static Refusal refusal(String body) {
        try {
            JsonNode error = JSON.readTree(body);
            return new Refusal(
                    Status.Code.valueOf(error.path("grpc-code").asText("UNKNOWN")),
                    error.path("message").asText(body));
        } catch (IOException e) {
            return new Refusal(Status.Code.UNKNOWN, body);
        }
    }
}
