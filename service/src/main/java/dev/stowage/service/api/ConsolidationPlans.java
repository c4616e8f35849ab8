package dev.stowage.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Message;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.v1.ConsolidationPlan;
import dev.stowage.service.v1.EmptiedServer;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.ListServersReply;
import dev.stowage.service.v1.Move;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Plans that empty servers, worked out by {@code stowage consolidate} in a separate process: it reads the pages that
 * its own calls would be answered with. One at a time, shared by all who ask meanwhile, so it goes on when one of them
 * leaves; the newest is kept for those who ask before something is decided.
 */
final class ConsolidationPlans {
    private static final String NO_PLAN = "NO_PLAN";
    private static final HelperProcess PROCESS = new HelperProcess(NO_PLAN, "planned", 64 << 20);
    /** Some 512 MB in the process that plans. */
    private static final long MOST_REQUESTS = 200_000;

    private static final int MOST_MOVES = 10_000;
    private static final int PAGE = 1000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Calls calls;
    private final List<String> command;
    private final AtomicReference<@Nullable Planned> newest = new AtomicReference<>();

    /**
     * A plan that is made, or was.
     *
     * @param digest of all that had been decided before
     */
    private record Planned(long digest, CompletableFuture<ConsolidationPlan> plan) {}

    /**
     * Of a node.
     *
     * @param command the command that plans; empty for none
     */
    ConsolidationPlans(Calls calls, List<String> command) {
        this.calls = calls;
        this.command = command;
    }

    /** The plan for what runs now, or, if one is under way, for what ran when that was begun. */
    CompletableFuture<ConsolidationPlan> plan() {
        if (command.isEmpty()) {
            throw Failure.of(
                    io.grpc.Status.Code.FAILED_PRECONDITION,
                    NO_PLAN,
                    "this service was started without a command that plans moves; stowage consolidate shows the plan");
        }
        ServiceRequestContext caller = ServiceRequestContext.current();
        HelperProcess.patience(caller);
        Executor executor = caller.blockingTaskExecutor();
        while (true) {
            long digest = calls.node().look(state -> Calls.begun(state).engine().digest());
            Planned known = newest.get();
            if (known != null && (!known.plan().isDone() || isOf(known, digest))) {
                return known.plan().copy();
            }
            Planned begun = new Planned(digest, new CompletableFuture<>());
            if (newest.compareAndSet(known, begun)) {
                CompletableFuture<?> unused = CompletableFuture.supplyAsync(() -> make(executor), executor)
                        .whenComplete((plan, thrown) -> {
                            if (thrown == null) {
                                begun.plan().complete(plan);
                            } else {
                                begun.plan().completeExceptionally(thrown);
                            }
                        });
                return begun.plan().copy();
            }
        }
    }

    private static boolean isOf(Planned known, long digest) {
        return known.digest() == digest && !known.plan().isCompletedExceptionally();
    }

    private ConsolidationPlan make(Executor executor) {
        List<Message> pages = new ArrayList<>();
        pages.add(Status.newBuilder()
                .addAllResources(calls.names().resources())
                .setDeviceResource(calls.node().look(state -> Calls.begun(state).deviceResource()))
                .addAllSites(calls.node().look(state -> Calls.begun(state).sites()))
                .build());
        Map<String, Integer> servers = new HashMap<>();
        addServers(pages, servers);
        Map<String, Request> requests = new HashMap<>();
        addRequests(pages, State.WAITING, requests);
        long position = addRequests(pages, State.RUNNING, requests);
        List<String> all = new ArrayList<>(command);
        all.add("--format");
        all.add("json");
        String said = PROCESS.run(
                all,
                out -> {
                    for (Message page : pages) {
                        page.writeDelimitedTo(out);
                    }
                },
                executor,
                () -> true);
        try {
            return message(JSON.readTree(said), servers, requests)
                    .setPosition(position)
                    .build();
        } catch (JsonProcessingException e) {
            throw Failure.of(io.grpc.Status.Code.INTERNAL, NO_PLAN, "not planned: " + e.getOriginalMessage());
        }
    }

    private void addServers(List<Message> pages, Map<String, Integer> byName) {
        ListServersReply reply;
        long from = 0;
        do {
            long first = from;
            ServerPage page = calls.node().look(state -> new ServerPage(Calls.begun(state), PAGE, first));
            while (calls.node().look(state -> page.more(Calls.begun(state)))) {}
            reply = page.reply();
            pages.add(reply);
            reply.getServersList()
                    .forEach(one -> byName.put(
                            one.getName().isEmpty() ? Integer.toString(one.getServer()) : one.getName(),
                            one.getServer()));
            from += PAGE;
        } while (!reply.getNextPageToken().isEmpty());
    }

    private long addRequests(List<Message> pages, State state, Map<String, Request> byName) {
        ListRequest.Builder asked =
                ListRequest.newBuilder().setAllTenants(true).setState(state).setPageSize(PAGE);
        ListReply reply;
        do {
            reply = new ListCall(calls, asked.build()).page().join();
            pages.add(reply);
            reply.getRequestsList().forEach(one -> byName.put(name(one), one));
            if (byName.size() > MOST_REQUESTS) {
                throw Failure.of(
                        io.grpc.Status.Code.FAILED_PRECONDITION,
                        NO_PLAN,
                        "there are more than " + MOST_REQUESTS
                                + " requests; run stowage consolidate, which plans outside the service");
            }
            asked.setPageToken(reply.getNextPageToken());
        } while (!reply.getNextPageToken().isEmpty());
        return reply.getPosition();
    }

    /** As a plan names requests. */
    private static String name(Request request) {
        return request.getTenant().isEmpty()
                ? request.getRequestId()
                : request.getTenant() + "/" + request.getRequestId();
    }

    private ConsolidationPlan.Builder message(
            JsonNode said, Map<String, Integer> servers, Map<String, Request> requests) {
        ConsolidationPlan.Builder plan = ConsolidationPlan.newBuilder()
                .setServersInUse(said.path("serversInUse").asInt())
                .setFewestServers(said.path("fewest").path("bound").asInt());
        said.path("plan").path("freed").forEach(one -> {
            int server = servers.getOrDefault(one.path("server").asText(), -1);
            plan.addEmptied(EmptiedServer.newBuilder()
                    .setServer(server)
                    .setServerName(calls.serverName(server))
                    .setMoves(one.path("moves").asInt()));
        });
        JsonNode steps = said.path("plan").path("steps");
        for (int i = 0; i < Math.min(steps.size(), MOST_MOVES); i++) {
            plan.addMoves(move(steps.get(i), servers, requests));
        }
        said.path("notes").forEach(note -> plan.addNotes(note.asText()));
        return plan.setMovesLeftOut(Math.max(0, steps.size() - MOST_MOVES));
    }

    private Move move(JsonNode step, Map<String, Integer> servers, Map<String, Request> requests) {
        int from = servers.getOrDefault(step.path("from").asText(), -1);
        int to = servers.getOrDefault(step.path("to").asText(), -1);
        Request request = requests.getOrDefault(step.path("job").asText(), Request.getDefaultInstance());
        return Move.newBuilder()
                .setRequestId(request.getRequestId())
                .setTenant(request.getTenant())
                .setFromServer(from)
                .setFromServerName(calls.serverName(from))
                .setToServer(to)
                .setToServerName(calls.serverName(to))
                .setState(State.RUNNING)
                .build();
    }
}
