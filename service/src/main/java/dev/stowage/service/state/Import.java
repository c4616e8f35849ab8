package dev.stowage.service.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Amounts;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The state that {@link Export} wrote. What was made is written once more and compared line by line, so nothing in the
 * file is ignored: a field that is unknown, missing, or other than what the engine has is named with its line.
 */
public final class Import {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path file;
    private final ByteArrayOutputStream engine = new ByteArrayOutputStream();
    private final SortedMap<String, Quota> quotas = new TreeMap<>();
    private final List<Request> inSystem = new ArrayList<>();
    private final FinishedRequests finished = new FinishedRequests();
    private final Map<String, KeptAnswer> answers = new LinkedHashMap<>();
    private final List<AuditRecord> audit = new ArrayList<>();
    private @Nullable JsonLine service;
    private int parts;

    private Import(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @param edited whether the file was changed since it was exported, and so has another checksum. Quotas, answers,
     *     the audit trail and what is noted about requests may be; what the engine has as well may not.
     * @throws IOException if the file is not whole, or does not say one state; with the number of the line
     */
    public static ServiceState read(Path file, PolicyFactory policies, boolean edited) throws IOException {
        Import reading = new Import(file);
        reading.lines(edited);
        ServiceState state;
        try {
            state = ServiceState.restore(reading.snapshot(), policies);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        ComparedLines.of(file, state);
        reading.agree(state);
        return state;
    }

    /** What is noted about a request in the system is what its engine has. */
    private void agree(ServiceState state) throws IOException {
        Engine has = Objects.requireNonNull(state.world()).engine();
        View view = has.view();
        long inEngine = has.arrived() - has.left() - has.rejected();
        if (inSystem.size() != inEngine) {
            throw new IOException(file + " has " + inSystem.size() + " requests in the system, its engine " + inEngine);
        }
        for (Request request : inSystem) {
            int job = has.find(request.number());
            boolean runs = view.state(job) == JobState.RUNNING;
            boolean same = runs == (request.state() == Request.State.RUNNING)
                    && request.server() == view.server(job)
                    && request.queue() == (runs ? View.NONE : view.queue(job))
                    && request.arrivedAt() == view.arrivedAt(job);
            for (int r = 0; r < request.demand().length; r++) {
                same &= request.demand()[r] == view.demand(job, r);
            }
            if (!same) {
                throw new IOException(file + ": what is told about request '" + request.id() + "' of tenant '"
                        + request.tenant() + "' is not what the engine has: there it "
                        + (runs ? "runs on server " + view.server(job) : "waits in queue " + view.queue(job))
                        + " and arrived at " + view.arrivedAt(job));
            }
        }
    }

    private void lines(boolean edited) throws IOException {
        CRC32C crc = new CRC32C();
        long number = 0;
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                JsonLine line = new JsonLine(file, ++number, parse(file, number, text));
                if (line.text("kind").equals("end")) {
                    end(line, number, crc.getValue(), edited);
                    if (in.readLine() != null) {
                        throw new JsonLine(file, number + 1, JSON.createObjectNode()).wrong("stands behind the end");
                    }
                    return;
                }
                crc.update((text + '\n').getBytes(StandardCharsets.UTF_8));
                try {
                    take(line);
                } catch (IllegalArgumentException e) {
                    throw line.wrong(String.valueOf(e.getMessage()));
                }
            }
        }
        throw new IOException(file + " is truncated after line " + number + ": its last line must be of kind 'end'");
    }

    private static void end(JsonLine line, long number, long crc, boolean edited) throws IOException {
        boolean whole =
                line.number("lines") == number - 1 && line.text("crc32c").equals(Long.toHexString(crc));
        if (!whole && !edited) {
            throw line.wrong("does not fit what is before it: the file is damaged, or was edited (then say --edited)");
        }
    }

