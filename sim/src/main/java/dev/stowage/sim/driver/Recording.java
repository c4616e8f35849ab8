package dev.stowage.sim.driver;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Resource;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KaplanMeier;
import dev.stowage.sim.trace.Trace;
import dev.stowage.sim.trace.TraceBuilder;
import dev.stowage.sim.workload.DrawnOrigins;
import dev.stowage.sim.workload.Origins;
import dev.stowage.sim.workload.RecordedOrigins;
import dev.stowage.sim.workload.RequestOrigin;
import dev.stowage.sim.workload.RequestStream;
import dev.stowage.sim.workload.RequestTraits;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded command log, replayed: the same commands to a new engine give the same effects.
 *
 * @param setup what the engine was started with
 * @param commands how many commands there were
 * @param recordedDigest digest at the end of the recording; null if the recording is incomplete (its run was
 *     interrupted)
 * @param digest digest of the replay
 * @param endNanos when it ended, with the last command unless the recording has a later time
 * @param endKnown whether the recording has the time of its end
 * @param requests arrivals, adopted ones included, with their demand and their work, which is recorded, else the time
 *     from placement to leaving, else estimated
 * @param estimated how many of their works are estimated ({@link KaplanMeier} by type)
 * @param origins where these requests may run
 * @param changes of servers, in order
 * @param notKept properties of the recorded requests that are missing in {@code requests}, in words
 */
