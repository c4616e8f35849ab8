package dev.stowage.policies;

import dev.stowage.core.policy.Actions;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Gangs and preemption, the slow obvious way: every server is tried, nothing is remembered. */
final class SlowGangs {
    private SlowGangs() {}

    /** Places a gang, each member where {@code server} says; false, and nothing is changed, if one fits nowhere. */
    static boolean place(View view, Actions actions, int gang, IntUnaryOperator server) {
        for (int k = 0; k < view.gangSize(gang); k++) {
            int chosen = server.applyAsInt(view.gangMember(gang, k));
            if (chosen < 0) {
                actions.assumeNothing();
                return false;
            }
            actions.assume(view.gangMember(gang, k), chosen);
        }
        actions.placeGang(gang, "slow");
        return true;
    }

    /** Gangs of these requests, highest priority first, then in order of arrival. */
    static List<Integer> gangs(View view, List<Integer> jobs) {
        return jobs.stream()
                .filter(job -> view.gang(job) >= 0 && view.gangMember(view.gang(job), 0) == job)
                .sorted(order(view))
                .map(view::gang)
                .toList();
    }

    static Comparator<Integer> order(View view) {
        return Comparator.<Integer>comparingInt(view::priority).reversed().thenComparingLong(view::order);
    }

    /** A server and who must leave it. */
    record Room(int server, List<Integer> victims, boolean waits) {}

    /**
     * The fewest that must go, then the lowest, then the first server; without victims where enough are stopping. On a
     * server, all lower ones go but those that may stay, asked from the highest priority down, of equal ones the
     * smallest first.
     */
    static List<Room> rooms(View view, Actions actions, int job, boolean queues) {
        List<Room> rooms = new ArrayList<>();
        for (int server = 0; server < view.servers(); server++) {
            int place = server;
            List<Integer> lower = new ArrayList<>();
            for (int other = view.firstOn(server); other >= 0; other = view.next(other)) {
                if (view.state(other) == JobState.RUNNING
                        && view.priority(other) < view.priority(job)
                        && (queues || !view.hasAgent(other))) {
                    lower.add(other);
                }
            }
            lower.sort(Comparator.<Integer, Boolean>comparing(other -> view.phase(other) == Phase.STOPPING)
                    .thenComparing(
                            Comparator.<Integer>comparingInt(view::priority).reversed())
                    .thenComparingDouble(other -> size(view, place, other))
                    .thenComparingLong(view::order));
            List<Integer> going = new ArrayList<>(lower);
            for (int other : lower) {
                List<Integer> without = new ArrayList<>(going);
                without.remove((Integer) other);
                going = fits(view, actions, job, server, without) ? without : going;
            }
            if (fits(view, actions, job, server, going)) {
                boolean waits = going.stream().anyMatch(view::hasAgent);
                going.removeIf(other -> view.phase(other) == Phase.STOPPING);
                going.sort(Comparator.comparingInt(lower::indexOf).reversed());
                rooms.add(new Room(server, going, waits));
            }
        }
        rooms.sort(Comparator.<Room>comparingInt(room -> room.victims.size())
                .thenComparingInt(room ->
                        room.victims.stream().mapToInt(view::priority).max().orElse(0))
                .thenComparingInt(room -> room.server));
        return rooms;
    }

    private static boolean fits(View view, Actions actions, int job, int server, List<Integer> gone) {
        gone.forEach(actions::assumeLeft);
        boolean fits = view.fits(job, server);
        actions.assumeNothing();
        return fits;
    }

    private static double size(View view, int server, int job) {
        double sum = 0;
        for (int r = 0; r < view.resources(); r++) {
            sum += view.capacity(server, r) == 0 ? 0 : (double) view.demand(job, r) / view.capacity(server, r);
        }
        return sum;
    }
}
