package dev.stowage.service.client;

import dev.stowage.service.v1.WatchReply;
import dev.stowage.service.v1.WatchRequest;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One watching call, and where the next has to go on. */
final class Watch implements StreamObserver<WatchReply> {
    private final WatchRequest from;
    private final Consumer<WatchReply> each;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Long position;

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

    void join() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        Throwable thrown = failure;
        if (thrown != null) {
            throw new CompletionException(thrown);
        }
    }

    @Override
    public void onNext(WatchReply reply) {
        if (failure != null) {
            return;
        }
        try {
            each.accept(reply);
            position = reply.getPosition();
        } catch (RuntimeException e) {
            onError(e);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        failure = thrown;
        over.countDown();
    }

    @Override
    public void onCompleted() {
        over.countDown();
    }
}
