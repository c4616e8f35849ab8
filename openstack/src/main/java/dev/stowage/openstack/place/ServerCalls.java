package dev.stowage.openstack.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.openstack.translate.CloudFacts;
import dev.stowage.openstack.translate.FlavorFacts;
import java.util.List;

/** What the queue asks of a cloud. Every call may throw a {@link dev.stowage.openstack.api.CloudException}. */
public interface ServerCalls {
    /**
     * A server that was made for a request.
     *
     * @param request name of the request
     * @param id UUID
     * @param status as in {@code ACTIVE}
     * @param fault why it failed; empty if it did not
     */
    record Made(String request, String id, String status, String fault) {}

    /** The cloud as it is now. */
    CloudFacts read();

    /** A flavor by its id. */
    FlavorFacts flavor(String id);

    /** All servers whose metadata name a request under this key. */
    List<Made> made(String key);

    /** Asks for a server; its id. */
    String create(JsonNode body);

    /** Deletes a server. */
    void delete(String id);
}
