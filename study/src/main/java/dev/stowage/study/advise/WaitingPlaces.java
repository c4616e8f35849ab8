package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Places for jobs that wait: the largest first, each by best fit, of a group all that must be placed together or none.
 * A server that could be switched off is used only where no other has room, and then by as many as it takes. Before all
 * of these come jobs that belong to a server: each takes its room there, and does not keep the server on.
 */
final class WaitingPlaces {
    private final ClusterBooks books;
    private final boolean[] target;
    private final List<Integer> last;
    private final MoveSearch search;
    /** Demands for which no server that admits them has room, of jobs without rules on neighbours. */
    private final Map<ServerAdmission, Set<List<Long>>> nowhere = new IdentityHashMap<>();

    private WaitingPlaces(ClusterState state, List<Integer> last) {
        this.last = last;
        books = new ClusterBooks(state);
        target = new boolean[books.servers()];
        Arrays.fill(target, true);
        last.forEach(s -> target[s] = false);
        double[][] worth = MoveSearch.worth(state, new double[state.resources().size()]);
        search = new MoveSearch(books, target, worth, MoveSearch.PlaceScore.WORTH_LEFT);
    }

    /**
     * The server of each job; {@link ClusterJob#WAITS} for one without a place.
     *
     * @param last servers that are used only if no other has room
     */
    static int[] of(ClusterState state, List<Integer> last) {
        WaitingPlaces places = new WaitingPlaces(state, last);
        Map<Object, List<Integer>> units = new LinkedHashMap<>();
        for (int j = 0; j < state.jobs().size(); j++) {
            ClusterJob job = state.jobs().get(j);
            if (job.waits() && job.stay() == ClusterJob.Hold.WITH_SERVER) {
                places.placeOnItsServer(j);
            } else if (job.waits()) {
                Object unit = job.together().jobs() > 1 ? job.together() : (Object) j;
                units.computeIfAbsent(unit, first -> new ArrayList<>()).add(j);
            }
        }
        units.values().stream()
                .sorted(Comparator.comparingDouble(unit -> -places.size(unit)))
                .forEach(places::place);
        int[] where = new int[state.jobs().size()];
        Arrays.setAll(where, places.books::where);
        return where;
    }

    private void placeOnItsServer(int job) {
        ServerAdmission admission = books.state().jobs().get(job).admission();
        int[] admitting =
                IntStream.range(0, books.servers()).filter(admission::admits).toArray();
        if (admitting.length == 1 && books.takes(job, admitting[0])) {
            books.put(job, admitting[0]);
        }
    }

    private double size(List<Integer> unit) {
        return unit.stream().mapToDouble(search::size).max().orElse(0);
    }

    private void place(List<Integer> unit) {
        boolean[] before = target.clone();
        List<Integer> placed = new ArrayList<>();
        for (int job : unit) {
            int to = best(job);
            if (to >= 0) {
                target[to] = true;
                books.put(job, to);
                placed.add(job);
            }
        }
        if (placed.size() < books.state().jobs().get(unit.get(0)).together().jobs()) {
            placed.forEach(books::take);
            System.arraycopy(before, 0, target, 0, before.length);
        }
    }

    private int best(int number) {
        ClusterJob job = books.state().jobs().get(number);
        Set<List<Long>> none = nowhere.computeIfAbsent(job.admission(), first -> new HashSet<>());
        List<Long> demand = Arrays.stream(job.demand()).boxed().toList();
        if (job.boundBy().isEmpty() && none.contains(demand)) {
            return ClusterJob.WAITS;
        }
        int to = bestOf(number);
        // Of a group that is not placed as a whole, the room is free again.
        if (to < 0 && job.boundBy().isEmpty() && job.together().jobs() <= 1) {
            none.add(demand);
        }
        return to;
    }

    private int bestOf(int job) {
        int to = search.best(job, -1);
        if (to < 0) {
            boolean[] before = target.clone();
            last.forEach(s -> target[s] = true);
            to = search.best(job, -1);
            System.arraycopy(before, 0, target, 0, before.length);
        }
        return to;
    }
}
