package dev.stowage.service.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Bodies of calls that work, in this order, on a service with the default servers and policy. */
final class Examples {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PLACE = "\"tenant\": \"acme\", \"demand\": {\"cpu_milli\": 4000, \"mem_mib\": 16384}";
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("Submit", "{\"request_id\": \"vm-1\", " + PLACE + "}"),
            Map.entry("SubmitBatch", "{\"requests\": [{\"request_id\": \"vm-2\", " + PLACE + "}]}"),
            Map.entry("Release", "{\"tenant\": \"acme\"}"),
            Map.entry("ReleaseBatch", "{\"requests\": [{\"request_id\": \"vm-2\", \"tenant\": \"acme\"}]}"),
            Map.entry("ConfirmMigration", "{\"tenant\": \"acme\", \"position\": 17}"),
            Map.entry("ConfirmResize", "{\"tenant\": \"acme\", \"position\": 17}"),
            Map.entry(
                    "AddServer",
                    "{\"change_id\": \"new-1\", \"site\": \"main\","
                            + " \"capacity\": {\"cpu_milli\": 48000, \"mem_mib\": 131072}}"),
            Map.entry(
                    "ResizeServer",
                    "{\"change_id\": \"grow-3\", \"capacity\": {\"cpu_milli\": 96000, \"mem_mib\": 262144}}"),
            Map.entry("LabelServer", "{\"change_id\": \"label-3\", \"labels\": {\"gpu\": \"V100\", \"zone\": \"a\"}}"),
            Map.entry("DryRun", "{\"request_id\": \"vm-9\", " + PLACE + "}"),
            Map.entry("DryRunMoves", "{\"server\": \"3\"}"),
            Map.entry("DryRunPolicy", "{\"policy\": {\"name\": \"bf-js\"}}"),
            Map.entry("Adopt", "{\"server\": \"3\", \"request\": {\"request_id\": \"vm-8\", " + PLACE + "}}"),
            Map.entry("ChangeServer", "{\"change_id\": \"drain-3\", \"change\": \"DRAIN\"}"),
            Map.entry("AddSite", "{\"change_id\": \"site-1\", \"name\": \"west\"}"),
            Map.entry("ChangeSite", "{\"change_id\": \"drain-west\", \"change\": \"DRAIN\"}"),
            Map.entry(
                    "SetPolicy",
                    "{\"change_id\": \"policy-1\","
                            + " \"policy\": {\"name\": \"best-fit\", \"parameters\": {\"when-full\": \"queue\"}}}"),
            Map.entry("SetQuota", "{\"change_id\": \"quota-1\", \"requests\": 1000}"),
            Map.entry("TransferLeadership", "{\"to\": \"n2\"}"));

    private Examples() {}

    /** The body of a call, without the fields that its path has; an empty object if it needs none. */
    static JsonNode of(String method) {
        try {
            return JSON.readTree(BODIES.getOrDefault(method, "{}"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the example of " + method + " is not JSON", e);
        }
    }
}
