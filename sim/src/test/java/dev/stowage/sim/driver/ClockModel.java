package dev.stowage.sim.driver;

import dev.stowage.testkit.MarkovChain;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Algorithms 1 and 2 of J. Ghaderi: Randomized Algorithms for Scheduling VMs in the Cloud (INFOCOM 2016) as the Markov
 * chain of the paper, word for word: Poisson arrivals, exponential service, a clock per queue.
 *
 * @param capacities of the servers
 * @param sizes demand by type
 * @param arrivals per second, by type
 * @param means mean service time by type, seconds
 * @param scale the clock of a queue of length Q ticks at exp(f(Q)), f(x) = log(scale (1 + x))^exponent, per second
 * @param exponent of f
 * @param dummies always, never or keep
 * @param choices 0: central queues; else how many servers an arrival compares
 * @param withReplacement whether one server may be drawn twice
 * @param room most requests that may wait: arrivals beyond are left out
 */
record ClockModel(
        int[] capacities,
        int[] sizes,
        double[] arrivals,
        double[] means,
        double scale,
        double exponent,
        String dummies,
        int choices,
        boolean withReplacement,
        int room) {

    /** Numbers waiting in each queue, of each type on each server, and the most of each since the server was empty. */
    record State(List<Integer> waiting, List<Integer> running, List<Integer> peaks) {
        int waits() {
            return waiting.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** The state while it is being changed. */
    private static final class Draft {
        final int[] waiting;
        final int[] running;
        final int[] peaks;

        Draft(State state) {
            waiting = array(state.waiting);
            running = array(state.running);
            peaks = array(state.peaks);
        }

        State state() {
            return new State(list(waiting), list(running), list(peaks));
        }
    }

    MarkovChain<State> chain() {
        int slots = capacities.length * sizes.length;
        State empty = new State(
                list(new int[choices == 0 ? sizes.length : slots]), list(new int[slots]), list(new int[slots]));
        return MarkovChain.explore(empty, (state, moves) -> {
            for (int type = 0; type < sizes.length; type++) {
                if (state.waits() < room) {
                    arrive(state, type, moves);
                }
                for (int server = 0; server < capacities.length; server++) {
                    tick(state, server, type, moves);
                    depart(state, server, type, moves);
                }
            }
        });
    }

    /** Mean number of the type that wait. */
    double meanWaiting(MarkovChain<State> chain, int type) {
        return chain.mean(state -> IntStream.range(0, state.waiting.size())
                .filter(queue -> queue % sizes.length == type)
                .map(state.waiting::get)
                .sum());
    }

    /** Mean fraction of all capacity that requests and dummies hold. */
    double meanUse(MarkovChain<State> chain) {
        double all = Arrays.stream(capacities).sum();
        return chain.mean(state -> IntStream.range(0, capacities.length)
                        .map(server -> used(state, server))
                        .sum()
                / all);
    }

    private int slot(int server, int type) {
        return server * sizes.length + type;
    }

    private int queue(int server, int type) {
        return choices == 0 ? type : slot(server, type);
    }

    private void arrive(State state, int type, MarkovChain.Moves<State> moves) {
        if (choices == 0) {
            join(state, type, arrivals[type], moves);
            return;
        }
        int tuples = (int) StrictMath.pow(capacities.length, choices);
        int allowed = (int) IntStream.range(0, tuples).filter(this::mayBeDrawn).count();
        for (int tuple = 0; tuple < tuples; tuple++) {
            if (mayBeDrawn(tuple)) {
                join(state, slot(shortest(state, type, tuple), type), arrivals[type] / allowed, moves);
            }
        }
    }

    private static void join(State state, int queue, double rate, MarkovChain.Moves<State> moves) {
        Draft next = new Draft(state);
        next.waiting[queue]++;
        moves.to(next.state(), rate);
    }

    /** The servers of a draw, encoded as one number with a digit for each. */
    private IntStream drawn(int tuple) {
        return IntStream.iterate(tuple, rest -> rest / capacities.length)
                .limit(choices)
                .map(rest -> rest % capacities.length);
    }

    private boolean mayBeDrawn(int tuple) {
        return withReplacement || drawn(tuple).distinct().count() == choices;
    }

    /** The first of the shortest queues drawn; since all orders are equally likely, ties are broken uniformly. */
    private int shortest(State state, int type, int tuple) {
        int least = drawn(tuple)
                .map(server -> state.waiting.get(slot(server, type)))
                .min()
                .orElseThrow();
        return drawn(tuple)
                .filter(server -> state.waiting.get(slot(server, type)) == least)
                .findFirst()
                .orElseThrow();
    }

    /** The clock of the type's queue ticks, and, if the queue is central, this server is chosen among all. */
    private void tick(State state, int server, int type, MarkovChain.Moves<State> moves) {
        int at = slot(server, type);
        int waits = state.waiting.get(queue(server, type));
        if (used(state, server) + sizes[type] > capacities[server]) {
            return;
        }
        Draft next = new Draft(state);
        if (waits > 0) {
            next.waiting[queue(server, type)]--;
        } else if (dummies.equals("never") || (dummies.equals("keep") && next.running[at] == next.peaks[at])) {
            return;
        }
        next.running[at]++;
        if (dummies.equals("keep")) {
            next.peaks[at] = Math.max(next.peaks[at], next.running[at]);
        }
        double rate = StrictMath.exp(StrictMath.pow(StrictMath.log(scale * (1 + waits)), exponent));
        moves.to(next.state(), choices == 0 ? rate / capacities.length : rate);
    }

    private void depart(State state, int server, int type, MarkovChain.Moves<State> moves) {
        int here = state.running.get(slot(server, type));
        if (here > 0) {
            Draft next = new Draft(state);
            next.running[slot(server, type)]--;
            int first = slot(server, 0);
            if (Arrays.stream(next.running, first, first + sizes.length).sum() == 0) {
                Arrays.fill(next.peaks, first, first + sizes.length, 0);
            }
            moves.to(next.state(), here / means[type]);
        }
    }

    private int used(State state, int server) {
        return IntStream.range(0, sizes.length)
                .map(type -> sizes[type] * state.running.get(slot(server, type)))
                .sum();
    }

    private static int[] array(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<Integer> list(int[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
