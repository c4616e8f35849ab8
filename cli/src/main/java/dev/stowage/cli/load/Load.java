package dev.stowage.cli.load;

import dev.stowage.cli.live.ClientOptions;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.StatusLine;
import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.ReleaseBatchRequest;
import dev.stowage.service.v1.ReleaseRequest;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.SubmitBatchItem;
import dev.stowage.service.v1.SubmitBatchRequest;
import dev.stowage.service.v1.SubmitReply;
import dev.stowage.service.v1.SubmitRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@code stowage load}: one thread sends what is due; answers come back on the client's threads. A request
 * that is due while too many calls are outstanding waits here, and its latency counts from when it was due.
 */
final class Load {
    private static final long NAP_NANOS = 500_000;
    private static final long PROGRESS_NANOS = 1_000_000_000L;

    /** A submission that is due or under way. */
    private record Submission(SubmitRequest request, long due, long hold) {}

    /** A release that is due. */
    private record Departure(String id, long due) {}

    private final LoadCommand options;
    private final LoadSource source;
    private final Console console;
    private final GeneratorReport report = new GeneratorReport();
    private final Semaphore room;
    private final long linger;
    private final String prefix;
    private final ConcurrentLinkedQueue<Departure> accepted = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Departure> departures = new PriorityQueue<>(Comparator.comparingLong(Departure::due));
    private final List<Submission> submitting = new ArrayList<>();
    private final List<Departure> releasing = new ArrayList<>();
    private long number;

    Load(LoadCommand options, LoadSource source, Console console) {
        this.options = options;
        this.source = source;
        this.console = console;
        room = new Semaphore(options.outstanding);
        linger = ClientOptions.nanos("--linger", options.linger);
        prefix = options.prefix == null
                ? "load-" + Long.toString(ThreadLocalRandom.current().nextLong() >>> 24, 36) + "-"
                : options.prefix;
    }

    void run() {
        long length = ClientOptions.nanos("--duration", options.duration);
        try (StowageClient client = options.client.client()) {
            Status status = ClientOptions.answer(client.status());
            if (!status.getReady()) {
                console.note("stowage: the node asked first is not ready yet; retrying until a node is ready");
            }
            long begun = System.nanoTime();
            long start = begun + ClientOptions.nanos("--warm-up", options.warmUp);
            report.measureFrom(start);
            drive(client, begun, start + length);
            report.sent(System.nanoTime() - start);
            room.acquireUninterruptibly(options.outstanding);
            room.release(options.outstanding);
            report.answered(System.nanoTime() - start);
            if (!options.keep) {
                releaseRest(client);
            }
        }
        console.out().print(options.json.asked() ? report.json(options) : report.table(options, console));
    }

    private void drive(StowageClient client, long start, long end) {
        Submission next = next(start);
        long told = start;
        StatusLine line = new StatusLine(console);
        while (true) {
            long now = System.nanoTime();
            boolean over = now >= end || next == null;
            if (over && submitting.isEmpty()) {
                line.clear();
                return;
            }
            while (next != null && !over && next.due() <= now && submitting.size() < options.batch) {
                submitting.add(next);
                next = next(start);
            }
            takeAccepted();
            takeDepartures(now, false);
            if (!send(client, now, over)) {
                LockSupport.parkNanos(NAP_NANOS);
            }
            if (now - told >= PROGRESS_NANOS) {
                told = now;
                line.progress(report.progress(now));
            }
        }
    }

    private @Nullable Submission next(long start) {
        LoadSource.Item item = number < options.count ? source.next() : null;
        if (item == null) {
            return null;
        }
        SubmitRequest request = SubmitRequest.newBuilder()
                .setTenant(options.client.tenant)
                .setRequestId(prefix + number++)
                .putAllDemand(item.demand())
                .build();
        return new Submission(request, start + item.dueNanos(), item.holdNanos());
    }

