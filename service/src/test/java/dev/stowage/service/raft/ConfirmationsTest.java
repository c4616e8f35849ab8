package dev.stowage.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConfirmationsTest {
    private static final long LONG = TimeUnit.MINUTES.toMillis(10);

    private final Map<String, Long> terms = new ConcurrentHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile List<String> members = List.of("n1", "n2", "n3");
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private Confirmations confirmations = with(LONG, LONG);
    private volatile String slow = "";

    private Confirmations with(long limitMillis, long soonMillis) {
        return new Confirmations(
                new Confirmations.Group() {
                    @Override
                    public String self() {
                        return "n1";
                    }

                    @Override
                    public List<String> members() {
                        return members;
                    }

                    @Override
                    public long term() {
                        return 7;
                    }

                    @Override
                    public long term(String of) throws IOException {
                        questions.incrementAndGet();
                        try {
                            if (slow.isEmpty() || slow.equals(of)) {
                                answers.await();
                            }
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        Long term = terms.get(of);
                        if (term == null) {
                            throw new IOException(of + " cannot be reached");
                        }
                        return term;
                    }
                },
                limitMillis,
                soonMillis);
    }

    @AfterEach
    void close() {
        answers.countDown();
        confirmations.close();
    }

    @Test
    void aMajorityInNoLaterTermConfirms() throws Exception {
        terms.put("n2", 7L);
        confirmations.confirm().get(10, TimeUnit.MINUTES);
        terms.put("n2", 3L);
        terms.put("n3", 8L);
        confirmations.confirm().get(10, TimeUnit.MINUTES);
        members = List.of("n1");
        confirmations.confirm().get(10, TimeUnit.MINUTES);
    }

    @Test
    void aLaterTermOrNoMajorityDoesNot() {
        refuses(NotServedException.NO_LEADER);
        terms.put("n2", 8L);
        terms.put("n3", 8L);
        refuses(NotServedException.NO_LEADER);
        // One of four others, and this node, are no majority of five.
        members = List.of("n1", "n2", "n3", "n4", "n5");
        terms.put("n2", 7L);
        terms.remove("n3");
        refuses(NotServedException.NO_LEADER);
        members = List.of();
        refuses("takes no part");
    }

    private void refuses(String why) {
        assertThat(confirmations.confirm())
                .failsWithin(10, TimeUnit.MINUTES)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(NotServedException.class)
                .withMessageContaining(why);
    }

    /** An answer to a question from before may be from before a later leader. */
    @Test
    void onlyWhatIsAskedAfterwardsCounts() throws Exception {
        members = List.of("n1", "n2");
        terms.put("n2", 7L);
        answers = new CountDownLatch(1);
        CompletableFuture<Void> first = confirmations.confirm();
        CompletableFuture<Void> second = confirmations.confirm();
        CompletableFuture<Void> third = confirmations.confirm();
        answers.countDown();
        CompletableFuture.allOf(first, second, third).get(10, TimeUnit.MINUTES);
        // The second question is for all that began while the first was under way.
        assertThat(questions.get()).isBetween(1, 2);
        confirmations.confirm().get(10, TimeUnit.MINUTES);
        assertThat(questions.get()).isBetween(2, 3);
    }

    @Test
    void noMoreAreAskedThanAMajorityNeeds() throws Exception {
        members = List.of("n1", "n2", "n3", "n4", "n5");
        members.forEach(member -> terms.put(member, 7L));
        for (int reads = 1; reads <= 5; reads++) {
            confirmations.confirm().get(10, TimeUnit.MINUTES);
            assertThat(questions.get()).isEqualTo(2 * reads);
        }
    }

    /** One that cannot be reached makes one read ask the others, and is asked last from then on. */
    @Test
    void theOthersAreAskedWhenOneFails() throws Exception {
        terms.put("n3", 7L);
        confirmations.confirm().get(10, TimeUnit.MINUTES);
        assertThat(questions.get()).isEqualTo(2);
        for (int reads = 1; reads <= 5; reads++) {
            confirmations.confirm().get(10, TimeUnit.MINUTES);
            assertThat(questions.get()).isEqualTo(2 + reads);
        }
    }

    /** One that says nothing, as a stopped process does, is not waited for. */
    @Test
    void theOthersAreAskedWhenOneIsSlow() throws Exception {
        confirmations.close();
        confirmations = with(LONG, 1);
        members = List.of("n1", "n2", "n3", "n4", "n5");
        members.forEach(member -> terms.put(member, 7L));
        slow = "n2";
        answers = new CountDownLatch(1);
        for (int reads = 1; reads <= 5; reads++) {
            confirmations.confirm().get(10, TimeUnit.MINUTES);
        }
    }

    @Test
    void whoDoesNotAnswerIsNotWaitedForWithoutEnd() {
        confirmations.close();
        confirmations = with(1, 1);
        answers = new CountDownLatch(1);
        refuses(NotServedException.NO_LEADER);
        answers.countDown();
    }

    @Test
    void whatWaitsWhenItClosesIsRefused() {
        answers = new CountDownLatch(1);
        CompletableFuture<Void> waits = confirmations.confirm();
        confirmations.close();
        assertThat(waits)
                .failsWithin(10, TimeUnit.MINUTES)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("shutting down");
    }
}
