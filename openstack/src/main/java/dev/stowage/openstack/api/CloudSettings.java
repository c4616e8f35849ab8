package dev.stowage.openstack.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Address and credentials of a cloud, from a {@code clouds.yaml} as OpenStack's own client reads it (openstacksdk,
 * "Configuring OpenStack SDK Applications"), with the secrets in the same file or in {@code secure.yaml} beside it.
 */
public final class CloudSettings {
    /** How a token is got. */
    enum Way {
        PASSWORD,
        TOKEN,
        APPLICATION,
        /** A token that is used as it is, with addresses that are given. */
        GIVEN
    }

    private static final Map<String, Way> WAYS = Map.of(
            "password", Way.PASSWORD,
            "v3password", Way.PASSWORD,
            "token", Way.TOKEN,
            "v3token", Way.TOKEN,
            "v3applicationcredential", Way.APPLICATION,
            "admin_token", Way.GIVEN);
    private static final Set<String> AUTH_KEYS = Set.of(
            "auth_url",
            "username",
            "user_id",
            "password",
            "user_domain_name",
            "user_domain_id",
            "project_name",
            "project_id",
            "project_domain_name",
            "project_domain_id",
            "domain_name",
            "domain_id",
            "system_scope",
            "default_domain",
            "token",
            "endpoint",
            "application_credential_id",
            "application_credential_name",
            "application_credential_secret");
    /** Keys of a cloud that would change what is done, and are not known here. */
    private static final Set<String> REFUSED = Set.of("profile", "cert", "key");

    private final String name;
    private final JsonNode cloud;
    private final Path file;
    private final Way way;

    private CloudSettings(String name, JsonNode cloud, Path file) {
        this.name = name;
        this.cloud = cloud;
        this.file = file;
        for (String key : REFUSED) {
            if (cloud.has(key)) {
                throw new CloudException(where() + ": '" + key + "' is not supported; write the auth section in full");
            }
        }
        String type = cloud.path("auth_type").asText("password");
        Way known = WAYS.get(type);
        if (known == null) {
            throw new CloudException(where() + ": auth_type '" + type + "' is not supported; the supported ones are "
                    + String.join(", ", WAYS.keySet().stream().sorted().toList()));
        }
        way = known;
        cloud.path("auth").fieldNames().forEachRemaining(key -> {
            if (!AUTH_KEYS.contains(key)) {
                throw new CloudException(where() + ": auth." + key + " is not supported");
            }
        });
    }

    /** Where the client looks: the file of OS_CLIENT_CONFIG_FILE, here, for this user, for all. */
    public static List<Path> places(Map<String, String> environment, Path home) {
        List<Path> places = new ArrayList<>();
        String named = environment.get("OS_CLIENT_CONFIG_FILE");
        if (named != null) {
            places.add(Path.of(named));
        }
        places.add(Path.of("clouds.yaml"));
        places.add(home.resolve(".config/openstack/clouds.yaml"));
        places.add(Path.of("/etc/openstack/clouds.yaml"));
        return places;
    }

    /**
     * The settings of a cloud, from the first of some files that exists.
     *
     * @param name as in {@code clouds.yaml}; empty for the only one
     * @throws CloudException if there is none, or it is not understood
     */
    public static CloudSettings read(String name, List<Path> places) {
        Optional<Path> found = places.stream().filter(Files::isReadable).findFirst();
        if (found.isEmpty()) {
            throw new CloudException("there is no clouds.yaml that can be read: looked for "
                    + String.join(", ", places.stream().map(Path::toString).toList()));
        }
        Path file = found.get();
        JsonNode clouds = clouds(file);
        Path secure = file.resolveSibling("secure.yaml");
        if (Files.isReadable(secure)) {
            merge(clouds, clouds(secure));
        }
        List<String> names = new ArrayList<>();
        clouds.fieldNames().forEachRemaining(names::add);
        String chosen = name.isEmpty() && names.size() == 1 ? names.get(0) : name;
        if (!clouds.has(chosen)) {
            throw new CloudException(file + ": "
                    + (chosen.isEmpty() ? "say which cloud with --cloud" : "there is no cloud '" + chosen + "'")
                    + "; it has " + String.join(", ", names));
        }
        return new CloudSettings(chosen, clouds.path(chosen), file);
    }

    private static JsonNode clouds(Path file) {
        try {
            return new YAMLMapper().readTree(Files.readString(file)).path("clouds");
        } catch (JsonProcessingException e) {
            // The message of the parser would quote the file, which holds secrets.
            throw new CloudException(file + ": is not YAML, at line "
                    + (e.getLocation() == null
                            ? "?"
                            : Integer.toString(e.getLocation().getLineNr())));
        } catch (IOException e) {
            throw new CloudException(file + ": cannot be read");
        }
    }

    private static void merge(JsonNode into, JsonNode from) {
        from.properties().forEach(field -> {
            JsonNode present = into.path(field.getKey());
            if (present.isObject() && field.getValue().isObject()) {
                merge(present, field.getValue());
            } else if (into instanceof ObjectNode object) {
                object.set(field.getKey(), field.getValue());
            }
        });
    }

    private String where() {
        return file + ": cloud " + name;
    }

    Way way() {
        return way;
    }

    /** A value of the auth section that must be there. */
    String auth(String key) {
        JsonNode value = cloud.path("auth").path(key);
        if (value.asText().isEmpty()) {
            throw new CloudException(where() + ": auth." + key + " is missing");
        }
        return value.asText();
    }

    /** Whether the auth section has a key. */
    boolean has(String key) {
        return !cloud.path("auth").path(key).asText().isEmpty();
    }

    /** What names a user or project: the id, or the name with its domain. */
    Map<String, Object> named(String what) {
        Map<String, Object> named = new LinkedHashMap<>();
        String id = what + "_id";
        if (has(id)) {
            named.put("id", auth(id));
            return named;
        }
        named.put("name", auth(what.equals("user") ? "username" : what + "_name"));
        String domain = what + "_domain_";
        if (has(domain + "id") || has("default_domain")) {
            named.put("domain", Map.of("id", auth(has(domain + "id") ? domain + "id" : "default_domain")));
        } else {
            named.put("domain", Map.of("name", auth(domain + "name")));
        }
        return named;
    }

    String region() {
        return cloud.path("region_name").asText();
    }

    /** Which of a service's addresses is asked. */
    String reach() {
        return cloud.path("interface")
                .asText(cloud.path("endpoint_type").asText("public"))
                .replace("URL", "");
    }

    /** The address of a service where the file gives one; empty if not. */
    String override(String service) {
        String own = cloud.path(service + "_endpoint_override").asText();
        return own.isEmpty() && way == Way.GIVEN
                ? cloud.path("auth").path("endpoint").asText()
                : own;
    }

    /** A file with the certificates that are trusted; empty for those of the JDK. */
    Optional<Path> certificates() {
        String written = cloud.path("cacert").asText();
        return written.isEmpty() ? Optional.empty() : Optional.of(file.resolveSibling(written));
    }

    /** Whether the certificates of the cloud are checked. */
    boolean verifies() {
        return cloud.path("verify").asBoolean(true);
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return where();
    }
}
