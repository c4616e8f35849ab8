package dev.stowage.service.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.sse.ServerSentEvent;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.StreamWriter;
import com.linecorp.armeria.server.streaming.JsonLines;
import com.linecorp.armeria.server.streaming.ServerSentEvents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** JSON lines, or server-sent events, over HTTP. A failure is sent as the last of them. */
final class HttpOutlet implements WatchOutlet {
    /** Limit on characters that are written but not yet taken by the connection. */
    private static final int MOST_UNDER_WAY = 1 << 16;

    private static final ObjectMapper LINES = new ObjectMapper();

    /** A message: a reply with its position, or a failure with -1. */
    private record SentReply(long position, String json) {}

    private final StreamWriter<SentReply> lines = StreamMessage.streaming();
    private final AtomicInteger underWay = new AtomicInteger();
    private Runnable whenReady = () -> {};

    HttpResponse jsonLines() {
        return JsonLines.fromPublisher(lines.map(line -> new RawValue(line.json())), LINES);
    }

    /** Ids are positions: a client that reconnects sends the last one as {@code Last-Event-ID}. */
    HttpResponse events() {
        return ServerSentEvents.fromPublisher(lines.map(line -> line.position() < 0
                ? ServerSentEvent.builder().event("error").data(line.json()).build()
                : ServerSentEvent.builder()
                        .id(Long.toString(line.position()))
                        .data(line.json())
                        .build()));
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
        write(new SentReply(reply.reply().getPosition(), reply.json()));
    }

    @Override
    public void fail(Failure failure) {
        write(new SentReply(-1, "{\"error\":" + Json.error(failure) + "}"));
        lines.close();
    }

    private void write(SentReply line) {
        int length = line.json().length();
        underWay.addAndGet(length);
        if (lines.tryWrite(line)) {
            CompletableFuture<?> unused = lines.whenConsumed().thenRun(() -> {
                underWay.addAndGet(-length);
                whenReady.run();
            });
        }
    }
}
