package dev.stowage.cli.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.testkit.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A real Nova with Placement and a fake hypervisor, started by the script that OPENSTACK_KIT names: {@code SCRIPT up
 * DIR PORT} and {@code SCRIPT down DIR}. Any token is good. It speaks to the APIs by itself, so that what the product
 * reads and does is judged by other code.
 */
final class RealCloud implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String IMAGE = "11111111-1111-4111-8111-111111111111";

    private static final String PLUG_IN = "deploy/openstack/stowage_nova.py";

    /** A reply, with its status. */
    record Reply(int status, JsonNode body) {}

    private final Path directory;
    private final int port;

    /**
     * Starts one; ready when it returns.
     *
     * @param hosts vCPUs, MiB and GiB, by name
     * @param configuration lines of nova.conf, with {@code \n} between them
     */
    RealCloud(Path directory, Map<String, int[]> hosts, String configuration) throws IOException, InterruptedException {
        this(directory, hosts, configuration, "memory");
    }

    /** The same with a bus: {@code rabbit} gives each service a process of its own. */
    RealCloud(Path directory, Map<String, int[]> hosts, String configuration, String bus)
            throws IOException, InterruptedException {
        this.directory = directory.resolve("cloud");
        Files.createDirectories(this.directory);
        Map<String, Object> sizes = new LinkedHashMap<>();
        hosts.forEach(
                (name, size) -> sizes.put(name, Map.of("vcpus", size[0], "memory_mb", size[1], "disk_gb", size[2])));
        Files.writeString(this.directory.resolve("hosts.json"), JSON.writeValueAsString(sizes));
        Path modules = directory.resolve("python/lib/python3.11/site-packages");
        Files.createDirectories(modules);
        Path plugIn = Path.of("..", PLUG_IN);
        Files.copy(plugIn, modules.resolve(plugIn.getFileName().toString()));
        port = up(directory, configuration, bus);
        Files.writeString(
                clouds(),
                "clouds:\n  kit:\n    auth_type: admin_token\n    auth: {token: admin, endpoint: \"http://127.0.0.1:"
                        + port + "/v2.1\"}\n    placement_endpoint_override: http://127.0.0.1:" + (port + 1) + "\n");
    }

    /** A clouds.yaml for somebody who is no administrator. */
    Path cloudsOfUser() throws IOException {
        Path file = directory.resolve("user.yaml");
        Files.writeString(file, Files.readString(clouds()).replace("token: admin", "token: \"ann:ops\""));
        return file;
    }

    /**
     * Starts the services, one cloud of this machine after the other: the script's first start makes the databases that
     * it copies for all others. Its ports are tried again if one of them was taken meanwhile.
     */
    private int up(Path directory, String configuration, String bus) throws IOException, InterruptedException {
        synchronized (RealCloud.class) {
            try (FileChannel lock = FileChannel.open(
                            Path.of(Objects.requireNonNull(System.getenv("OPENSTACK_ROOT")), "up.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock unused = lock.lock()) {
                StringBuilder said = new StringBuilder();
                for (int attempt = 0; attempt < 5; attempt++) {
                    int first = FreePorts.inRow(6);
                    ProcessBuilder up = script("up", this.directory.toString(), Integer.toString(first));
                    up.environment().put("OPENSTACK_NOVA_CONF", configuration);
                    up.environment().put("OPENSTACK_BUS", bus);
                    up.environment()
                            .put("PYTHONUSERBASE", directory.resolve("python").toString());
                    Process process = up.redirectErrorStream(true)
                            .redirectOutput(directory.resolve("up.log").toFile())
                            .start();
                    if (process.waitFor() == 0) {
                        return first;
                    }
                    close();
                    said.setLength(0);
                    said.append(Files.readString(directory.resolve("up.log")));
                    try (DirectoryStream<Path> outputs = Files.newDirectoryStream(this.directory, "*.{out,log}")) {
                        for (Path output : outputs) {
                            said.append(output.getFileName()).append(":\n").append(Files.readString(output));
                        }
                    }
                    if (!said.toString().contains("Address already in use")) {
                        break;
                    }
                }
                throw new IOException(said.toString());
            }
        }
    }

    private static ProcessBuilder script(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Objects.requireNonNull(System.getenv("OPENSTACK_KIT"))));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /** A clouds.yaml with the cloud. */
    Path clouds() {
        return directory.resolve("clouds.yaml");
    }

    /** Arguments of a command on this cloud. */
    String[] arguments(String command, String... more) {
        List<String> all = new ArrayList<>(List.of("openstack", command, "--clouds", clouds().toString()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    Reply nova(String method, String path, @Nullable Object body) {
        return call(method, "http://127.0.0.1:" + port + "/v2.1" + path, body, "compute 2.93");
    }

    Reply placement(String method, String path, @Nullable Object body) {
        return call(method, "http://127.0.0.1:" + (port + 1) + path, body, "placement 1.36");
    }

    private Reply call(String method, String url, @Nullable Object body, String version) {
        try {
            // A connection of its own for each call: the end of a kept one may cross the next request on its way.
            HttpURLConnection call = (HttpURLConnection) URI.create(url).toURL().openConnection();
            call.setRequestMethod(method);
            call.setRequestProperty("Connection", "close");
            call.setRequestProperty("X-Auth-Token", "admin");
            call.setRequestProperty("Accept", "application/json");
            call.setRequestProperty("Content-Type", "application/json");
            call.setRequestProperty("OpenStack-API-Version", version);
            if (body != null) {
                call.setDoOutput(true);
                try (OutputStream out = call.getOutputStream()) {
                    JSON.writeValue(out, body);
                }
            }
            int status = call.getResponseCode();
            @Nullable InputStream answer = status < 400 ? call.getInputStream() : call.getErrorStream();
            try (InputStream in = answer == null ? InputStream.nullInputStream() : answer) {
                byte[] text = in.readAllBytes();
                return new Reply(status, text.length == 0 ? JSON.createObjectNode() : JSON.readTree(text));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A call that must succeed. */
    JsonNode done(Reply reply) {
        if (reply.status() >= 400) {
            throw new IllegalStateException(reply.toString());
        }
        return reply.body();
    }

    void flavor(String name, int vcpus, int ram, int disk, Map<String, String> specs) {
        JsonNode made = done(nova(
                "POST", "/flavors", Map.of("flavor", Map.of("name", name, "vcpus", vcpus, "ram", ram, "disk", disk))));
        if (!specs.isEmpty()) {
            JsonNode unused = done(nova(
                    "POST",
                    "/flavors/" + made.path("flavor").path("id").asText() + "/os-extra_specs",
                    Map.of("extra_specs", specs)));
        }
    }

    String flavorId(String name) {
        for (JsonNode one :
                done(nova("GET", "/flavors/detail?is_public=None", null)).path("flavors")) {
            if (one.path("name").asText().equals(name)) {
                return one.path("id").asText();
            }
        }
        throw new IllegalStateException("no flavor " + name);
    }

    /** An aggregate; its id. */
    int aggregate(String name, Map<String, String> metadata, List<String> hosts) {
        int id = done(nova("POST", "/os-aggregates", Map.of("aggregate", Map.of("name", name))))
                .path("aggregate")
                .path("id")
                .asInt();
        for (String host : hosts) {
            JsonNode unused =
                    done(nova("POST", "/os-aggregates/" + id + "/action", Map.of("add_host", Map.of("host", host))));
        }
        JsonNode unused = done(
                nova("POST", "/os-aggregates/" + id + "/action", Map.of("set_metadata", Map.of("metadata", metadata))));
        return id;
    }

    /** A server group; its id. */
    String group(String name, String policy, int most) {
        Map<String, Object> group = new LinkedHashMap<>(Map.of("name", name, "policy", policy));
        if (policy.equals("anti-affinity")) {
            group.put("rules", Map.of("max_server_per_host", most));
        }
        return done(nova("POST", "/os-server-groups", Map.of("server_group", group)))
                .path("server_group")
                .path("id")
                .asText();
    }

    /** Asks for a server; its id. */
    String boot(String name, String flavor, String host, String zone, String group) {
        Map<String, Object> server = new LinkedHashMap<>(
                Map.of("name", name, "imageRef", IMAGE, "flavorRef", flavorId(flavor), "networks", "none"));
        if (!host.isEmpty()) {
            server.put("host", host);
        }
        if (!zone.isEmpty()) {
            server.put("availability_zone", zone);
        }
        Map<String, Object> body = new LinkedHashMap<>(Map.of("server", server));
        if (!group.isEmpty()) {
            body.put("os:scheduler_hints", Map.of("group", group));
        }
        return done(nova("POST", "/servers", body)).path("server").path("id").asText();
    }

    /** Lets Nova act on a server, and waits until that is over; its host. */
    String act(String id, Map<String, Object> action) {
        JsonNode unused = done(nova("POST", "/servers/" + id + "/action", action));
        return settled(id);
    }

    /** Waits until nothing is being done with a server; its host, or empty if Nova had none for it. */
    String settled(String id) {
        while (true) {
            JsonNode server = done(nova("GET", "/servers/" + id, null)).path("server");
            if (server.path("OS-EXT-STS:task_state").isNull()
                    && List.of("ACTIVE", "ERROR", "VERIFY_RESIZE")
                            .contains(server.path("status").asText())) {
                if (!server.path("status").asText().equals("ERROR")) {
                    return server.path("OS-EXT-SRV-ATTR:host").asText();
                }
                String fault = server.path("fault").path("message").asText();
                if (!fault.contains("No valid host")) {
                    throw new IllegalStateException(server.toString());
                }
                return "";
            }
            pause();
        }
    }

    /** Waits until nothing is being done with a server, whatever has become of it. */
    void ended(String id) {
        JsonNode server;
        do {
            pause();
            server = done(nova("GET", "/servers/" + id, null)).path("server");
        } while (!server.path("OS-EXT-STS:task_state").isNull()
                || server.path("status").asText().equals("BUILD"));
    }

    void forcedDown(String host, boolean down) {
        JsonNode unused = done(nova("PUT", "/os-services/" + service(host), Map.of("forced_down", down)));
    }

    /** A server that runs; its host. */
    String run(String name, String flavor, String host) {
        return settled(boot(name, flavor, host, "", ""));
    }

    void delete(String id) {
        Reply unused = nova("DELETE", "/servers/" + id, null);
        while (nova("GET", "/servers/" + id, null).status() != 404) {
            pause();
        }
    }

    void enabled(String host, boolean enabled) {
        JsonNode unused = done(nova(
                "PUT",
                "/os-services/" + service(host),
                enabled ? Map.of("status", "enabled") : Map.of("status", "disabled", "disabled_reason", "a test")));
    }

    /** Id of a host's compute service. */
    String service(String host) {
        return done(nova("GET", "/os-services?binary=nova-compute&host=" + host, null))
                .path("services")
                .path(0)
                .path("id")
                .asText();
    }

    /** Hosts whose compute services are disabled. */
    List<String> disabled() {
        List<String> hosts = new ArrayList<>();
        for (JsonNode service :
                done(nova("GET", "/os-services?binary=nova-compute", null)).path("services")) {
            if (service.path("status").asText().equals("disabled")) {
                hosts.add(service.path("host").asText());
            }
        }
        return hosts;
    }

    /** Id of a server. */
    String id(String name) {
        return done(nova("GET", "/servers?all_tenants=1&name=" + name, null))
                .path("servers")
                .path(0)
                .path("id")
                .asText();
    }

    /** Id of a host's resource provider. */
    String provider(String host) {
        return done(placement("GET", "/resource_providers?name=" + host, null))
                .path("resource_providers")
                .path(0)
                .path("uuid")
                .asText();
    }

    /** Adds a trait to those of a host. */
    void trait(String host, String trait) {
        JsonNode unusedToo = done(placement("PUT", "/traits/" + trait, null));
        String path = "/resource_providers/" + provider(host) + "/traits";
        JsonNode now = done(placement("GET", path, null));
        TreeSet<String> traits = new TreeSet<>();
        now.path("traits").forEach(one -> traits.add(one.asText()));
        traits.add(trait);
        JsonNode unused = done(placement(
                "PUT",
                path,
                Map.of(
                        "traits",
                        traits,
                        "resource_provider_generation",
                        now.path("resource_provider_generation").asInt())));
    }

    /** By host, what is allocated of a resource class beside what may be, as Placement's own tables say. */
    Map<String, double[]> allocated(String resource) {
        Map<String, double[]> all = new TreeMap<>();
        for (JsonNode one : done(placement("GET", "/resource_providers", null)).path("resource_providers")) {
            String path = "/resource_providers/" + one.path("uuid").asText();
            JsonNode inventory = done(placement("GET", path + "/inventories", null))
                    .path("inventories")
                    .path(resource);
            all.put(one.path("name").asText(), new double[] {
                done(placement("GET", path + "/usages", null))
                        .path("usages")
                        .path(resource)
                        .asDouble(),
                (inventory.path("total").asDouble() - inventory.path("reserved").asDouble())
                        * inventory.path("allocation_ratio").asDouble()
            });
        }
        return all;
    }

    /** Where each server runs, by name. */
    Map<String, String> servers() {
        Map<String, String> all = new TreeMap<>();
        done(nova("GET", "/servers/detail?all_tenants=1", null))
                .path("servers")
                .forEach(one -> all.put(
                        one.path("name").asText(),
                        one.path("OS-EXT-SRV-ATTR:host").asText()));
        return all;
    }

    /** Kills a service that has a process of its own, and starts it again as it was. */
    void restart(String name) throws IOException {
        String line = line(name);
        ProcessBuilder again = asStarted(line);
        ProcessHandle.of(Long.parseLong(line.substring(0, line.indexOf(' '))))
                .ifPresent(ProcessHandle::destroyForcibly);
        List<String> lines = new ArrayList<>(Files.readAllLines(directory.resolve("pids")));
        lines.remove(line);
        Files.write(directory.resolve("pids"), lines);
        start(again, name);
    }

    /** Starts one more process of a service, which shares its work from now on. */
    void another(String name) throws IOException {
        start(asStarted(line(name)), name + "-too");
    }

    private void start(ProcessBuilder builder, String name) throws IOException {
        Process started = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + "-again.out").toFile())
                .start();
        Files.writeString(directory.resolve("pids"), started.pid() + " " + name + "\n", StandardOpenOption.APPEND);
    }

    private String line(String name) throws IOException {
        return Files.readAllLines(directory.resolve("pids")).stream()
                .filter(one -> one.endsWith(" " + name))
                .findFirst()
                .orElseThrow();
    }

    private static ProcessBuilder asStarted(String line) throws IOException {
        Path process = Path.of("/proc", line.substring(0, line.indexOf(' ')));
        ProcessBuilder again = new ProcessBuilder(words(process.resolve("cmdline")));
        again.environment().clear();
        for (String one : words(process.resolve("environ"))) {
            again.environment().put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return again;
    }

    private static List<String> words(Path file) throws IOException {
        List<String> words = new ArrayList<>(List.of(Files.readString(file).split("\0", -1)));
        words.removeIf(String::isEmpty);
        return words;
    }

    /** By consumer, the hosts on which something is allocated to it, with its vCPUs. */
    Map<String, Map<String, Integer>> allocations() {
        Map<String, Map<String, Integer>> all = new TreeMap<>();
        for (JsonNode one : done(placement("GET", "/resource_providers", null)).path("resource_providers")) {
            done(placement("GET", "/resource_providers/" + one.path("uuid").asText() + "/allocations", null))
                    .path("allocations")
                    .properties()
                    .forEach(held -> all.computeIfAbsent(held.getKey(), first -> new TreeMap<>())
                            .put(
                                    one.path("name").asText(),
                                    held.getValue()
                                            .path("resources")
                                            .path("VCPU")
                                            .asInt()));
        }
        return all;
    }

    /** What Nova has logged so far. */
    String log() throws IOException {
        return Files.readString(directory.resolve("nova-conductor.log"));
    }

    /** Each look takes Nova tens of milliseconds of processor time, beside what it does. */
    static void pause() {
        try {
            Thread.sleep(300);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int unused = script("down", directory.toString()).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
