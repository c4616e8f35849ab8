package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * Moves jobs from where they are to their goals, server by server, so that every single move is valid when it is made.
 * A job that blocks a move goes first, if it has to move anyway. A server that cannot be emptied completely keeps its
 * jobs.
 */
final class MoveSequencer {
    private static final int DEEPEST = 6;

    private final ClusterBooks books;
    private final int[] goal;
    private final List<int[]> moves = new ArrayList<>();

    /**
     * A sequence.
     *
     * @param books where the jobs are; changed
     * @param goal per job its goal
     */
    MoveSequencer(ClusterBooks books, int[] goal) {
        this.books = books;
        this.goal = goal.clone();
    }

    /**
     * Empties servers in an order, and tries those that failed again as long as one more succeeds.
     *
     * @return the moves by server emptied, each as job, from, to
     */
    List<List<int[]>> empty(List<Integer> servers) {
        List<List<int[]>> done = new ArrayList<>();
        List<Integer> left = new ArrayList<>(servers);
        boolean more = true;
        while (more) {
            more = false;
            for (Integer server : List.copyOf(left)) {
                moves.clear();
                if (emptied(server)) {
                    done.add(new ArrayList<>(moves));
                    left.remove(server);
                    more = true;
                } else {
                    takeBack();
                }
            }
        }
        return done;
    }

    private boolean emptied(int server) {
        for (int job : books.holding(server)) {
            // A chain may have moved it already.
            if (books.where(job) == server && (goal[job] == server || !settle(job, DEEPEST))) {
                return false;
            }
        }
        return true;
    }

    private boolean settle(int job, int depth) {
        int to = goal[job];
        if (books.takes(job, to)) {
            move(job, to);
            return true;
        }
        if (depth == 0) {
            return false;
        }
        for (int other : books.holding(to)) {
            if (goal[other] != to && books.where(other) == to && settle(other, depth - 1) && books.takes(job, to)) {
                move(job, to);
                return true;
            }
        }
        return false;
    }

    private void move(int job, int to) {
        moves.add(new int[] {job, books.where(job), to});
        books.move(job, to);
    }

    private void takeBack() {
        for (int i = moves.size() - 1; i >= 0; i--) {
            books.move(moves.get(i)[0], moves.get(i)[1]);
        }
        moves.clear();
    }
}
