package dev.stowage.service.state;

import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.random.KeyedRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Every request that is in the system, and those finished not long ago, so that a client that asks again is answered;
 * with an order by tenant, in which {@link Listing} goes through them as of an earlier position. O(log n) for a change,
 * O(1) to find.
 */
final class RequestTable {
    /** The engine's handles of those in the system, by tenant and id. */
    private final RecordIndex byName = new RecordIndex(job -> tracked((int) job).hash);

    private final Versions versions;
    /** Of each tenant, those in the system, and those of which an older version is known. */
    private final TreeMap<String, Numbered> byTenant = new TreeMap<>();

    private FinishedRequests finished = new FinishedRequests();
    /** By the engine's handle; null where the handle is none of a request. */
    private @Nullable Request[] byJob = new Request[1024];
    /** The same, with what is known of them. */
    private @Nullable Tracked[] trackedByJob = new Tracked[1024];

    /** Handles in use are below this. */
    private int jobs;

    /** Of tenants with something in the system. */
    private final TreeMap<String, Use> uses = new TreeMap<>();

    /** Those that wait, by their handles, in the order of the times since which they do. */
    private final DeadlineHeap waiting = new DeadlineHeap();

    private int live;
    private int running;
    private int unconfirmed;
    /** The same by the servers that the changes are about. */
    private final Map<Integer, Integer> unconfirmedOn = new TreeMap<>();

    private long digest;

    /**
     * Without requests.
     *
     * @param changes how many of the last changes are known
     */
    RequestTable(int changes) {
        versions = new Versions(changes, this::forgotten);
    }

    @Nullable
    Request find(String tenant, String id) {
        long hash = Hash.ofName(tenant, id);
        long job = byName.find(hash, at -> {
            Tracked tracked = tracked((int) at);
            return tracked.hash == hash
                    && tracked.now.id().equals(id)
                    && tracked.now.tenant().equals(tenant);
        });
        return job >= 0 ? byJob[(int) job] : finished.find(hash, tenant, id);
    }

    private Tracked tracked(int job) {
        return Objects.requireNonNull(trackedByJob[job]);
    }

    @Nullable
    Request ofJob(int job) {
        return job < byJob.length ? byJob[job] : null;
    }

    /** Those in the system, in order of arrival. O(n log n). */
    List<Request> inSystem() {
        return List.of(copyInSystem().get());
    }

    Versions versions() {
        return versions;
    }

    /** Those of a tenant that are in the system or were, or null if there are none. */
    @Nullable
    Numbered ofTenant(String tenant) {
        return byTenant.get(tenant);
    }

    /** The first tenant from this one on that has something there, or null. */
    @Nullable
    String tenantFrom(String tenant) {
        return byTenant.ceilingKey(tenant);
    }

    /** Whether another tenant than this has requests in the system, or finished ones that are known. */
    boolean hasTenantBeside(String tenant) {
        return uses.size() > (uses.containsKey(tenant) ? 1 : 0) || finished.hasTenantBeside(tenant);
    }

    /** With a handle of the engine, or null if it is none of a request. */
    @Nullable
    Tracked trackedOfJob(int job) {
        return job < trackedByJob.length ? trackedByJob[job] : null;
    }

    /** Handles of the engine that have been in use are below this. */
    int jobs() {
        return jobs;
    }

    /**
     * Tells which requests are on a server, by their handles from one on.
     *
     * @param most how many handles are looked at
     * @return the handle to go on with
     */
    int onServer(int server, int from, int most, Consumer<Tracked> consumer) {
        int until = Math.min(jobs, from + most);
        for (int job = from; job < until; job++) {
            Request request = byJob[job];
            if (request != null && request.server() == server) {
                consumer.accept(tracked(job));
            }
        }
        return until;
    }

    /** The same for the requests in the system whose place another one took. */
    int displacedBy(long number, int from, int most, Consumer<Request> consumer) {
        int until = Math.min(jobs, from + most);
        for (int job = from; job < until; job++) {
            Request request = byJob[job];
            Displacement displaced = request == null ? null : request.displaced();
            if (displaced != null && displaced.by() == number) {
                consumer.accept(request);
            }
        }
        return until;
    }

    /** What became of a request that is known. O(log n + its changes). */
    KnownHistory history(Request request) {
        Tracked tracked = tracked(request.tenant(), request.number());
        return tracked == null ? new KnownHistory(List.of(request), false) : versions.history(tracked);
    }

