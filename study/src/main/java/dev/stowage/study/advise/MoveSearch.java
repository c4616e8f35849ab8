package dev.stowage.study.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Moves of single jobs in the books, each valid when it is made: to the server that is left with least (best fit); if
 * none has room, to one from which a smaller job is moved away first (a chain of moves). Moves are recorded in a
 * journal, so that they can be undone. The lowest number wins a tie.
 */
final class MoveSearch {
    /** What makes one server a better place than another. */
    enum PlaceScore {
        /** The worth of what is left is least. */
        WORTH_LEFT,
        /** The same, and the resources that are left are in the proportion of the server's capacity. */
        EVEN_LEFT,
        /** The sum of squares of the fractions that are left is least. */
        SQUARES_LEFT;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        }
    }

    private static final double UNEVEN = 2;
    private static final int DEPTH = 2;

    private final ClusterBooks books;
    private final boolean[] target;
    private final double[][] worth;
    private final PlaceScore score;
    private final int resources;
    private final List<int[]> journal = new ArrayList<>();
    private final boolean[] movable;
    private long work;

    /**
     * A search.
     *
     * @param target servers that may get jobs; later changes of the array take effect
     * @param worth per server and resource, what a unit is worth
     */
    MoveSearch(ClusterBooks books, boolean[] target, double[][] worth, PlaceScore score) {
        this.books = books;
        this.target = target;
        this.worth = worth;
        this.score = score;
        resources = books.state().resources().size();
        movable = new boolean[books.state().jobs().size()];
        for (int j = 0; j < movable.length; j++) {
            movable[j] = books.state().mayMove(books.state().jobs().get(j));
        }
    }

    /**
     * Prices per server and resource; a small one for a resource without a price, so that using less is still better.
     */
    static double[][] worth(ClusterState state, double[] prices) {
        int n = state.servers().size();
        int resources = prices.length;
        double[] mean = new double[resources];
        for (ClusterServer server : state.servers()) {
            for (int r = 0; r < resources; r++) {
                mean[r] += (double) server.capacity()[r] / n;
            }
        }
        double total = 0;
        for (int r = 0; r < resources; r++) {
            total += prices[r] * mean[r];
        }
        double[] worth = new double[resources];
        for (int r = 0; r < resources; r++) {
            double part = total > 0 ? prices[r] * mean[r] / total : 1.0 / resources;
            worth[r] = mean[r] > 0 ? (part + 0.05) / mean[r] : 0;
        }
        double[][] all = new double[n][];
        Arrays.fill(all, worth);
        return all;
    }

    /** What a job's demand is worth on its server. */
    double size(int job) {
        double[] unit = worth[Math.max(0, books.where(job))];
        double sum = 0;
        for (int r = 0; r < resources; r++) {
            sum += unit[r] * books.demand(job, r);
        }
        return sum;
    }

    /** Pairs of a job and a server that were examined so far. */
    long work() {
        return work;
    }

    /** Servers that may get jobs. */
    boolean[] targets() {
        return target;
    }

    List<int[]> journal() {
        return journal;
    }

    /** Undoes moves until {@code size} are left. */
    void backTo(int size) {
        while (journal.size() > size) {
            int[] last = journal.remove(journal.size() - 1);
            books.move(last[0], last[1]);
        }
    }

    private void move(int job, int to) {
        journal.add(new int[] {job, books.where(job), to});
        books.move(job, to);
    }

    /**
     * Moves a job to the best server, by a chain if there is room nowhere.
     *
     * @param chains whether others may be moved out of the way
     * @return whether it was moved
     */
    boolean place(int job, boolean chains) {
        int best = best(job, -1);
        if (best >= 0) {
            move(job, best);
            return true;
        }
        return chains && push(job, DEPTH, size(job));
    }

    /** The best server that takes a job, or -1. */
    int best(int job, int except) {
        int best = -1;
        double bestScore = Double.POSITIVE_INFINITY;
        work += target.length;
        for (int s = 0; s < target.length; s++) {
            if (!target[s] || s == except || !books.fits(job, s)) {
                continue;
            }
            double value = score(job, s);
            if (value < bestScore && books.takes(job, s)) {
                bestScore = value;
                best = s;
            }
        }
        return best;
    }

    private double score(int job, int server) {
        double[] unit = worth[server];
        double sum = 0;
        double squares = 0;
        double largest = 0;
        double smallest = Double.POSITIVE_INFINITY;
        for (int r = 0; r < resources; r++) {
            double left = unit[r] * (books.free(server, r) - books.demand(job, r));
            sum += left;
            squares += left * left;
            largest = Math.max(largest, left);
            smallest = Math.min(smallest, left);
        }
        return switch (score) {
            case WORTH_LEFT -> sum;
            case EVEN_LEFT -> sum + UNEVEN * (largest - smallest);
            case SQUARES_LEFT -> squares;
        };
    }

    /**
     * Makes room for a job by moving a smaller one (the smallest of a server that is enough), which may in turn push
     * another.
     */
    private boolean push(int job, int depth, double under) {
        for (int t = 0; t < target.length; t++) {
            work++;
            if (!target[t] || t == books.where(job) || !books.allowed(job, t)) {
                continue;
            }
            int other = smallestEnough(job, t, under);
            if (other >= 0 && pushed(job, t, other, depth)) {
                return true;
            }
        }
        return false;
    }

    private int smallestEnough(int job, int t, double under) {
        int found = -1;
        double smallest = under;
        for (int other : books.on(t)) {
            work++;
            if (movable[other] && isEnough(job, t, other)) {
                double size = size(other);
                if (size < smallest || (size == smallest && other < found)) {
                    smallest = size;
                    found = other;
                }
            }
        }
        return found;
    }

    private boolean pushed(int job, int t, int other, int depth) {
        int before = journal.size();
        int to = best(other, t);
        if (to >= 0) {
            move(other, to);
        } else if (depth <= 1 || !push(other, depth - 1, size(other) * 0.999)) {
            return false;
        }
        if (books.takes(job, t)) {
            move(job, t);
            return true;
        }
        backTo(before);
        return false;
    }

    private boolean isEnough(int job, int t, int other) {
        for (int r = 0; r < resources; r++) {
            if (books.free(t, r) + books.demand(other, r) < books.demand(job, r)) {
                return false;
            }
        }
        return true;
    }
}
