package dev.stowage.openstack.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A token, and the addresses of the services, from Keystone v3 (Identity API v3, "Authentication and token
 * management").
 */
final class KeystoneLogin {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CREATED = 201;
    /** Refusals of Keystone: a bad request, credentials, rights. */
    private static final Set<Integer> KEYSTONES = Set.of(400, 401, 403, 429);

    /** Names of Nova and Placement in a catalog. */
    private static final List<String> SERVICES = List.of(CloudSession.COMPUTE, CloudSession.PLACEMENT);

    /** A token with the address of each service. */
    record Granted(String token, Map<String, String> addresses) {
        /** Without the token. */
        @Override
        public String toString() {
            return addresses.toString();
        }
    }

    private KeystoneLogin() {}

    static Granted granted(HttpClient http, CloudSettings settings, Duration patience) {
        Map<String, String> addresses = new HashMap<>();
        for (String service : SERVICES) {
            String given = settings.override(service);
            if (!given.isEmpty()) {
                addresses.put(service, withoutSlash(given));
            }
        }
        if (settings.way() == CloudSettings.Way.GIVEN) {
            return new Granted(settings.auth("token"), addresses);
        }
        String url = withoutSlash(settings.auth("auth_url")).replaceFirst("/v2\\.0$", "");
        URI tokens = URI.create((url.endsWith("/v3") ? url : url + "/v3") + "/auth/tokens");
        try {
            HttpResponse<String> reply = http.send(
                    HttpRequest.newBuilder(tokens)
                            .timeout(patience)
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(request(settings))))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (reply.statusCode() != CREATED) {
                throw new CloudException(
                        "Keystone at " + tokens + " gives no token: " + CloudSession.words(reply)
                                + (KEYSTONES.contains(reply.statusCode())
                                        ? ""
                                        : "; is auth_url the address of Keystone?"),
                        reply.statusCode());
            }
            String token = reply.headers()
                    .firstValue("X-Subject-Token")
                    .orElseThrow(() -> new CloudException("Keystone at " + tokens + " answered without a token"));
            JsonNode catalog = JSON.readTree(reply.body()).path("token").path("catalog");
            for (String service : SERVICES) {
                if (!addresses.containsKey(service)) {
                    addresses.put(service, address(catalog, service, settings));
                }
            }
            return new Granted(token, addresses);
        } catch (IOException e) {
            throw new CloudException("Keystone at " + tokens + " does not answer: " + CloudSession.why(e, tokens));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CloudException("interrupted");
        }
    }

    private static Map<String, Object> request(CloudSettings settings) {
        Map<String, Object> identity = new LinkedHashMap<>();
        switch (settings.way()) {
            case PASSWORD -> {
                Map<String, Object> user = new LinkedHashMap<>(settings.named("user"));
                user.put("password", settings.auth("password"));
                identity.put("methods", List.of("password"));
                identity.put("password", Map.of("user", user));
            }
            case APPLICATION -> {
                Map<String, Object> credential = new LinkedHashMap<>();
                if (settings.has("application_credential_id")) {
                    credential.put("id", settings.auth("application_credential_id"));
                } else {
                    credential.put("name", settings.auth("application_credential_name"));
                    credential.put("user", settings.named("user"));
                }
                credential.put("secret", settings.auth("application_credential_secret"));
                identity.put("methods", List.of("application_credential"));
                identity.put("application_credential", credential);
                // Its project is part of it: a scope is refused.
                return Map.of("auth", Map.of("identity", identity));
            }
            default -> {
                identity.put("methods", List.of("token"));
                identity.put("token", Map.of("id", settings.auth("token")));
            }
        }
        Map<String, Object> auth = new LinkedHashMap<>();
        auth.put("identity", identity);
        if (settings.has("system_scope")) {
            auth.put("scope", Map.of("system", Map.of(settings.auth("system_scope"), true)));
        } else if (settings.has("domain_id") || settings.has("domain_name")) {
            auth.put(
                    "scope",
                    Map.of(
                            "domain",
                            settings.has("domain_id")
                                    ? Map.of("id", settings.auth("domain_id"))
                                    : Map.of("name", settings.auth("domain_name"))));
        } else {
            auth.put("scope", Map.of("project", settings.named("project")));
        }
        return Map.of("auth", auth);
    }

    private static String address(JsonNode catalog, String service, CloudSettings settings) {
        for (JsonNode entry : catalog) {
            if (!entry.path("type").asText().equals(service)) {
                continue;
            }
            for (JsonNode endpoint : entry.path("endpoints")) {
                String region = endpoint.path("region_id")
                        .asText(endpoint.path("region").asText());
                if (endpoint.path("interface").asText().equals(settings.reach())
                        && (settings.region().isEmpty() || settings.region().equals(region))) {
                    return withoutSlash(endpoint.path("url").asText());
                }
            }
        }
        throw new CloudException(settings + ": its catalog has no " + settings.reach() + " endpoint for " + service
                + (settings.region().isEmpty() ? "" : " in region " + settings.region()));
    }

    private static String withoutSlash(String url) {
        return url.replaceFirst("/+$", "");
    }
}
