package dev.stowage.study.advise;

import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which jobs came and went in a recording, by what they ask for: listens to its replay. Who is adopted before anybody
 * arrives or leaves was there at the start.
 */
public final class RecordedChanges extends EngineListener {
    private final Map<SortedMap<String, Long>, Kind> kinds = new LinkedHashMap<>();
    private final Map<Integer, Job> jobs = new HashMap<>();
    /** Ids of those that left while they waited; who comes again with one of these is the same job. */
    private final Set<Long> gaveUp = new HashSet<>();

    /** Ids of those that fit no server, even an empty one. */
    private final Set<Long> fitNone = new HashSet<>();

    private boolean begun;

    /** Jobs that ask for the same. */
    public static final class Kind {
        private final SortedMap<String, Long> demand;
        private int before;
        private int stayed;
        private int came;
        private int left;
        private double nanosRun;

        private Kind(SortedMap<String, Long> demand) {
            this.demand = demand;
        }

        /** Amounts by resource, those of 0 left out. */
        public SortedMap<String, Long> demand() {
            return demand;
        }

        /** How many were there at the start. */
        public int before() {
            return before;
        }

        /** How many of these have not left. */
        public int stayed() {
            return stayed;
        }

        /** How many arrived. */
        public int came() {
            return came;
        }

        /** How many ended while they ran. */
        public int left() {
            return left;
        }

        /** Time that all of them ran, together, to the end of the recording; nanoseconds. */
        public double nanosRun() {
            return nanosRun;
        }

        /** Whether some came or went. */
        public boolean moves() {
            return came > 0 || stayed < before;
        }
    }

    private static final class Job {
        final Kind kind;
        boolean wasThere;
        int server = View.NONE;
        long since;

        Job(Kind kind) {
            this.kind = kind;
        }

        /** Counts the time that it ran until now. */
        void stops(long now) {
            if (server != View.NONE) {
                kind.nanosRun += now - since;
                server = View.NONE;
            }
        }

        void runs(long now, int on) {
            stops(now);
            server = on;
            since = now;
        }
    }

    private Job job(int job) {
        return Objects.requireNonNull(jobs.get(job), "the arrival of this job was not recorded");
    }

    @Override
    public void arrived(long now, int job) {
        View v = view();
        SortedMap<String, Long> demand = new TreeMap<>();
        for (int r = 0; r < v.resources(); r++) {
            if (v.demand(job, r) > 0) {
                demand.put(v.resourceName(r), v.demand(job, r));
            }
        }
        jobs.put(job, new Job(kinds.computeIfAbsent(demand, Kind::new)));
        fitNone.remove(v.id(job));
        job(job).kind.came += gaveUp.remove(v.id(job)) ? 0 : 1;
    }

    @Override
    public void adopted(long now, int job, int server) {
        Job adopted = job(job);
        adopted.runs(now, server);
        if (!begun) {
            adopted.wasThere = true;
            adopted.kind.came--;
            adopted.kind.before++;
            adopted.kind.stayed++;
        }
    }

    @Override
    public void placed(long now, int job, int server, String reason) {
        begun = true;
        job(job).runs(now, server);
    }

    @Override
    public void queued(long now, int job, int queue, String reason) {
        begun = true;
    }

    @Override
    public void migrated(long now, int job, int from, int to, String reason) {
        job(job).runs(now, to);
    }

    @Override
    public void displaced(long now, int job, int server) {
        begun = true;
        job(job).stops(now);
    }

    @Override
    public void rejected(long now, int job, String reason) {
        begun = true;
        ends(now, job, false);
    }

    @Override
    public void left(long now, int job, int server) {
        begun = true;
        ends(now, job, server != View.NONE);
    }

    @Override
    public void refused(long now, long subject, Refusal refusal, String detail) {
        if (refusal == Refusal.FITS_NO_SERVER) {
            fitNone.add(subject);
        }
    }

    /** How many arrived that fit no server, even an empty one; they are of no kind. */
    public int fitNone() {
        return fitNone.size();
    }

    private void ends(long now, int job, boolean ran) {
        Job gone = job(job);
        gone.stops(now);
        if (!ran) {
            gaveUp.add(view().id(job));
        }
        gone.kind.left += ran ? 1 : 0;
        gone.kind.stayed -= gone.wasThere ? 1 : 0;
        jobs.remove(job);
    }

    /**
     * The recording has ended.
     *
     * @return the kinds, in the order in which they were first seen
     */
    public List<Kind> end(long now) {
        jobs.values().forEach(job -> job.runs(now, job.server));
        return List.copyOf(kinds.values());
    }

    /** What each server that takes jobs has left for kinds that come and go; by resource. */
    public List<Map<String, Long>> room() {
        View v = view();
        Map<Integer, Map<String, Long>> room = new TreeMap<>();
        for (int server = 0; server < v.servers(); server++) {
            if (v.status(server) == ServerStatus.UP) {
                Map<String, Long> left = new TreeMap<>();
                for (int r = 0; r < v.resources(); r++) {
                    left.put(v.resourceName(r), v.capacity(server, r));
                }
                room.put(server, left);
            }
        }
        for (Job job : jobs.values()) {
            Map<String, Long> left = room.get(job.server);
            if (left != null && !job.kind.moves()) {
                job.kind.demand.forEach((resource, amount) -> left.merge(resource, -amount, Long::sum));
            }
        }
        return List.copyOf(room.values());
    }
}
