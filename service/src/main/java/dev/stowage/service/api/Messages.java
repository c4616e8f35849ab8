package dev.stowage.service.api;

import dev.stowage.core.policy.View;
import dev.stowage.service.state.Adjustment;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Unconfirmed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** The state as messages of the API. */
final class Messages {
    private Messages() {}

    static Request request(dev.stowage.service.state.Request request, World world) {
        return request(request, world.resources(), request.server() < 0 ? "" : site(world, request.server()));
    }

    static Request request(dev.stowage.service.state.Request request, List<String> resources, String site) {
        Request.Builder out = Request.newBuilder()
                .setRequestId(request.id())
                .setTenant(request.tenant())
                .setNumber(request.number())
                .setState(State.forNumber(request.state().ordinal() + 1))
                .setServer(request.server())
                .setSite(site)
                .setQueue(request.queue())
                .setType(request.type())
                .putAllDemand(amounts(resources, r -> request.demand()[r]))
                .addAllAllowedSites(request.sites())
                .setArrivedAtNanos(request.arrivedAt())
                .setSinceNanos(request.since())
                .setReason(request.reason())
                .setPosition(request.position());
        Adjustment last = request.adjustment();
        if (last != null && last.allocation() >= 0) {
            out.setAllocation(last.allocation());
        }
        Adjustment unconfirmed = request.unconfirmed();
        return unconfirmed == null
                ? out.build()
                : out.setUnconfirmed(unconfirmed(unconfirmed)).build();
    }

    private static Unconfirmed unconfirmed(Adjustment adjustment) {
        Unconfirmed.Builder out = Unconfirmed.newBuilder()
                .setKindValue(adjustment.kind().ordinal() + 1)
                .setPosition(adjustment.position())
                .setFromServer(adjustment.from())
                .setToServer(adjustment.to());
        return adjustment.allocation() < 0
                ? out.build()
                : out.setAllocation(adjustment.allocation()).build();
    }

    static Server server(int server, World world) {
        View view = world.engine().view();
        return Server.newBuilder()
                .setServer(server)
                .setSite(site(world, server))
                .setStatus(view.status(server).name().toLowerCase(Locale.ROOT))
                .putAllCapacity(amounts(world.resources(), r -> view.capacity(server, r)))
                .putAllFree(amounts(world.resources(), r -> view.free(server, r)))
                .setRunning(view.running(server))
                .build();
    }

    static Policy policy(World world) {
        return Policy.newBuilder()
                .setName(world.engine().policy().name())
                .putAllParameters(world.engine().policy().parameters())
                .build();
    }

    static String site(World world, int server) {
        return world.sites().get(world.engine().view().site(server));
    }

    static Map<String, Long> amounts(List<String> names, IntToLongFunction amount) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (int r = 0; r < names.size(); r++) {
            all.put(names.get(r), amount.applyAsLong(r));
        }
        return all;
    }
}
