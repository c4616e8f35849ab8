package dev.stowage.openstack.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.snapshot.CloudReader;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import java.util.ArrayList;
import java.util.List;

/** Servers of a cloud, made and deleted. */
public final class LiveServers implements ServerCalls {
    private final CloudSession session;

    /** By these calls. */
    public LiveServers(CloudSession session) {
        this.session = session;
    }

    @Override
    public CloudFacts read() {
        return CloudReader.live(session);
    }

    @Override
    public FlavorFacts flavor(String id) {
        return CloudReader.flavor(
                session.get(CloudSession.COMPUTE, "/flavors/" + id).path("flavor"));
    }

    @Override
    public List<Made> made(String key) {
        List<Made> all = new ArrayList<>();
        for (JsonNode listed : session.list("/servers/detail?all_tenants=1&limit=1000", "servers")) {
            String request = listed.path("metadata").path(key).asText();
            if (!request.isEmpty()) {
                JsonNode server = listed.path("status").asText().equals("ERROR") ? alone(listed) : listed;
                all.add(new Made(
                        request,
                        server.path("id").asText(),
                        server.path("status").asText(),
                        server.path("fault").path("message").asText()));
            }
        }
        return all;
    }

    /** The list does not say why a server failed that was on no host. */
    private JsonNode alone(JsonNode server) {
        return session.get(CloudSession.COMPUTE, "/servers/" + server.path("id").asText())
                .path("server");
    }

    @Override
    public String create(JsonNode body) {
        return session.change(CloudSession.COMPUTE, "POST", "/servers", body)
                .path("server")
                .path("id")
                .asText();
    }

    @Override
    public void delete(String id) {
        JsonNode unused = session.change(CloudSession.COMPUTE, "DELETE", "/servers/" + id, null);
    }
}
