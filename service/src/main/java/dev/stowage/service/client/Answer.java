package dev.stowage.service.client;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/** The answer of a call as a future. */
final class Answer<R> extends CompletableFuture<R> implements StreamObserver<R> {
    @Override
    public void onNext(R reply) {
        complete(reply);
    }

    @Override
    public void onError(Throwable thrown) {
        completeExceptionally(thrown);
    }

    @Override
    public void onCompleted() {}
}