    /** Sends one call, if one is due and there is room for it; the one that has been due for longest goes first. */
    private boolean send(StowageClient client, long now, boolean over) {
        boolean submit = !submitting.isEmpty()
                && (over || ripe(submitting.size(), submitting.get(0).due(), now));
        boolean release =
                !releasing.isEmpty() && ripe(releasing.size(), releasing.get(0).due(), now);
        if (submit && (!release || submitting.get(0).due() <= releasing.get(0).due())) {
            return submit(client);
        }
        return release && release(client, false);
    }

    /** Whether a batch is full, or has waited long enough for more requests. */
    private boolean ripe(int size, long due, long now) {
        return size == options.batch || now - due >= linger;
    }

    private boolean submit(StowageClient client) {
        int permits = Math.min(submitting.size(), options.outstanding);
        if (!room.tryAcquire(permits)) {
            return false;
        }
        List<Submission> batch = List.copyOf(submitting);
        submitting.clear();
        CompletableFuture<?> unused = call(client, batch).whenComplete((items, thrown) -> {
            long at = System.nanoTime();
            for (int i = 0; i < batch.size(); i++) {
                Submission one = batch.get(i);
                if (thrown != null) {
                    report.failed(Reasons.reason(thrown));
                } else if (items.get(i).hasProblem()) {
                    report.failed(items.get(i).getProblem().getReason());
                } else {
                    SubmitReply reply = items.get(i).getReply();
                    report.submitted(one.due(), at, reply.getRequest().getState());
                    accepted(one, reply, at);
                }
            }
            room.release(permits);
        });
        return true;
    }

    private static CompletableFuture<List<SubmitBatchItem>> call(StowageClient client, List<Submission> batch) {
        if (batch.size() == 1) {
            return client.submit(batch.get(0).request())
                    .thenApply(reply ->
                            List.of(SubmitBatchItem.newBuilder().setReply(reply).build()));
        }
        SubmitBatchRequest.Builder request = SubmitBatchRequest.newBuilder();
        batch.forEach(one -> request.addRequests(one.request()));
        return client.submit(request.build()).thenApply(reply -> reply.getItemsList());
    }

    private void accepted(Submission submission, SubmitReply reply, long at) {
        boolean there = switch (reply.getRequest().getState()) {
            case RUNNING, WAITING -> true;
            default -> false;
        };
        if (there) {
            long due = submission.hold() > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : at + submission.hold();
            accepted.add(new Departure(submission.request().getRequestId(), due));
        }
    }

    private void takeAccepted() {
        for (Departure one = accepted.poll(); one != null; one = accepted.poll()) {
            departures.add(one);
        }
    }

    private void takeDepartures(long now, boolean all) {
        for (Departure first = departures.peek();
                first != null && (all || first.due() <= now) && releasing.size() < options.batch;
                first = departures.peek()) {
            releasing.add(departures.remove());
        }
    }

    /**
     * Sends the collected releases, if there is room for them.
     *
     * @param rest those at the end, which are not measured
     */
    private boolean release(StowageClient client, boolean rest) {
        int permits = Math.min(releasing.size(), options.outstanding);
        if (!room.tryAcquire(permits)) {
            return false;
        }
        List<Departure> batch = List.copyOf(releasing);
        releasing.clear();
        ReleaseBatchRequest.Builder request = ReleaseBatchRequest.newBuilder();
        batch.forEach(one -> request.addRequests(
                ReleaseRequest.newBuilder().setTenant(options.client.tenant).setRequestId(one.id())));
        CompletableFuture<?> unused = (batch.size() == 1
                        ? client.release(request.getRequests(0)).thenApply(done -> 0)
                        : client.release(request.build()).thenApply(done -> 0))
                .whenComplete((done, thrown) -> {
                    long at = System.nanoTime();
                    for (Departure one : batch) {
                        report.released(thrown);
                        if (thrown == null && !rest) {
                            report.releaseTook(one.due(), at);
                        }
                    }
                    room.release(permits);
                });
        return true;
    }

    private void releaseRest(StowageClient client) {
        takeAccepted();
        while (!departures.isEmpty() || !releasing.isEmpty()) {
            takeDepartures(System.nanoTime(), true);
            if (!release(client, true)) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        room.acquireUninterruptibly(options.outstanding);
    }
}
