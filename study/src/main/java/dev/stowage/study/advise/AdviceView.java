package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Advice with names instead of numbers, as it is shown and written as JSON.
 *
 * @param servers number of servers
 * @param serversInUse how many of them hold a job that does not belong to its server
 * @param running jobs that run
 * @param waitingJobs jobs that wait
 * @param fewest how few servers would be enough
 * @param policies how many servers each policy would have used
 * @param plan the moves
 * @param off servers that can be switched off when the moves are made
 * @param held why jobs that keep their server in use may not be moved
 * @param waiting why jobs wait
 * @param lossOfServers servers that cannot be lost
 * @param lossAfter servers that cannot be lost when the moves are made and these servers are off
 * @param fullAfter servers that have nothing left of a resource then
 * @param lossOfZones which resources are short when a zone is lost
 * @param room the effect of one more deployment; null if none was asked for
 * @param notes notes on the input
 */
public record AdviceView(
        int servers,
        int serversInUse,
        int running,
        int waitingJobs,
        Fewest fewest,
        List<PolicyNeed> policies,
        Moves plan,
        List<Off> off,
        List<Held> held,
        List<WaitingReasons> waiting,
        List<ServerLoss> lossOfServers,
        List<ServerLoss> lossAfter,
        List<Full> fullAfter,
        List<ServerLoss> lossOfZones,
        @Nullable DeploymentRoom room,
        List<String> notes) {
    /** Most jobs that are named for a reason. */
    private static final int NAMED = 10;

    /**
     * A server in use that has nothing left of at least one resource.
     *
     * @param server its name
     * @param resources of which nothing is left
     */
    public record Full(String server, List<String> resources) {
        /** Takes a copy. */
        public Full {
            resources = List.copyOf(resources);
        }

        static List<Full> of(ClusterBooks books) {
            ClusterState state = books.state();
            return IntStream.range(0, books.servers())
                    .filter(books::inUse)
                    .mapToObj(s -> new Full(
                            state.servers().get(s).name(),
                            IntStream.range(0, state.resources().size())
                                    .filter(r -> books.free(s, r) <= 0
                                            && state.servers().get(s).capacity()[r] > 0)
                                    .mapToObj(state.resources()::get)
                                    .toList()))
                    .filter(one -> !one.resources().isEmpty())
                    .toList();
        }
    }

    /**
     * How few servers would be enough.
     *
     * @param bound no packing of the running jobs uses fewer
     * @param certificate the bound that the prices prove, before rounding up
     * @param packing the best packing found
     * @param packingBy {@code plan} or the key of a policy
     * @param planEnd servers in use at the end of the plan
     * @param gap planEnd minus bound
     * @param proven whether the gap is 0
     * @param staying servers that stay in use in any packing, because something there may not be moved
     * @param onForWaiting further servers that stay on at the end of the plan, for jobs that wait
     * @param needed how many more servers moves would empty, which are not made because what waits needs these servers
     */
    public record Fewest(
            int bound,
            double certificate,
            int packing,
            String packingBy,
            int planEnd,
            int gap,
            boolean proven,
            int staying,
            int onForWaiting,
            int needed) {}

    /**
     * The moves.
     *
     * @param freed servers emptied, in order
     * @param rounds how many rounds
     * @param bySet how many of the servers were found as a set; the others were found one by one, by chains of moves
     * @param how the order of servers and score of places that won
     * @param steps the moves
     */
    public record Moves(List<Freed> freed, int rounds, int bySet, String how, List<Move> steps) {}

    /**
     * A server emptied.
     *
     * @param server name
     * @param moves how many moves it takes
     * @param lastStep the step after which it is empty, from 1
     */
    public record Freed(String server, int moves, int lastStep) {}

    /**
     * A move.
     *
     * @param round moves of one round may be made at the same time
     * @param empties the server that it helps to empty
     * @param saves 1 if that server is empty after the move, else 0
     */
    public record Move(int step, int round, String job, String from, String to, String empties, int saves) {}

    /** A server that can be switched off, and whether it is empty already. */
    public record Off(String server, boolean emptyAlready) {}

    /** A reason, how many running jobs may not be moved because of it, and the names of the first of them. */
    public record Held(String reason, int jobs, List<String> names) {}

    /** A move with the names of a cluster. */
    static Move move(ClusterState state, MovePlan.Step step, int number) {
        return new Move(
                number,
                step.round(),
                state.jobs().get(step.job()).name(),
                state.servers().get(step.from()).name(),
                state.servers().get(step.to()).name(),
                state.servers().get(step.empties()).name(),
                step.last() ? 1 : 0);
    }

    /** With the names of a cluster. */
    public static AdviceView of(ClusterState state, ClusterAdvice advice, List<String> notes) {
        List<Move> steps = new ArrayList<>();
        List<Freed> freed = new ArrayList<>();
        int moves = 0;
        for (MovePlan.Step step : advice.plan().steps()) {
            moves++;
            Move move = move(state, step, steps.size() + 1);
            steps.add(move);
            if (step.last()) {
                freed.add(new Freed(move.empties(), moves, steps.size()));
                moves = 0;
            }
        }
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        Set<Integer> staying = new HashSet<>();
        int waiting = 0;
        for (ClusterJob job : state.jobs()) {
            waiting += job.waits() ? 1 : 0;
            if (!job.waits() && !state.mayMove(job) && job.stay() != ClusterJob.Hold.WITH_SERVER) {
                reasons.computeIfAbsent(
                                job.stayReason().isEmpty() ? "its budget allows no disruption" : job.stayReason(),
                                first -> new ArrayList<>())
                        .add(job.name());
                staying.add(job.server());
            }
        }
        List<Held> held = new ArrayList<>();
        reasons.forEach((reason, jobs) ->
                held.add(new Held(reason, jobs.size(), List.copyOf(jobs.subList(0, Math.min(NAMED, jobs.size()))))));
        held.sort((one, other) -> Integer.compare(other.jobs(), one.jobs()));
        MovePlan plan = advice.plan();
        List<Off> off = new ArrayList<>();
        advice.off()
                .forEach(s -> off.add(
                        new Off(state.servers().get(s).name(), !plan.freed().contains(s))));
        return new AdviceView(
                advice.servers(),
                advice.inUse(),
                state.jobs().size() - waiting,
                waiting,
                new Fewest(
                        advice.bound(),
                        advice.boundExact(),
                        advice.packing(),
                        advice.packingBy(),
                        advice.planEnd(),
                        advice.planEnd() - advice.bound(),
                        advice.optimal(),
                        staying.size(),
                        advice.onForWaiting().size(),
                        advice.needed()),
                advice.policies(),
                new Moves(freed, plan.rounds(), plan.bySet(), plan.how(), steps),
                off,
                held,
                advice.waiting(),
                advice.lossOfServers(),
                advice.lossAfter(),
                advice.fullAfter(),
                advice.lossOfZones(),
                advice.room(),
                notes);
    }
}
