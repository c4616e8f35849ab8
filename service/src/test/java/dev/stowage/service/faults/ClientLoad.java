package dev.stowage.service.faults;

import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.simulation.RequestHistory;
import dev.stowage.service.simulation.RequestHistory.Call;
import dev.stowage.service.simulation.RequestHistory.State;
import dev.stowage.service.v1.GetRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.SubmitRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Clients that submit, release and read the same requests at the same time, and note what they were told. From before a
 * {@link #fault} until there is {@link #progress} again each calls without a pause; otherwise it thinks between two
 * calls, so that nodes that start find a processor.
 */
final class ClientLoad implements AutoCloseable {
    /** Milliseconds between two calls of a client while nothing is waited for, at most. */
    private static final int THINKING = 300;
    /** Calls until there is progress. */
    private static final int PROGRESS = 60;
    /** Threads that ask for all requests in the end: a read waits for a majority, not for a processor. */
    private static final int READERS = 32;

    private final StowageClient client;
    private final String prefix;
    private final Map<String, RequestHistory> histories = new ConcurrentHashMap<>();
    /** What was told of the number of a request: it must never be another. */
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger newest = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    /** Sequence numbers of the calls that are under way. */
    private final Set<Long> underWay = new TreeSet<>();

    private long newestCall;
    private int faults;
    /** Calls that were under way when a fault had happened. */
    private int overFaults;
    /** Faults before which one of those had begun. */
    private int begunBefore;

    private volatile @Nullable Throwable failure;
    private volatile boolean ending;
    private volatile boolean hurried;

    ClientLoad(StowageClient client, String prefix, int clients, long seed) {
        this.client = client;
        this.prefix = prefix;
        for (int i = 0; i < clients; i++) {
            Random random = new Random(seed + i);
            Thread thread = new Thread(() -> run(random), prefix + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    int answered() {
        return answered.get();
    }

    private void run(Random random) {
        try {
            while (!ending) {
                think(random.nextInt(1, THINKING));
                int what = random.nextInt(100);
                if (what < 40) {
                    call(Call.SUBMIT, prefix + newest.incrementAndGet());
                } else {
                    String id = prefix + Math.max(1, newest.get() - random.nextInt(12));
                    call(what < 50 ? Call.SUBMIT : what < 75 ? Call.RELEASE : Call.GET, id);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private synchronized void think(long millis) throws InterruptedException {
        long until = System.nanoTime() + 1_000_000 * millis;
        while (!hurried && !ending && System.nanoTime() < until) {
            wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        }
    }

    private synchronized void hurry() {
        hurried = true;
        notifyAll();
    }

    private void call(Call call, String id) throws InterruptedException {
        RequestHistory history = histories.computeIfAbsent(id, key -> new RequestHistory(false));
        synchronized (history) {
            if (history.size() + 3 * threads.size() > RequestHistory.MOST_CALLS) {
                return;
            }
        }
        long number = begin();
        long invoked = System.nanoTime();
        State told = told(call, id);
        long replied = System.nanoTime();
        end(number);
        answered.incrementAndGet();
        synchronized (history) {
            // The client repeats by itself: what it was told is of the last try, and an earlier one may have happened
            // too.
            history.addUnanswered(call, invoked);
            history.add(call, told, invoked, replied);
        }
    }

    private synchronized long begin() {
        newestCall++;
        underWay.add(newestCall);
        return newestCall;
    }

    private synchronized void end(long number) {
        underWay.remove(number);
    }

    private synchronized Set<Long> underWay() {
        return Set.copyOf(underWay);
    }

    private State told(Call call, String id) throws InterruptedException {
        try {
            Request request = switch (call) {
                case SUBMIT ->
                    client.submit(SubmitRequest.newBuilder()
                                    .setRequestId(id)
                                    .setType("small")
                                    .build())
                            .get()
                            .getRequest();
                case RELEASE ->
                    client.release(ReleaseRequest.newBuilder().setRequestId(id).build())
                            .get();
                case GET ->
                    client.get(GetRequest.newBuilder().setRequestId(id).build()).get();
            };
            Long before = numbers.putIfAbsent(id, request.getNumber());
            if (before != null && before != request.getNumber()) {
                throw new AssertionError(
                        id + " is number " + before + " and " + request.getNumber() + ": it was accepted twice");
            }
            return state(request);
        } catch (ExecutionException e) {
            if (Reasons.reason(e.getCause()).contains("NOT_FOUND")
                    || Reasons.reason(e.getCause()).contains("UNKNOWN_ID")) {
                return State.ABSENT;
            }
            throw new AssertionError(call + " " + id + " failed for good: " + e.getCause());
        }
    }

    static State state(Request request) {
        return switch (request.getState()) {
            case WAITING, RUNNING -> State.LIVE;
            default -> State.FINISHED;
        };
    }

    /** Throws what ended a client, if something did. */
    void checkClients() {
        Throwable broken = failure;
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
    }

    /** Ends the clients, reads every request once more, and looks for an order of all they were told. */
    void check() throws InterruptedException {
        synchronized (this) {
            ending = true;
            notifyAll();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        checkClients();
        List<Callable<Void>> checks = new ArrayList<>();
        histories.forEach((id, history) -> checks.add(() -> {
            check(id, history);
            return null;
        }));
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try {
            for (Future<Void> check : readers.invokeAll(checks)) {
                check.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(String.valueOf(e.getCause().getMessage()), e.getCause());
        } finally {
            readers.shutdownNow();
        }
    }

    private void check(String id, RequestHistory history) throws InterruptedException {
        long invoked = System.nanoTime();
        history.add(Call.GET, told(Call.GET, id), invoked, System.nanoTime());
        if (!history.isLinearizable()) {
            throw new AssertionError("what clients were told about " + id + " has no order:" + history);
        }
    }

    /** What happens to nodes. */
    interface Fault {
        void happen() throws Exception;
    }

    /**
     * Lets something happen to nodes while at least half of the clients wait for an answer. At least one call must be
     * under way when it has happened, and so ends after it. That need not be one of those from before: a node takes
     * seconds to end, and where a follower is killed the others answer meanwhile. How often it is one is counted.
     */
    void fault(Fault fault) throws Exception {
        hurry();
        Set<Long> before = underWay();
        while (before.size() < threads.size() / 2) {
            checkClients();
            Thread.sleep(1);
            before = underWay();
        }
        fault.happen();
        Set<Long> after = underWay();
        faults++;
        if (after.isEmpty()) {
            checkClients();
            throw new AssertionError("no call was under way when fault " + faults + " had happened: it shows nothing");
        }
        overFaults += after.size();
        begunBefore += Collections.disjoint(before, after) ? 0 : 1;
    }

    /** How many calls were answered, and how many of them were under way at faults. */
    @Override
    public String toString() {
        return answered + " calls about " + histories.size() + " requests answered, " + overFaults
                + " of them under way when one of " + faults + " faults had happened, at " + begunBefore
                + " of those also one from before";
    }

    /** Waits until sixty more calls are answered. */
    void progress() throws InterruptedException {
        hurry();
        int before = answered();
        while (answered() < before + PROGRESS) {
            checkClients();
            Thread.sleep(10);
        }
        hurried = false;
    }

    int requests() {
        return histories.size();
    }

    @Override
    public void close() {
        ending = true;
        client.close();
    }
}
