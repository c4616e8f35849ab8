package dev.stowage.service.state;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The whole state as JSON, an object a line, each with its {@code kind}, in this order: one {@code service}; the
 * {@code engine}'s saved state in parts (its own format: what the policy keeps, timers, random streams);
 * {@code server}; {@code quota}; {@code request}, those in the system in order of arrival, then those that finished
 * and are known in the order in which they did; {@code answer} to a change; {@code audit}; and an {@code end} with
 * the number of lines before it and the CRC-32C of their bytes. Times are nanoseconds since 1970. {@link Import} makes
 * the same state of it.
 */
public final class Export {
    static final int FORMAT = 1;

    /** Bytes of the engine in a line. */
    private static final int PART = 48 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Appendable out;
    private final CRC32C crc = new CRC32C();
    private long lines;

    private Export(Appendable out) {
        this.out = out;
    }

    /**
     * Writes it.
     *
     * @param state must not change meanwhile
     * @return how many lines
     * @throws IOException if the service had not begun, or if it cannot be written
     */
    public static long write(ServiceState state, Appendable out) throws IOException {
        World world = state.world();
        Captured captured = state.capture().captured();
        if (world == null || captured == null) {
            throw new IOException("the service has not begun: there is nothing to export");
        }
        Export export = new Export(out);
        export.state(state, world, captured);
        ObjectNode end = kind("end").put("lines", export.lines).put("crc32c", Long.toHexString(export.crc.getValue()));
        export.line(end);
        return export.lines;
    }