public record Recording(
        RecordedSetup setup,
        long commands,
        @Nullable String recordedDigest,
        String digest,
        long endNanos,
        boolean endKnown,
        Trace requests,
        long estimated,
        Origins origins,
        List<ScheduledChange> changes,
        List<String> notKept) {
    /** Whether the replay did exactly what was recorded. */
    public boolean agrees() {
        return digest.equals(recordedDigest);
    }

    /**
     * Reads and replays a recording.
     *
     * @param file the recording
     * @param policies makes its policies
     * @param observers receives every effect
     * @throws RecordingException if the file cannot be read or is not a recording; the message has the line
     */
    public static Recording replay(Path file, PolicyFactory policies, Effects observers) {
        try (RecordingReader reader = RecordingReader.open(file)) {
            RecordedSetup setup = reader.setup();
            History history = new History(setup);
            Engine engine = start(setup, policies, new EffectsFan(history, observers), reader);
            long commands = 0;
            long endNanos = 0;
            for (Command command = reader.next(); command != null; command = reader.next()) {
                history.note(command);
                history.nextWorks.addAll(reader.works());
                try {
                    command.send(engine);
                } catch (IllegalArgumentException e) {
                    throw reader.wrong(e);
                }
                history.nextWorks.clear();
                commands++;
                endNanos = command.at();
            }
            if (history.rows.isEmpty()) {
                throw reader.wrong(new IllegalArgumentException("no request arrives in this recording"));
            }
            Long end = reader.endNanos();
            endNanos = end == null ? endNanos : Math.max(end, endNanos);
            String digest = String.format(Locale.ROOT, "%016x", engine.digest());
            Lifetimes lifetimes = history.lifetimes(endNanos);
            return new Recording(
                    setup,
                    commands,
                    reader.end(),
                    digest,
                    endNanos,
                    end != null,
                    history.requests(lifetimes),
                    lifetimes.estimated(),
                    history.origins(),
                    history.changes,
                    history.notKept());
        }
    }

    private static Engine start(RecordedSetup setup, PolicyFactory policies, Effects effects, RecordingReader reader) {
        try {
            return setup.start(policies, effects);
        } catch (IllegalArgumentException e) {
            throw reader.wrong(e);
        }
    }

    /** What happened to the requests, in the recorded run. */
    private static final class History extends EngineListener {
        final List<ScheduledChange> changes = new ArrayList<>();
        private final RecordedSetup setup;
        private final List<long[]> rows = new ArrayList<>();
        /** Numbers of the constraints that requests have. */
        private final Map<Constraints, Integer> limits = new LinkedHashMap<>();

        private int[] rowOfJob = new int[64];
        private long withAgents;
        private long unequal;
        private long leftWaiting;
        private static final int ARRIVED = 0;
        private static final int PLACED = 1;
        private static final int LEFT = 2;
        private static final int LIMIT = 3;
        private static final int TYPE = 4;
        private static final int WORK = 5;
        private static final int PRIORITY = 6;
        /**
         * Number of members of a gang, for its first member; 0 for the other members, which the first one's row stands
         * for.
         */
        private static final int MEMBERS = 7;

        private static final int EXPECTED = 8;
        private static final int DEMANDS = 9;
        private static final long NOT_RECORDED = Long.MIN_VALUE;

        /** Work of the requests that arrive next, as far as it was recorded. */
        final ArrayDeque<Long> nextWorks = new ArrayDeque<>();

        History(RecordedSetup setup) {
            this.setup = setup;
        }

        void note(Command command) {
            ScheduledChange.Kind kind = switch (command.kind()) {
                case ADD_SERVER -> ScheduledChange.Kind.ADD;
                case DRAIN -> ScheduledChange.Kind.DRAIN;
                case RETURN -> ScheduledChange.Kind.RETURN;
                case REMOVE -> ScheduledChange.Kind.REMOVE;
                case LOSE -> ScheduledChange.Kind.LOSE;
                case RESIZE -> ScheduledChange.Kind.RESIZE;
                case LABEL -> ScheduledChange.Kind.LABEL;
                default -> null;
            };
            if (kind == null) {
                return;
            }
            long[] capacity =
                    command.amounts().stream().mapToLong(Long::longValue).toArray();
            int number = (int) command.subject();
            boolean adds = kind == ScheduledChange.Kind.ADD;
            changes.add(new ScheduledChange(
                    command.at(), kind, adds ? -1 : number, 1, adds ? number : -1, capacity, command.labels()));
        }

        /** How long each request runs: as seen or recorded, else as estimated. */
        Lifetimes lifetimes(long endNanos) {
            int[] types = new int[rows.size()];
            long[] seen = new long[rows.size()];
            boolean[] ended = new boolean[rows.size()];
            for (int i = 0; i < seen.length; i++) {
                long[] row = rows.get(i);
                boolean left = row[PLACED] >= 0 && row[LEFT] >= row[PLACED];
                types[i] = (int) row[TYPE];
                ended[i] = left || row[WORK] != NOT_RECORDED;
                seen[i] = row[WORK] != NOT_RECORDED
                        ? row[WORK]
                        : row[PLACED] < 0 ? 0 : (left ? row[LEFT] : endNanos) - row[PLACED];
            }
            return Lifetimes.of(types, seen, ended, setup.seed());
        }

        Trace requests(Lifetimes lifetimes) {
            List<String> resources = new ArrayList<>(
                    setup.cluster().resources().stream().map(Resource::name).toList());
            resources.addAll(setup.cluster().pooledResources());
            TraceBuilder builder = new TraceBuilder(resources);
            for (int i = 0; i < rows.size(); i++) {
                long[] row = rows.get(i);
                long[] demand = Arrays.copyOfRange(row, DEMANDS, row.length);
                long nanos = lifetimes.nanos()[i];
                if (row[MEMBERS] > 0) {
                    builder.add(
                                    row[ARRIVED],
                                    nanos == RequestStream.ENDLESS ? Trace.UNKNOWN : nanos,
                                    demand,
                                    Trace.NO_BATCH,
                                    null,
                                    null,
                                    ConstraintWords.NONE,
                                    new RequestTraits((int) row[PRIORITY], (int) row[MEMBERS], false))
                            .expecting(row[EXPECTED]);
                }
            }
            return builder.build();
        }

        Origins origins() {
            List<RequestOrigin> all = new ArrayList<>();
            limits.keySet().forEach(its -> all.add(new RequestOrigin("recorded " + (all.size() + 1), its)));
            return all.stream().anyMatch(RequestOrigin::isLimited)
                    ? new RecordedOrigins(
                            all,
                            rows.stream()
                                    .filter(row -> row[MEMBERS] > 0)
                                    .mapToInt(row -> (int) row[LIMIT])
                                    .toArray())
                    : DrawnOrigins.ANYWHERE;
        }

        List<String> notKept() {
            List<String> notes = new ArrayList<>();
            if (withAgents > 0) {
                notes.add(withAgents + " requests were run by agents; here they start at once and never fail to start");
            }
            if (unequal > 0) {
                notes.add(unequal + " gangs had members that differ; here these come one by one");
            }
            if (leftWaiting > 0) {
                notes.add(leftWaiting + " requests left while they waited; here they wait without limit");
            }
            return notes;
        }

        /** A gang of equal members is one row, that of the first. */
        private void join(View v, int gang) {
            long[] first = rows.get(rowOfJob[v.gangMember(gang, 0)]);
            for (int k = 1; k < v.gangSize(gang); k++) {
                long[] member = rows.get(rowOfJob[v.gangMember(gang, k)]).clone();
                member[MEMBERS] = first[MEMBERS];
                if (!Arrays.equals(first, member)) {
                    unequal++;
                    return;
                }
            }
            first[MEMBERS] = v.gangSize(gang);
            for (int k = 1; k < v.gangSize(gang); k++) {
                rows.get(rowOfJob[v.gangMember(gang, k)])[MEMBERS] = 0;
            }
        }

        @Override
        public void arrived(long now, int job) {
            View v = view();
            if (job >= rowOfJob.length) {
                rowOfJob = Arrays.copyOf(rowOfJob, 2 * job);
            }
            rowOfJob[job] = rows.size();
            long[] row = new long[DEMANDS + v.resources() + v.pooledResources()];
            row[ARRIVED] = now;
            row[PLACED] = -1;
            row[LEFT] = -1;
            row[TYPE] = v.type(job);
            Long work = nextWorks.poll();
            row[WORK] = work == null ? NOT_RECORDED : work;
            row[PRIORITY] = v.priority(job);
            row[MEMBERS] = 1;
            row[EXPECTED] = v.expectedNanos(job);
            withAgents += v.hasAgent(job) ? 1 : 0;
            row[LIMIT] = limits.computeIfAbsent(v.constraints(v.constraint(job)), its -> limits.size());
            for (int r = 0; r < v.resources(); r++) {
                row[DEMANDS + r] = v.demand(job, r);
            }
            for (int p = 0; p < v.pooledResources(); p++) {
                row[DEMANDS + v.resources() + p] = v.pooledDemand(job, p);
            }
            rows.add(row);
            int gang = v.gang(job);
            if (gang != View.NONE && v.gangMember(gang, v.gangSize(gang) - 1) == job) {
                join(v, gang);
            }
        }

        @Override
        public void placed(long now, int job, int server, String reason) {
            rows.get(rowOfJob[job])[PLACED] = now;
        }

        @Override
        public void left(long now, int job, int server) {
            if (server != View.NONE) {
                rows.get(rowOfJob[job])[LEFT] = now;
            } else {
                leftWaiting++;
            }
        }
    }
}
