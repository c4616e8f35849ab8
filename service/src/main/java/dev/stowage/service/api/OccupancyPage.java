package dev.stowage.service.api;

import com.linecorp.armeria.common.ClientCacheControl;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * GetOccupancy over JSON, for pages that ask again and again: {@code If-None-Match} with the tag of the answer that the
 * caller has is answered with 304 as long as nothing was decided, and {@code Cache-Control: max-age=1} takes an answer
 * that was made for somebody else within the last second (RFC 9110, 9111).
 */
record OccupancyPage(Calls calls, SharedOccupancy shared) {
    static final String METHOD = "GetOccupancy";
    private static final String PATH = "/v1/occupancy";

    /** Whether a call is for this page. */
    boolean serves(ServiceRequestContext context) {
        return context.method() == HttpMethod.GET && context.path().equals(PATH);
    }

    /** Its answer; the query has been looked at. */
    HttpResponse serve(HttpRequest request) {
        RequestHeaders headers = request.headers();
        CompletableFuture<HttpResponse> response = new CompletableFuture<>();
        calls.read(
                METHOD,
                (answer, failure) -> response.complete(
                        failure == null
                                ? answer
                                : Json.response(Json.status(failure.code()), failure)
                                        .toHttpResponse()),
                () -> {
                    calls.caller().mustRead(null);
                    return answer(headers);
                });
        return HttpResponse.of(response);
    }

    private CompletableFuture<HttpResponse> answer(RequestHeaders headers) {
        String present = shared.present();
        if (has(headers, present)) {
            return CompletableFuture.completedFuture(unchanged(present));
        }
        return shared.get(mostNanos(headers))
                .thenApply(answer -> has(headers, answer.tag())
                        ? unchanged(answer.tag())
                        : HttpResponse.of(tagged(HttpStatus.OK, answer.tag()), answer.json()));
    }

    private static long mostNanos(RequestHeaders headers) {
        ClientCacheControl asked = ClientCacheControl.parse(headers.getAll(HttpHeaderNames.CACHE_CONTROL));
        return asked.noCache() ? 0 : TimeUnit.SECONDS.toNanos(Math.max(0, asked.maxAgeSeconds()));
    }

    /** By the weak comparison of RFC 9110, section 13.1.2. */
    private static boolean has(RequestHeaders headers, String tag) {
        return headers.getAll(HttpHeaderNames.IF_NONE_MATCH).stream()
                .flatMap(list -> Arrays.stream(list.split(",", -1)))
                .map(String::strip)
                .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
    }

    private static HttpResponse unchanged(String tag) {
        return HttpResponse.of(tagged(HttpStatus.NOT_MODIFIED, tag));
    }

    private static ResponseHeaders tagged(HttpStatus status, String tag) {
        return ResponseHeaders.builder(status)
                .contentType(MediaType.JSON)
                .set(HttpHeaderNames.ETAG, tag)
                .set(HttpHeaderNames.CACHE_CONTROL, "private, no-cache")
                .build();
    }
}
