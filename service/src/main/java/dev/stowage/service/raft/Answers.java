package dev.stowage.service.raft;

import dev.stowage.service.state.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The callers in this process that wait for batches. */
final class Answers {
    private final Map<Long, List<CompletableFuture<Outcome>>> waiting = new ConcurrentHashMap<>();

    void expect(long sequence, List<CompletableFuture<Outcome>> futures) {
        waiting.put(sequence, futures);
    }

    /** The batch was applied; no outcomes if the state is halted. */
    void applied(long sequence, List<Outcome> outcomes) {
        List<CompletableFuture<Outcome>> futures = waiting.remove(sequence);
        if (futures == null) {
            return;
        }
        for (int i = 0; i < futures.size(); i++) {
            if (i < outcomes.size()) {
                futures.get(i).complete(outcomes.get(i));
            } else {
                futures.get(i)
                        .completeExceptionally(new NotServedException(
                                NotServedException.Kind.UNAVAILABLE, null, "this node has stopped serving"));
            }
        }
    }

    /** It is unknown whether the batch will be applied. */
    void failed(long sequence, NotServedException why) {
        List<CompletableFuture<Outcome>> futures = waiting.remove(sequence);
        if (futures != null) {
            futures.forEach(future -> future.completeExceptionally(why));
        }
    }

    void failAll(NotServedException why) {
        waiting.keySet().forEach(sequence -> failed(sequence, why));
    }
}