    /** A tenant's request that is in the system, or of which an older version is known; or null. O(log n). */
    @Nullable
    Tracked tracked(String tenant, long number) {
        Numbered all = ofTenant(tenant);
        @Nullable Tracked[] found = new Tracked[1];
        if (all != null) {
            all.after(number - 1, tracked -> {
                found[0] = tracked.number == number ? tracked : null;
                return false;
            });
        }
        return found[0];
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

    /** The same about a server, of a migration both. */
    int unconfirmed(int server) {
        return unconfirmedOn.getOrDefault(server, 0);
    }

    private void countUnconfirmed(Request request, int sign) {
        Adjustment change = request.unconfirmed();
        if (change != null) {
            unconfirmed += sign;
            IntStream.of(change.from(), change.to())
                    .distinct()
                    .forEach(server -> unconfirmedOn.merge(
                            server, sign, (before, more) -> before + more == 0 ? null : before + more));
        }
    }

    /** Since when the request waits that has waited longest, or {@link DeadlineHeap#NEVER} if none waits. */
    long waitingSince() {
        return waiting.firstDeadline();
    }

    private void noteWait(int job, Request request) {
        if (request.state() == Request.State.WAITING) {
            waiting.put(job, request.since(), request.number());
        } else if (waiting.contains(job)) {
            waiting.remove(job);
        }
    }

    long digest() {
        return digest;
    }

    void add(int job, Request request) {
        versions.note(track(job, request), null, request.position(), false);
    }

    private Tracked track(int job, Request request) {
        Tracked tracked = new Tracked(request);
        byTenant.computeIfAbsent(request.tenant(), tenant -> new Numbered()).add(tracked);
        attach(job, request, tracked);
        byName.add(tracked.hash, job);
        noteWait(job, request);
        begun(request);
        return tracked;
    }

    /** What is forgotten needs no place in the order either. */
    private void forgotten(Tracked ended) {
        String tenant = ended.now.tenant();
        Numbered all = byTenant.get(tenant);
        if (all != null) {
            all.remove(ended);
            if (all.size() == 0) {
                byTenant.remove(tenant);
            }
        }
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

    /** The first tenant from this one on that has something in the system, or null. */
    @Nullable
    String userFrom(String tenant) {
        return uses.ceilingKey(tenant);
    }

    /** What a tenant has in the system, or null if nothing. */
    @Nullable
    Use use(String tenant) {
        return uses.get(tenant);
    }

    /** A restored request that is in the system. */
    void restore(int job, Request request) {
        countUnconfirmed(request, 1);
        running += runs(request);
        track(job, request);
    }

    /** Of the requests that were restored no older version is known. */
    void begin(long position) {
        versions.begin(position);
    }

    void restoreFinished(FinishedRequests saved) {
        finished = saved;
    }

    void restoreDigest(long saved) {
        digest = saved;
    }

    /**
     * Replaces a request that changed.
     *
     * @param at the time that goes into the digest
     */
    void update(int job, Request request, long at) {
        boolean over = request.state().finished();
        Tracked tracked = tracked(job);
        Request before = tracked.now;
        versions.note(tracked, before, request.position(), over);
        tracked.now = request;
        countUnconfirmed(before, -1);
        countUnconfirmed(request, 1);
        running += runs(request) - runs(before);
        noteWait(job, request);
        if (over) {
            byName.remove(tracked.hash, job);
            byJob[job] = null;
            trackedByJob[job] = null;
            finished.add(tracked.hash, request);
            ended(request);
        } else {
            byJob[job] = request;
        }
        note(request, at);
    }

    private static int runs(Request request) {
        return request.state() == Request.State.RUNNING ? 1 : 0;
    }

    /** Forgets what finished too long ago. */
    void forget(Retention keep, long now) {
        finished.forget(keep.oldest(now), 0);
        finished.forget(keep.spared(now), keep.bytes());
    }

    /** Bytes of the finished requests that are known. */
    long finishedBytes() {
        return finished.bytes();
    }

    /** How many finished requests are known. */
    int finishedCount() {
        return finished.size();
    }

    private void attach(int job, Request request, Tracked tracked) {
        if (job >= byJob.length) {
            int room = Math.max(job + 1, 2 * byJob.length);
            byJob = Arrays.copyOf(byJob, room);
            trackedByJob = Arrays.copyOf(trackedByJob, room);
        }
        byJob[job] = request;
        trackedByJob[job] = tracked;
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

    private void noteLife(Life life) {
        if (!life.equals(Life.NONE)) {
            long told = (life.attempt() * 4L + Codes.PHASE.of(life.phase())) * 31 + life.failures();
            digest = KeyedRandom.mix(digest ^ told) + life.priority();
            digest = life.expectedNanos() == 0 ? digest : KeyedRandom.mix(digest + life.expectedNanos());
        }
    }

    private void note(Request request, long at) {
        long what = request.number() * 31 + Codes.STATE.of(request.state());
        digest = KeyedRandom.mix(digest ^ at) ^ KeyedRandom.mix(what * 31 + request.server());
        noteLife(request.life());
        Adjustment adjustment = request.adjustment();
        if (adjustment != null) {
            long decided = adjustment.position() * 4
                    + Codes.ADJUSTMENT.of(adjustment.kind()) * 2L
                    + (adjustment.confirmed() ? 1 : 0);
            digest = KeyedRandom.mix(digest ^ decided) + KeyedRandom.mix(adjustment.allocation());
        }
    }
}
