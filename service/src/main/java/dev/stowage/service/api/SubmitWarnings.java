package dev.stowage.service.api;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.SubmitRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is possible in requests that are submitted, but probably not meant. */
final class SubmitWarnings {
    private static final List<String> BASIC = List.of("cpu_milli", "mem_mib");
    private static final int MOST_NAMED = 4;

    private SubmitWarnings() {}

    /**
     * A demand without CPU or memory, and servers without the agent that is to start what was placed there.
     *
     * @param asked the requests as they were submitted
     * @param placed the same as they are now
     */
    static List<String> of(Calls calls, List<SubmitRequest> asked, List<Request> placed) {
        List<String> resources = calls.names().resources();
        return Stream.concat(
                        asked.stream()
                                .flatMap(request -> unnamed(request, resources).stream())
                                .limit(1),
                        agentless(calls, placed).stream())
                .toList();
    }

    private static Optional<String> unnamed(SubmitRequest request, List<String> resources) {
        String none = BASIC.stream()
                .filter(name ->
                        resources.contains(name) && !request.getDemandMap().containsKey(name))
                .map(ResourceWords::resource)
                .collect(Collectors.joining(" and no "));
        return none.isEmpty() || !request.getType().isEmpty()
                ? Optional.empty()
                : Optional.of("the demand names no " + none + ", so " + request.getRequestId() + " gets none");
    }

    private static Optional<String> agentless(Calls calls, List<Request> placed) {
        Map<Integer, Request> first = new TreeMap<>();
        placed.stream()
                .filter(request -> request.getAgent() && request.getState() == State.RUNNING)
                .forEach(request -> first.putIfAbsent(request.getServer(), request));
        calls.node().look(state -> {
            World world = state.world();
            return first.keySet()
                    .removeIf(server -> world == null || world.engine().hasAgent(server));
        });
        List<String> names = first.values().stream()
                .map(request -> request.getServerName().isEmpty()
                        ? Integer.toString(request.getServer())
                        : request.getServerName())
                .toList();
        if (names.isEmpty()) {
            return Optional.empty();
        }
        if (names.size() > 1) {
            return Optional.of("servers " + String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
                    + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "")
                    + " have no agent yet; nothing starts there before they have one");
        }
        String there = placed.size() == 1 ? placed.get(0).getRequestId() + " there" : "there";
        return Optional.of(
                "server " + names.get(0) + " has no agent yet; nothing starts " + there + " before it has one");
    }
}
