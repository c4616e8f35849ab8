package dev.stowage.openstack.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.openstack.api.CloudException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A cloud from a directory with the JSON that commands of the {@code openstack} client wrote, with the columns that
 * releases 6 to 7 of it have; {@code deploy/openstack/snapshot} runs them. The client does not show everything: the
 * largest number of servers per host of an anti-affinity group counts as 1, versions of hypervisors as equal, and
 * extra specs of a server are those that its flavor has now.
 */
final class ClientFiles implements CloudSource {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> FILES = Map.of(
            CloudReader.HYPERVISORS, "hypervisors",
            CloudReader.SERVICES, "services",
            CloudReader.AGGREGATES, "aggregates",
            CloudReader.SERVERS, "servers",
            CloudReader.FLAVORS, "flavors",
            CloudReader.GROUPS, "groups",
            CloudReader.PROVIDERS, "providers");
    /** Columns of the client, and the fields of the API that they show. */
    private static final Map<String, Map<String, String>> COLUMNS = Map.of(
            CloudReader.HYPERVISORS,
            Map.of("Hypervisor Hostname", "hypervisor_hostname", "Hypervisor Type", "hypervisor_type"),
            CloudReader.SERVICES,
            Map.of(
                    "ID", "id",
                    "Host", "host",
                    "Zone", "zone",
                    "Status", "status",
                    "State", "state",
                    "Disabled Reason", "disabled_reason",
                    "Forced Down", "forced_down"),
            CloudReader.AGGREGATES,
            Map.of("Name", "name", "Properties", "metadata", "Hosts", "hosts"),
            CloudReader.SERVERS,
            Map.of(
                    "ID", "id",
                    "Name", "name",
                    "Project ID", "tenant_id",
                    "Status", "status",
                    "Task State", "OS-EXT-STS:task_state",
                    "Availability Zone", "OS-EXT-AZ:availability_zone"),
            CloudReader.FLAVORS,
            Map.of(
                    "Name", "name",
                    "VCPUs", "vcpus",
                    "RAM", "ram",
                    "Disk", "disk",
                    "Ephemeral", "ephemeral",
                    "Swap", "swap",
                    "Properties", "extra_specs"),
            CloudReader.GROUPS,
            Map.of("ID", "id", "Name", "name", "Policy", "policy", "Members", "members"),
            CloudReader.PROVIDERS,
            Map.of());

    private final Path directory;
    private final Map<String, List<JsonNode>> read = new HashMap<>();

    ClientFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public List<JsonNode> list(String key) {
        List<JsonNode> known = read.get(key);
        if (known == null) {
            known = objects(key);
            read.put(key, known);
        }
        return known;
    }

    private List<JsonNode> objects(String key) {
        Map<String, String> columns = COLUMNS.getOrDefault(key, Map.of());
        List<JsonNode> objects = new ArrayList<>();
        String file = FILES.get(key) + ".json";
        for (JsonNode row : file(file)) {
            if (columns.isEmpty()) {
                objects.add(row);
                continue;
            }
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            columns.forEach((column, field) -> {
                if (row.has(column)) {
                    object.set(field, row.get(column));
                } else if (!column.equals("Project ID")) {
                    throw new CloudException(directory.resolve(file) + ": has no column '" + column
                            + "'; write it with --long, as deploy/openstack/snapshot does");
                }
            });
            switch (key) {
                case CloudReader.HYPERVISORS ->
                    object.putObject("service")
                            .put("host", host(row.path("Hypervisor Hostname").asText()));
                case CloudReader.SERVERS -> server(object, row);
                default -> {}
            }
            objects.add(object);
        }
        return objects;
    }

    /** The compute service of a hypervisor: the one of its name, or of the first part of its name. */
    private String host(String node) {
        String found = node;
        for (JsonNode service : list(CloudReader.SERVICES)) {
            String host = service.path("host").asText();
            if (host.equals(node)) {
                return node;
            }
            found = host.equals(node.replaceFirst("\\..*", "")) ? host : found;
        }
        return found;
    }

    private void server(ObjectNode server, JsonNode row) {
        String host = row.path("Host").isNull() ? "" : row.path("Host").asText();
        String node = "";
        for (JsonNode hypervisor : list(CloudReader.HYPERVISORS)) {
            if (!host.isEmpty()
                    && hypervisor.path("service").path("host").asText().equals(host)) {
                node = hypervisor.path("hypervisor_hostname").asText();
            }
        }
        server.put("OS-EXT-SRV-ATTR:hypervisor_hostname", node);
        String image = row.path("Image ID").asText();
        if (!image.isEmpty() && !image.startsWith("N/A")) {
            server.putObject("image").put("id", image);
        }
        if (!row.has("Flavor")) {
            throw new CloudException(directory.resolve("servers.json")
                    + ": has no column 'Flavor'; write it with --os-compute-api-version 2.74");
        }
        String flavor = row.path("Flavor").asText();
        ObjectNode shown = server.putObject("flavor");
        for (JsonNode one : list(CloudReader.FLAVORS)) {
            if (one.path("name").asText().equals(flavor)) {
                shown.setAll((ObjectNode) one);
            }
        }
        if (shown.isEmpty()) {
            // Its flavor is gone: nobody knows what it asks for, and so it stays.
            shown.putObject("extra_specs").put("flavor:gone", flavor);
        }
        shown.put("original_name", flavor);
        if (node.isEmpty() && row.path("Status").asText().equals("ERROR")) {
            server.putObject("fault").put("message", "No valid host was found, as far as the client shows");
        }
    }

    @Override
    public JsonNode inventories(String provider) {
        ObjectNode byClass = JsonNodeFactory.instance.objectNode();
        file("inventory-" + provider + ".json")
                .forEach(one -> byClass.set(one.path("resource_class").asText(), one));
        return byClass;
    }

    @Override
    public JsonNode traits(String provider) {
        var names = JsonNodeFactory.instance.arrayNode();
        file("traits-" + provider + ".json")
                .forEach(one -> names.add(one.path("name").asText()));
        return names;
    }

    @Override
    public JsonNode allocations(String provider) {
        return file("provider-" + provider + ".json").path("allocations");
    }

    @Override
    public boolean saysZonesAsked() {
        return false;
    }

    private JsonNode file(String name) {
        Path file = directory.resolve(name);
        try {
            JsonNode tree = JSON.readTree(Files.readAllBytes(file));
            if (tree.isMissingNode()) {
                throw new CloudException(file + ": is empty, so the call that wrote it failed;"
                        + " run deploy/openstack/snapshot again");
            }
            return tree;
        } catch (IOException e) {
            throw new CloudException(file + ": "
                    + (Files.exists(file) ? "is not JSON that can be read" : "is missing")
                    + "; deploy/openstack/snapshot writes all files");
        }
    }
}
