package dev.stowage.service.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.stowage.service.v1.WatchRequest;
import org.jspecify.annotations.Nullable;

/**
 * Watch without gRPC: {@code GET /v1/watch?tenant=T&after_position=N} answers with a {@code WatchReply} per line, or as
 * server-sent events where the client accepts those.
 */
record WatchPage(Calls calls, Watchers watchers) implements HttpCall {
    static final String PATH = "/v1/watch";
    private static final String LAST_EVENT = "last-event-id";

    @Override
    public String method() {
        return "Watch";
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        boolean events = request.headers().accept().stream().anyMatch(range -> range.is(MediaType.EVENT_STREAM));
        WatchRequest asked;
        try {
            calls.caller().mustCall(method());
            asked = asked(context.queryParams(), request.headers().get(LAST_EVENT));
        } catch (Failure e) {
            return calls.refusals().refuse(context, request.headers(), e);
        }
        return HttpResponse.of(watchers.begin(context, asked).handle((watch, thrown) -> {
            if (thrown != null) {
                Failure failure = calls.failure(thrown);
                return Json.response(Json.status(failure.code()), failure).toHttpResponse();
            }
            HttpOutlet outlet = new HttpOutlet(events);
            watch.accept(outlet);
            return outlet.response();
        }));
    }

    private static WatchRequest asked(QueryParams given, @Nullable String lastEvent) {
        MessageFields.check(given, WatchRequest.getDescriptor());
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        given.forEach((name, value) -> fields.put(name, value));
        WatchRequest.Builder asked = Json.read(fields.toString(), WatchRequest.newBuilder());
        if (lastEvent != null) {
            // A browser that lost the connection requests the same address again; then the last position that it has
            // seen counts.
            Json.read(fields.removeAll().put("after_position", lastEvent).toString(), asked);
        }
        return asked.build();
    }
}
