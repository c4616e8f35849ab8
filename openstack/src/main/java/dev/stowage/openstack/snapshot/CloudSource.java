package dev.stowage.openstack.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Where a cloud is read from: its objects as the APIs show them (Compute API v2.1, Placement API). */
interface CloudSource {
    /** The objects of a list: one of those that {@link CloudReader} names. */
    List<JsonNode> list(String key);

    /** Inventories of a resource provider, by resource class. */
    JsonNode inventories(String provider);

    /** Traits of a resource provider. */
    JsonNode traits(String provider);

    /** Allocations of a resource provider, by consumer. */
    JsonNode allocations(String provider);

    /** Whether servers say which zone they were asked to be in. */
    boolean saysZonesAsked();
}
