package dev.stowage.policies.devices;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.core.policy.View;
import dev.stowage.policies.fit.NumberSet;
import dev.stowage.policies.fit.Scale;
import dev.stowage.policies.fit.ServerChoice;
import dev.stowage.policies.fit.SiteRoom;
import dev.stowage.policies.index.EqualPoints;
import java.util.function.IntPredicate;

/**
 * The server of the greatest {@link StateScore} among those with room; of equal ones the lowest-numbered, or the
 * highest. With penalties, the greatest among those of the least penalty.
 *
 * <p>Servers in one state are one. A score is worked out once for a state and what a request demands, and kept while
 * the state lasts. So a choice costs a comparison for each state that there is, and a score for each that is new since
 * the same was demanded last; an update O(devices log devices + log servers). Single servers that constraints exclude
 * are taken out and put back, but only those that would have been chosen.
 */
final class BestState implements ServerChoice {
    private final StateScore score;
    private final boolean last;
    private final IntPredicate open;
    private final Scale scale;
    private final DeviceState state;
    private final KnownScores known = new KnownScores();
    private final NumberSet excepted = new NumberSet();
    private EqualPoints points = new EqualPoints(0);
    private long grouping;
    private int version;

    /** @param last whether ties go to the highest-numbered server */
    BestState(View view, StateScore score, boolean last, IntPredicate open) {
        this.score = score;
        this.last = last;
        this.open = open;
        scale = new Scale(view);
        state = new DeviceState(view);
        score.begin(view);
        rebuild(view);
    }

    @Override
    public void rebuild(View view) {
        scale.grow(view);
        points = new EqualPoints(state.begin(scale));
        known.clear();
        grouping = view.grouping();
        version = score.version();
        for (int server = 0; server < view.servers(); server++) {
            put(view, server);
        }
    }

    private boolean isOutdated(View view) {
        return scale.grow(view) || grouping != view.grouping() || version != score.version();
    }

    @Override
    public void update(View view, int server) {
        if (isOutdated(view)) {
            rebuild(view);
        } else {
            take(server);
            put(view, server);
        }
    }

    private void take(int server) {
        if (points.contains(server)) {
            int point = points.point(server);
            if (points.remove(server)) {
                known.set(point, false);
            }
        }
    }

    private void put(View view, int server) {
        if (view.status(server) == ServerStatus.UP && open.test(server) && !view.overcommitted(server)) {
            state.read(view, server, score.trait(view, server));
            if (points.insert(server, order(server), state.point(view, server))) {
                known.set(points.point(server), true);
            }
        }
    }

    private long order(int server) {
        return last ? -(long) server : server;
    }

    @Override
    public int choose(View view, int job, int site) {
        if (isOutdated(view)) {
            rebuild(view);
        }
        int constraint = view.constraint(job);
        int best = search(view, job, constraint, site);
        while (constraint != 0 && best != View.NONE && !view.admits(constraint, best)) {
            take(best);
            excepted.add(best);
            best = search(view, job, constraint, site);
        }
        while (excepted.size() > 0) {
            put(view, excepted.removeLast());
        }
        return best;
    }

    private int search(View view, int job, int constraint, int site) {
        boolean penalized =
                constraint != 0 && !view.constraints(constraint).penalty().isEmpty();
        long other = other(view, job);
        long demand = demand(view, job);
        double[] scores = known.of(other, demand);
        int best = View.NONE;
        double bestScore = KnownScores.NO_ROOM;
        int least = Integer.MAX_VALUE;
        for (int point = 0; point < points.bound(); point++) {
            // Also true of one that is not known: it is not a number.
            if (penalized || !(scores[point] < bestScore)) {
                double its = score(scores, point, other, demand);
                if (its == KnownScores.NO_ROOM || (!penalized && its < bestScore)) {
                    continue;
                }
                int server = points.lowestOf(point);
                int penalty = penalized ? view.penalty(constraint, DeviceState.group(points, point)) : 0;
                boolean better = best == View.NONE
                        || penalty < least
                        || (penalty == least && (its > bestScore || (its == bestScore && order(server) < order(best))));
                if (better && takes(view, job, constraint, site, point)) {
                    best = server;
                    bestScore = its;
                    least = penalty;
                }
            }
        }
        return best;
    }

    private double score(double[] scores, int point, long other, long demand) {
        if (Double.isNaN(scores[point])) {
            state.read(points, point);
            scores[point] = state.hasRoom(other, demand) ? score.of(state, other, demand) : KnownScores.NO_ROOM;
        }
        return scores[point];
    }

    /** Whether servers at a point have room in every way, and the constraints admit their group. */
    private boolean takes(View view, int job, int constraint, int site, int point) {
        int server = points.lowestOf(point);
        for (int kind = 0; kind < view.roomKinds(); kind++) {
            if (view.need(job, kind) > view.room(server, kind)) {
                return false;
            }
        }
        int its = view.site(server);
        return (site == View.NONE || site == its)
                && SiteRoom.inPools(view, job, its)
                && (constraint == 0 || view.admitsGroup(constraint, DeviceState.group(points, point)));
    }

    private long other(View view, int job) {
        return state.other == View.NONE ? 0 : view.demand(job, state.other);
    }

    private long demand(View view, int job) {
        return state.resource == View.NONE ? 0 : view.demand(job, state.resource);
    }

    /** A part goes to the device with the greatest score, of equal ones to that with the lowest number. */
    @Override
    public long devices(View view, int job, int server) {
        if (!score.namesDevices() || !state.isPart(demand(view, job))) {
            return 0;
        }
        state.read(view, server, score.trait(view, server));
        long demand = demand(view, job);
        long best = 0;
        double bestScore = 0;
        for (long rest = view.devicesOf(server); rest != 0; rest &= rest - 1) {
            int device = Long.numberOfTrailingZeros(rest);
            long free = view.deviceFree(server, device);
            if (free >= demand) {
                double its = score.ofPart(state, other(view, job), demand, place(free));
                if (best == 0 || its > bestScore) {
                    best = 1L << device;
                    bestScore = its;
                }
            }
        }
        return best;
    }

    private int place(long free) {
        int k = 0;
        while (state.free[k] != free) {
            k++;
        }
        return k;
    }

    @Override
    public String reason() {
        return score.reason();
    }
}
