package dev.stowage.service.api;

import dev.stowage.core.policy.PolicySpec;
import dev.stowage.service.state.Adjustment;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Unconfirmed;
import java.util.LinkedHashMap;
import java.util.List;
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
                .setState(state(request.state()))
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

    private static State state(dev.stowage.service.state.Request.State state) {
        return switch (state) {
            case WAITING -> State.WAITING;
            case RUNNING -> State.RUNNING;
            case RELEASED -> State.RELEASED;
            case REJECTED -> State.REJECTED;
            case EXPIRED -> State.EXPIRED;
        };
    }

    private static dev.stowage.service.v1.Adjustment kind(Adjustment.Kind kind) {
        return switch (kind) {
            case MIGRATION -> dev.stowage.service.v1.Adjustment.MIGRATION;
            case RESIZE -> dev.stowage.service.v1.Adjustment.RESIZE;
        };
    }

    private static Unconfirmed unconfirmed(Adjustment adjustment) {
        Unconfirmed.Builder out = Unconfirmed.newBuilder()
                .setKind(kind(adjustment.kind()))
                .setPosition(adjustment.position())
                .setFromServer(adjustment.from())
                .setToServer(adjustment.to());
        return adjustment.allocation() < 0
                ? out.build()
                : out.setAllocation(adjustment.allocation()).build();
    }

    static Policy policy(PolicySpec policy) {
        return Policy.newBuilder()
                .setName(policy.name())
                .putAllParameters(policy.parameters())
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
