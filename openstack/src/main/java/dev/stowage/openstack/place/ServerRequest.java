package dev.stowage.openstack.place;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A server that is asked for: a body of Nova's {@code POST /servers}.
 *
 * @param name of the server; in a file of requests there is one of each name
 * @param body as it was written
 */
record ServerRequest(String name, JsonNode body) {
    /** Key in the metadata of a server: the name of the request that it was made for. */
    static final String MARK = "stowage_request";

    private static final String SERVER = "server";
    private static final String HINTS = "os:scheduler_hints";
    /** Of several clouds: those that it may go to, each with the fields of the server that differ there. */
    private static final String CLOUDS = "clouds";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_NAME = 255;

    /**
     * The requests of a file, one on each line.
     *
     * @throws IllegalArgumentException with the number of the line, if one is not understood
     */
    static List<ServerRequest> read(List<String> lines) {
        List<ServerRequest> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                String where = "line " + (i + 1) + ": ";
                try {
                    ServerRequest one = of(JSON.readTree(lines.get(i)));
                    if (!names.add(one.name())) {
                        throw new IllegalArgumentException("server '" + one.name() + "' is listed twice");
                    }
                    all.add(one);
                } catch (JsonProcessingException e) {
                    throw new IllegalArgumentException(where + "is not JSON: " + e.getOriginalMessage(), e);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(where + e.getMessage(), e);
                }
            }
        }
        return all;
    }

    private static ServerRequest of(JsonNode body) {
        JsonNode server = body.path(SERVER);
        String name = server.path("name").asText();
        require(server.isObject(), "a request must be an object with 'server', as in Nova's POST /servers");
        require(!name.isBlank() && name.length() <= LONGEST_NAME, "the server has no name of 1 to 255 characters");
        require(!server.path("flavorRef").asText().isEmpty(), "the server has no flavorRef");
        for (String key : List.of("host", "hypervisor_hostname")) {
            require(!server.has(key), "'" + key + "' is what the policy decides; leave it out");
        }
        for (String key : List.of("min_count", "max_count")) {
            require(server.path(key).asInt(1) == 1, "'" + key + "': write a line for each server");
        }
        require(
                !server.path("availability_zone").asText().contains(":"),
                "availability_zone must not name a host: the policy chooses the host");
        require(
                server.path("metadata").isMissingNode()
                        || !server.path("metadata").has(MARK),
                "'" + MARK + "' in the metadata is set by Stowage");
        body.fieldNames()
                .forEachRemaining(key -> require(
                        Set.of(SERVER, HINTS, CLOUDS).contains(key),
                        "'" + key + "' is not allowed beside 'server'; only '" + HINTS + "' and '" + CLOUDS + "' are"));
        body.path(CLOUDS)
                .properties()
                .forEach(cloud -> require(
                        cloud.getValue().isObject(),
                        "'" + CLOUDS
                                + "' must have an object for each cloud: the fields of 'server' that differ there"));
        body.path(HINTS)
                .fieldNames()
                .forEachRemaining(
                        key -> require(key.equals("group"), "hint '" + key + "' is not supported; only 'group' is"));
        return new ServerRequest(name, body);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * The request as one cloud is asked it; null if it may not go there.
     *
     * @throws IllegalArgumentException if it is not understood
     */
    @Nullable
    ServerRequest in(String cloud) {
        if (!body.has(CLOUDS)) {
            return this;
        }
        if (!body.path(CLOUDS).has(cloud)) {
            return null;
        }
        ObjectNode its = body.deepCopy();
        its.remove(CLOUDS);
        ((ObjectNode) its.path(SERVER)).setAll((ObjectNode) body.path(CLOUDS).path(cloud));
        ServerRequest there = of(its);
        require(there.name().equals(name), "the server has another name in cloud " + cloud);
        return there;
    }

    /** The clouds that it names. */
    List<String> clouds() {
        List<String> names = new ArrayList<>();
        body.path(CLOUDS).fieldNames().forEachRemaining(names::add);
        return names;
    }

    String flavor() {
        return body.path(SERVER).path("flavorRef").asText();
    }

    String zone() {
        return body.path(SERVER).path("availability_zone").asText();
    }

    /** Id of its server group; empty if none. */
    String group() {
        return body.path(HINTS).path("group").asText();
    }

    /** Whether its root disk is a volume. */
    boolean fromVolume() {
        boolean volume = body.path(SERVER).path("imageRef").asText().isEmpty();
        for (JsonNode disk : body.path(SERVER).path("block_device_mapping_v2")) {
            volume |= disk.path("boot_index").asInt(-1) == 0
                    && disk.path("destination_type").asText().equals("volume");
        }
        return volume;
    }

    /** The same with its host, and with its mark in the metadata. */
    JsonNode on(String host) {
        ObjectNode all = body.deepCopy();
        ObjectNode server = (ObjectNode) all.path(SERVER);
        server.put("host", host);
        server.withObjectProperty("metadata").put(MARK, name);
        return all;
    }
}
