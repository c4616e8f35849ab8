package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which servers can be switched off: those that are empty, then those that a plan empties, in its order; but none that
 * a job needs which waits.
 *
 * @param off numbers of the servers
 * @param plan the beginning of the plan that belongs to it
 * @param after the cluster then: the moves are made, those that waited have their {@link WaitingPlaces}
 * @param full servers that have nothing left of a resource then
 * @param loss what cannot be lost then
 * @param needed how many more servers moves would empty, which are not made because what waits needs these servers
 */
record Shutdown(
        List<Integer> off,
        MovePlan plan,
        ClusterState after,
        List<AdviceView.Full> full,
        List<ServerLoss> loss,
        int needed) {

    /**
     * As many as possible. At least as many of those that wait have a place as were found to have one now: if a plan
     * leaves one of these without, another is made in which the places that were found are kept. Which of those that
     * compete have one may differ.
     *
     * <p>With head-room: as many as leave a place, if {@code spare} servers fail, to all that would have one now. The
     * number is found by bisection and checked, so where servers differ, more could perhaps be off.
     *
     * @param prices worth of a unit of each resource
     * @param spare servers that fail; 0 for no head-room
     */
    static Shutdown of(ClusterState state, double[] prices, int spare) {
        Shutdown found = of(state, MovePlan.of(state, prices), spare);
        int[] now = WaitingPlaces.of(state, found.off());
        if (IntStream.range(0, now.length).noneMatch(j -> state.jobs().get(j).waits() && now[j] >= 0)) {
            return found;
        }
        ClusterState kept = state.withPlaces(now, Shutdown::keptThere);
        boolean allHavePlaces = IntStream.range(0, now.length)
                .allMatch(j -> now[j] < 0 || !found.after().jobs().get(j).waits());
        if (allHavePlaces && found.onForWaiting(state).isEmpty()) {
            return found;
        }
        Shutdown other = of(kept, MovePlan.of(emptyOnesClosed(kept, state), prices), spare);
        return other.isBetterThan(found)
                ? other.needing(found.plan.freed().size() - other.plan.freed().size())
                : found;
    }

    private Shutdown needing(int more) {
        return new Shutdown(off, plan, after, full, loss, Math.max(0, more));
    }

    /** So that no job is moved to a server that is empty as long as nothing that waits is placed there. */
    private static ClusterState emptyOnesClosed(ClusterState kept, ClusterState state) {
        ClusterBooks books = new ClusterBooks(state);
        List<ClusterServer> servers = new ArrayList<>(state.servers());
        for (int s = 0; s < servers.size(); s++) {
            ClusterServer one = servers.get(s);
            servers.set(
                    s, books.inUse(s) ? one : new ClusterServer(one.name(), one.capacity(), one.labels(), "is empty"));
        }
        return new ClusterState(kept.resources(), servers, kept.jobs(), kept.rules(), kept.budgets());
    }

    private static ClusterJob keptThere(ClusterJob job) {
        return job.stay() == ClusterJob.Hold.MOVABLE ? job.staying("has waited for this place") : job;
    }

    private boolean isBetterThan(Shutdown other) {
        if (waiting() != other.waiting()) {
            return waiting() < other.waiting();
        }
        return off.size() != other.off.size()
                ? off.size() > other.off.size()
                : plan.steps().size() < other.plan.steps().size();
    }

    private long waiting() {
        return after.jobs().stream().filter(ClusterJob::waits).count();
    }

    /**
     * Servers that hold nothing then but what waits now.
     *
     * @param now the cluster before
     */
    List<Integer> onForWaiting(ClusterState now) {
        ClusterBooks running = new ClusterBooks(plan.after(now));
        ClusterBooks all = new ClusterBooks(after);
        return IntStream.range(0, all.servers())
                .filter(s -> all.inUse(s) && !running.inUse(s))
                .boxed()
                .toList();
    }

    private static Shutdown of(ClusterState state, MovePlan whole, int spare) {
        ClusterBooks books = new ClusterBooks(state);
        List<Integer> empty = IntStream.range(0, books.servers())
                .filter(s -> !books.inUse(s) && state.servers().get(s).mayBeOff())
                .boxed()
                .toList();
        int least = 0;
        int most = empty.size() + whole.freed().size();
        if (spare == 0) {
            return first(state, empty, whole, most, 1);
        }
        ClusterState all = state.withPlaces(WaitingPlaces.of(state, empty), job -> job);
        Map<String, Integer> now = ServerLoss.ofServers(all, spare).stream()
                .collect(Collectors.toMap(ServerLoss::what, ServerLoss::without, Math::max));
        while (least < most) {
            int middle = (least + most + 1) / 2;
            boolean bears = first(state, empty, whole, middle, spare).loss().stream()
                    .allMatch(loss -> loss.without() <= now.getOrDefault(loss.what(), 0));
            least = bears ? middle : least;
            most = bears ? most : middle - 1;
        }
        return first(state, empty, whole, least, spare);
    }

    private static Shutdown first(ClusterState state, List<Integer> empty, MovePlan whole, int count, int atOnce) {
        List<Integer> may = new ArrayList<>(empty.subList(0, Math.min(count, empty.size())));
        MovePlan plan = whole.first(count - may.size());
        plan.freed().stream().filter(s -> state.servers().get(s).mayBeOff()).forEach(may::add);
        ClusterState moved = plan.after(state);
        ClusterState placed = moved.withPlaces(WaitingPlaces.of(moved, may), job -> job);
        ClusterBooks books = new ClusterBooks(placed);
        List<Integer> off = may.stream().filter(s -> !books.inUse(s)).toList();
        List<ClusterServer> servers = new ArrayList<>(state.servers());
        off.forEach(s -> servers.set(s, servers.get(s).off()));
        ClusterState after =
                new ClusterState(state.resources(), servers, placed.jobs(), state.rules(), state.budgets());
        return new Shutdown(off, plan, after, AdviceView.Full.of(books), ServerLoss.ofServers(after, atOnce), 0);
    }
}
