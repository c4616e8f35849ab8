package dev.stowage.openstack.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls to Nova and Placement that block. A token that has run out is asked for anew; a question (not a change) that
 * gets no answer is asked once more. Any thread may use it.
 */
public final class CloudSession {
    /** Nova's name in a catalog. */
    public static final String COMPUTE = "compute";
    /** Placement's name in a catalog. */
    public static final String PLACEMENT = "placement";

    /** Minor numbers of microversions: the oldest that says what is needed, and the newest that was read. */
    private static final Map<String, int[]> VERSIONS =
            Map.of(COMPUTE, new int[] {74, 96}, PLACEMENT, new int[] {14, 36});

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNAUTHORIZED = 401;
    private static final int FAILED = 400;
    private static final Set<Integer> PASSING = Set.of(502, 503, 504);
    private static final int LONGEST_WORDS = 500;

    private final HttpClient http;
    private final CloudSettings settings;
    private final Map<String, String> versions = new HashMap<>();
    private volatile KeystoneLogin.@Nullable Granted access;

    /** Connects with the first call. */
    public CloudSession(CloudSettings settings) {
        this.settings = settings;
        http = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .sslContext(TrustedCertificates.of(settings))
                .build();
    }

    /**
     * What stands at a path.
     *
     * @param service {@link #COMPUTE} or {@link #PLACEMENT}
     * @throws CloudException if there is no answer, or a refusal
     */
    public JsonNode get(String service, String path) {
        return call(service, "GET", path, null);
    }

    /** Changes something; the reply, which may be missing. */
    public JsonNode change(String service, String method, String path, @Nullable Object body) {
        return call(service, method, path, body);
    }

    /** Everything of a list that comes in pages. */
    public List<JsonNode> list(String path, String key) {
        List<JsonNode> all = new ArrayList<>();
        String next = path;
        while (true) {
            JsonNode page = get(COMPUTE, next);
            page.path(key).forEach(all::add);
            boolean more = false;
            for (JsonNode link : page.path(key + "_links")) {
                more |= link.path("rel").asText().equals("next");
            }
            if (!more || page.path(key).isEmpty()) {
                return all;
            }
            String marker = "marker=" + all.get(all.size() - 1).path("id").asText();
            next = path + (path.contains("?") ? "&" : "?") + marker;
        }
    }

    /** The minor number of the microversion that Nova is asked in. */
    public int computeVersion() {
        return Integer.parseInt(version(COMPUTE).replace("2.", ""));
    }

    private JsonNode call(String service, String method, String path, @Nullable Object body) {
        KeystoneLogin.Granted before = access();
        HttpResponse<String> reply = send(service, method, path, body, version(service));
        if (reply.statusCode() == UNAUTHORIZED) {
            renew(before);
            reply = send(service, method, path, body, version(service));
        }
        if (reply.statusCode() >= FAILED) {
            throw new CloudException(method + " " + service + " " + path + ": " + words(reply), reply.statusCode());
        }
        return read(service, reply.body());
    }

    private static JsonNode read(String service, String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new CloudException(service + " answers with something that is not JSON");
        }
    }

    private HttpResponse<String> send(
            String service, String method, String path, @Nullable Object body, String version) {
        String address = access().addresses().get(service);
        if (address == null) {
            throw new CloudException(
                    settings + ": gives no address for " + service + " (" + service + "_endpoint_override)");
        }
        boolean question = method.equals("GET");
        for (int tries = 0; ; tries++) {
            try {
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                        .timeout(PATIENCE)
                        .header("X-Auth-Token", access().token())
                        .header("Accept", "application/json");
                if (!version.isEmpty()) {
                    request.header("OpenStack-API-Version", service + " " + version);
                }
                if (body == null) {
                    request.method(method, HttpRequest.BodyPublishers.noBody());
                } else {
                    request.header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
                }
                HttpResponse<String> reply = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (!question || tries > 0 || !PASSING.contains(reply.statusCode())) {
                    return reply;
                }
            } catch (IOException e) {
                if (!question || tries > 0) {
                    throw new CloudException(
                            service + " at " + address + " does not answer: " + why(e, URI.create(address)));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CloudException("interrupted");
            }
        }
    }

    private KeystoneLogin.Granted access() {
        KeystoneLogin.Granted known = access;
        return known == null ? renew(null) : known;
    }

    private synchronized KeystoneLogin.Granted renew(KeystoneLogin.@Nullable Granted old) {
        KeystoneLogin.Granted known = access;
        if (known == null || known.equals(old)) {
            known = KeystoneLogin.granted(http, settings, PATIENCE);
            access = known;
        }
        return known;
    }

    /** The newest microversion that both sides know. */
    private String version(String service) {
        synchronized (versions) {
            return versions.computeIfAbsent(service, this::negotiated);
        }
    }

    private String negotiated(String service) {
        HttpResponse<String> reply = send(service, "GET", "/", null, "");
        if (reply.statusCode() >= FAILED) {
            throw new CloudException("GET " + service + " /: " + words(reply), reply.statusCode());
        }
        JsonNode root = read(service, reply.body());
        JsonNode one = root.has("version")
                ? root.path("version")
                : root.path("versions").path(0);
        String newest = one.path("version").asText(one.path("max_version").asText());
        int[] known = VERSIONS.get(service);
        String[] parts = newest.split("\\.", -1);
        String at = service + " at " + access().addresses().get(service);
        if (known == null || parts.length != 2 || !parts[1].matches("\\d{1,6}")) {
            throw new CloudException(at + " does not say its microversion"
                    + (service.equals(COMPUTE) ? ": the address of Nova ends with /v2.1" : ""));
        }
        if (!parts[0].equals(service.equals(COMPUTE) ? "2" : "1")) {
            throw new CloudException(at + " is not " + (service.equals(COMPUTE) ? "Nova" : "Placement") + " (version "
                    + newest + "): set " + service + "_endpoint_override of " + settings);
        }
        int minor = Math.min(Integer.parseInt(parts[1]), known[1]);
        if (minor < known[0]) {
            throw new CloudException(
                    at + " knows microversions up to " + newest + "; " + parts[0] + "." + known[0] + " is needed");
        }
        return parts[0] + "." + minor;
    }

    /** Why there was no reply. */
    static String why(IOException failure, URI at) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return "host name " + at.getHost() + " is not known";
            }
        }
        if (failure.getMessage() != null) {
            return failure.getMessage();
        }
        return failure instanceof ConnectException
                ? "connection refused, nothing listens there"
                : failure.getClass().getSimpleName();
    }

    /** What a refusal says. */
    static String words(HttpResponse<String> reply) {
        String text = reply.body().strip();
        try {
            JsonNode root = JSON.readTree(text);
            List<JsonNode> said = new ArrayList<>(root.findValues("message"));
            said.addAll(root.findValues("detail"));
            if (!said.isEmpty()) {
                text = said.get(0).asText();
            } else if (root.isEmpty() && !root.isValueNode()) {
                text = "without a reason";
            }
        } catch (JsonProcessingException e) {
            // Not every refusal is JSON.
        }
        text = text.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").strip();
        return reply.statusCode() + " "
                + (text.length() > LONGEST_WORDS ? text.substring(0, LONGEST_WORDS) + "..." : text)
                        .strip()
                        .replaceFirst(String.format(Locale.ROOT, "^%d ", reply.statusCode()), "");
    }
}
