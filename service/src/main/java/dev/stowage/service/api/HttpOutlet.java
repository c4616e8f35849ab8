package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.StreamWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * JSON lines, or server-sent events (WHATWG HTML, section 9.2), over HTTP. Those who are sent the same share the bytes.
 * A failure is sent as the last of them. Ids of events are positions: a client that reconnects sends the last one as
 * {@code Last-Event-ID}.
 */
final class HttpOutlet implements WatchOutlet {
    /** Limit on bytes that are written but not yet taken by the connection. */
    private static final int MOST_UNDER_WAY = 1 << 16;

    private final boolean events;
    private final StreamWriter<HttpData> lines = StreamMessage.streaming();
    private final AtomicInteger underWay = new AtomicInteger();
    private Runnable whenReady = () -> {};

    /**
     * An outlet that nobody reads yet.
     *
     * @param events server-sent events instead of JSON lines
     */
    HttpOutlet(boolean events) {
        this.events = events;
    }

    HttpResponse response() {
        MediaType type = events ? MediaType.EVENT_STREAM : MediaType.JSON_LINES;
        return HttpResponse.of(ResponseHeaders.of(HttpStatus.OK, "content-type", type), lines);
    }

    @Override
    public void begin(Runnable ready, Runnable cancelled) {
        whenReady = ready;
        CompletableFuture<?> unused = lines.whenComplete().whenComplete((done, thrown) -> cancelled.run());
    }

    @Override
    public boolean ready() {
        return lines.isOpen() && underWay.get() < MOST_UNDER_WAY;
    }

    @Override
    public void send(SharedReplies.Shared reply) {
        write(events ? reply.event() : reply.line());
    }

    @Override
    public void fail(Failure failure) {
        String json = "{\"error\":" + Json.error(failure) + "}";
        write(HttpData.ofUtf8(events ? "event:error\ndata:" + json + "\n\n" : json + "\n"));
        lines.close();
    }

    private void write(HttpData line) {
        underWay.addAndGet(line.length());
        if (lines.tryWrite(line)) {
            CompletableFuture<?> unused = lines.whenConsumed().thenRun(() -> {
                underWay.addAndGet(-line.length());
                whenReady.run();
            });
        }
    }
}