    static JsonNode parse(Path file, long number, String text) throws IOException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException(file + ", line " + number + ": " + e.getOriginalMessage(), e);
        }
    }

    private void take(JsonLine line) throws IOException {
        String kind = line.text("kind");
        JsonLine of = service;
        if (of == null) {
            if (!kind.equals("service")) {
                throw line.wrong("is of kind '" + kind + "'; the first must be of kind 'service'");
            }
            if (line.number("format") != Export.FORMAT) {
                throw line.wrong("has format " + line.number("format") + "; this release reads " + Export.FORMAT);
            }
            service = line;
            return;
        }
        switch (kind) {
            case "engine" -> {
                if (line.number("part") != parts++) {
                    throw line.wrong("is part " + line.number("part") + " of the engine; the next is " + (parts - 1));
                }
                engine.writeBytes(Base64.getDecoder().decode(line.text("bytes")));
            }
            case "server" -> {
                // The engine's own; compared when it is restored.
            }
            case "quota" ->
                once(
                        line,
                        quotas.put(
                                line.text("tenant"),
                                new Quota(
                                        line.number("requests", Quota.ANY),
                                        line.amounts("amounts", of.texts("resources"), Quota.ANY))));
            case "request" -> {
                Request request = request(line, of.texts("resources"));
                if (request.state().finished()) {
                    finished.add(request);
                } else {
                    inSystem.add(request);
                }
            }
            case "answer" -> once(line, answers.put(line.text("change_id"), answer(line)));
            case "audit" ->
                audit.add(new AuditRecord(
                        line.number("at"),
                        line.number("position"),
                        line.text("actor"),
                        line.text("change"),
                        line.text("result")));
            default -> throw line.wrong("is of kind '" + kind + "', which this release does not know");
        }
    }

    private static void once(JsonLine line, @Nullable Object before) throws IOException {
        if (before != null) {
            throw line.wrong("says again what an earlier line says");
        }
    }

    private static KeptAnswer answer(JsonLine line) throws IOException {
        String refusal = line.text("refusal", "");
        return new KeptAnswer(
                line.number("at"),
                line.hash("fingerprint"),
                new Outcome(
                        Outcome.Kind.valueOf(line.text("outcome").toUpperCase(Locale.ROOT)),
                        null,
                        refusal.isEmpty() ? null : Refusal.valueOf(refusal.toUpperCase(Locale.ROOT)),
                        line.number("number"),
                        line.text("detail")));
    }

    /** Names that many requests share are kept once. */
    private static Request request(JsonLine line, List<String> resources) throws IOException {
        return new Request(
                line.text("tenant").intern(),
                line.text("request_id"),
                line.number("number"),
                line.hash("fingerprint"),
                line.text("type").intern(),
                line.amounts("demand", resources, 0),
                line.texts("allowed_sites").stream().map(String::intern).toList(),
                new ConstraintWords(line.texts("where"), line.texts("avoid_servers"), line.texts("spread")),
                Request.State.valueOf(line.text("state").toUpperCase(Locale.ROOT)),
                (int) line.number("server"),
                (int) line.number("queue"),
                line.number("arrived_at"),
                line.number("since"),
                line.number("wait_until", Long.MAX_VALUE),
                line.text("reason").intern(),
                line.number("position"),
                adjustment(line),
                life(line));
    }

    private static Life life(JsonLine line) throws IOException {
        int priority = (int) line.number("priority", 0);
        JsonLine of = line.object("agent");
        return of == null
                ? Life.begin(priority, false)
                : new Life(
                        priority,
                        true,
                        (int) of.number("attempt"),
                        Phase.valueOf(of.text("phase").toUpperCase(Locale.ROOT)),
                        (int) of.number("start_failures"));
    }

    private static @Nullable Adjustment adjustment(JsonLine line) throws IOException {
        JsonLine of = line.object("adjustment");
        return of == null
                ? null
                : new Adjustment(
                        Adjustment.Kind.valueOf(of.text("kind").toUpperCase(Locale.ROOT)),
                        of.number("position"),
                        (int) of.number("from"),
                        (int) of.number("to"),
                        of.number("allocation"),
                        of.flag("confirmed"));
    }

    private Snapshot snapshot() throws IOException {
        JsonLine of = service;
        if (of == null) {
            throw new IOException(file + " has no line of kind 'service'");
        }
        List<String> resources = of.texts("resources");
        List<String> pooled = of.texts("pooled_resources");
        List<String> sites = new ArrayList<>();
        for (JsonLine site : of.objects("sites")) {
            sites.add(site.text("name"));
        }
        List<RequestType> types = new ArrayList<>();
        for (JsonLine type : of.objects("types")) {
            types.add(new RequestType(
                    type.text("name"),
                    Amounts.of(type.amounts("demand", resources, 0)),
                    Amounts.of(type.amounts("pooled", pooled, 0)),
                    type.number("reward_micros"),
                    type.number("mean_service_nanos")));
        }
        byte[] particulars = new Particulars(
                        resources,
                        pooled,
                        sites,
                        types,
                        new Retention(of.number("keep_nanos"), of.number("keep_bytes", Retention.ALL)),
                        of.number("next_number"),
                        of.hash("requests_digest"),
                        answers,
                        audit,
                        quotas)
                .encode();
        Request[] requests = inSystem.toArray(Request[]::new);
        return new Snapshot(
                of.number("position"),
                of.number("now"),
                of.hash("digest"),
                new Captured(particulars, engine::toByteArray, () -> requests, finished.copy()));
    }

    /** Hears the lines that a state would be exported as, and compares them with those of a file. */
    private static final class ComparedLines implements Appendable {
        private final Path file;
        private final BufferedReader in;
        private long number;

        private ComparedLines(Path file, BufferedReader in) {
            this.file = file;
            this.in = in;
        }

        static void of(Path file, ServiceState state) throws IOException {
            try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                Export.write(state, new ComparedLines(file, in));
            }
        }

        @Override
        public Appendable append(CharSequence made) throws IOException {
            String line = made.toString().stripTrailing();
            String read = in.readLine();
            number++;
            if (read == null) {
                throw new IOException(file + " ends before line " + number + ", which is to be " + line);
            }
            if (!read.equals(line)) {
                differ(parse(file, number, read), parse(file, number, line));
            }
            return this;
        }

        private void differ(JsonNode read, JsonNode made) throws IOException {
            boolean end = made.path("kind").asText().equals("end")
                    && read.path("kind").equals(made.path("kind"));
            if (end || read.equals(made)) {
                return;
            }
            List<String> names = new ArrayList<>();
            made.fieldNames().forEachRemaining(names::add);
            read.fieldNames().forEachRemaining(names::add);
            String name = names.stream()
                    .filter(one -> !read.path(one).equals(made.path(one)))
                    .findFirst()
                    .orElse("kind");
            throw new IOException(file + ", line " + number + ": '" + name + "' is " + text(read, name)
                    + ", where the state that was made of the lines has " + text(made, name)
                    + " (lines must stand in the order of an export)");
        }

        private static String text(JsonNode of, String name) {
            return of.has(name) ? of.get(name).toString() : "missing";
        }

        @Override
        public Appendable append(CharSequence text, int start, int end) throws IOException {
            return append(text.subSequence(start, end));
        }

        @Override
        public Appendable append(char c) throws IOException {
            return append(String.valueOf(c));
        }
    }
}
