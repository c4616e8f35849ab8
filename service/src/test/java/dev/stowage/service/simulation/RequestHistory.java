package dev.stowage.service.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What clients did with one request and what they were told. It is linearizable if every call can be given a moment
 * between its invocation and its reply, such that the calls in order of these moments are what a single server would
 * have answered (Herlihy and Wing 1990). Found by trying all orders that time allows, states met before left out (Wing
 * and Gong 1993, Lowe 2017).
 */
public final class RequestHistory {
    /** What is asked. */
    public enum Call {
        /** Asks for a server; the same again is answered. */
        SUBMIT,
        /** Ends it. */
        RELEASE,
        /** Asks what became of it. */
        GET
    }

    /** What a request can be. */
    public enum State {
        /** Not there. */
        ABSENT,
        /** Waiting or running. */
        LIVE,
        /** Released, rejected or expired. */
        FINISHED
    }

    /** Calls that a history can have. */
    public static final int MOST_CALLS = 62;

    /**
     * A call.
     *
     * @param call what was asked
     * @param told the state after it that was told; anything if unknown
     * @param invoked when it was sent first
     * @param replied when the reply came; {@link Long#MAX_VALUE} if never, then it may have happened or not
     */
    private record Entry(Call call, State told, long invoked, long replied) {
        boolean known() {
            return replied != Long.MAX_VALUE;
        }

        @Override
        public String toString() {
            return call + " at " + invoked + (known() ? " -> " + told + " at " + replied : " -> no reply");
        }
    }

    private record Visited(long done, State state) {}

    private final List<Entry> entries = new ArrayList<>();
    private final boolean endsItself;

    /**
     * A history without calls.
     *
     * @param endsItself whether the request may end by itself: rejected by the policy, or tired of waiting
     */
    public RequestHistory(boolean endsItself) {
        this.endsItself = endsItself;
    }

    /** Adds a call that was answered. */
    public void add(Call call, State told, long invoked, long replied) {
        entries.add(new Entry(call, told, invoked, replied));
    }

    /** Adds a call of which nobody knows whether it happened. */
    public void addUnanswered(Call call, long invoked) {
        if (call != Call.GET) {
            entries.add(new Entry(call, State.ABSENT, invoked, Long.MAX_VALUE));
        }
    }

    /** Calls so far. */
    public int size() {
        return entries.size();
    }

    /** Whether the history is linearizable. */
    public boolean isLinearizable() {
        List<Entry> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparingLong(Entry::invoked));
        return possible(sorted, 0, State.ABSENT, new HashSet<>());
    }

    private boolean possible(List<Entry> sorted, long done, State state, Set<Visited> visited) {
        if (!visited.add(new Visited(done, state))) {
            return false;
        }
        // Whatever is next must have been sent before the first reply that is still to come.
        long firstReply = Long.MAX_VALUE;
        for (int i = 0; i < sorted.size(); i++) {
            if (((done >> i) & 1) == 0) {
                firstReply = Math.min(firstReply, sorted.get(i).replied());
            }
        }
        if (firstReply == Long.MAX_VALUE) {
            return true;
        }
        if (endsItself && state == State.LIVE && possible(sorted, done, State.FINISHED, visited)) {
            return true;
        }
        Set<Call> tried = EnumSet.noneOf(Call.class);
        for (int i = 0; i < sorted.size(); i++) {
            Entry entry = sorted.get(i);
            if (((done >> i) & 1) != 0 || entry.invoked() > firstReply) {
                continue;
            }
            // Of unanswered calls alike one is as good as the other, and one that changes nothing need not have
            // happened.
            if (!entry.known() && !tried.add(entry.call())) {
                continue;
            }
            for (State after : after(entry.call(), state)) {
                if ((entry.known() ? entry.told() == after : after != state)
                        && possible(sorted, done | (1L << i), after, visited)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<State> after(Call call, State state) {
        return switch (call) {
            case GET -> List.of(state);
            case RELEASE -> List.of(state == State.LIVE ? State.FINISHED : state);
            case SUBMIT ->
                state != State.ABSENT
                        ? List.of(state)
                        : endsItself ? List.of(State.LIVE, State.FINISHED) : List.of(State.LIVE);
        };
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        entries.stream()
                .sorted(Comparator.comparingLong(Entry::invoked))
                .forEach(entry -> text.append("\n    ").append(entry));
        return text.toString();
    }
}
