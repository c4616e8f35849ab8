package dev.stowage.openstack.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Changes that empty hosts: compute services that are disabled and enabled, servers that are migrated live. */
public final class ServerMoves {
    /** The reason that stands at a compute service that was disabled here. */
    public static final String MARK = "stowage: being emptied";

    private static final int GONE = 404;

    /** How a live migration stands. */
    public enum Migration {
        /** Under way. */
        UNDER_WAY,
        /** Ended on the host that was named. */
        ARRIVED,
        /** Ended elsewhere, or the server is gone. */
        FAILED
    }

    private final CloudSession session;

    /** By these calls. */
    public ServerMoves(CloudSession session) {
        this.session = session;
    }

    /**
     * Disables a compute service, unless somebody else has.
     *
     * @return false if somebody else has
     */
    public boolean disable(String service, String host) {
        JsonNode now = service(host);
        if (now.path("status").asText().equals("disabled")) {
            return isMarked(now);
        }
        JsonNode unused = session.change(
                CloudSession.COMPUTE,
                "PUT",
                "/os-services/" + service,
                Map.of("status", "disabled", "disabled_reason", MARK));
        return true;
    }

    /** Enables a compute service that was disabled here; one that somebody else has taken over is left as it is. */
    public void enable(String service, String host) {
        if (isMarked(service(host))) {
            JsonNode unused =
                    session.change(CloudSession.COMPUTE, "PUT", "/os-services/" + service, Map.of("status", "enabled"));
        }
    }

    private static boolean isMarked(JsonNode service) {
        return service.path("status").asText().equals("disabled")
                && service.path("disabled_reason").asText().equals(MARK);
    }

    private JsonNode service(String host) {
        return session.get(
                        CloudSession.COMPUTE,
                        "/os-services?binary=nova-compute&host=" + URLEncoder.encode(host, StandardCharsets.UTF_8))
                .path("services")
                .path(0);
    }

    /**
     * Begins a live migration to a host; disks on the host are copied where they must be.
     *
     * @throws CloudException if Nova refuses
     */
    public void begin(String server, String host) {
        JsonNode unused = session.change(
                CloudSession.COMPUTE,
                "POST",
                "/servers/" + server + "/action",
                Map.of("os-migrateLive", Map.of("host", host, "block_migration", "auto")));
    }

    /** How the last migration of a server stands. */
    public Migration of(String server, String host) {
        try {
            JsonNode now =
                    session.get(CloudSession.COMPUTE, "/servers/" + server).path("server");
            if (!now.path("OS-EXT-STS:task_state").isNull()
                    || now.path("status").asText().equals("MIGRATING")) {
                return Migration.UNDER_WAY;
            }
            return now.path("OS-EXT-SRV-ATTR:host").asText().equals(host) ? Migration.ARRIVED : Migration.FAILED;
        } catch (CloudException e) {
            if (e.status() == GONE) {
                return Migration.FAILED;
            }
            throw e;
        }
    }

    /** What Nova says of the last migration of a server that failed. */
    public String why(String server) {
        String actions = "/servers/" + server + "/os-instance-actions";
        String unsaid = "openstack server event list " + server;
        try {
            Optional<String> request = Optional.empty();
            for (JsonNode action : session.get(CloudSession.COMPUTE, actions).path("instanceActions")) {
                if (request.isEmpty() && action.path("action").asText().equals("live-migration")) {
                    request = Optional.of(action.path("request_id").asText());
                }
            }
            if (request.isPresent()) {
                for (JsonNode event : session.get(CloudSession.COMPUTE, actions + "/" + request.get())
                        .path("instanceAction")
                        .path("events")) {
                    if (event.path("result").asText().equals("Error")) {
                        return "Nova ended the migration ("
                                + event.path("event").asText() + "): "
                                + event.path("details").asText("it does not say why");
                    }
                }
            }
        } catch (CloudException e) {
            // If the server is gone there is nothing more to say.
            unsaid = e.status() == GONE ? unsaid : "the reason is not known: " + e.getMessage();
        }
        return "the migration ended, and the server is not on that host (" + unsaid + ")";
    }
}
