package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every request that is in the system, and those finished not long ago, so that a client that asks again is answered. In order
 * of arrival. O(1) for everything but going through all.
 */
final class RequestTable {
    /** What names a request. */
    record Key(String tenant, String id) {
        static Key of(Request request) {
            return new Key(request.tenant(), request.id());
        }
    }

    private final Map<Key, Request> byKey = new LinkedHashMap<>();
    /** In order of the time they finished, which is the order in which they are forgotten. */
    private final ArrayDeque<Request> finished = new ArrayDeque<>();
    /** By the engine's handle; null where the handle is none of a request. */
    private @Nullable Request[] byJob = new Request[1024];

    /** Handles in use are below this. */
    private int jobs;

    /** Of tenants with something in the system. */
    private final Map<String, Use> uses = new TreeMap<>();

    private int live;
    private int running;
    private int unconfirmed;
    private long digest;

    @Nullable
    Request find(String tenant, String id) {
        return byKey.get(new Key(tenant, id));
    }

    @Nullable
    Request ofJob(int job) {
        return job < byJob.length ? byJob[job] : null;
    }

    Collection<Request> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }

    /** Requests in the system. */
    int live() {
        return live;
    }

    /** Requests on a server. */
    int running() {
        return running;
    }

    /** Requests with a change that is not confirmed. */
    int unconfirmed() {
        return unconfirmed;
    }

    long digest() {
        return digest;
    }

    void add(int job, Request request) {
        byKey.put(Key.of(request), request);
        attach(job, request);
        begun(request);
    }

    private void begun(Request request) {
        live++;
        uses.computeIfAbsent(request.tenant(), tenant -> new Use(request.demand().length))
                .change(request.demand(), 1);
    }

    private void ended(Request request) {
        live--;
        Use use = uses.get(request.tenant());
        if (use == null) {
            throw new IllegalStateException("tenant " + request.tenant() + " had nothing in the system");
        }
        use.change(request.demand(), -1);
        if (use.requests() == 0) {
            uses.remove(request.tenant());
        }
    }

    /** What a tenant has in the system, or null if nothing. */
    @Nullable
    Use use(String tenant) {
        return uses.get(tenant);
    }

    /** A restored request. */
    void restore(int job, Request request) {
        unconfirmed += request.unconfirmed() == null ? 0 : 1;
        running += runs(request);
        byKey.put(Key.of(request), request);
        if (request.state().finished()) {
            finished.add(request);
        } else {
            attach(job, request);
            begun(request);
        }
    }

    /** Finished requests are restored in order of arrival but forgotten in order of end. */
    void sortFinished() {
        Request[] sorted = finished.toArray(Request[]::new);
        Arrays.sort(sorted, Comparator.comparingLong(Request::since).thenComparingLong(Request::number));
        finished.clear();
        finished.addAll(Arrays.asList(sorted));
    }

    void restoreDigest(long saved) {
        digest = saved;
    }

    void update(int job, Request request) {
        Request before = byKey.put(Key.of(request), request);
        unconfirmed +=
                (request.unconfirmed() == null ? 0 : 1) - (before == null || before.unconfirmed() == null ? 0 : 1);
        running += runs(request) - (before == null ? 0 : runs(before));
        if (request.state().finished()) {
            byJob[job] = null;
            finished.add(request);
            ended(request);
        } else {
            byJob[job] = request;
        }
        note(request);
    }

    private static int runs(Request request) {
        return request.state() == Request.State.RUNNING ? 1 : 0;
    }

    /** Forgets what finished before a time. */
    void forget(long before) {
        for (Request first = finished.peek(); first != null && first.since() < before; first = finished.peek()) {
            finished.remove();
            byKey.remove(Key.of(first));
        }
    }

    private void attach(int job, Request request) {
        if (job >= byJob.length) {
            byJob = Arrays.copyOf(byJob, Math.max(job + 1, 2 * byJob.length));
        }
        byJob[job] = request;
        jobs = Math.max(jobs, job + 1);
    }

    /**
     * All requests as they are now, in order of arrival when asked for. Now only two arrays are copied: to go through the table would
     * take ten times as long.
     */
    Supplier<Request[]> copy() {
        @Nullable Request[] inSystem = Arrays.copyOf(byJob, jobs);
        Request[] over = finished.toArray(Request[]::new);
        return () -> Stream.concat(Arrays.stream(inSystem).filter(Objects::nonNull), Arrays.stream(over))
                .sorted(Comparator.comparingLong(Request::number))
                .toArray(Request[]::new);
    }

    private void note(Request request) {
        long what = request.number() * 31 + request.state().ordinal();
        digest = KeyedRandom.mix(digest ^ request.since()) ^ KeyedRandom.mix(what * 31 + request.server());
        Adjustment adjustment = request.adjustment();
        if (adjustment != null) {
            long decided =
                    adjustment.position() * 4 + adjustment.kind().ordinal() * 2L + (adjustment.confirmed() ? 1 : 0);
            digest = KeyedRandom.mix(digest ^ decided) + KeyedRandom.mix(adjustment.allocation());
        }
    }
}
