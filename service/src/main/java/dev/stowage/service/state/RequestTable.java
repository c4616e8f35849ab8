package dev.stowage.service.state;

import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** In the system, in order of arrival. */
    private final Map<Key, Request> byKey = new LinkedHashMap<>();

    private FinishedRequests finished = new FinishedRequests();
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
        Request request = byKey.get(new Key(tenant, id));
        return request != null ? request : finished.find(tenant, id);
    }

    @Nullable
    Request ofJob(int job) {
        return job < byJob.length ? byJob[job] : null;
    }

    /** Those in the system, in order of arrival. */
    Collection<Request> inSystem() {
        return Collections.unmodifiableCollection(byKey.values());
    }

    /** See {@link World#page}. */
    List<Request> page(String tenant, Request.@Nullable State state, long from, int size) {
        List<Request> over = state != null && !state.finished() ? List.of() : finished.page(tenant, state, from, size);
        Stream<Request> present = byKey.values().stream()
                .filter(request -> request.number() >= from
                        && request.tenant().equals(tenant)
                        && (state == null || request.state() == state))
                .limit(size);
        return Stream.concat(present, over.stream())
                .sorted(Comparator.comparingLong(Request::number))
                .limit(size)
                .toList();
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

    /** A restored request that is in the system. */
    void restore(int job, Request request) {
        unconfirmed += request.unconfirmed() == null ? 0 : 1;
        running += runs(request);
        add(job, request);
    }

    void restoreFinished(FinishedRequests saved) {
        finished = saved;
    }

    void restoreDigest(long saved) {
        digest = saved;
    }

    void update(int job, Request request) {
        Key key = Key.of(request);
        Request before = request.state().finished() ? byKey.remove(key) : byKey.put(key, request);
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
        finished.forget(before);
    }

    private void attach(int job, Request request) {
        if (job >= byJob.length) {
            byJob = Arrays.copyOf(byJob, Math.max(job + 1, 2 * byJob.length));
        }
        byJob[job] = request;
        jobs = Math.max(jobs, job + 1);
    }

    /** Those in the system as they are now, in order of arrival when asked for. Now only an array is copied. */
    Supplier<Request[]> copyInSystem() {
        @Nullable Request[] now = Arrays.copyOf(byJob, jobs);
        return () -> Arrays.stream(now)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(Request::number))
                .toArray(Request[]::new);
    }

    FinishedRequests.Copy copyFinished() {
        return finished.copy();
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
