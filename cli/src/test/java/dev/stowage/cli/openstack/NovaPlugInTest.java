package dev.stowage.cli.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * deploy/openstack/stowage_nova.py with the classes of a real Nova, but without a scheduler, against something that
 * answers well, wrongly, slowly or not at all.
 */
@EnabledIfEnvironmentVariable(named = "OPENSTACK_ROOT", matches = ".+")
final class NovaPlugInTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "another-secret-0123456789";
    private static final List<String> ALL = List.of("h-1", "h-2", "h-3");

    @TempDir
    private Path directory;

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private volatile String answer = "";
    private volatile boolean dribbles;

    private void answer(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket call = server.accept()) {
                requests.add(request(call.getInputStream()));
                OutputStream out = call.getOutputStream();
                out.write(answer.getBytes(StandardCharsets.UTF_8));
                out.flush();
                while (dribbles) {
                    out.write(' ');
                    out.flush();
                    Thread.sleep(20);
                }
            } catch (IOException | InterruptedException e) {
                // The other side has gone.
            }
        }
    }

    private static String request(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            text.append((char) in.read());
        }
        int length = Integer.parseInt(text.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
        return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String http(int status, String body) {
        return "HTTP/1.1 " + status + " \r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void answersAreKeptAndEverythingElseIsNone() throws Exception {
        Path errors = directory.resolve("stderr");
        Path token = Files.writeString(directory.resolve("token"), SECRET);
        ProcessBuilder builder = new ProcessBuilder(
                "/usr/bin/python3.11", "src/test/resources/openstack/ask_plug_in.py", "../deploy/openstack");
        builder.environment().put("PYTHONPATH", System.getenv("OPENSTACK_ROOT") + "/usr/lib/python3/dist-packages");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.redirectError(errors.toFile());
        Process python = builder.start();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BufferedWriter in = python.outputWriter(StandardCharsets.UTF_8);
                BufferedReader out = python.inputReader(StandardCharsets.UTF_8)) {
            Thread thread = new Thread(() -> answer(server));
            thread.setDaemon(true);
            thread.start();
            Map<String, Object> conf = new TreeMap<>(Map.of(
                    "url",
                    "http://127.0.0.1:" + server.getLocalPort(),
                    "timeout",
                    60,
                    "without_answer",
                    "open",
                    "token_file",
                    token.toString()));

            answer = http(200, "{\"hosts\": [\"h-3\", \"h-1\"], \"reason\": \"best\"}");
            JsonNode good = ask(in, out, conf, Map.of("forced", true));
            assertThat(strings(good.path("left"))).containsExactly("h-1", "h-3");
            assertThat(strings(good.path("order"))).containsExactly("h-3", "h-1");
            String asked = requests.take();
            assertThat(asked).startsWith("POST /hosts HTTP/1.0\r\n").contains("Authorization: Bearer " + SECRET);
            JsonNode question = JSON.readTree(asked.substring(asked.indexOf("\r\n\r\n")));
            // The root disk is a volume: 3 GiB ephemeral, and 1025 MiB swap rounded up to 2 GiB.
            assertThat(question.path("resources"))
                    .isEqualTo(JSON.readTree("{\"VCPU\": 2, \"MEMORY_MB\": 2048, \"DISK_GB\": 5, \"CUSTOM_GOLD\": 1}"));
            assertThat(strings(question.path("hosts"))).isEqualTo(ALL);
            assertThat(question.path("forced").asBoolean()).isTrue();
            assertThat(question.path("group").path("policy").asText()).isEqualTo("anti-affinity");
            assertThat(question.path("group").path("most").asInt()).isEqualTo(2);
            assertThat(question.path("group").path("members")).isEqualTo(JSON.readTree("{\"m-1\": \"h-1\"}"));

            answer = http(200, "{\"hosts\": [], \"reason\": \"full\"}");
            assertThat(ask(in, out, conf, Map.of()).path("left")).isEmpty();
            assertThat(requests.take()).contains("\"forced\": false");

            int before = requests.size();
            assertThat(strings(ask(in, out, conf, Map.of("rebuild", true)).path("left")))
                    .isEqualTo(ALL);
            assertThat(requests).hasSize(before);

            List<String> wrong = List.of(
                    http(200, "{\"hosts\": [\"h-3\", \"h-4\"]}"),
                    http(200, "{\"hosts\": [\"h-3\", \"h-3\"]}"),
                    http(200, "{\"hosts\": [3]}"),
                    http(200, "{\"hosts\": \"h-1\"}"),
                    http(200, "[\"h-1\"]"),
                    http(200, "{\"hosts\": [\"h-3\""),
                    http(503, "{\"hosts\": [\"h-3\"]}"),
                    http(401, "no"),
                    "gibberish",
                    "");
            for (String one : wrong) {
                answer = one;
                conf.put("without_answer", "open");
                JsonNode decided = ask(in, out, conf, Map.of());
                assertThat(strings(decided.path("left"))).as(one).isEqualTo(ALL);
                assertThat(decided.path("weights")).as(one).hasSize(1);
                conf.put("without_answer", "closed");
                assertThat(ask(in, out, conf, Map.of()).path("left")).as(one).isEmpty();
            }

            // One that never comes to an end, though something comes all the time.
            answer = "HTTP/1.1 200 OK\r\n\r\n";
            dribbles = true;
            conf.put("timeout", 0.3);
            assertThat(ask(in, out, conf, Map.of()).path("left")).isEmpty();
            dribbles = false;
            conf.put("url", "http://127.0.0.1:1");
            conf.put("timeout", 60);
            assertThat(ask(in, out, conf, Map.of()).path("left")).isEmpty();
        } finally {
            python.destroy();
        }
        assertThat(Files.readString(errors))
                .contains("Nova decides by itself")
                .contains("has no valid host therefore")
                .contains("Stowage has no host for server 11111111-1111-4111-8111-111111111111: full")
                .containsPattern("within 0.3 s|timed out")
                .doesNotContain(SECRET);
    }

    private static JsonNode ask(
            BufferedWriter in, BufferedReader out, Map<String, Object> conf, Map<String, Object> more)
            throws IOException {
        Map<String, Object> all = new TreeMap<>(more);
        all.put("conf", conf);
        all.put("hosts", ALL);
        in.write(JSON.writeValueAsString(all) + "\n");
        in.flush();
        String line = out.readLine();
        assertThat(line).as("the plug-in ended").isNotNull();
        return JSON.readTree(line);
    }

    private static List<String> strings(JsonNode array) {
        List<String> all = new java.util.ArrayList<>();
        array.forEach(one -> all.add(one.asText()));
        return all;
    }
}
