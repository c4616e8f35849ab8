package dev.stowage.service.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.state.Listing;
import dev.stowage.service.state.Listing.Place;
import dev.stowage.service.state.ServiceState;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.State;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of requests. The first is a linearizable read and fixes the log position that all pages show; a
 * page's token has that position and the start of the next page, so that any node which still knows the position can
 * continue.
 */
final class ListCall {
    private static final int TOKEN_FIELDS = 6;

    /** Part of every token: one that was made for another order of the list, by an older service, goes on nowhere. */
    private static final String ORDER = "newest first";

    private final Calls calls;
    private final @Nullable String tenant;
    private final dev.stowage.service.state.Request.@Nullable State state;
    private final String site;
    private final int server;
    private final String serverName;
    private final String idPart;
    private final long arrivedUntil;
    private final int size;
    private final @Nullable Place from;

    /** Checks the call, and whether the caller may make it. */
    ListCall(Calls calls, ListRequest request) {
        this.calls = calls;
        tenant = request.getAllTenants() ? null : Checks.tenant(request.getTenant());
        calls.mayRead(tenant);
        if (request.getAllTenants() && !request.getTenant().isEmpty()) {
            throw Failure.invalid("BAD_TENANT", "give a tenant or all_tenants, not both");
        }
        if (request.getState() == State.UNRECOGNIZED) {
            throw Failure.invalid("BAD_STATE", "there is no state " + request.getStateValue());
        }
        state = request.getState() == State.STATE_UNSPECIFIED
                ? null
                : dev.stowage.service.state.Request.State.valueOf(
                        request.getState().name());
        site = request.getSite().isEmpty() ? "" : Checks.name("site", request.getSite());
        server = request.hasServer() ? request.getServer() : Listing.ANY;
        serverName = request.getServerName().isEmpty() ? "" : Checks.server("server_name", request.getServerName());
        if (request.hasServer() && !serverName.isEmpty()) {
            throw Failure.invalid("BAD_SERVER", "give server or server_name, not both");
        }
        if (request.hasServer() && server < 0) {
            throw Failure.field("BAD_SERVER", "server", " is " + server + ", must be at least 0");
        }
        idPart = request.getIdPart().isEmpty() ? "" : Checks.id("id_part", request.getIdPart());
        arrivedUntil = request.hasArrivedUntilNanos() ? request.getArrivedUntilNanos() : Long.MAX_VALUE;
        size = Checks.pageSize(request.getPageSize());
        from = request.getPageToken().isEmpty() ? null : place(request.getPageToken());
    }

    CompletableFuture<ListReply> page() {
        Place goesOn = from;
        Executor executor = ServiceRequestContext.current().blockingTaskExecutor();
        CompletableFuture<Listing> begun = goesOn == null
                ? calls.node().read(now -> new Listing(filter(now), Place.begin(now.position()), size))
                : CompletableFuture.supplyAsync(
                        () -> calls.node().look(now -> new Listing(filter(now), goesOn, size)), executor);
        return begun.thenApplyAsync(this::rest, executor);
    }

    private Listing.Filter filter(ServiceState now) {
        World world = Calls.begun(now);
        int number = site.isEmpty() ? Listing.ANY : Calls.site(world, site);
        String named = server >= 0 ? Integer.toString(server) : serverName;
        int on = named.isEmpty() ? Listing.ANY : Calls.server(world, named);
        return new Listing.Filter(tenant, state, number, on, idPart, arrivedUntil);
    }

    private ListReply rest(Listing page) {
        try {
            while (calls.node().look(page::inSystem)) {}
        } catch (Listing.PositionException e) {
            throw e.ahead()
                    ? Failure.of(Status.Code.UNAVAILABLE, "BEHIND", String.valueOf(e.getMessage()))
                    : Failure.of(Status.Code.OUT_OF_RANGE, Watcher.FORGOTTEN, String.valueOf(e.getMessage()));
        }
        page.finished();
        boolean others = from == null
                && tenant != null
                && calls.caller().seesAll()
                && calls.node().look(now -> Calls.begun(now).hasTenantBeside(tenant));
        ListReply.Builder reply =
                ListReply.newBuilder().setPosition(page.position()).setOtherTenants(others);
        page.found().forEach(request -> reply.addRequests(calls.message(request)));
        Place next = page.next();
        return next == null
                ? reply.build()
                : reply.setNextPageToken(token(next)).build();
    }

    /** The parameters that all pages of the list must share. */
    private String asked() {
        return Integer.toHexString(List.of(
                        ORDER,
                        tenant == null ? "all" : "of " + tenant,
                        state == null ? "" : state.name(),
                        site,
                        server,
                        serverName,
                        idPart,
                        arrivedUntil)
                .hashCode());
    }

    private String token(Place next) {
        String fields = String.join(
                " ",
                asked(),
                Long.toString(next.position()),
                next.over() ? "1" : "0",
                Long.toString(next.number()),
                Long.toString(next.finishedAt()),
                next.tenant());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(fields.getBytes(StandardCharsets.UTF_8));
    }

    private Place place(String token) {
        try {
            String[] fields =
                    new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", TOKEN_FIELDS);
            if (fields.length == TOKEN_FIELDS && fields[0].equals(asked())) {
                return new Place(
                        Long.parseLong(fields[1]),
                        fields[2].equals("1"),
                        fields[5],
                        Long.parseLong(fields[3]),
                        Long.parseLong(fields[4]));
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw Failure.field("BAD_PAGE", "page_token", " does not come from an earlier page of the same list");
    }
}
