package dev.stowage.service.api;

import dev.stowage.service.v1.WatchReply;
import io.grpc.stub.ServerCallStreamObserver;

/** A gRPC stream. */
final class GrpcOutlet implements WatchOutlet {
    private final ServerCallStreamObserver<WatchReply> observer;

    private volatile Runnable whenReady = () -> {};
    private volatile Runnable whenCancelled = () -> {};

    /** Must be created by the thread that began the call: gRPC accepts handlers from no other. */
    GrpcOutlet(ServerCallStreamObserver<WatchReply> observer) {
        this.observer = observer;
        observer.setOnReadyHandler(() -> whenReady.run());
        observer.setOnCancelHandler(() -> whenCancelled.run());
    }

    @Override
    public void begin(Runnable ready, Runnable cancelled) {
        whenReady = ready;
        whenCancelled = cancelled;
        if (observer.isCancelled()) {
            cancelled.run();
        }
    }

    @Override
    public boolean ready() {
        return observer.isReady();
    }

    @Override
    public void send(SharedReplies.Shared reply) {
        observer.onNext(reply.reply());
    }

    @Override
    public void fail(Failure failure) {
        observer.onError(failure.toGrpc());
    }
}
