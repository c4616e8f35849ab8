package dev.stowage.openstack.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.openstack.api.CloudException;
import dev.stowage.openstack.api.CloudSession;
import dev.stowage.openstack.translate.HostRoom;
import dev.stowage.openstack.translate.Inventory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads from Placement alone what hosts have and who holds it: a list, and two questions for each host. */
public final class RoomReader {
    private static final String PROVIDERS = "/resource_providers";
    private static final int GONE = 404;

    private final CloudSession session;

    /** By these calls. */
    public RoomReader(CloudSession session) {
        this.session = session;
    }

    /**
     * All root resource providers.
     *
     * @throws CloudException if Placement does not answer, or refuses
     */
    public List<HostRoom> all() {
        return read(PROVIDERS);
    }

    /** Those with these names; one that is not there is left out. */
    public List<HostRoom> named(List<String> nodes) {
        List<HostRoom> rooms = new ArrayList<>();
        for (String node : nodes) {
            rooms.addAll(read(PROVIDERS + "?name=" + URLEncoder.encode(node, StandardCharsets.UTF_8)));
        }
        return rooms;
    }

    private List<HostRoom> read(String path) {
        List<HostRoom> rooms = new ArrayList<>();
        for (JsonNode provider : session.get(CloudSession.PLACEMENT, path).path(CloudReader.PROVIDERS)) {
            if (CloudReader.isRoot(provider)) {
                try {
                    rooms.add(room(provider));
                } catch (CloudException e) {
                    // A provider that is removed between the list and the question is gone.
                    if (e.status() != GONE) {
                        throw e;
                    }
                }
            }
        }
        return rooms;
    }

    private HostRoom room(JsonNode provider) {
        String path = PROVIDERS + "/" + provider.path("uuid").asText();
        SortedMap<String, Inventory> inventories = new TreeMap<>();
        session.get(CloudSession.PLACEMENT, path + "/inventories")
                .path("inventories")
                .properties()
                .forEach(one -> inventories.put(one.getKey(), CloudReader.inventory(one.getValue())));
        SortedMap<String, SortedMap<String, Long>> held = new TreeMap<>();
        session.get(CloudSession.PLACEMENT, path + "/allocations")
                .path("allocations")
                .properties()
                .forEach(one -> held.put(one.getKey(), CloudReader.amounts(one.getValue())));
        return new HostRoom(provider.path("name").asText(), inventories, held);
    }
}
