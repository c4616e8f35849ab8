package dev.stowage.openstack.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.api.CloudSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cloud that is asked: five lists of Nova, and three questions to Placement for each resource provider. */
record LiveSource(CloudSession session) implements CloudSource {
    private static final int ZONES_SINCE = 96;
    private static final Map<String, String> PATHS = Map.of(
            CloudReader.HYPERVISORS, "/os-hypervisors/detail?limit=1000",
            CloudReader.SERVICES, "/os-services?binary=nova-compute",
            CloudReader.AGGREGATES, "/os-aggregates",
            CloudReader.SERVERS, "/servers/detail?all_tenants=1&sort_key=created_at&sort_dir=asc&limit=1000",
            CloudReader.FLAVORS, "/flavors/detail?is_public=None&limit=1000");
    private static final int GROUPS_PER_PAGE = 1000;
    private static final int MOST_FAULTS = 200;
    private static final int GONE = 404;

    @Override
    public List<JsonNode> list(String key) {
        if (key.equals(CloudReader.PROVIDERS)) {
            List<JsonNode> all = new ArrayList<>();
            session.get(CloudSession.PLACEMENT, "/resource_providers").path(key).forEach(all::add);
            return all;
        }
        if (key.equals(CloudReader.GROUPS)) {
            return groups();
        }
        List<JsonNode> all = session.list(PATHS.getOrDefault(key, ""), key);
        return key.equals(CloudReader.SERVERS) ? withFaults(all) : all;
    }

    /** The list does not say why a server failed that was on no host (Nova keeps these in a cell of their own). */
    private List<JsonNode> withFaults(List<JsonNode> servers) {
        List<JsonNode> all = new ArrayList<>();
        int asked = 0;
        for (JsonNode server : servers) {
            boolean failed = server.path("status").asText().equals("ERROR")
                    && server.path("OS-EXT-SRV-ATTR:host").isNull()
                    && !server.has("fault");
            if (failed && asked++ < MOST_FAULTS) {
                try {
                    all.add(session.get(
                                    CloudSession.COMPUTE,
                                    "/servers/" + server.path("id").asText())
                            .path("server"));
                } catch (CloudException e) {
                    if (e.status() != GONE) {
                        throw e;
                    }
                }
            } else {
                all.add(server);
            }
        }
        return all;
    }

    /** Groups come in pages without links. */
    private List<JsonNode> groups() {
        List<JsonNode> all = new ArrayList<>();
        int before;
        do {
            before = all.size();
            session.get(
                            CloudSession.COMPUTE,
                            "/os-server-groups?all_projects=True&limit=" + GROUPS_PER_PAGE + "&offset=" + before)
                    .path(CloudReader.GROUPS)
                    .forEach(all::add);
        } while (all.size() - before == GROUPS_PER_PAGE);
        return all;
    }

    @Override
    public JsonNode inventories(String provider) {
        return of(provider, "inventories");
    }

    @Override
    public JsonNode traits(String provider) {
        return of(provider, "traits");
    }

    @Override
    public JsonNode allocations(String provider) {
        return of(provider, "allocations");
    }

    private JsonNode of(String provider, String what) {
        return session.get(CloudSession.PLACEMENT, "/resource_providers/" + provider + "/" + what)
                .path(what);
    }

    @Override
    public boolean saysZonesAsked() {
        return session.computeVersion() >= ZONES_SINCE;
    }
}
