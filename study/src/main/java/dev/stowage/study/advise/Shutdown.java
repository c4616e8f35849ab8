package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which servers can be switched off: those that are empty, then those that a plan empties, in its order.
 *
 * @param empty numbers of the servers that are empty already
 * @param plan the beginning of the plan that belongs to it
 * @param full how many servers in use have nothing left of a resource then
 * @param loss what cannot be lost then
 */
record Shutdown(List<Integer> empty, MovePlan plan, int full, List<ServerLoss> loss) {

    /**
     * With head-room: as many as leave a place, if {@code spare} servers fail, to all that would have one now. The
     * number is found by bisection and checked, so where servers differ, more could perhaps be off.
     *
     * @param spare servers that fail; 0 for no head-room
     */
    static Shutdown of(ClusterState state, MovePlan whole, int spare) {
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
        Map<String, Integer> now = ServerLoss.ofServers(state, spare).stream()
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
        List<Integer> off = empty.subList(0, Math.min(count, empty.size()));
        MovePlan plan = whole.first(count - off.size());
        ClusterState moved = plan.after(state);
        List<ClusterServer> servers = new ArrayList<>(state.servers());
        for (List<Integer> some : List.of(off, plan.freed())) {
            some.forEach(s -> servers.set(s, servers.get(s).off()));
        }
        ClusterState after = new ClusterState(state.resources(), servers, moved.jobs(), state.rules(), state.budgets());
        ClusterBooks books = new ClusterBooks(after);
        int full = (int) IntStream.range(0, books.servers())
                .filter(s -> books.inUse(s)
                        && IntStream.range(0, state.resources().size())
                                .anyMatch(r ->
                                        books.free(s, r) <= 0 && servers.get(s).capacity()[r] > 0))
                .count();
        return new Shutdown(off, plan, full, ServerLoss.ofServers(after, atOnce));
    }
}