    private void state(ServiceState state, World world, Captured captured) throws IOException {
        line(service(state, world));
        byte[] engine = captured.engine().get();
        int parts = (engine.length + PART - 1) / PART;
        for (int part = 0; part < parts; part++) {
            byte[] some = Arrays.copyOfRange(engine, part * PART, Math.min(engine.length, (part + 1) * PART));
            line(kind("engine")
                    .put("part", part)
                    .put("parts", parts)
                    .put("bytes", Base64.getEncoder().encodeToString(some)));
        }
        for (int server = 0; server < world.engine().view().servers(); server++) {
            line(server(world, server));
        }
        for (Map.Entry<String, Quota> quota : world.quotas().entrySet()) {
            line(quota(world, quota.getKey(), quota.getValue()));
        }
        Map<Long, Integer> places = places(world.engine().view());
        for (Request request : captured.inSystem().get()) {
            line(request(world, request, places.get(request.number())));
        }
        for (FinishedRequests.Copy.Place at = FinishedRequests.Copy.Place.BEGIN; at != null; ) {
            at = captured.finished().after(at, Long.MAX_VALUE, null, null, Integer.MAX_VALUE, request -> {
                try {
                    line(request(world, request, null));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return true;
            });
        }
        for (Map.Entry<String, KeptAnswer> one : world.particulars().answers().entrySet()) {
            line(answer(one.getKey(), one.getValue()));
        }
        for (AuditRecord one : world.audit()) {
            line(kind("audit")
                    .put("at", one.at())
                    .put("position", one.position())
                    .put("actor", one.actor())
                    .put("change", one.change())
                    .put("result", one.result()));
        }
    }

    /** Of each waiting request, by its number, how many are before it in its queue. */
    private static Map<Long, Integer> places(View view) {
        Map<Long, Integer> places = new HashMap<>();
        for (int queue = 0; queue < view.queues(); queue++) {
            int place = 0;
            for (int job = view.queueHead(queue); job >= 0; job = view.next(job)) {
                places.put(view.id(job), place++);
            }
        }
        return places;
    }

    private static ObjectNode service(ServiceState state, World world) {
        View view = world.engine().view();
        Particulars particulars = world.particulars();
        ObjectNode line = kind("service")
                .put("format", FORMAT)
                .put("position", state.position())
                .put("now", state.now())
                .put("digest", Long.toHexString(state.digest()))
                .put("requests_digest", Long.toHexString(particulars.digest()))
                .put("next_number", particulars.nextNumber())
                .put("keep_nanos", particulars.keep().nanos());
        if (particulars.keep().isBounded()) {
            line.put("keep_bytes", particulars.keep().bytes());
        }
        ObjectNode policy =
                line.putObject("policy").put("name", world.engine().policy().name());
        world.engine().policy().parameters().forEach(policy.putObject("parameters")::put);
        world.resources().forEach(line.putArray("resources")::add);
        world.pooledResources().forEach(line.putArray("pooled_resources")::add);
        ArrayNode sites = line.putArray("sites");
        for (int site = 0; site < world.sites().size(); site++) {
            int at = site;
            ObjectNode one = sites.addObject().put("name", world.sites().get(site));
            amounts(one, "pooled", world.pooledResources(), p -> view.pooledCapacity(at, p));
        }
        ArrayNode types = line.putArray("types");
        world.types().forEach(type -> {
            ObjectNode one = types.addObject().put("name", type.name());
            amounts(one, "demand", world.resources(), r -> type.demand().get(r));
            amounts(
                    one,
                    "pooled",
                    world.pooledResources(),
                    r -> type.pooledDemand().get(r));
            one.put("reward_micros", type.rewardMicros()).put("mean_service_nanos", type.meanServiceNanos());
        });
        return line;
    }

    private static ObjectNode server(World world, int server) {
        View view = world.engine().view();
        ObjectNode line = kind("server")
                .put("server", server)
                .put("name", view.serverName(server))
                .put("site", world.sites().get(view.site(server)))
                .put("status", view.status(server).name().toLowerCase(Locale.ROOT));
        if (!view.labels(server).values().isEmpty()) {
            view.labels(server).values().forEach(line.putObject("labels")::put);
        }
        amounts(line, "capacity", world.resources(), r -> view.capacity(server, r));
        amounts(line, "free", world.resources(), r -> view.free(server, r));
        if (view.overcommitted(server)) {
            line.put("overcommitted", true);
        }
        return line.put("running", view.running(server));
    }

    private static ObjectNode quota(World world, String tenant, Quota quota) {
        ObjectNode line = kind("quota").put("tenant", tenant);
        if (quota.requests() != Quota.ANY) {
            line.put("requests", quota.requests());
        }
        long[] most = quota.amounts();
        for (int r = 0; r < most.length; r++) {
            if (most[r] != Quota.ANY) {
                line.withObject("/amounts").put(world.resources().get(r), most[r]);
            }
        }
        return line;
    }

    private static ObjectNode answer(String id, KeptAnswer answer) {
        Outcome outcome = answer.outcome();
        Refusal refusal = outcome.refusal();
        ObjectNode line = kind("answer")
                .put("change_id", id)
                .put("at", answer.at())
                .put("fingerprint", Long.toHexString(answer.fingerprint()))
                .put("outcome", outcome.kind().name().toLowerCase(Locale.ROOT));
        if (refusal != null) {
            line.put("refusal", refusal.name().toLowerCase(Locale.ROOT));
        }
        return line.put("number", outcome.number()).put("detail", outcome.detail());
    }

    private static ObjectNode request(World world, Request request, @Nullable Integer place) {
        ObjectNode line = kind("request")
                .put("tenant", request.tenant())
                .put("request_id", request.id())
                .put("number", request.number())
                .put("fingerprint", Long.toHexString(request.fingerprint()))
                .put("state", request.state().name().toLowerCase(Locale.ROOT))
                .put("server", request.server())
                .put("queue", request.queue());
        if (place != null) {
            line.put("place", place);
        }
        line.put("type", request.type());
        amounts(line, "demand", world.resources(), r -> request.demand()[r]);
        if (!request.sites().isEmpty()) {
            request.sites().forEach(line.putArray("allowed_sites")::add);
        }
        texts(line, "where", request.words().where());
        texts(line, "avoid_servers", request.words().avoid());
        texts(line, "spread", request.words().spread());
        line.put("arrived_at", request.arrivedAt())
                .put("since", request.since())
                .put("reason", request.reason())
                .put("position", request.position());
        if (request.waitUntil() != Long.MAX_VALUE) {
            line.put("wait_until", request.waitUntil());
        }
        adjustment(line, request.adjustment());
        life(line, request.life());
        return line;
    }

    private static void life(ObjectNode line, Life life) {
        if (life.priority() != 0) {
            line.put("priority", life.priority());
        }
        if (life.agent()) {
            line.putObject("agent")
                    .put("attempt", life.attempt())
                    .put("phase", life.phase().name().toLowerCase(Locale.ROOT))
                    .put("start_failures", life.failures());
        }
    }

    private static void texts(ObjectNode line, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            texts.forEach(line.putArray(name)::add);
        }
    }

    private static void adjustment(ObjectNode line, @Nullable Adjustment adjustment) {
        if (adjustment != null) {
            line.putObject("adjustment")
                    .put("kind", adjustment.kind().name().toLowerCase(Locale.ROOT))
                    .put("position", adjustment.position())
                    .put("from", adjustment.from())
                    .put("to", adjustment.to())
                    .put("allocation", adjustment.allocation())
                    .put("confirmed", adjustment.confirmed());
        }
    }

    private static void amounts(ObjectNode line, String name, List<String> names, IntToLongFunction amount) {
        if (!names.isEmpty()) {
            ObjectNode all = line.putObject(name);
            for (int r = 0; r < names.size(); r++) {
                all.put(names.get(r), amount.applyAsLong(r));
            }
        }
    }

    private static ObjectNode kind(String kind) {
        return JSON.createObjectNode().put("kind", kind);
    }

    private void line(ObjectNode line) throws IOException {
        String text = JSON.writeValueAsString(line) + '\n';
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        out.append(text);
        lines++;
    }
}
