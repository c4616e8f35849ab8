package dev.stowage.service.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.linecorp.armeria.common.MediaType;
import dev.stowage.service.v1.StowageProto;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON form of the API as an OpenAPI 3.0 document, made from the descriptors of stowage.proto. */
public final class OpenApi {
    private static final String FILE = "application/json";
    private static final String ERROR = "Error";
    private static final List<String> STREAMS =
            List.of(MediaType.JSON_LINES.toString(), MediaType.EVENT_STREAM.toString());
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z_]+)}");

    private final JsonNodeFactory json = JsonNodeFactory.instance;
    private final Map<String, ObjectNode> schemas = new TreeMap<>();
    private final Comments comments = new Comments();

    /** Transcoding does not support streams, so they have a separate path. */
    private final HttpRule watch;

    private OpenApi(String watchPath) {
        watch = HttpRule.newBuilder().setGet(watchPath).build();
    }

    /**
     * The document.
     *
     * @param watchPath where the call that streams is served
     */
    public static String document(String watchPath) {
        return new OpenApi(watchPath).root().toPrettyString();
    }

    /** The methods of HTTP of each path. */
    static SortedMap<String, Set<String>> methods(String watchPath) {
        SortedMap<String, Set<String>> methods = new TreeMap<>();
        new OpenApi(watchPath).root().path("paths").properties().forEach(path -> {
            Set<String> its = new TreeSet<>();
            path.getValue().fieldNames().forEachRemaining(verb -> its.add(verb.toUpperCase(Locale.ROOT)));
            methods.put(path.getKey(), its);
        });
        return methods;
    }

    private ObjectNode root() {
        ObjectNode root = json.objectNode();
        root.put("openapi", "3.0.3");
        root.putObject("info")
                .put("title", "Stowage")
                .put("version", "v1")
                .put("description", "Places requests on servers. Every change has an id that the caller chooses.");
        // Where the document came from.
        root.putArray("servers").addObject().put("url", "/");
        ObjectNode paths = root.putObject("paths");
        for (ServiceDescriptor service : StowageProto.getDescriptor().getServices()) {
            for (MethodDescriptor method : service.getMethods()) {
                HttpRule rule =
                        method.isServerStreaming() ? watch : method.getOptions().getExtension(AnnotationsProto.http);
                if (rule.getPatternCase() != HttpRule.PatternCase.PATTERN_NOT_SET) {
                    add(paths, service, method, rule);
                }
            }
        }
        ObjectNode components = root.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        schemas.put(ERROR, error());
        components.putObject("schemas").setAll(schemas);
        return root;
    }

    private void add(ObjectNode paths, ServiceDescriptor service, MethodDescriptor method, HttpRule rule) {
        String verb = rule.getPatternCase().name().toLowerCase(Locale.ROOT);
        String path = switch (rule.getPatternCase()) {
            case GET -> rule.getGet();
            case PUT -> rule.getPut();
            default -> rule.getPost();
        };
        ObjectNode operation = paths.withObjectProperty(path).putObject(verb);
        operation.put("operationId", method.getName());
        operation.putArray("tags").add(service.getName());
        String comment = comments.of(method);
        operation.put("summary", comment.contains(". ") ? comment.substring(0, comment.indexOf(". ") + 1) : comment);
        operation.put("description", comment);
        ArrayNode parameters = operation.putArray("parameters");
        Set<String> inPath = new TreeSet<>();
        Matcher variables = VARIABLE.matcher(path);
        while (variables.find()) {
            inPath.add(variables.group(1));
            parameter(
                    parameters, method.getInputType().findFieldByName(variables.group(1)), variables.group(1), "path");
        }
        if (rule.getBody().isEmpty()) {
            for (FieldDescriptor field : method.getInputType().getFields()) {
                if (!inPath.contains(field.getName())) {
                    parameter(parameters, field, field.getJsonName(), "query");
                }
            }
        } else {
            ObjectNode body =
                    operation.putObject("requestBody").putObject("content").putObject(FILE);
            body.set("schema", reference(method.getInputType()));
            body.set("example", Examples.of(method.getName()));
        }
        ObjectNode responses = operation.putObject("responses");
        ObjectNode done = responses.putObject("200");
        done.put("description", method.isServerStreaming() ? "one per line or event, without end" : "done");
        ObjectNode content = done.putObject("content");
        for (String form : method.isServerStreaming() ? STREAMS : List.of(FILE)) {
            content.putObject(form).set("schema", reference(method.getOutputType()));
        }
        responses
                .putObject("default")
                .put("description", "not done; the reason says why")
                .putObject("content")
                .putObject(FILE)
                .set("schema", json.objectNode().put("$ref", "#/components/schemas/" + ERROR));
        operation.putArray("security").addObject().putArray("token");
    }

    private ObjectNode error() {
        ObjectNode error = json.objectNode().put("type", "object");
        error.putArray("required").add("code").add("grpc-code").add("reason").add("message");
        ObjectNode fields = error.putObject("properties");
        fields.putObject("code").put("type", "integer").put("description", "gRPC status code");
        fields.putObject("grpc-code").put("type", "string").put("example", "FAILED_PRECONDITION");
        fields.putObject("reason")
                .put("type", "string")
                .put("description", "stable name, as in docs/service.md and in the header stowage-reason")
                .put("example", "FITS_NO_SERVER");
        fields.putObject("message").put("type", "string").put("description", "for people: the reason, and what to do");
        return error;
    }

    private void parameter(ArrayNode parameters, FieldDescriptor field, String name, String where) {
        parameters
                .addObject()
                .put("name", name)
                .put("in", where)
                .put("required", where.equals("path"))
                .put("description", comments.of(field))
                .set("schema", schema(field));
    }

    private ObjectNode reference(Descriptor message) {
        String name = message.getName();
        if (!schemas.containsKey(name)) {
            ObjectNode schema = json.objectNode().put("type", "object");
            // This comes before its fields, which may refer to the same schema.
            schemas.put(name, schema);
            schema.put("description", comments.of(message));
            ObjectNode fields = schema.putObject("properties");
            message.getFields().forEach(field -> fields.set(field.getJsonName(), described(field)));
        }
        return json.objectNode().put("$ref", "#/components/schemas/" + name);
    }

    /** A referenced schema has its own description. */
    private ObjectNode described(FieldDescriptor field) {
        ObjectNode schema = schema(field);
        String comment = comments.of(field);
        return comment.isEmpty() || schema.has("$ref") ? schema : schema.put("description", comment);
    }

    private ObjectNode schema(FieldDescriptor field) {
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByName("value");
            ObjectNode map = json.objectNode().put("type", "object");
            map.set("additionalProperties", single(value));
            return map;
        }
        if (field.isRepeated()) {
            ObjectNode list = json.objectNode().put("type", "array");
            list.set("items", single(field));
            return list;
        }
        return single(field);
    }

    private ObjectNode single(FieldDescriptor field) {
        JavaType type = field.getJavaType();
        return switch (type) {
            case MESSAGE -> reference(field.getMessageType());
            case ENUM -> words(field.getEnumType());
            case INT -> json.objectNode().put("type", "integer").put("format", "int32");
            // JSON numbers are not exact beyond 2^53, so these are texts; numbers are accepted, too.
            case LONG -> json.objectNode().put("type", "string").put("format", "int64");
            case BOOLEAN -> json.objectNode().put("type", "boolean");
            case DOUBLE, FLOAT -> json.objectNode().put("type", "number");
            default -> json.objectNode().put("type", "string");
        };
    }

    private ObjectNode words(EnumDescriptor type) {
        ObjectNode schema = json.objectNode().put("type", "string");
        ArrayNode words = schema.putArray("enum");
        for (EnumValueDescriptor value : type.getValues()) {
            words.add(value.getName());
        }
        return schema;
    }
}
