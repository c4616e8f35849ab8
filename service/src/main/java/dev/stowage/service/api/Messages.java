package dev.stowage.service.api;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.policies.catalog.Parameter;
import dev.stowage.policies.catalog.PolicyInfo;
import dev.stowage.service.state.Adjustment;
import dev.stowage.service.state.Displacement;
import dev.stowage.service.state.Life;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.Policy;
import dev.stowage.service.v1.PolicyCatalog;
import dev.stowage.service.v1.PolicyDescription;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Spread;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Unconfirmed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/** The state as messages of the API. */
final class Messages {
    private Messages() {}

    static Request request(dev.stowage.service.state.Request request, World world) {
        return request(
                request,
                world.resources(),
                server -> server < 0 ? "" : site(world, server),
                server -> server < 0 ? "" : world.engine().view().serverName(server));
    }

    static Request request(
            dev.stowage.service.state.Request request,
            List<String> resources,
            IntFunction<String> site,
            IntFunction<String> name) {
        Request.Builder out = Request.newBuilder()
                .setRequestId(request.id())
                .setTenant(request.tenant())
                .setNumber(request.number())
                .setState(state(request.state()))
                .setServer(request.server())
                .setSite(site.apply(request.server()))
                .setServerName(name.apply(request.server()))
                .setQueue(request.queue())
                .setType(request.type())
                .putAllDemand(amounts(resources, r -> request.demand()[r]))
                .addAllAllowedSites(request.sites())
                .addAllWhere(request.words().where())
                .addAllAvoidServers(request.words().avoid())
                .setArrivedAtNanos(request.arrivedAt())
                .setSinceNanos(request.since())
                .setReason(request.reason())
                .setPosition(request.position());
        life(out, request);
        out.addAllDevices(numbers(request.devices()));
        request.words().spread().forEach(spread -> out.addSpread(spread(spread)));
        Displacement displaced = request.displaced();
        if (displaced != null) {
            out.setDisplaced(dev.stowage.service.v1.Displacement.newBuilder()
                    .setServer(displaced.server())
                    .setServerName(name.apply(displaced.server()))
                    .setAtNanos(displaced.at())
                    .setReason(displaced.reason())
                    .setByNumber(displaced.by()));
        }
        Adjustment last = request.adjustment();
        if (last != null && last.allocation() >= 0) {
            out.setAllocation(last.allocation());
        }
        Adjustment unconfirmed = request.unconfirmed();
        return unconfirmed == null
                ? out.build()
                : out.setUnconfirmed(unconfirmed(unconfirmed, name)).build();
    }

    private static void life(Request.Builder out, dev.stowage.service.state.Request request) {
        Life life = request.life();
        out.setPriority(life.priority()).setExpectedNanos(life.expectedNanos());
        if (life.agent()) {
            out.setAgent(true).setAttempt(life.attempt()).setStartFailures(life.failures());
            if (request.state() == dev.stowage.service.state.Request.State.RUNNING) {
                out.setPhase(phase(life.phase()));
            }
        }
    }

    /** The devices of a set, bit i for device i, as numbers. */
    static List<Integer> numbers(long devices) {
        List<Integer> numbers = new ArrayList<>();
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            numbers.add(Long.numberOfTrailingZeros(rest));
        }
        return numbers;
    }

    private static Phase phase(dev.stowage.core.policy.Phase phase) {
        return switch (phase) {
            case PLACED -> Phase.PLACED;
            case STARTED -> Phase.STARTED;
            case STOPPING -> Phase.STOPPING;
        };
    }

    static State state(dev.stowage.service.state.Request.State state) {
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

    /** Constraints for people. */
    static String text(ConstraintWords words) {
        List<String> parts = new ArrayList<>();
        if (!words.where().isEmpty()) {
            parts.add("where " + String.join(" or ", words.where()));
        }
        if (!words.avoid().isEmpty()) {
            parts.add("not on " + String.join(", ", words.avoid()));
        }
        for (String text : words.spread()) {
            dev.stowage.core.model.Spread one = dev.stowage.core.model.Spread.parse(text);
            parts.add("at most " + one.most() + " of group " + one.group() + " per "
                    + (one.perServer() ? "server" : one.key()));
        }
        return String.join("; ", parts);
    }

    private static Spread spread(String text) {
        dev.stowage.core.model.Spread spread = dev.stowage.core.model.Spread.parse(text);
        return Spread.newBuilder()
                .setGroup(spread.group())
                .setMost(spread.most())
                .setLabel(spread.key())
                .build();
    }

    private static Unconfirmed unconfirmed(Adjustment adjustment, IntFunction<String> name) {
        Unconfirmed.Builder out = Unconfirmed.newBuilder()
                .setKind(kind(adjustment.kind()))
                .setPosition(adjustment.position())
                .setFromServer(adjustment.from())
                .setToServer(adjustment.to())
                .setFromServerName(name.apply(adjustment.from()))
                .setToServerName(name.apply(adjustment.to()));
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

    static PolicyCatalog catalog(List<PolicyInfo> policies) {
        PolicyCatalog.Builder catalog = PolicyCatalog.newBuilder();
        for (PolicyInfo policy : policies) {
            PolicyDescription.Builder one = catalog.addPoliciesBuilder()
                    .setName(policy.key())
                    .setSummary(policy.summary())
                    .setPaper(policy.paper())
                    .setGuarantee(policy.guarantee());
            for (Parameter parameter : policy.parameters()) {
                one.addParametersBuilder()
                        .setName(parameter.name())
                        .setMeaning(parameter.meaning())
                        .setRange(parameter.range())
                        .addAllWords(parameter.words())
                        .setDefaultValue(parameter.defaultValue());
            }
        }
        return catalog.build();
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
