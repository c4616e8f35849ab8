package dev.stowage.service.state;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stowage.core.policy.View;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A state as JSON, an object a line, each with its {@code kind}: one {@code service}, then {@code server},
 * {@code quota}, {@code request} (those in the system, then those that finished and are known) and {@code audit}. Times
 * are nanoseconds since 1970.
 */
public final class Export {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Export() {}

    /**
     * Writes it.
     *
     * @return how many lines
     */
    public static long write(ServiceState state, Appendable out) throws IOException {
        World world = state.world();
        if (world == null) {
            throw new IOException("the service has not begun: there is nothing to export");
        }
        long lines = line(service(state, world), out);
        for (int server = 0; server < world.engine().view().servers(); server++) {
            lines += line(server(world, server), out);
        }
        for (var quota : world.quotas().entrySet()) {
            ObjectNode line = kind("quota").put("tenant", quota.getKey());
            if (quota.getValue().requests() != Quota.ANY) {
                line.put("requests", quota.getValue().requests());
            }
            long[] most = quota.getValue().amounts();
            for (int r = 0; r < most.length; r++) {
                if (most[r] != Quota.ANY) {
                    line.withObject("/amounts").put(world.resources().get(r), most[r]);
                }
            }
            lines += line(line, out);
        }
        for (Request request : Listing.all(state, new Listing.Filter(null, null, Listing.ANY, Listing.ANY))) {
            lines += line(request(world, request), out);
        }
        for (AuditRecord one : world.audit()) {
            lines += line(
                    kind("audit")
                            .put("at", one.at())
                            .put("position", one.position())
                            .put("actor", one.actor())
                            .put("change", one.change())
                            .put("result", one.result()),
                    out);
        }
        return lines;
    }

    private static ObjectNode service(ServiceState state, World world) {
        View view = world.engine().view();
        ObjectNode line = kind("service")
                .put("position", state.position())
                .put("now", state.now())
                .put("digest", Long.toHexString(state.digest()));
        ObjectNode policy =
                line.putObject("policy").put("name", world.engine().policy().name());
        world.engine().policy().parameters().forEach(policy.putObject("parameters")::put);
        world.resources().forEach(line.putArray("resources")::add);
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
            one.put("reward_micros", type.rewardMicros());
        });
        return line;
    }

    private static ObjectNode server(World world, int server) {
        View view = world.engine().view();
        ObjectNode line = kind("server")
                .put("server", server)
                .put("site", world.sites().get(view.site(server)))
                .put("status", view.status(server).name().toLowerCase(Locale.ROOT));
        amounts(line, "capacity", world.resources(), r -> view.capacity(server, r));
        amounts(line, "free", world.resources(), r -> view.free(server, r));
        return line.put("running", view.running(server));
    }

    private static ObjectNode request(World world, Request request) {
        ObjectNode line = kind("request")
                .put("tenant", request.tenant())
                .put("request_id", request.id())
                .put("number", request.number())
                .put("state", request.state().name().toLowerCase(Locale.ROOT))
                .put("server", request.server())
                .put("queue", request.queue())
                .put("type", request.type());
        amounts(line, "demand", world.resources(), r -> request.demand()[r]);
        if (!request.sites().isEmpty()) {
            request.sites().forEach(line.putArray("allowed_sites")::add);
        }
        line.put("arrived_at", request.arrivedAt())
                .put("since", request.since())
                .put("reason", request.reason())
                .put("position", request.position());
        if (request.waitUntil() != Long.MAX_VALUE) {
            line.put("wait_until", request.waitUntil());
        }
        adjustment(line, request.adjustment());
        return line;
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

    private static long line(ObjectNode line, Appendable out) throws IOException {
        out.append(JSON.writeValueAsString(line)).append('\n');
        return 1;
    }
}
