package dev.stowage.service.client;

import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One watch call, and the position at which the next must continue. The watching thread takes the replies; the service
 * sends no more than it takes, so a slow watch does not hold up other calls of this client.
 */
final class Watch implements ClientResponseObserver<WatchRequest, WatchReply> {
    /** Number of replies that may be under way. */
    private static final int AHEAD = 16;

    /** An event: a reply, or the end with its reason. */
    private record Event(
            @Nullable WatchReply reply, @Nullable Throwable failure) {}

    private final WatchRequest from;
    private final Consumer<WatchReply> each;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;
    private @Nullable Long position;

    Watch(WatchRequest from, Consumer<WatchReply> each) {
        this.from = from;
        this.each = each;
    }

    WatchRequest from() {
        return from;
    }

    boolean heard() {
        return position != null;
    }

    WatchRequest next() {
        Long last = position;
        return last == null ? from : from.toBuilder().setAfterPosition(last).build();
    }

    /**
     * Takes replies until the call ends.
     *
     * @throws CompletionException with the exception of the call or of the receiver
     */
    void take() {
        Event event;
        try {
            for (event = events.take(); event.reply() != null; event = events.take()) {
                WatchReply reply = event.reply();
                each.accept(reply);
                position = reply.getPosition();
                more();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancel(e);
            throw new IllegalStateException("interrupted", e);
        } catch (RuntimeException e) {
            cancel(e);
            throw new CompletionException(e);
        }
        Throwable failure = event.failure();
        if (failure != null) {
            throw new CompletionException(failure);
        }
    }

    private void cancel(Exception why) {
        ClientCallStreamObserver<WatchRequest> started = call;
        if (started != null) {
            started.cancel("the watch has been closed", why);
        }
    }

    private void more() {
        ClientCallStreamObserver<WatchRequest> started = call;
        if (started != null) {
            started.request(1);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
        call = started;
        started.disableAutoRequestWithInitial(AHEAD);
    }

    @Override
    public void onNext(WatchReply reply) {
        events.add(new Event(reply, null));
    }

    @Override
    public void onError(Throwable thrown) {
        events.add(new Event(null, thrown));
    }

    @Override
    public void onCompleted() {
        events.add(new Event(null, null));
    }
}
