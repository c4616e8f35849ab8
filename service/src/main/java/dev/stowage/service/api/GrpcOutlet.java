package dev.stowage.service.api;

import dev.stowage.service.v1.WatchReply;
import io.grpc.stub.ServerCallStreamObserver;

/** A gRPC stream. */
final class GrpcOutlet implements WatchOutlet {
    private final ServerCallStreamObserver<WatchReply> observer;

    GrpcOutlet(ServerCallStreamObserver<WatchReply> observer) {
        this.observer = observer;
    }

    @Override
    public void begin(Runnable ready, Runnable cancelled) {
        observer.setOnCancelHandler(cancelled);
        observer.setOnReadyHandler(ready);
    }

    @Override
    public boolean ready() {
        return observer.isReady();
    }

    @Override
    public void send(WatchReply reply) {
        observer.onNext(reply);
    }

    @Override
    public void fail(Failure failure) {
        observer.onError(failure.toGrpc());
    }
}
